"""Which seats are to move, and their legal moves, read from a state or a view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from goldenspike.editions import Edition
from goldenspike.engine import api
from goldenspike.engine.state import CHOOSING, KEEPING, OVER, States
from goldenspike.engine.tables import build_tables
from goldenspike.errors import MalformedMoveError
from goldenspike.game.moves import KINDS, Move
from goldenspike.game.notation import Notation, notation_of

_SHOWN = 5


class LegalMoves:
    """The moves a seat may play now: iterate, count, slice, filter by kind, test with `in`.

    `in` accepts a value, a number, or a text that can mean one of the moves.

    >>> from goldenspike import Game
    >>> game = Game.new("usa-classic", 2, seed=1, first=0)
    >>> len(game.legal_moves(0)), "keep all" in game.legal_moves(0), "draw deck" in game.legal_moves(0)
    (4, True, False)
    >>> game.legal_moves(0).of_kind("claim")
    LegalMoves()
    """

    def __init__(self, notation: Notation, numbers: Sequence[int], offer: Sequence[int]) -> None:
        self._notation = notation
        self._offer = offer
        self.numbers = tuple(numbers)
        """The moves as integers, in ascending order."""

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Move]:
        return (self._notation.value(number, self._offer) for number in self.numbers)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> LegalMoves: ...
    def __getitem__(self, index: int | slice) -> Move | LegalMoves:
        if isinstance(index, slice):
            return LegalMoves(self._notation, self.numbers[index], self._offer)
        return self._notation.value(self.numbers[index], self._offer)

    def __contains__(self, move: object) -> bool:
        try:
            if isinstance(move, Move):
                return self._notation.number(move, self._offer) in self.numbers
            if isinstance(move, str):
                return any(number in self.numbers for number in self._notation.parse(move, self._offer))
        except MalformedMoveError:
            return False
        return not isinstance(move, bool | float) and move in self.numbers

    def of_kind(self, kind: str) -> LegalMoves:
        """Return only the moves of one kind, a word of :data:`goldenspike.game.moves.KINDS`."""
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is no kind of move; the kinds are {', '.join(KINDS)}.")
        chosen = [n for n in self.numbers if self._notation.value(n, self._offer).kind == kind]
        return LegalMoves(self._notation, chosen, self._offer)

    def __repr__(self) -> str:
        shown = ", ".join(str(move) for move in list(self)[:_SHOWN])
        return f"LegalMoves({shown}{', ...' if len(self) > _SHOWN else ''})"


def seats_to_move(states: States) -> list[int]:
    """Return the seats to move: at setup all that have not chosen, then one; none when the game is over."""
    phase = states["phase"].item()
    if phase == CHOOSING:
        choices = states["choice"][0, : states["seats"].item()].tolist()
        return [seat for seat, choice in enumerate(choices) if choice == 0]
    return [] if phase == OVER else [states["turn"].item()]


def offered_tickets(states: States, seat: int) -> list[int]:
    """Return the numbers of the tickets that a seat is to choose from."""
    if states["phase"].item() not in (CHOOSING, KEEPING):
        return []
    return states["offer"][0, seat, : states["offer_size"][0, seat]].tolist()


def legal_moves_of(edition: Edition, states: States, seat: int) -> LegalMoves:
    """Return the legal moves of a seat."""
    notation = notation_of(edition)
    out = np.empty(notation.count, np.int16)
    count = api.list_moves(states, build_tables(edition), seat, out)
    return LegalMoves(notation, out[:count].tolist(), offered_tickets(states, seat))
