"""Views as plain data, for the server's messages, its replays and ``goldenspike replay --json``.

A new public field of the state is added to a class here and to the server's JSON writer, which a test
compares with this module byte for byte.
"""

from __future__ import annotations

import msgspec

from goldenspike.game.view import View


class SeatView(msgspec.Struct, frozen=True):
    """The public part of a seat."""

    cards: int
    known: dict[str, int]
    tickets: int
    completed: list[str]
    """Publicly completed tickets."""
    has_bonus_ticket: bool
    pieces: int
    points: int
    routes: list[str]


class PublicView(msgspec.Struct, frozen=True):
    """The public part of a game."""

    phase: str
    to_move: list[int]
    turns: int
    turns_left: int | None
    row: list[str | None]
    deck: int
    discards: dict[str, int]
    ticket_deck: int
    seats: list[SeatView]
    closed: list[str]
    """Unowned routes that no player may claim: the other lanes of double routes (C-6)."""


class PrivateView(msgspec.Struct, frozen=True):
    """The private part of a seat."""

    hand: dict[str, int]
    tickets: list[str]
    joined: list[str]
    """The tickets whose cities are joined."""
    offer: list[str]
    legal: list[int]
    """The numbers of the legal moves; the edition has the table of moves by number."""


def describe_public(view: View) -> PublicView:
    """Return the public part of a view.

    >>> from goldenspike import Game
    >>> public = describe_public(Game.new("usa-classic", 2, seed=3, first=1).view(None))
    >>> public.phase, public.to_move, public.deck, public.seats[0].pieces
    ('choosing', [0, 1], 97, 45)
    """
    return PublicView(
        view.phase,
        view.to_move,
        view.turns,
        view.turns_left,
        view.row,
        view.deck_size,
        view.discards,
        view.ticket_deck_size,
        _describe_seats(view),
        view.closed,
    )


def _describe_seats(view: View) -> list[SeatView]:
    fields = zip(
        view.hand_sizes,
        view.known,
        view.ticket_counts,
        map(view.completed_of, range(view.seats)),
        view.bonus_tickets,
        view.pieces,
        view.points,
        map(view.routes_of, range(view.seats)),
        strict=True,
    )
    return [SeatView(*seat) for seat in fields]


def describe_private(view: View) -> PrivateView:
    """Return what only the seat of a view sees; empty for a spectator.

    >>> from goldenspike import Game
    >>> describe_private(Game.new("usa-classic", 2, seed=3, first=1).view(0)).offer
    ['DUL-ELP', 'DEN-PIT', 'WPG-HOU']
    """
    return PrivateView(view.hand, view.tickets, view.joined, view.offer, list(view.legal_moves().numbers))
