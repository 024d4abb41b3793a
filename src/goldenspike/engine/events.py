"""The event log: rows of numbers that the rules append as they change the state.

Every rule takes a log. In simulations it is off, and emitting an event costs one comparison.
"""

from __future__ import annotations

from typing import Annotated

from goldenspike.boards.limits import SEATS
from goldenspike.engine.bits import wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.struct import Ints, Struct, Wide, struct_dtype
from goldenspike.engine.sweep import OWNED_NETWORK, SMALL_SWEEP, SWEEP, OwnedNetwork, Sweep

WIDTH = 6
"""Columns of a row: kind of event, seat, and up to four details."""
NOBODY = -1
TERMS = 7
"""Terms of a score; :mod:`goldenspike.engine.scoring` names them."""

(
    STARTED,
    OFFERED,
    CHOSE,
    KEPT,
    RETURNED,
    DREW,
    TOOK,
    TURNED_UP,
    WIPED,
    RESHUFFLED,
    CLAIMED,
    JOINED,
    COMPLETED,
    COAST_TO_COAST,
    RECEIVED,
    SWAPPED,
    PASSED,
    TURN_ENDED,
    LAST_ROUND,
    TURN_BEGAN,
    REVEALED,
    SCORED,
    ENDED,
) = range(23)
"""Kinds of event; :mod:`goldenspike.game.events` documents the details of each kind."""


class Log(Struct):
    """A struct that events are appended to, one row each. It is off until it is opened.

    Every rule is handed a log, so it also has the working memory of scoring: the rules allocate nothing.
    """

    is_on: Wide
    count: Wide
    """Events so far. If there are more than rows, the last ones are lost (see :data:`LONG_LOG`)."""
    network: Annotated[OwnedNetwork, OWNED_NETWORK]
    sweep: Annotated[Sweep, SWEEP]
    terms: Annotated[Ints, "i2", (SEATS, TERMS)]
    rows: Annotated[Ints, "i2", (12_000, WIDTH)]


class LongLog(Log):
    """A log for very rare moves, which wipe the row hundreds of times because few other cards are left."""

    rows: Annotated[Ints, "i2", (1_000_000, WIDTH)]


class SmallLog(Log):
    """A log that stays off, for thousands of games at the same time: 5 kB instead of a megabyte."""

    rows: Annotated[Ints, "i2", (1, WIDTH)]
    sweep: Annotated[Sweep, SMALL_SWEEP]


LOG = struct_dtype(Log)
LONG_LOG = struct_dtype(LongLog)
SMALL_LOG = struct_dtype(SmallLog)


@inlined
def emit(log: Log, kind: int, seat: int, a: int, b: int, c: int, d: int) -> None:
    """Append an event if the log is on.

    All numbers are widened to 64 bits, because `_write` would otherwise be compiled for each constant.
    """
    if log.is_on:
        _write(log, wide(kind), wide(seat), wide(a), wide(b), wide(c), wide(d))


@compiled
def _write(log: Log, kind: int, seat: int, a: int, b: int, c: int, d: int) -> None:
    """Append an event. A full log still counts, so that the caller can see that events were lost."""
    row = log.count
    log.count += 1
    if row < log.rows.shape[0]:
        log.rows[row, 0] = kind
        log.rows[row, 1] = seat
        log.rows[row, 2] = a
        log.rows[row, 3] = b
        log.rows[row, 4] = c
        log.rows[row, 5] = d
