"""A game reconstructed from its events alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

from goldenspike import Game
from goldenspike.game.events import Event


class Story:
    """Hands, row, deck, pieces, points and tickets, computed from events; one method for each kind."""

    def __init__(self, game: Game) -> None:
        edition = game.edition
        self._lengths = {route.name: route.length for route in edition.board.routes}
        self.hands: Counter[tuple[Any, str]] = Counter()
        self.pieces: Counter[Any] = Counter(dict.fromkeys(range(game.players), edition.pieces))
        self.points: Counter[Any] = Counter()
        self.totals: Counter[Any] = Counter()
        self.tickets: Counter[Any] = Counter()
        self.row: dict[int, str] = {}
        self.deck = edition.cards
        self.discards = 0

    def tell(self, event: Event) -> None:
        method = getattr(self, event.kind.replace(" ", "_"), None)
        if method is not None:
            method(event.seat, **event.details)

    def drew(self, seat: Any, card: str) -> None:
        self.hands[seat, card] += 1
        self.deck -= 1

    def took(self, seat: Any, slot: int, card: str) -> None:
        assert self.row.pop(slot) == card
        self.hands[seat, card] += 1

    def turned_up(self, _seat: Any, slot: int, card: str) -> None:
        assert slot not in self.row
        self.row[slot] = card
        self.deck -= 1

    def wiped(self, _seat: Any) -> None:
        self.discards += len(self.row)
        self.row.clear()

    def reshuffled(self, _seat: Any, cards: int) -> None:
        assert (self.deck, self.discards) == (0, cards)
        self.deck, self.discards = cards, 0

    def claimed(self, seat: Any, route: str, card: str, locos: int, points: int) -> None:
        length = self._lengths[route]
        if locos < length:
            self.hands[seat, card] -= length - locos
        self.hands[seat, "loco"] -= locos
        self.discards += length
        self.pieces[seat] -= length
        self.points[seat] += points

    def kept(self, seat: Any, **_: Any) -> None:
        self.tickets[seat] += 1

    received = kept

    def completed(self, seat: Any, **_: Any) -> None:
        self.tickets[seat] -= 1

    def swapped(self, seat: Any, tickets: int) -> None:
        assert self.tickets[seat] == tickets
        self.tickets[seat] = 0

    def scored(self, seat: Any, term: str, points: int) -> None:
        assert term
        self.totals[seat] += points


def check_story(game: Game) -> None:
    """Compare the reconstruction with the state, and check that no card is lost or created."""
    state, edition, story = game.state, game.edition, Story(game)
    for event in game.events:
        story.tell(event)
    for seat in range(game.players):
        words = (*edition.board.colours, "loco")
        hand = {word: story.hands[seat, word] for word in words if story.hands[seat, word]}
        assert hand == game.view(seat).hand
        assert sum(hand.values()) == state.hand_size[seat]
        assert (story.pieces[seat], story.points[seat]) == (state.pieces[seat], state.points[seat])
        assert (story.tickets[seat], story.totals[seat]) == (state.held_count[seat], state.totals[seat])
    assert (story.deck, story.discards) == (state.deck_size, state.discards_size)
    assert [story.row.get(slot) for slot in range(edition.face_up)] == game.view(None).row
    assert story.deck + story.discards + len(story.row) + story.hands.total() == edition.cards
    if game.result:
        assert game.events[-1].details["winners"] == list(game.result.winners)
