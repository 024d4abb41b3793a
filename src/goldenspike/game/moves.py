"""Moves as values: one class for each kind of move.

`str(move)` is the move's text, which :mod:`goldenspike.game.notation` parses.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec


class Move(msgspec.Struct, frozen=True):
    """Base class of moves. `kind` is one of :data:`KINDS`."""

    kind: ClassVar[str]


class Pass(Move, frozen=True):
    """Pass, because no other move is legal (R-4).

    >>> str(Pass())
    'pass'
    """

    kind: ClassVar[str] = "pass"

    def __str__(self) -> str:
        return "pass"


class DrawCard(Move, frozen=True):
    """Draw the top card of the deck (D-1); both cards of the turn where there is no face-up row (J-2).

    >>> str(DrawCard())
    'draw deck'
    """

    kind: ClassVar[str] = "draw"

    def __str__(self) -> str:
        return "draw deck"


class TakeCard(Move, frozen=True):
    """Take a face-up card (D-1): of a colour, or a locomotive if it is None.

    >>> str(TakeCard("red")), str(TakeCard(None))
    ('take red', 'take loco')
    """

    kind: ClassVar[str] = "take"
    colour: str | None

    def __str__(self) -> str:
        return f"take {self.colour or 'loco'}"


class DrawTickets(Move, frozen=True):
    """Draw tickets to choose from (T-1).

    >>> str(DrawTickets())
    'draw tickets'
    """

    kind: ClassVar[str] = "tickets"

    def __str__(self) -> str:
        return "draw tickets"


class SwapTickets(Move, frozen=True):
    """Swap the tickets in hand for new ones from the deck (J-2).

    >>> str(SwapTickets())
    'swap tickets'
    """

    kind: ClassVar[str] = "swap"

    def __str__(self) -> str:
        return "swap tickets"


class KeepTickets(Move, frozen=True):
    """Keep these of the tickets offered, in the order of the offer (S-3, T-1).

    >>> str(KeepTickets(("LAX-NYC", "DEN-ELP")))
    'keep LAX-NYC, DEN-ELP'
    """

    kind: ClassVar[str] = "keep"
    tickets: tuple[str, ...]

    def __str__(self) -> str:
        return f"keep {', '.join(self.tickets)}"


class ClaimRoute(Move, frozen=True):
    """Claim a route with a number of cards of a colour and a number of locomotives (C-1 to C-3).

    >>> str(ClaimRoute("CHI-PIT/black", "black", 2, 1))
    'claim CHI-PIT/black with 2 black, 1 loco'
    >>> str(ClaimRoute("CHI-PIT/black", None, 0, 3))
    'claim CHI-PIT/black with 3 loco'
    """

    kind: ClassVar[str] = "claim"
    route: str
    colour: str | None
    cards: int
    locomotives: int

    def __str__(self) -> str:
        paid: list[str] = []
        if self.cards:
            paid.append(f"{self.cards} {self.colour}")
        if self.locomotives:
            paid.append(f"{self.locomotives} loco")
        return f"claim {self.route} with {', '.join(paid)}"


KINDS = ("pass", "draw", "take", "tickets", "swap", "keep", "claim")
"""The kinds of move, to filter by."""
