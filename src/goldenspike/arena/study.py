"""Statistics of a match about its board: order of play, routes, tickets, cities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from goldenspike.arena.columns import TERM_COLUMNS, set_members
from goldenspike.arena.estimate import Estimate, Floats, difference, estimate, estimate_share
from goldenspike.arena.plan import Seating
from goldenspike.arena.rows import FINISHED, GameRows, Rows
from goldenspike.arena.summary import SeatRows, spread_out
from goldenspike.editions import Edition
from goldenspike.game.events import TERM_NAMES

assert len(TERM_NAMES) == len(TERM_COLUMNS)


@dataclass(frozen=True)
class RouteFigures:
    """One route: the share of games in which it was taken, and what taking it is worth."""

    route: dict[str, Any]
    taken: Estimate
    worth: Estimate
    """How much more a seat that took it won than one that did not, relative to its bot's mean."""


@dataclass(frozen=True)
class TicketFigures:
    """One ticket: how often it was held at the end, made, and what holding it is worth."""

    ticket: dict[str, Any]
    held: Estimate
    """The share of hands it was in."""
    times: int
    made: Estimate
    """The share of those that joined its cities."""
    score: Estimate
    """How much more a seat with it scored than one without, relative to its bot's mean."""
    worth: Estimate
    """How much more it won, relative to its bot's mean."""


@dataclass(frozen=True)
class Study:
    """Figures of the finished games of a match."""

    board: dict[str, Any]
    bots: tuple[str, ...]
    seats: int
    games: int
    rows: Rows
    seat_rows: SeatRows
    turns: tuple[Estimate, ...]
    """Win share of the first player, the second, and so on."""
    terms: dict[str, tuple[Estimate, ...]]
    """Points by term, for each bot."""
    routes: tuple[RouteFigures, ...]
    tickets: tuple[TicketFigures, ...]
    visited: tuple[float, ...]
    """The share of games in which any seat reached a city."""


def study_match(
    board: dict[str, Any], bots: tuple[str, ...], seatings: tuple[Seating, ...], batch: GameRows
) -> Study:
    """Compute the statistics of a match; `board` comes from :func:`describe_board`."""
    seat_rows = spread_out(batch, seatings)
    finished = batch.rows["outcome"][seat_rows.game] == FINISHED
    seat_rows = SeatRows(*(cast("NDArray[Any]", column)[finished] for column in seat_rows))
    rows, seats = batch.rows, len(seatings[0])
    owned = set_members(rows["owned"])[seat_rows.game, seat_rows.seat]
    held = set_members(np.bitwise_or(rows["held"], rows["completed"]))[seat_rows.game, seat_rows.seat]
    made = set_members(rows["completed"])[seat_rows.game, seat_rows.seat]
    beyond, ahead = _beyond_bot(seat_rows.won, seat_rows), _beyond_bot(seat_rows.score, seat_rows)
    games = np.unique(seat_rows.game)
    return Study(
        board=board,
        bots=bots,
        seats=seats,
        games=len(games),
        rows=rows[games],
        seat_rows=seat_rows,
        turns=tuple(
            estimate_share(seat_rows.won[seat_rows.turn == turn], seat_rows.deal[seat_rows.turn == turn])
            for turn in range(seats)
        ),
        terms=_terms(rows, seat_rows, len(bots)),
        routes=tuple(
            RouteFigures(
                route,
                estimate_share(*_any_seat(owned[:, i], seat_rows)),
                difference(beyond, owned[:, i], seat_rows.deal),
            )
            for i, route in enumerate(board["routes"])
        ),
        tickets=tuple(
            _ticket(ticket, held[:, i], made[:, i], seat_rows, (ahead, beyond))
            for i, ticket in enumerate(board["tickets"])
        ),
        visited=_visited(board, owned, seat_rows),
    )


def _beyond_bot(values: Floats, seat_rows: SeatRows) -> Floats:
    """Return values minus the mean of each one's bot, because a good bot does not make a good route."""
    sums, counts = np.bincount(seat_rows.bot, values), np.bincount(seat_rows.bot)
    return values - (sums / np.maximum(1, counts))[seat_rows.bot]


def _any_seat(is_in: NDArray[np.bool_], seat_rows: SeatRows) -> tuple[Floats, NDArray[np.int64]]:
    """Return for each game whether it holds for any of its seats, and its deal."""
    games, starts = np.unique(seat_rows.game, return_index=True)
    if not len(games):
        return np.zeros(0), np.zeros(0, np.int64)
    return np.logical_or.reduceat(is_in, starts).astype(float), seat_rows.deal[starts]


def _ticket(
    ticket: dict[str, Any],
    held: NDArray[np.bool_],
    made: NDArray[np.bool_],
    seat_rows: SeatRows,
    beyond: tuple[Floats, Floats],
) -> TicketFigures:
    return TicketFigures(
        ticket,
        held=estimate_share(held.astype(float), seat_rows.deal),
        times=int(held.sum()),
        made=estimate_share(made[held].astype(float), seat_rows.deal[held]),
        score=difference(beyond[0], held, seat_rows.deal),
        worth=difference(beyond[1], held, seat_rows.deal),
    )


def _terms(rows: Rows, seat_rows: SeatRows, bots: int) -> dict[str, tuple[Estimate, ...]]:
    points = rows["terms"][seat_rows.game, seat_rows.seat]
    return {
        name: tuple(
            estimate(points[seat_rows.bot == bot, term], seat_rows.deal[seat_rows.bot == bot])
            for bot in range(bots)
        )
        for term, name in enumerate(TERM_NAMES)
        if points[:, term].any()
    }


def _visited(board: dict[str, Any], owned: NDArray[np.bool_], seat_rows: SeatRows) -> tuple[float, ...]:
    shares: list[float] = []
    for city in range(len(board["cities"])):
        routes = [i for i, route in enumerate(board["routes"]) if city in (route["a"], route["b"])]
        seen, _ = _any_seat(np.logical_or.reduce(owned[:, routes], axis=1), seat_rows)
        shares.append(float(seen.mean()) if len(seen) else 0.0)
    return tuple(shares)


def describe_board(edition: Edition) -> dict[str, Any]:
    """Return an edition's board as plain data, as match files and reports store it.

    Routes and tickets refer to cities by number.
    """
    board = edition.board
    return {
        "edition": edition.name,
        "board": board.name,
        "size": list(board.size),
        "pieces": edition.pieces,
        "piece": edition.words.piece,
        "is_race": edition.end.when == "race",
        "cities": [{"code": c.code, "name": c.name, "x": c.x, "y": c.y} for c in board.cities],
        "routes": [
            {"name": r.name, "a": r.a, "b": r.b, "length": r.length, "colour": r.colour, "twin": r.twin}
            for r in board.routes
        ],
        "tickets": [
            {"name": t.name, "a": t.a, "b": t.b, "points": t.points, "shortest": board.shortest(t.a, t.b)}
            for t in edition.tickets
        ],
    }
