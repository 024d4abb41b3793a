"""Messages written out: each part once for all who read the same."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from goldenspike.event import keepers_of_secrets, see_rows
from goldenspike.server.entry import Entry, list_rows
from goldenspike.server.face import is_secret_move, show_ending, tell_entry
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import Told, Welcome
from goldenspike.server.pen.pen import Views
from goldenspike.version import VERSION

_encode = msgspec.json.Encoder().encode
_NOTHING = b"null"


def encode_update(live: LiveGame, viewer: int | None, after: int) -> bytes:
    """Return the message with all entries after a number, which must be among the recent ones.

    It is written once for all who watch, or are connected to the same seat, and have read as far. Its fields
    are those of :class:`~goldenspike.server.messages.Update`.
    """
    key = ("update", viewer, after)
    told = live.told.get(key)
    if told is None:
        views = _views(live)
        news = range(after - live.number, 0)  # nearly always the last one alone
        entries = [_entry(live, live.recent[i], viewer) for i in news]
        told = live.told[key] = b"".join(
            (
                b'{"type":"update","entries":[',
                b",".join(entries),
                b'],"seats":',
                _seats(live),
                b',"asked":',
                _number(None if live.asked is None else live.asked.seat),
                b',"view":',
                views.table,
                b',"own":',
                _NOTHING if viewer is None else views.own[viewer],
                b"}",
            )
        )
    return told


def encode_welcome(live: LiveGame, viewer: int | None, missed: list[Entry]) -> bytes:
    """Return the message that greets somebody: the game as it stands, and the entries that were missed."""
    views = _views(live)
    welcome = Welcome(
        VERSION,
        live.info(),
        viewer,
        live.number,
        [tell_entry(live.edition, entry, viewer) for entry in missed],
        cast(Any, msgspec.Raw(_seats(live))),
        None if live.asked is None else live.asked.seat,
        cast(Any, msgspec.Raw(views.table)),
        None if viewer is None else cast(Any, msgspec.Raw(views.own[viewer])),
    )
    return _encode(welcome)


def _entry(live: LiveGame, entry: Entry, viewer: int | None) -> bytes:
    """Return an entry as a viewer may know it; all who keep no secret in it know the same."""
    key = ("entry", entry.number)
    told: dict[int | None, bytes] | None = live.told.get(key)
    if told is None:
        told = live.told[key] = _write_entry(live, entry)
    return told[viewer if viewer in told else None]


def _write_entry(live: LiveGame, entry: Entry) -> dict[int | None, bytes]:
    """Write an entry for each seat that knows more of it than others do, and, by None, for all others."""
    rows, is_secret = list_rows(entry.events), is_secret_move(live.edition, entry)
    readers: set[int | None] = {None, *keepers_of_secrets(rows)}
    if is_secret:
        readers.add(entry.seat)
    write = live.pen.write_event
    told: dict[int | None, bytes] = {}
    for reader in readers:
        events = [write(row, sees_private) for row, sees_private in see_rows(rows, reader)]
        is_hidden = is_secret and reader != entry.seat
        move, text = (None, None) if is_hidden else (entry.move, entry.text)
        head = Told(entry.number, entry.kind, entry.at, entry.seat, move, text, cast(Any, events))
        told[reader] = _encode(head)
    return told


def _views(live: LiveGame) -> Views:
    """Return what is seen of a game: how it stands, and for each seat what is its own."""
    views: Views | None = live.told.get("views")
    if views is None:
        is_over = live.position.is_over
        undoers = 0 if is_over else live.undoers
        table, own = live.pen.write_views(live.position, undoers)
        ending = _encode(show_ending(live.position, live.stored.seed)) if is_over else _NOTHING
        whole = b"".join((table, b',"deadline":', _number(live.deadline), b',"ending":', ending, b"}"))
        views = live.told["views"] = Views(whole, own)
    return views


def _seats(live: LiveGame) -> bytes:
    if not live.seats_told:
        live.seats_told = _encode(live.seat_infos())
    return live.seats_told


def _number(number: int | None) -> bytes:
    return _NOTHING if number is None else b"%d" % number
