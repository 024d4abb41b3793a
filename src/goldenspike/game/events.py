"""Events: the rows of the engine with names, and which part each seat may see.

The engine writes rows of numbers. A row is redacted for a seat by blanking the details that only another seat
may see; a secret event is left out entirely. So hidden information is never sent to a client.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition
from goldenspike.engine import events as kinds
from goldenspike.engine.scoring import TERMS
from goldenspike.game.words import card_words

Rows = NDArray[np.int16]
Row = Sequence[int]
"""One row, as Python integers."""
RowT = TypeVar("RowT", bound=Row)

HIDDEN = -2
"""Replaces a hidden detail in a redacted row."""

TERM_NAMES = (
    "routes",
    "tickets made",
    "tickets failed",
    "longest path",
    "globetrotter",
    "attractions",
    "completed tickets",
)
"""The terms of a score, in the order of :mod:`goldenspike.engine.scoring`."""

ENDINGS = ("", "last round played", "nobody can act", "tickets completed", "last piece placed")
TIE_BREAKS = ("", "completed tickets", "longest path", "shared")

assert len(TERM_NAMES) == TERMS


class Event(msgspec.Struct, frozen=True):
    """One event. `details` are its details by name; None for a hidden one.

    >>> print(Event("drew", 1, {"card": None}))
    drew seat=1 card=?
    """

    kind: str
    seat: int | None
    details: dict[str, Any]

    def __str__(self) -> str:
        seat = "" if self.seat is None else f" seat={self.seat}"
        shown = ("?" if value is None else value for value in self.details.values())
        return (
            self.kind
            + seat
            + "".join(f" {name}={value}" for name, value in zip(self.details, shown, strict=True))
        )


class Detail(NamedTuple):
    """One detail of an event: its name, how to read its number, and whether only the seat may see it."""

    name: str
    read: Callable[[Edition, int], Any]
    is_private: bool = False


class EventKind(NamedTuple):
    """A kind of event: its name and details, whether it is secret, and whether it reveals information."""

    name: str
    details: tuple[Detail, ...] = ()
    is_secret: bool = False
    """Only the seat itself may know of the event (T-2)."""
    reveals: bool = False
    """The event shows hidden information to a player, so its action cannot be undone."""


def _number(_edition: Edition, number: int) -> int:
    return number


def _card(edition: Edition, number: int) -> str:
    return card_words(edition)[number]


def _ticket(edition: Edition, number: int) -> str:
    return edition.tickets[number].name


def _route(edition: Edition, number: int) -> str:
    return edition.board.routes[number].name


def _seats(_edition: Edition, mask: int) -> list[int]:
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


def _name(names: tuple[str, ...]) -> Callable[[Edition, int], str]:
    return lambda _edition, number: names[number]


_OWN_TICKET = Detail("ticket", _ticket, is_private=True)

EVENT_KINDS: dict[int, EventKind] = {
    kinds.STARTED: EventKind("started", (Detail("seats", _number),)),
    kinds.OFFERED: EventKind("offered", (_OWN_TICKET,), reveals=True),
    kinds.CHOSE: EventKind("chose", (Detail("mask", _number, is_private=True),)),
    kinds.KEPT: EventKind("kept", (_OWN_TICKET,)),
    kinds.RETURNED: EventKind("returned", (_OWN_TICKET,)),
    kinds.DREW: EventKind("drew", (Detail("card", _card, is_private=True),), reveals=True),
    kinds.TOOK: EventKind("took", (Detail("slot", _number), Detail("card", _card))),
    kinds.TURNED_UP: EventKind("turned up", (Detail("slot", _number), Detail("card", _card)), reveals=True),
    kinds.WIPED: EventKind("wiped"),
    kinds.RESHUFFLED: EventKind("reshuffled", (Detail("cards", _number),)),
    kinds.CLAIMED: EventKind(
        "claimed",
        (Detail("route", _route), Detail("card", _card), Detail("locos", _number), Detail("points", _number)),
    ),
    kinds.JOINED: EventKind("joined", (Detail("ticket", _ticket),), is_secret=True),
    kinds.COMPLETED: EventKind("completed", (Detail("ticket", _ticket),), reveals=True),
    kinds.COAST_TO_COAST: EventKind("coast to coast"),
    kinds.RECEIVED: EventKind("received", (_OWN_TICKET,), reveals=True),
    kinds.SWAPPED: EventKind("swapped", (Detail("tickets", _number),)),
    kinds.PASSED: EventKind("passed"),
    kinds.TURN_ENDED: EventKind(
        "turn ended", (Detail("turns", _number), Detail("turns_left", _number), Detail("passes", _number))
    ),
    kinds.LAST_ROUND: EventKind("last round"),
    kinds.TURN_BEGAN: EventKind("turn began"),
    kinds.REVEALED: EventKind("revealed", (Detail("ticket", _ticket), Detail("made", _number)), reveals=True),
    kinds.SCORED: EventKind("scored", (Detail("term", _name(TERM_NAMES)), Detail("points", _number))),
    kinds.ENDED: EventKind(
        "ended",
        (Detail("ending", _name(ENDINGS)), Detail("tie_break", _name(TIE_BREAKS)), Detail("winners", _seats)),
        reveals=True,
    ),
}
"""Every kind of event that the engine writes."""


def redact(rows: Rows, seat: int | None) -> Rows:
    """Return the rows as a seat, or a spectator (None), may see them, for :mod:`goldenspike.game.fold`."""
    visible = [row for row in rows if seat == row[1] or not EVENT_KINDS[int(row[0])].is_secret]
    seen = np.array(visible, np.int16).reshape(-1, kinds.WIDTH)
    for row in seen:
        if row[1] != seat:
            for column, detail in enumerate(EVENT_KINDS[int(row[0])].details, start=2):
                if detail.is_private:
                    row[column] = HIDDEN
    return seen


def is_revealing(rows: Rows) -> bool:
    """Tell whether an action with these events revealed hidden information.

    The last choice at setup does, because it shows how many tickets the others kept.
    """
    keepers: set[int] = set()
    for kind, seat in rows[:, :2].tolist():
        if kind in _REVEALING:
            return True
        if kind == kinds.KEPT:
            keepers.add(seat)
    return len(keepers) > 1


def read_row(edition: Edition, row: Row, *, sees_private: bool) -> Event:
    """Return a row as an event, with or without its private details."""
    kind = EVENT_KINDS[row[0]]
    details: dict[str, Any] = {}
    for number, detail in zip(row[2:], kind.details, strict=False):
        # A detail already hidden in the row stays hidden. In a public detail, HIDDEN is an ordinary number.
        is_hidden = detail.is_private and (not sees_private or number == HIDDEN)
        details[detail.name] = None if is_hidden else detail.read(edition, number)
    return Event(kind.name, None if row[1] == kinds.NOBODY else row[1], details)


def read_events(edition: Edition, rows: Rows) -> Iterator[Event]:
    """Yield rows of numbers as events."""
    return (read_row(edition, row, sees_private=True) for row in rows.tolist())


def see_rows(rows: Iterable[RowT], seat: int | None) -> Iterator[tuple[RowT, bool]]:
    """Yield the rows that a seat, or a spectator (None), may see, and whether it sees private details."""
    for row in rows:
        if row[1] == seat:
            yield row, True
        elif row[0] not in _SECRET:
            yield row, False


def see_events(edition: Edition, rows: Rows, seat: int | None) -> list[Event]:
    """Return the events that a seat, or a spectator (None), may see: :func:`redact` and read in one step."""
    listed: list[list[int]] = rows.tolist()
    return [read_row(edition, row, sees_private=sees) for row, sees in see_rows(listed, seat)]


def seats_with_private_details(rows: Iterable[Row]) -> set[int]:
    """Return the seats that see more of some events than others do; all other seats see the same."""
    return {row[1] for row in rows if row[0] in _UNEQUAL}


_REVEALING = frozenset(number for number, kind in EVENT_KINDS.items() if kind.reveals)
_SECRET = frozenset(number for number, kind in EVENT_KINDS.items() if kind.is_secret)
_UNEQUAL = _SECRET | frozenset(
    number for number, kind in EVENT_KINDS.items() if any(detail.is_private for detail in kind.details)
)
