"""The row stored for each game of a match, read from the game's last state."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import SEATS
from goldenspike.editions import Edition
from goldenspike.engine import api
from goldenspike.engine.events import LOG
from goldenspike.engine.scoring import TERMS
from goldenspike.engine.state import OVER, States
from goldenspike.engine.struct import Int, Ints, Struct, Wide, Words, struct_dtype
from goldenspike.engine.tables import build_tables

FINISHED, TOO_LONG, FORFEITED = range(3)
OUTCOMES = ("finished", "too long", "forfeited")
"""How a game ended: by the rules; stopped after too many decisions; forfeited by a bot's error."""
NO_SEAT = -1


class Row(Struct):
    """One game. The first axis of arrays is the seat."""

    game: Wide
    owned: Annotated[Words, "u8", (SEATS, 2)]
    """Routes that a seat claimed."""
    held: Annotated[Words, "u8", (SEATS, 2)]
    completed: Annotated[Words, "u8", (SEATS, 2)]
    seconds: Annotated[NDArray[np.float64], "f8", (SEATS,)]
    """Mean seconds per move of a seat; NaN if not measured."""
    decisions: Annotated[int, "i4"]
    turns: Annotated[int, "i4"]
    outcome: Int
    fault: Int
    """The seat that forfeited, or NO_SEAT."""
    first: Int
    ending: Int
    tie_break: Int
    winners: Int
    """The winning seats as a bit set. No seat loses a game that was too long; only the seat at fault loses a
    forfeited one."""
    terms: Annotated[Ints, "i2", (SEATS, TERMS)]
    """Points by term; of an unfinished game, as if it had ended there."""
    made: Annotated[Ints, "i2", (SEATS,)]
    failed: Annotated[Ints, "i2", (SEATS,)]


ROW = struct_dtype(Row)

Rows = NDArray[Any]
"""An array of rows: its columns have types that only the field's name tells."""


@dataclass
class GameRows:
    """Some games of a match: a row for each, and bot errors and records by game number."""

    rows: Rows = field(default_factory=lambda: np.zeros(0, ROW))
    errors: dict[int, str] = field(default_factory=dict[int, str])
    records: dict[int, str] = field(default_factory=dict[int, str])

    @property
    def games(self) -> NDArray[np.int64]:
        """The numbers of the games."""
        return self.rows["game"]


def join_batches(batches: Iterable[GameRows]) -> GameRows:
    """Return all games of several batches, without duplicates, in order of their numbers."""
    batches = list(batches)
    rows = np.concatenate([np.zeros(0, ROW), *(batch.rows for batch in batches)])
    _, places = np.unique(rows["game"], return_index=True)
    joined = GameRows(rows[places])
    for batch in batches:
        joined.errors.update(batch.errors)
        joined.records.update(batch.records)
    return joined


def fingerprint(batch: GameRows) -> str:
    """Return a digest of everything in a batch that does not depend on run or machine."""
    digest = hashlib.sha256()
    for name in batch.rows.dtype.names or ():
        if name != "seconds":
            column = batch.rows[name]
            digest.update(column.astype(column.dtype.newbyteorder("<")).tobytes())
    for texts in (batch.errors, batch.records):
        for game in sorted(texts):
            digest.update(f"{game} {texts[game]}\n".encode(errors="backslashreplace"))
    return digest.hexdigest()


def read_states(edition: Edition, games: Sequence[int], states: States, decisions: Any) -> Rows:
    """Return the rows of games from their last states; a game that is not over was stopped as too long."""
    tables, logs = build_tables(edition), np.zeros(1, LOG)
    rows = np.zeros(len(states), ROW)
    rows["outcome"] = np.where(states["phase"] == OVER, FINISHED, TOO_LONG)
    for i in np.flatnonzero(rows["outcome"] == TOO_LONG):
        state = states[i : i + 1].copy()
        api.finish(state, tables, logs)
        states[i] = state[0]
        states["winners"][i] = (1 << int(states["seats"][i])) - 1
        states["tie_break"][i] = 0
    terms = np.zeros((len(states), SEATS, TERMS), np.int16)
    api.score_games(states, tables, terms, logs)
    rows["terms"] = terms
    rows["game"], rows["decisions"], rows["fault"], rows["seconds"] = games, decisions, NO_SEAT, np.nan
    for name in ("owned", "held", "completed", "turns", "first", "ending", "tie_break", "winners"):
        rows[name] = states[name]
    rows["made"] = states["completed_count"]
    if edition.end.when != "race":  # in a race, open tickets cost nothing
        rows["failed"] = np.bitwise_count(states["held"]).sum(axis=2) - states["completed_count"]
    return rows
