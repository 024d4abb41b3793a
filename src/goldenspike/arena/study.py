"""What a match tells about its board: who wins from where, what routes and tickets are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from goldenspike.arena.columns import TERM_COLUMNS, set_members
from goldenspike.arena.estimate import Estimate, Floats, difference, estimate, estimate_share
from goldenspike.arena.plan import Seating
from goldenspike.arena.rows import FINISHED, Batch, Rows
from goldenspike.arena.summary import Sheet, spread_out
from goldenspike.event import TERM_NAMES

assert len(TERM_NAMES) == len(TERM_COLUMNS)


@dataclass(frozen=True)
class RouteFigures:
    """One route: in which part of the games somebody took it, and what taking it is worth."""

    route: dict[str, Any]
    taken: Estimate
    worth: Estimate
    """How much more a seat that took it won than one that did not, beyond what its bot wins anyway."""


@dataclass(frozen=True)
class TicketFigures:
    """One ticket: how often it was held at the end, made, and what holding it is worth."""

    ticket: dict[str, Any]
    held: Estimate
    """The part of hands it was in."""
    times: int
    made: Estimate
    """The part of those that joined its cities."""
    score: Estimate
    """How much more a seat with it scored than one without, beyond what its bot scores anyway."""
    worth: Estimate
    """How much more it won, in the same way."""


@dataclass(frozen=True)
class Study:
    """Figures of the finished games of a match."""

    board: dict[str, Any]
    bots: tuple[str, ...]
    seats: int
    games: int
    rows: Rows
    sheet: Sheet
    turns: tuple[Estimate, ...]
    """Win share of who begins, who comes next, and so on."""
    terms: dict[str, tuple[Estimate, ...]]
    """Points by term, for each bot."""
    routes: tuple[RouteFigures, ...]
    tickets: tuple[TicketFigures, ...]
    visited: tuple[float, ...]
    """The part of games in which anybody reached a city."""


def study_match(
    board: dict[str, Any], bots: tuple[str, ...], seatings: tuple[Seating, ...], batch: Batch
) -> Study:
    """Work out the figures of a match; `board` is what :func:`describe_board` says of it."""
    sheet = spread_out(batch, seatings)
    finished = batch.rows["outcome"][sheet.game] == FINISHED
    sheet = Sheet(*(cast("NDArray[Any]", column)[finished] for column in sheet))
    rows, seats = batch.rows, len(seatings[0])
    owned = set_members(rows["owned"])[sheet.game, sheet.seat]
    held = set_members(np.bitwise_or(rows["held"], rows["completed"]))[sheet.game, sheet.seat]
    made = set_members(rows["completed"])[sheet.game, sheet.seat]
    beyond, ahead = _beyond_bot(sheet.won, sheet), _beyond_bot(sheet.score, sheet)
    games = np.unique(sheet.game)
    return Study(
        board=board,
        bots=bots,
        seats=seats,
        games=len(games),
        rows=rows[games],
        sheet=sheet,
        turns=tuple(
            estimate_share(sheet.won[sheet.turn == turn], sheet.deal[sheet.turn == turn])
            for turn in range(seats)
        ),
        terms=_terms(rows, sheet, len(bots)),
        routes=tuple(
            RouteFigures(
                route,
                estimate_share(*_any_seat(owned[:, i], sheet)),
                difference(beyond, owned[:, i], sheet.deal),
            )
            for i, route in enumerate(board["routes"])
        ),
        tickets=tuple(
            _ticket(ticket, held[:, i], made[:, i], sheet, (ahead, beyond))
            for i, ticket in enumerate(board["tickets"])
        ),
        visited=_visited(board, owned, sheet),
    )


def _beyond_bot(values: Floats, sheet: Sheet) -> Floats:
    """Return values less what the bot of each has on average: a good bot does not make a good route."""
    sums, counts = np.bincount(sheet.bot, values), np.bincount(sheet.bot)
    return values - (sums / np.maximum(1, counts))[sheet.bot]


def _any_seat(is_in: NDArray[np.bool_], sheet: Sheet) -> tuple[Floats, NDArray[np.int64]]:
    """Return for each game whether it is so for any of its seats, and its deal."""
    games, starts = np.unique(sheet.game, return_index=True)
    if not len(games):
        return np.zeros(0), np.zeros(0, np.int64)
    return np.logical_or.reduceat(is_in, starts).astype(float), sheet.deal[starts]


def _ticket(
    ticket: dict[str, Any],
    held: NDArray[np.bool_],
    made: NDArray[np.bool_],
    sheet: Sheet,
    beyond: tuple[Floats, Floats],
) -> TicketFigures:
    return TicketFigures(
        ticket,
        held=estimate_share(held.astype(float), sheet.deal),
        times=int(held.sum()),
        made=estimate_share(made[held].astype(float), sheet.deal[held]),
        score=difference(beyond[0], held, sheet.deal),
        worth=difference(beyond[1], held, sheet.deal),
    )


def _terms(rows: Rows, sheet: Sheet, bots: int) -> dict[str, tuple[Estimate, ...]]:
    points = rows["terms"][sheet.game, sheet.seat]
    return {
        name: tuple(
            estimate(points[sheet.bot == bot, term], sheet.deal[sheet.bot == bot]) for bot in range(bots)
        )
        for term, name in enumerate(TERM_NAMES)
        if points[:, term].any()
    }


def _visited(board: dict[str, Any], owned: NDArray[np.bool_], sheet: Sheet) -> tuple[float, ...]:
    shares: list[float] = []
    for city in range(len(board["cities"])):
        routes = [i for i, route in enumerate(board["routes"]) if city in (route["a"], route["b"])]
        seen, _ = _any_seat(np.logical_or.reduce(owned[:, routes], axis=1), sheet)
        shares.append(float(seen.mean()) if len(seen) else 0.0)
    return tuple(shares)
