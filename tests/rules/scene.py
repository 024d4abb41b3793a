"""Read access to a game's state by names, for tests."""

from __future__ import annotations

from typing import Any

from goldenspike.editions import Edition
from goldenspike.engine.state import EMPTY, NOT_LAST_ROUND
from tests.rules import words
from tests.rules.words import RuleEvent


class Scene:
    """Readable values of a game; `state` is the engine's own struct, or a view of it."""

    def __init__(self, edition: Edition, players: int) -> None:
        self.edition = edition
        self.players = players
        self.events: list[RuleEvent] = []

    @property
    def state(self) -> Any:
        """The struct that is read."""
        raise NotImplementedError

    def happened(self, kind: str, seat: int | None = None) -> list[RuleEvent]:
        """Return the events of a kind, of all seats or of one."""
        return [event for event in self.events if event.kind == kind and seat in {None, event.seat}]

    def hand(self, seat: int) -> dict[str, int]:
        """Return a seat's cards."""
        return self._named(self.state.hands[seat])

    @property
    def row(self) -> list[str]:
        """The face-up cards; "" for an empty slot."""
        slots = [int(kind) for kind in self.state.row[: self.edition.face_up]]
        return ["" if kind == EMPTY else words.card_of(self.edition, kind) for kind in slots]

    @property
    def deck(self) -> dict[str, int]:
        """The cards in the deck."""
        return self._named(self.state.deck)

    @property
    def discards(self) -> dict[str, int]:
        """The discarded cards."""
        return self._named(self.state.discards)

    def _named(self, counts: Any) -> dict[str, int]:
        return {words.card_of(self.edition, kind): int(n) for kind, n in enumerate(counts) if n}

    def hand_size(self, seat: int) -> int:
        """Return how many cards a seat has."""
        return int(self.state.hand_size[seat])

    def pieces(self, seat: int) -> int:
        """Return how many pieces a seat has left."""
        return int(self.state.pieces[seat])

    def points(self, seat: int) -> int:
        """Return a seat's points for routes."""
        return int(self.state.points[seat])

    def routes(self, seat: int) -> list[str]:
        """Return the routes a seat has claimed."""
        return [self.edition.board.routes[i].name for i in _members(self.state.owned[seat])]

    def tickets(self, seat: int) -> list[str]:
        """Return the tickets a seat holds, in the order of the board file."""
        return self._ticket_names(self._held(seat))

    def completed(self, seat: int) -> list[str]:
        """Return the publicly completed tickets of a seat; the Coast-to-Coast ticket has no name."""
        return self._ticket_names(_members(self.state.completed[seat]))

    def completed_count(self, seat: int) -> int:
        """Return the number of completed tickets, the Coast-to-Coast ticket included."""
        return int(self.state.completed_count[seat])

    def offer(self, seat: int) -> list[str]:
        """Return the tickets offered to a seat, in order."""
        return self._ticket_names([int(t) for t in self.state.offer[seat, : self.state.offer_size[seat]]])

    @property
    def ticket_deck(self) -> list[str]:
        """The tickets to draw, top first."""
        return self._ticket_names(self._ticket_deck())

    def _ticket_names(self, tickets: list[int]) -> list[str]:
        return [self.edition.tickets[ticket].name for ticket in tickets]

    @property
    def phase(self) -> str:
        """One of "choosing", "turn", "second card", "keeping", "over"."""
        return words.PHASES[int(self.state.phase)]

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return int(self.state.turn)

    @property
    def is_last_round(self) -> bool:
        """Whether the last round has begun."""
        return int(self.state.turns_left) != NOT_LAST_ROUND

    @property
    def ending(self) -> str:
        """Why the game ended."""
        return words.ENDINGS[int(self.state.ending)]

    @property
    def tie_break(self) -> str:
        """What decided between seats with equal points."""
        return words.TIE_BREAKS[int(self.state.tie_break)]

    @property
    def winners(self) -> list[int]:
        """The winning seats."""
        return [seat for seat in range(self.players) if int(self.state.winners) >> seat & 1]

    @property
    def totals(self) -> list[int]:
        """The final scores."""
        return [int(total) for total in self.state.totals[: self.players]]

    def score(self, seat: int) -> dict[str, int]:
        """Return the terms of a seat's final score, as the move that ended the game reported them."""
        return {words.TERMS[e.details[0]]: e.details[1] for e in self.happened("scored", seat)}

    def _ticket_deck(self) -> list[int]:
        state = self.state
        ring = len(state.ticket_deck)
        top, size = int(state.ticket_top), int(state.ticket_deck_size)
        return [int(state.ticket_deck[(top + i) % ring]) for i in range(size)]

    def _held(self, seat: int) -> list[int]:
        return _members(self.state.held[seat])


def _members(pair: Any) -> list[int]:
    """Return the numbers in a pair of words."""
    whole = int(pair[0]) | int(pair[1]) << 64
    return [number for number in range(128) if whole >> number & 1]
