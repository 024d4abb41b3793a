"""What one seat, or a spectator, may see of a game, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from goldenspike.editions import Edition
from goldenspike.engine import doors
from goldenspike.engine.observe import SPECTATOR
from goldenspike.engine.state import (
    CHOOSING,
    EMPTY,
    KEEPING,
    LOCOMOTIVE,
    NOT_LAST_ROUND,
    OVER,
    State,
    States,
    new_states,
)
from goldenspike.engine.tables import build_tables
from goldenspike.legal import LegalMoves
from goldenspike.notation import notation_of

PHASES = ("choosing", "turn", "second card", "keeping", "over")


def cards_in_words(edition: Edition, counts: Any) -> dict[str, int]:
    """Return counts by kind as a dictionary by colour, locomotives last, without those there are none of."""
    numbers = counts.tolist()
    words = {colour: count for colour, count in zip(edition.board.colours, numbers, strict=False) if count}
    if numbers[LOCOMOTIVE]:
        words["loco"] = numbers[LOCOMOTIVE]
    return words


def members(words: Any) -> list[int]:
    """Return the members of a pair of words in rising order."""
    left = int(words[0]) | int(words[1]) << 64
    found: list[int] = []
    while left:
        lowest = left & -left
        found.append(lowest.bit_length() - 1)
        left ^= lowest
    return found


class View:
    """A game as one seat sees it (R-12). Two views are equal if they show the same, byte for byte.

    `array` is the record itself, for compiled bots: the same layout as a state, hidden things blank.

    >>> from goldenspike import Game
    >>> view = Game.new("usa-classic", 2, seed=1).view(0)
    >>> view.hand_sizes, sum(view.hand.values()), len(view.offer)
    ([4, 4], 4, 3)
    """

    def __init__(self, edition: Edition, seat: int | None, array: States) -> None:
        self.edition = edition
        self.seat = seat
        self.array = array

    @classmethod
    def of(cls, edition: Edition, states: States, seat: int | None) -> View:
        """Look at a state from a seat; None is a spectator."""
        array = new_states(1)
        doors.observe(states, build_tables(edition), SPECTATOR if seat is None else seat, array)
        return cls(edition, seat, array)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.seat == other.seat and bytes(self) == bytes(other)

    __hash__ = None  # pyright: ignore[reportAssignmentType]  # a view changes with the game

    def __bytes__(self) -> bytes:
        return self.array.tobytes()

    def _field(self, name: str) -> Any:
        # An attribute of the record takes thirty times as long.
        return self.array[name][0]

    @property
    def record(self) -> State:
        """The record, with its fields."""
        return self.array[0]  # pyright: ignore[reportReturnType]

    @property
    def phase(self) -> str:
        """One of :data:`PHASES`."""
        return PHASES[int(self._field("phase"))]

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self._field("seats"))

    @property
    def to_move(self) -> list[int]:
        """The seats with a decision to make."""
        if self._field("phase") == CHOOSING:
            return [seat for seat in range(self.seats) if self._field("choice")[seat] == 0]
        return [] if self._field("phase") == OVER else [int(self._field("turn"))]

    def legal_moves(self) -> LegalMoves:
        """Return what this seat may play now: nothing for a spectator, or if it is not to move."""
        notation = notation_of(self.edition)
        out = np.empty(notation.count, np.int16)
        count = 0
        if self.seat is not None:
            count = doors.list_moves(self.array, build_tables(self.edition), self.seat, out)
        return LegalMoves(notation, out[:count].tolist(), self.offered)

    @property
    def offered(self) -> list[int]:
        """Numbers of the tickets that lie before this seat to choose from."""
        if self.seat is None or self._field("phase") not in {CHOOSING, KEEPING}:
            return []
        return self.array["offer"][0, self.seat][: self._field("offer_size")[self.seat]].tolist()

    @property
    def hand(self) -> dict[str, int]:
        """Own cards by colour; empty for a spectator."""
        return {} if self.seat is None else cards_in_words(self.edition, self._field("hands")[self.seat])

    @property
    def known(self) -> list[dict[str, int]]:
        """What everybody has seen each seat take from the face-up row and not play yet."""
        return [cards_in_words(self.edition, self._field("known")[seat]) for seat in range(self.seats)]

    @property
    def row(self) -> list[str | None]:
        """The face-up cards, None for an empty slot."""
        kinds_up = [int(kind) for kind in self._field("row")[: self.edition.face_up]]
        return [
            None if k == EMPTY else "loco" if k == LOCOMOTIVE else self.edition.board.colours[k]
            for k in kinds_up
        ]

    @property
    def discards(self) -> dict[str, int]:
        """The discards by colour."""
        return cards_in_words(self.edition, self._field("discards"))

    @property
    def deck_size(self) -> int:
        """Cards left in the deck."""
        return int(self._field("deck_size"))

    @property
    def ticket_deck_size(self) -> int:
        """Tickets left in the deck."""
        return int(self._field("ticket_deck_size"))

    @property
    def hand_sizes(self) -> list[int]:
        """Cards in each hand."""
        return self._by_seat(self._field("hand_size"))

    @property
    def ticket_counts(self) -> list[int]:
        """Tickets held by each seat."""
        return self._by_seat(self._field("held_count"))

    @property
    def pieces(self) -> list[int]:
        """Pieces left to each seat."""
        return self._by_seat(self._field("pieces"))

    @property
    def points(self) -> list[int]:
        """Points for routes so far."""
        return self._by_seat(self._field("points"))

    @property
    def tickets(self) -> list[str]:
        """Own tickets; of all seats once they are revealed, see `tickets_of`."""
        return [] if self.seat is None else self.tickets_of(self.seat)

    def tickets_of(self, seat: int) -> list[str]:
        """Tickets of a seat, as far as they may be seen."""
        return [self.edition.tickets[t].name for t in members(self._field("held")[seat])]

    def completed_of(self, seat: int) -> list[str]:
        """Tickets that all have seen a seat complete."""
        return [self.edition.tickets[t].name for t in members(self._field("completed")[seat])]

    @property
    def offer(self) -> list[str]:
        """Tickets that lie before this seat to choose from."""
        return [self.edition.tickets[ticket].name for ticket in self.offered]

    @property
    def owners(self) -> dict[str, int]:
        """Who owns which route."""
        routes = self.edition.board.routes
        return {
            routes[r].name: seat for seat in range(self.seats) for r in members(self._field("owned")[seat])
        }

    @property
    def turns_left(self) -> int | None:
        """Turns until the end once the last round has begun (E-1)."""
        left = int(self._field("turns_left"))
        return None if left == NOT_LAST_ROUND else left

    def _by_seat(self, values: Any) -> list[int]:
        return [int(values[seat]) for seat in range(self.seats)]
