"""A view as a few lines of text."""

from __future__ import annotations

from goldenspike.game.view import View
from goldenspike.game.words import count_of, seat_name


def write_text(view: View) -> str:
    """Return a view as text: two lines for the table, a line or more for each seat, then private details.

    Seats are counted from 1, as everywhere in text that people read.

    >>> from goldenspike import Game
    >>> print(write_text(Game.new("new-york", 2, seed=3, first=0).view(None)))
    New York, choosing, to move: Seat 1, Seat 2
    row: ..., ..., ..., ..., ...; deck 35, discards 0, tickets 14
    Seat 1: 15 pieces, 2 cards, 0 tickets, 0 points
    Seat 2: 15 pieces, 2 cards, 0 tickets, 0 points
    """
    to_move = ", ".join(map(seat_name, view.to_move)) or "none"
    row = "row: " + ", ".join(card or "-" for card in view.row) + "; " if view.row else ""
    discards = sum(view.discards.values())
    lines = [
        f"{view.edition.name}, {view.phase}, to move: {to_move}",
        f"{row}deck {view.deck_size}, discards {discards}, tickets {view.ticket_deck_size}",
    ]
    owners = view.owners
    counts = zip(view.pieces, view.hand_sizes, view.ticket_counts, view.points, strict=True)
    for seat, numbers in enumerate(counts):
        words = map(count_of, numbers, ("piece", "card", "ticket", "point"))
        lines.append(f"{seat_name(seat)}: {', '.join(words)}")
        routes = [name for name, owner in owners.items() if owner == seat]
        lines += [f"  routes: {' '.join(routes)}"] if routes else []
        completed = view.completed_of(seat)
        lines += [f"  completed: {' '.join(completed)}"] if completed else []
    if view.seat is not None:
        lines.append(write_own(view))
    return "\n".join(lines)


def write_own(view: View) -> str:
    """Return the seat's private details."""
    hand = ", ".join(f"{count} {kind}" for kind, count in view.hand.items()) or "nothing"
    tickets = " ".join(view.tickets) or "none"
    offer = f", offer: {' '.join(view.offer)}" if view.offer else ""
    return f"own hand: {hand}; tickets: {tickets}{offer}"
