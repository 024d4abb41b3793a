"""Scores by term, and the result of a finished game."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from goldenspike.boards.limits import SEATS
from goldenspike.datafiles.words import listed
from goldenspike.editions import Edition
from goldenspike.engine import api, scoring
from goldenspike.engine.state import OVER, State, States
from goldenspike.engine.tables import build_tables
from goldenspike.game.events import ENDINGS, TERM_NAMES, TIE_BREAKS
from goldenspike.game.thread_log import THREAD_LOG
from goldenspike.game.words import seat_name


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: the winning seats, why it ended, and the tie-break ("" if there was none)."""

    winners: tuple[int, ...]
    reason: str
    tie_break: str
    totals: tuple[int, ...]
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Names of the seats when printed; by default Seat 1, Seat 2, ..."""

    def __str__(self) -> str:
        names = self.names or [seat_name(seat) for seat in range(len(self.totals))]
        won = "shared" if len(self.winners) > 1 else "won"
        return f"{won} by {listed([names[seat] for seat in self.winners], 'and')}"


@dataclass(frozen=True, slots=True)
class Scores:
    """A table of scores: `points[seat]` has one number for each of `terms`. It prints as a table."""

    terms: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Column headings when printed; by default Seat 1, Seat 2, ..."""

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of each seat's terms."""
        return tuple(sum(row) for row in self.points)

    def of(self, seat: int) -> dict[str, int]:
        """Return one seat's score by term."""
        return dict(zip(self.terms, self.points[seat], strict=True))

    def __str__(self) -> str:
        names = self.names or [seat_name(seat) for seat in range(len(self.points))]
        rows = [("", *names)]
        rows += [(term, *(str(row[i]) for row in self.points)) for i, term in enumerate(self.terms)]
        rows.append(("total", *map(str, self.totals)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = (
            row[0].ljust(widths[0])
            + "".join("  " + cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))
            for row in rows
        )
        return "\n".join(lines)


def terms_of(edition: Edition) -> tuple[int, ...]:
    """Return the terms that an edition scores."""
    if edition.end.when == "race":
        return (scoring.COMPLETED,)
    bonuses = edition.bonuses
    awarded = {
        scoring.LONGEST_PATH: bonuses.longest_path,
        scoring.GLOBETROTTER: bonuses.globetrotter,
        scoring.ATTRACTIONS: bonuses.attraction,
    }
    basic = (scoring.ROUTES, scoring.TICKETS_MADE, scoring.TICKETS_FAILED)
    return (*basic, *(term for term, points in awarded.items() if points))


def score(edition: Edition, states: States) -> Scores:
    """Return the scores of a game; if it is not over, as if it ended now."""
    tables = build_tables(edition)
    if states[0].phase != OVER:
        states = states.copy()
        api.finish(states, tables, THREAD_LOG.logs)
    points = np.zeros((SEATS, scoring.TERMS), np.int16)
    api.score_terms(states, tables, points, THREAD_LOG.logs)
    terms = terms_of(edition)
    seats = range(int(states[0].seats))
    return Scores(
        tuple(TERM_NAMES[term] for term in terms),
        tuple(tuple(int(points[seat, term]) for term in terms) for seat in seats),
    )


def read_result(state: State) -> Result | None:
    """Return the result of a game, or None if it is not over."""
    if state.phase != OVER:
        return None
    seats = range(int(state.seats))
    return Result(
        tuple(seat for seat in seats if state.winners >> seat & 1),
        ENDINGS[state.ending],
        TIE_BREAKS[state.tie_break],
        tuple(int(state.totals[seat]) for seat in seats),
    )
