"""What happened: rows of numbers that an action may leave behind.

Every rule is handed a log. Where nobody listens (simulation) it is off, and emitting costs one comparison.
"""

from __future__ import annotations

from typing import Annotated

from goldenspike.engine.bits import wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.record import Ints, Record, Wide, record_dtype

WIDTH = 6
"""Columns of a row: kind of event, seat, and up to four details."""
NOBODY = -1

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
"""Kinds of event; what each one's details mean is said in :mod:`goldenspike.event`."""


class Log(Record):
    """A record that events are written into, row by row. It is off, and costs nothing, until it is opened."""

    is_on: Wide
    count: Wide
    """Events so far. More than there are rows for: the last ones are lost (see :data:`LONG_LOG`)."""
    rows: Annotated[Ints, "i2", (12_000, WIDTH)]


class LongLog(Record):
    """A log for the rarest moves: a row wiped hundreds of times, with hardly a card but locomotives left."""

    is_on: Wide
    count: Wide
    rows: Annotated[Ints, "i2", (1_000_000, WIDTH)]


LOG = record_dtype(Log)
LONG_LOG = record_dtype(LongLog)


@inlined
def emit(log: Log, kind: int, seat: int, a: int, b: int, c: int, d: int) -> None:
    """Append an event, if anybody listens.

    All numbers are made 64 bits wide: `_write` would otherwise be compiled for each constant it is given.
    """
    if log.is_on:
        _write(log, wide(kind), wide(seat), wide(a), wide(b), wide(c), wide(d))


@compiled
def _write(log: Log, kind: int, seat: int, a: int, b: int, c: int, d: int) -> None:
    """Append an event. A full log counts on without writing, so that the caller can see it was too small."""
    row = log.count
    log.count += 1
    if row < log.rows.shape[0]:
        log.rows[row, 0] = kind
        log.rows[row, 1] = seat
        log.rows[row, 2] = a
        log.rows[row, 3] = b
        log.rows[row, 4] = c
        log.rows[row, 5] = d
