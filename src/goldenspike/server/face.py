"""How a live game looks to its readers: built up from views and redacted events, never cut down."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from goldenspike.boards.model import Ticket
from goldenspike.editions import Edition
from goldenspike.engine import doors
from goldenspike.event import read_events, redact
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

_ENCODER = msgspec.json.Encoder()


def tell_entry(edition: Edition, entry: Entry, viewer: int | None) -> Told:
    """Return an entry as a seat, or a spectator (None), may know it."""
    move, text = entry.move, entry.text
    if entry.kind == "moved" and viewer != entry.seat and notation_of(edition).is_keep(move or 0):
        move = text = None
    rows = redact(unpack_rows(entry.events), viewer)
    return Told(entry.number, entry.kind, entry.at, entry.seat, move, text, list(read_events(edition, rows)))


def show_table(position: Position, seed: str, deadline: int | None = None) -> TableView:
    """Return what all can see; the seed is shown only once the game is over."""
    view = position.view(None)
    shown = view.array
    known, points, names = view.known, view.points, [route.name for route in position.edition.board.routes]
    taken = still_open = 0
    seats: list[SeatView] = []
    for seat in range(view.seats):
        owned = shown["owned"][0, seat].tolist()
        free = shown["open_to"][0, seat].tolist()
        taken |= owned[0] | owned[1] << 64
        still_open |= free[0] | free[1] << 64
        seats.append(
            SeatView(
                view.hand_sizes[seat],
                known[seat],
                view.ticket_counts[seat],
                view.completed_of(seat),
                bool(shown["coast_to_coast"][0, seat]),
                view.pieces[seat],
                points[seat],
                [names[route] for route in members(owned)],
            )
        )
    closed = ((1 << len(names)) - 1) & ~taken & ~still_open
    return TableView(
        view.phase,
        view.to_move,
        int(shown["turns"][0]),
        view.turns_left,
        view.row,
        view.deck_size,
        view.discards,
        view.ticket_deck_size,
        seats,
        [name for route, name in enumerate(names) if closed >> route & 1] if closed else [],
        deadline,
        _show_ending(position, view, seed) if position.is_over else None,
    )


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
    view = position.view(seat)
    tickets = [position.edition.tickets[number] for number in members(view.record.held[seat])]
    return OwnView(
        view.hand,
        [ticket.name for ticket in tickets],
        [ticket.name for ticket in tickets if _is_joined(position, view, seat, ticket)],
        view.offer,
        list(view.legal_moves().numbers) if seat in view.to_move else [],
        can_undo,
    )


def _is_joined(position: Position, view: View, seat: int, ticket: Ticket) -> bool:
    reached = int(doors.joined_cities(view.array, position.tables, seat, ticket.a))
    return bool(reached >> ticket.b & 1)


def show_ways(live: LiveGame, seat: int) -> list[TicketWay]:
    """Return how far a seat's tickets, and those it is offered, are from being made."""
    view = live.position.view(seat)
    routes = live.edition.board.routes
    shown: list[TicketWay] = []
    for number in [*members(view.record.held[seat]), *view.offered]:
        ticket = live.edition.tickets[number]
        way = find_way(view, ticket)
        names = [] if way is None else [routes[route].name for route in way.routes]
        shown.append(TicketWay(ticket.name, ticket.points, None if way is None else way.pieces, names))
    return shown


def encode_update(live: LiveGame, viewer: int | None, after: int) -> bytes:
    """Return the message with all entries after a number, which must be among the recent ones.

    It is written once for all who watch, or are connected to the same seat, and have read as far.
    """
    key = ("update", viewer, after)
    if key not in live.told:
        update = Update(
            [tell_entry(live.edition, entry, viewer) for entry in live.recent if entry.number > after],
            cast(Any, _shared(live, "seats")),
            None if live.asked is None else live.asked.seat,
            cast(Any, _shared(live, "table")),
            None if viewer is None else cast(Any, _own(live, viewer)),
        )
        live.told[key] = _ENCODER.encode(update)
    return live.told[key]


def encode_welcome(live: LiveGame, viewer: int | None, missed: list[Entry]) -> bytes:
    """Return the message that greets somebody: the game as it stands, and the entries that were missed."""
    welcome = Welcome(
        VERSION,
        live.info(),
        viewer,
        live.number,
        [tell_entry(live.edition, entry, viewer) for entry in missed],
        cast(Any, _shared(live, "seats")),
        None if live.asked is None else live.asked.seat,
        cast(Any, _shared(live, "table")),
        None if viewer is None else cast(Any, _own(live, viewer)),
    )
    return _ENCODER.encode(welcome)


def _shared(live: LiveGame, part: str) -> msgspec.Raw:
    """Return a part that reads the same for everybody, written once after each entry."""
    if part not in live.told:
        if part == "table":
            shown = show_table(live.position, live.stored.seed, live.deadline)
        else:
            shown = live.seat_infos()
        live.told[part] = _ENCODER.encode(shown)
    return msgspec.Raw(live.told[part])


def _own(live: LiveGame, seat: int) -> msgspec.Raw:
    if seat not in live.told:
        can_undo = any(step.seat == seat for step in live.trail) and not live.position.is_over
        live.told[seat] = _ENCODER.encode(show_own(live.position, seat, can_undo=can_undo))
    return msgspec.Raw(live.told[seat])
