"""Messages written out: each part once for all who read the same, and anew only when it has changed.

After a move, most of what there is to tell is as it was: of four seats one has changed, and the others' own
cards and tickets are the same. A part is kept together with the bytes of the state that it was made from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import SEATS
from goldenspike.engine.state import CHOOSING, KEEPING, OVER, STATE
from goldenspike.event import keepers_of_secrets
from goldenspike.position import Position
from goldenspike.server.entry import Entry, unpack_rows
from goldenspike.server.face import is_secret_move, lay_table, list_closed, show_own, show_seat, tell_entry
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import Update, Welcome
from goldenspike.version import VERSION

_encode = msgspec.json.Encoder().encode


def _places(*names: str) -> NDArray[np.intp]:
    """Return where the bytes of some fields are in a state, a row for each seat."""
    rows: list[list[int]] = [[] for _ in range(SEATS)]
    for name in names:
        field = cast("dict[str, Any]", STATE.fields)[name]
        at, size = field[1], field[0].itemsize // SEATS
        for seat, row in enumerate(rows):
            row.extend(range(at + seat * size, at + (seat + 1) * size))
    return np.array(rows, np.intp)


_PUBLIC = _places(
    "owned", "completed", "hand_size", "known", "pieces", "points", "held_count", "coast_to_coast"
)
"""What :func:`show_seat` reads of a seat."""
_OWN = _places("hands", "held", "owned", "offer", "offer_size")
"""What :func:`show_own` reads of a seat, if it is not to move."""
_ROUTES = _places("owned", "open_to")
"""What :func:`list_closed` reads."""


def encode_update(live: LiveGame, viewer: int | None, after: int) -> bytes:
    """Return the message with all entries after a number, which must be among the recent ones.

    It is written once for all who watch, or are connected to the same seat, and have read as far.
    """
    key = ("update", viewer, after)
    if key not in live.told:
        update = Update(
            cast(Any, [_entry(live, entry, viewer) for entry in live.recent if entry.number > after]),
            cast(Any, _seats(live)),
            None if live.asked is None else live.asked.seat,
            cast(Any, _table(live)),
            None if viewer is None else cast(Any, _own(live, viewer)),
        )
        live.told[key] = _encode(update)
    return live.told[key]


def encode_welcome(live: LiveGame, viewer: int | None, missed: list[Entry]) -> bytes:
    """Return the message that greets somebody: the game as it stands, and the entries that were missed."""
    welcome = Welcome(
        VERSION,
        live.info(),
        viewer,
        live.number,
        [tell_entry(live.edition, entry, viewer) for entry in missed],
        cast(Any, _seats(live)),
        None if live.asked is None else live.asked.seat,
        cast(Any, _table(live)),
        None if viewer is None else cast(Any, _own(live, viewer)),
    )
    return _encode(welcome)


def _entry(live: LiveGame, entry: Entry, viewer: int | None) -> msgspec.Raw:
    """Return an entry as a viewer may know it; all who keep no secret in it know the same."""
    if viewer is not None and viewer not in _keepers(live, entry):
        viewer = None
    key = ("entry", entry.number, viewer)
    if key not in live.told:
        live.told[key] = _encode(tell_entry(live.edition, entry, viewer))
    return msgspec.Raw(live.told[key])


def _keepers(live: LiveGame, entry: Entry) -> bytes:
    """Return the seats that know more of an entry than others do."""
    key = ("keepers", entry.number)
    if key not in live.told:
        keepers = keepers_of_secrets(unpack_rows(entry.events))
        if entry.seat is not None and is_secret_move(live.edition, entry):
            keepers.add(entry.seat)
        live.told[key] = bytes(keepers)
    return live.told[key]


class _Moment:
    """A position as it is looked at for all readers in turn."""

    __slots__ = ("is_offered", "is_over", "own", "public", "routes", "to_move")

    def __init__(self, position: Position) -> None:
        phase, state = int(position.states["phase"][0]), position.states.view(np.uint8)
        self.public, self.own = state[_PUBLIC].tobytes(), state[_OWN].tobytes()
        self.routes = state[_ROUTES].tobytes()
        self.to_move = position.to_move
        self.is_offered = phase in {CHOOSING, KEEPING}
        self.is_over = phase == OVER

    def public_of(self, seat: int) -> bytes:
        """Return what all can see of a seat, to tell whether it has changed."""
        size = _PUBLIC.shape[1]
        return self.public[seat * size : (seat + 1) * size]

    def own_of(self, seat: int) -> bytes:
        """Return what only a seat can see, to tell whether it has changed."""
        size = _OWN.shape[1]
        return self.own[seat * size : (seat + 1) * size]


def _moment(live: LiveGame) -> _Moment:
    if "moment" not in live.told:
        live.told["moment"] = _Moment(live.position)
    return live.told["moment"]


def _table(live: LiveGame) -> msgspec.Raw:
    if "table" not in live.told:
        position, moment = live.position, _moment(live)
        view = position.view(None)
        seats = [
            _kept(live, ("seat", seat), moment.public_of(seat), lambda at=seat: show_seat(view, at))
            for seat in range(len(live.chairs))
        ]
        closed = _kept(live, "closed", moment.routes, lambda: list_closed(view))
        shown = lay_table(
            position, view, cast(Any, seats), cast(Any, closed), live.stored.seed, live.deadline
        )
        live.told["table"] = _encode(shown)
    return msgspec.Raw(live.told["table"])


def _seats(live: LiveGame) -> msgspec.Raw:
    if not live.seats_told:
        live.seats_told = _encode(live.seat_infos())
    return msgspec.Raw(live.seats_told)


def _own(live: LiveGame, seat: int) -> msgspec.Raw:
    moment = _moment(live)
    can_undo = bool(live.trail) and not moment.is_over and any(step.seat == seat for step in live.trail)
    if seat in moment.to_move:  # what it may play depends on nearly everything
        return msgspec.Raw(_encode(show_own(live.position, seat, can_undo=can_undo)))
    source = moment.own_of(seat) + bytes((moment.is_offered, can_undo))
    return _kept(live, ("own", seat), source, lambda: show_own(live.position, seat, can_undo=can_undo))


def _kept(live: LiveGame, name: object, source: bytes, show: Callable[[], object]) -> msgspec.Raw:
    """Return a part as it was written last, unless what it is made from has changed since."""
    kept = live.kept.get(name)
    if kept is None or kept[0] != source:
        kept = live.kept[name] = source, _encode(show())
    return msgspec.Raw(kept[1])
