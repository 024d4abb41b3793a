"""How a live game looks to its readers: built up from views and redacted events, never cut down."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, cast

import msgspec

from goldenspike.editions import Edition
from goldenspike.engine import doors
from goldenspike.engine.state import CHOOSING, KEEPING, LOCOMOTIVE, States
from goldenspike.event import keepers_of_secrets, see_events
from goldenspike.longest import find_longest_path
from goldenspike.notation import notation_of
from goldenspike.position import Position
from goldenspike.server.entry import Entry, unpack_rows
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import (
    Ending,
    OwnView,
    SeatView,
    TableView,
    TicketWay,
    Told,
    Update,
    Welcome,
)
from goldenspike.version import VERSION
from goldenspike.view import View, members
from goldenspike.ways import find_way

_encode = msgspec.json.Encoder().encode
_WORD = (1 << 64) - 1


class _Words(NamedTuple):
    """The names of an edition's things, by number."""

    routes: tuple[str, ...]
    tickets: tuple[str, ...]
    cards: tuple[str, ...]
    """By kind; the last is the locomotive, and kinds that are not on this board have no name."""


@lru_cache
def _words(edition: Edition) -> _Words:
    colours = edition.board.colours
    return _Words(
        tuple(route.name for route in edition.board.routes),
        tuple(ticket.name for ticket in edition.tickets),
        (*colours, *[""] * (LOCOMOTIVE - len(colours)), "loco"),
    )


def _cards(names: tuple[str, ...], counts: list[int]) -> dict[str, int]:
    return {name: count for name, count in zip(names, counts, strict=True) if count}


@lru_cache(maxsize=10_000)
def _route_names(edition: Edition, low: int, high: int) -> tuple[str, ...]:
    """Return the routes of a set. What a seat owns is asked for after every move, and seldom changes."""
    return tuple(_words(edition).routes[number] for number in members((low, high)))


def tell_entry(edition: Edition, entry: Entry, viewer: int | None) -> Told:
    """Return an entry as a seat, or a spectator (None), may know it."""
    move, text = entry.move, entry.text
    if viewer != entry.seat and _is_secret_move(edition, entry):
        move = text = None
    events = see_events(edition, unpack_rows(entry.events), viewer)
    return Told(entry.number, entry.kind, entry.at, entry.seat, move, text, events)


def _is_secret_move(edition: Edition, entry: Entry) -> bool:
    return entry.kind == "moved" and notation_of(edition).is_keep(entry.move or 0)


def show_table(position: Position, seed: str, deadline: int | None = None) -> TableView:
    """Return what all can see; the seed is shown only once the game is over."""
    edition, view = position.edition, position.view(None)
    shown, words = view.array, _words(edition)
    owned, still_open = shown["owned"][0].tolist(), shown["open_to"][0].tolist()
    known, completed = shown["known"][0].tolist(), shown["completed"][0].tolist()
    hand_sizes, held_counts = shown["hand_size"][0].tolist(), shown["held_count"][0].tolist()
    pieces, points = shown["pieces"][0].tolist(), shown["points"][0].tolist()
    bonuses = shown["coast_to_coast"][0].tolist()
    seats = [
        SeatView(
            hand_sizes[seat],
            _cards(words.cards, known[seat]),
            held_counts[seat],
            [words.tickets[number] for number in members(completed[seat])],
            bool(bonuses[seat]),
            pieces[seat],
            points[seat],
            list(_route_names(edition, *owned[seat])),
        )
        for seat in range(view.seats)
    ]
    return TableView(
        view.phase,
        view.to_move,
        int(shown["turns"][0]),
        view.turns_left,
        view.row,
        view.deck_size,
        _cards(words.cards, shown["discards"][0].tolist()),
        view.ticket_deck_size,
        seats,
        _list_closed(edition, owned, still_open),
        deadline,
        _show_ending(position, view, seed) if position.is_over else None,
    )


def _list_closed(edition: Edition, owned: list[list[int]], still_open: list[list[int]]) -> list[str]:
    """Return the routes that nobody owns and nobody may claim."""
    low = high = 0
    for words in (*owned, *still_open):
        low, high = low | words[0], high | words[1]
    every = (1 << len(edition.board.routes)) - 1
    return list(_route_names(edition, every & _WORD & ~low, every >> 64 & ~high))


def _show_ending(position: Position, view: View, seed: str) -> Ending:
    result, scores = position.result, position.scores()
    assert result is not None
    return Ending(
        list(result.winners),
        result.reason,
        result.tie_break,
        list(scores.terms),
        [list(row) for row in scores.points],
        list(scores.totals),
        [view.tickets_of(seat) for seat in range(view.seats)],
        [_longest_path(position, view, seat) for seat in range(view.seats)],
        seed,
    )


def _longest_path(position: Position, view: View, seat: int) -> list[str]:
    owned = members(view.array["owned"][0, seat].tolist())
    routes = position.edition.board.routes
    return [routes[route].name for route in find_longest_path(position.edition, owned)]


def show_own(position: Position, seat: int, *, can_undo: bool = False) -> OwnView:
    """Return what only one seat can see."""
    view, words = position.view(seat), _words(position.edition)
    held = members(view.array["held"][0, seat])
    return OwnView(
        _cards(words.cards, view.array["hands"][0, seat].tolist()),
        [words.tickets[number] for number in held],
        [words.tickets[number] for number in held if _is_joined(position, view, seat, number)],
        view.offer,
        list(view.legal_moves().numbers) if seat in view.to_move else [],
        can_undo,
    )


def _is_joined(position: Position, view: View, seat: int, number: int) -> bool:
    ticket = position.edition.tickets[number]
    reached = int(doors.joined_cities(view.array, position.tables, seat, ticket.a))
    return bool(reached >> ticket.b & 1)


def show_ways(live: LiveGame, seat: int) -> list[TicketWay]:
    """Return how far a seat's tickets, and those it is offered, are from being made."""
    view = live.position.view(seat)
    routes = live.edition.board.routes
    shown: list[TicketWay] = []
    for number in [*members(view.array["held"][0, seat]), *view.offered]:
        ticket = live.edition.tickets[number]
        way = find_way(view, ticket)
        names = [] if way is None else [routes[route].name for route in way.routes]
        shown.append(TicketWay(ticket.name, ticket.points, None if way is None else way.pieces, names))
    return shown


# Written out: each part once for all who read the same


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
        if entry.seat is not None and _is_secret_move(live.edition, entry):
            keepers.add(entry.seat)
        live.told[key] = bytes(keepers)
    return live.told[key]


def _table(live: LiveGame) -> msgspec.Raw:
    if "table" not in live.told:
        live.told["table"] = _encode(show_table(live.position, live.stored.seed, live.deadline))
    return msgspec.Raw(live.told["table"])


def _seats(live: LiveGame) -> msgspec.Raw:
    if not live.seats_told:
        live.seats_told = _encode(live.seat_infos())
    return msgspec.Raw(live.seats_told)


def _own(live: LiveGame, seat: int) -> msgspec.Raw:
    """Return what a seat alone can see, written anew only if it has changed: mostly others move."""
    can_undo = any(step.seat == seat for step in live.trail) and not live.position.is_over
    key = None if seat in live.position.to_move else _own_key(live.position.states, seat, can_undo=can_undo)
    known = live.own_told.get(seat)
    if known is None or key is None or known[0] != key:
        known = key, _encode(show_own(live.position, seat, can_undo=can_undo))
        live.own_told[seat] = known
    return msgspec.Raw(known[1])


def _own_key(states: States, seat: int, *, can_undo: bool) -> bytes:
    """Return all that :func:`show_own` depends on for a seat that is not to move."""
    is_choosing = states["phase"][0] in {CHOOSING, KEEPING}
    parts = (states[name][0, seat].tobytes() for name in ("hands", "held", "owned", "offer", "offer_size"))
    return b"".join((*parts, bytes((is_choosing, can_undo))))
