"""View messages of a game. They are built from views and redacted events, never by removing secrets."""

from __future__ import annotations

from msgspec.structs import asdict

from goldenspike.editions import Edition
from goldenspike.game.description import describe_private, describe_public
from goldenspike.game.events import see_events
from goldenspike.game.notation import notation_of
from goldenspike.game.position import Position
from goldenspike.game.routes import find_longest_path, find_path
from goldenspike.game.view import View, members
from goldenspike.server.play.entry import Entry, unpack_rows
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.protocol.messages import Ending, OwnView, TableView, TicketWay, Told


def tell_entry(edition: Edition, entry: Entry, viewer: int | None) -> Told:
    """Return an entry as a seat, or a spectator (None), may see it."""
    move, text = entry.move, entry.text
    if viewer != entry.seat and is_secret_move(edition, entry):
        move = text = None
    events = see_events(edition, unpack_rows(entry.events), viewer)
    return Told(entry.number, entry.kind, entry.at, entry.seat, move, text, events)


def is_secret_move(edition: Edition, entry: Entry) -> bool:
    """Tell whether only its seat may know which move an entry is."""
    return entry.kind == "moved" and notation_of(edition).is_keep(entry.move_number)


def show_table(position: Position, seed: str) -> TableView:
    """Return the public view; it includes the seed only if the game is over."""
    ending = show_ending(position, seed) if position.is_over else None
    # A replay frame has no deadline.
    return TableView(**asdict(describe_public(position.view(None))), deadline=None, ending=ending)


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
    """Return the private view of a seat."""
    return OwnView(**asdict(describe_private(position.view(seat))), can_undo=can_undo)


def show_paths(live: LiveGame, seat: int) -> list[TicketWay]:
    """Return the shortest path that completes each ticket that a seat holds or is offered."""
    view = live.position.view(seat)
    routes = live.edition.board.routes
    shown: list[TicketWay] = []
    for number in [*members(view.array["held"][0, seat]), *view.offered]:
        ticket = live.edition.tickets[number]
        path = find_path(view, ticket)
        names = [] if path is None else [routes[route].name for route in path.routes]
        shown.append(TicketWay(ticket.name, ticket.points, None if path is None else path.pieces, names))
    return shown
