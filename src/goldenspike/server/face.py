"""How a live game looks to its readers: built up from views and redacted events, never cut down."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from goldenspike.editions import Edition
from goldenspike.engine import doors
from goldenspike.engine.state import EMPTY, LOCOMOTIVE
from goldenspike.event import see_events
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
)
from goldenspike.view import View, members
from goldenspike.ways import find_way


class _Words(NamedTuple):
    """The names of an edition's things, by number."""

    routes: tuple[str, ...]
    tickets: tuple[str, ...]
    cards: tuple[str, ...]
    """By kind; the last is the locomotive, and kinds that are not on this board have no name."""
    up: dict[int, str | None]
    """By what lies in a slot of the row."""


@lru_cache
def _words(edition: Edition) -> _Words:
    colours = edition.board.colours
    return _Words(
        tuple(route.name for route in edition.board.routes),
        tuple(ticket.name for ticket in edition.tickets),
        (*colours, *[""] * (LOCOMOTIVE - len(colours)), "loco"),
        {EMPTY: None, **dict(enumerate(colours)), LOCOMOTIVE: "loco"},
    )


def _cards(names: tuple[str, ...], counts: list[int]) -> dict[str, int]:
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def tell_entry(edition: Edition, entry: Entry, viewer: int | None) -> Told:
    """Return an entry as a seat, or a spectator (None), may know it."""
    move, text = entry.move, entry.text
    if viewer != entry.seat and is_secret_move(edition, entry):
        move = text = None
    events = see_events(edition, unpack_rows(entry.events), viewer)
    return Told(entry.number, entry.kind, entry.at, entry.seat, move, text, events)


def is_secret_move(edition: Edition, entry: Entry) -> bool:
    """Tell whether only its seat may know which move an entry is."""
    return entry.kind == "moved" and notation_of(edition).is_keep(entry.move or 0)


def show_table(position: Position, seed: str) -> TableView:
    """Return what all can see; the seed is shown only once the game is over."""
    view = position.view(None)
    words, shown = _words(position.edition), view.array
    return TableView(
        view.phase,
        view.to_move,
        int(shown["turns"][0]),
        view.turns_left,
        [words.up[kind] for kind in shown["row"][0].tolist()[: position.edition.face_up]],
        view.deck_size,
        _cards(words.cards, shown["discards"][0].tolist()),
        view.ticket_deck_size,
        [_show_seat(view, seat) for seat in range(view.seats)],
        _list_closed(view),
        None,  # a moment of a replay has no deadline
        show_ending(position, seed) if position.is_over else None,
    )


def _show_seat(view: View, seat: int) -> SeatView:
    """Return what all can see of a seat."""
    shown, words = view.array, _words(view.edition)
    return SeatView(
        int(shown["hand_size"][0, seat]),
        _cards(words.cards, shown["known"][0, seat].tolist()),
        int(shown["held_count"][0, seat]),
        [words.tickets[number] for number in members(shown["completed"][0, seat].tolist())],
        bool(shown["coast_to_coast"][0, seat]),
        int(shown["pieces"][0, seat]),
        int(shown["points"][0, seat]),
        [words.routes[number] for number in members(shown["owned"][0, seat].tolist())],
    )


def _list_closed(view: View) -> list[str]:
    """Return the routes that nobody owns and nobody may claim."""
    names, others = _words(view.edition).routes, 0
    for low, high in (*view.array["owned"][0].tolist(), *view.array["open_to"][0].tolist()):
        others |= low | high << 64
    closed = ((1 << len(names)) - 1) & ~others
    return [names[number] for number in members((closed, 0))]


def show_ending(position: Position, seed: str) -> Ending:
    """Return how a game ended."""
    view, result, scores = position.view(None), position.result, position.scores()
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
    held = members(view.array["held"][0, seat].tolist())
    return OwnView(
        _cards(words.cards, view.array["hands"][0, seat].tolist()),
        [words.tickets[number] for number in held],
        [words.tickets[number] for number in _list_joined(position, view, seat, held)],
        view.offer,
        list(view.legal_moves().numbers) if seat in view.to_move else [],
        can_undo,
    )


def _list_joined(position: Position, view: View, seat: int, tickets: list[int]) -> list[int]:
    """Return those of some tickets whose cities a seat's routes join."""
    touched = int(view.array["touched"][0, seat])
    joined: list[int] = []
    for number in tickets:
        ticket = position.edition.tickets[number]
        if touched >> ticket.a & touched >> ticket.b & 1:  # else no route of theirs even ends there
            reached = int(doors.joined_cities(view.array, position.tables, seat, ticket.a))
            if reached >> ticket.b & 1:
                joined.append(number)
    return joined


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
