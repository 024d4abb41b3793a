"""The View class: what one seat, or a spectator, may see of a game."""

from __future__ import annotations

from typing import Any

from goldenspike.editions import Edition
from goldenspike.engine import api
from goldenspike.engine.observe import SPECTATOR
from goldenspike.engine.state import EMPTY, NOT_LAST_ROUND, State, States, new_states
from goldenspike.engine.tables import build_tables
from goldenspike.game.legal_moves import LegalMoves, legal_moves_of, offered_tickets, seats_to_move
from goldenspike.game.notation import notation_of
from goldenspike.game.words import card_words

PHASES = ("choosing", "turn", "second card", "keeping", "over")


def cards_in_words(edition: Edition, counts: Any) -> dict[str, int]:
    """Return counts by kind as a dictionary by colour, locomotives last, without zeros."""
    return {word: count for word, count in zip(card_words(edition), counts.tolist(), strict=True) if count}


def members(words: Any) -> list[int]:
    """Return the members of a pair of words in ascending order."""
    low, high = words
    left = int(low) | int(high) << 64
    found: list[int] = []
    while left:
        lowest = left & -left
        found.append(lowest.bit_length() - 1)
        left ^= lowest
    return found


class View:
    """A game as one seat sees it (R-12). Two views are equal if their structs are equal, byte for byte.

    `array` is the struct itself, for compiled bots: the layout of a state, with hidden information blank.

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
        """Return the view of a state for a seat; None is a spectator."""
        array = new_states(1)
        api.observe(states, build_tables(edition), SPECTATOR if seat is None else seat, array)
        return cls(edition, seat, array)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.seat == other.seat and bytes(self) == bytes(other)

    __hash__ = None  # pyright: ignore[reportAssignmentType]  # a view changes with the game

    def __bytes__(self) -> bytes:
        return self.array.tobytes()

    def _field(self, name: str) -> Any:
        # Thirty times faster than an attribute of the struct.
        return self.array[name][0]

    @property
    def struct(self) -> State:
        """The underlying struct."""
        return self.array[0]  # pyright: ignore[reportReturnType]

    @property
    def phase(self) -> str:
        """One of :data:`PHASES`."""
        return PHASES[int(self._field("phase"))]

    @property
    def seats(self) -> int:
        """The number of players."""
        return int(self._field("seats"))

    @property
    def to_move(self) -> list[int]:
        """The seats to move."""
        return seats_to_move(self.array)

    def legal_moves(self) -> LegalMoves:
        """Return the legal moves of this seat; none for a spectator, or if it is not to move."""
        if self.seat is None:
            return LegalMoves(notation_of(self.edition), [], [])
        return legal_moves_of(self.edition, self.array, self.seat)

    @property
    def offered(self) -> list[int]:
        """Numbers of the tickets offered to this seat."""
        return [] if self.seat is None else offered_tickets(self.array, self.seat)

    @property
    def hand(self) -> dict[str, int]:
        """Own cards by colour; empty for a spectator."""
        return {} if self.seat is None else cards_in_words(self.edition, self._field("hands")[self.seat])

    @property
    def known(self) -> list[dict[str, int]]:
        """Cards that each seat took from the face-up row and has not played yet, which all players know."""
        known = self._field("known")
        return [cards_in_words(self.edition, known[seat]) for seat in range(self.seats)]

    @property
    def turns(self) -> int:
        """Turns ended so far."""
        return int(self._field("turns"))

    @property
    def row(self) -> list[str | None]:
        """The face-up cards, None for an empty slot."""
        words, kinds = card_words(self.edition), self._field("row")[: self.edition.face_up].tolist()
        return [None if kind == EMPTY else words[kind] for kind in kinds]

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
        return self._by_seat("hand_size")

    @property
    def ticket_counts(self) -> list[int]:
        """Tickets held by each seat."""
        return self._by_seat("held_count")

    @property
    def pieces(self) -> list[int]:
        """Pieces left to each seat."""
        return self._by_seat("pieces")

    @property
    def points(self) -> list[int]:
        """Points for routes so far."""
        return self._by_seat("points")

    @property
    def tickets(self) -> list[str]:
        """Own tickets; see `tickets_of` for those of other seats once they are revealed."""
        return [] if self.seat is None else self.tickets_of(self.seat)

    def tickets_of(self, seat: int) -> list[str]:
        """Return the tickets of a seat, as far as this view may show them."""
        return self._ticket_names(self._field("held")[seat])

    def completed_of(self, seat: int) -> list[str]:
        """Return the tickets that all players have seen a seat complete."""
        return self._ticket_names(self._field("completed")[seat])

    @property
    def bonus_tickets(self) -> list[bool]:
        """Whether each seat has the Coast-to-Coast ticket (J-5)."""
        return [number == 1 for number in self._by_seat("coast_to_coast")]

    @property
    def joined(self) -> list[str]:
        """Own tickets whose cities are joined by own routes."""
        if self.seat is None:
            return []
        touched, joined = int(self._field("touched")[self.seat]), list[str]()
        for number in members(self._field("held")[self.seat].tolist()):
            ticket = self.edition.tickets[number]
            if (
                touched >> ticket.a & touched >> ticket.b & 1
            ):  # cheap test: the seat has routes to both cities
                tables = build_tables(self.edition)
                if int(api.joined_cities(self.array, tables, self.seat, ticket.a)) >> ticket.b & 1:
                    joined.append(ticket.name)
        return joined

    @property
    def offer(self) -> list[str]:
        """Names of the tickets offered to this seat."""
        return [self.edition.tickets[ticket].name for ticket in self.offered]

    @property
    def owners(self) -> dict[str, int]:
        """The owner of each claimed route."""
        return {name: seat for seat in range(self.seats) for name in self.routes_of(seat)}

    def routes_of(self, seat: int) -> list[str]:
        """Return the routes that a seat has claimed."""
        routes = self.edition.board.routes
        return [routes[route].name for route in members(self._field("owned")[seat].tolist())]

    @property
    def closed(self) -> list[str]:
        """Routes that have no owner and that no seat may claim: the other lanes of doubles (C-6)."""
        routes, others = self.edition.board.routes, 0
        for low, high in (*self._field("owned").tolist(), *self._field("open_to").tolist()):
            others |= low | high << 64
        return [routes[route].name for route in members((((1 << len(routes)) - 1) & ~others, 0))]

    @property
    def turns_left(self) -> int | None:
        """Turns until the end once the last round has begun (E-1)."""
        left = int(self._field("turns_left"))
        return None if left == NOT_LAST_ROUND else left

    def _by_seat(self, name: str) -> list[int]:
        return self._field(name)[: self.seats].tolist()

    def _ticket_names(self, words: Any) -> list[str]:
        return [self.edition.tickets[ticket].name for ticket in members(words.tolist())]
