"""How a game stands or ended: scores by term, winners, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goldenspike.boards.limits import SEATS
from goldenspike.boards.words import listed
from goldenspike.editions import Edition
from goldenspike.engine import doors, scoring
from goldenspike.engine.events import LOG
from goldenspike.engine.state import OVER, State, States
from goldenspike.engine.tables import build_tables
from goldenspike.event import ENDINGS, TERM_NAMES, TIE_BREAKS


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: the winning seats, why it ended, and what broke a tie ("" if nothing had to)."""

    winners: tuple[int, ...]
    reason: str
    tie_break: str
    totals: tuple[int, ...]

    def __str__(self) -> str:
        first, *others = self.winners
        return (
            f"shared by seats {listed(map(str, self.winners), 'and')}" if others else f"won by seat {first}"
        )


@dataclass(frozen=True, slots=True)
class Scores:
    """A table of scores: `points[seat]` has one number for each of `terms`. It prints as a table."""

    terms: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """What each seat's terms add up to."""
        return tuple(sum(row) for row in self.points)

    def of(self, seat: int) -> dict[str, int]:
        """Return one seat's score by term."""
        return dict(zip(self.terms, self.points[seat], strict=True))

    def __str__(self) -> str:
        names = [f"seat {seat}" for seat in range(len(self.points))]
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
    """Return the scores of a game; of one that is not over, as if it ended now."""
    tables = build_tables(edition)
    if states[0].phase != OVER:
        states = states.copy()
        doors.finish(states, tables, np.zeros(1, LOG))
    points = np.zeros((SEATS, scoring.TERMS), np.int16)
    doors.score_terms(states, tables, points)
    terms = terms_of(edition)
    seats = range(int(states[0].seats))
    return Scores(
        tuple(TERM_NAMES[term] for term in terms),
        tuple(tuple(int(points[seat, term]) for term in terms) for seat in seats),
    )


def read_result(state: State) -> Result | None:
    """Return how a game ended, or None while it goes on."""
    if state.phase != OVER:
        return None
    seats = range(int(state.seats))
    return Result(
        tuple(seat for seat in seats if state.winners >> seat & 1),
        ENDINGS[state.ending],
        TIE_BREAKS[state.tie_break],
        tuple(int(state.totals[seat]) for seat in seats),
    )
