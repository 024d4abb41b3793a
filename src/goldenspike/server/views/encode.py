"""Encodes updates and welcomes as JSON; each part is encoded once for all clients that see the same."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from goldenspike.game.events import seats_with_private_details, see_rows
from goldenspike.server.play.entry import Entry, list_rows
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.protocol.messages import OwnView, Told, Welcome
from goldenspike.server.views.json_writer.writer import Views
from goldenspike.server.views.view_messages import is_secret_move, show_ending, tell_entry
from goldenspike.version import VERSION

_encode = msgspec.json.Encoder().encode
_NOTHING = b"null"
_HIDDEN = _encode(OwnView({}, [], [], [], [], can_undo=False))
"""The private view of a seat until all seats are taken."""


def encode_update(live: LiveGame, viewer: int | None, after: int) -> bytes:
    """Return the update with all entries after a number, which must be among the recent ones.

    It is encoded once for all clients with the same viewer that were sent the same entries. Its fields are
    those of :class:`~goldenspike.server.protocol.messages.Update`.
    """
    key = ("update", viewer, after)
    told = live.audience.encoded.get(key)
    if told is None:
        views = _views(live)
        news = range(after - live.number, 0)  # nearly always only the last entry
        entries = [_entry(live, live.recent[i], reader_of(live, viewer)) for i in news]
        told = live.audience.encoded[key] = b"".join(
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
                _own(live, views, viewer),
                b"}",
            )
        )
    return told


def encode_welcome(live: LiveGame, viewer: int | None, missed: list[Entry]) -> bytes:
    """Return the welcome message: the current state of the game, and the missed entries."""
    views = _views(live)
    welcome = Welcome(
        VERSION,
        live.info(),
        viewer,
        live.number,
        [tell_entry(live.edition, entry, reader_of(live, viewer)) for entry in missed],
        cast(Any, msgspec.Raw(_seats(live))),
        None if live.asked is None else live.asked.seat,
        cast(Any, msgspec.Raw(views.table)),
        cast(Any, msgspec.Raw(_own(live, views, viewer))),
    )
    return _encode(welcome)


def reader_of(live: LiveGame, viewer: int | None) -> int | None:
    """Return the seat whose private details a viewer may see: their own, once all seats are taken."""
    return None if live.is_hidden else viewer


def _own(live: LiveGame, views: Views, viewer: int | None) -> bytes:
    if viewer is None:
        return _NOTHING
    return _HIDDEN if live.is_hidden else views.own[viewer]


def _entry(live: LiveGame, entry: Entry, viewer: int | None) -> bytes:
    """Return an entry as a viewer may see it. Viewers without private details in it share one encoding."""
    key = ("entry", entry.number)
    told: dict[int | None, bytes] | None = live.audience.encoded.get(key)
    if told is None:
        told = live.audience.encoded[key] = _write_entry(live, entry)
    return told[viewer if viewer in told else None]


def _write_entry(live: LiveGame, entry: Entry) -> dict[int | None, bytes]:
    """Encode an entry for each seat with private details in it, and under None for all other viewers."""
    rows, is_secret = list_rows(entry.events), is_secret_move(live.edition, entry)
    readers: set[int | None] = {None, *seats_with_private_details(rows)}
    if is_secret:
        readers.add(entry.seat)
    write = live.json_writer.write_event
    told: dict[int | None, bytes] = {}
    for reader in readers:
        events = [write(row, sees_private) for row, sees_private in see_rows(rows, reader)]
        is_hidden = is_secret and reader != entry.seat
        move, text = (None, None) if is_hidden else (entry.move, entry.text)
        head = Told(entry.number, entry.kind, entry.at, entry.seat, move, text, cast(Any, events))
        told[reader] = _encode(head)
    return told


def _views(live: LiveGame) -> Views:
    """Return the public view of a game, and the private view of each seat."""
    views: Views | None = live.audience.encoded.get("views")
    if views is None:
        is_over = live.position.is_over
        undoers = 0 if is_over else live.undoers
        table, own = live.json_writer.write_views(live.position, undoers)
        ending = _encode(show_ending(live.position, live.stored.seed)) if is_over else _NOTHING
        whole = b"".join((table, b',"deadline":', _number(live.deadline), b',"ending":', ending, b"}"))
        views = live.audience.encoded["views"] = Views(whole, own)
    return views


def _seats(live: LiveGame) -> bytes:
    if not live.audience.encoded_seats:
        live.audience.encoded_seats = _encode(live.seat_infos())
    return live.audience.encoded_seats


def _number(number: int | None) -> bytes:
    return _NOTHING if number is None else b"%d" % number
