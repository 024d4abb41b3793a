"""A game for tests: set hands, decks, routes and tickets as a test needs them, then play.

>>> table = RulesTable("usa-classic", players=3)
>>> table.set_hand(0, black=2, loco=1)
>>> table.play(0, "claim CHI-PIT/black with 2 black, 1 loco")
>>> table.points(0), table.pieces(0), table.hand(0)
(4, 42, {})
>>> table.refusal(1, "claim CHI-PIT/orange with 3 loco")
'twin closed'

Cards are never created or lost. Setting a hand, the row or the discards exchanges cards with the deck.
Setting the deck exchanges them with the hand of the last seat. Missing cards come from hands that are not set
yet, so set hands first and the deck last. Tickets that a test does not need are removed from the game.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from goldenspike.editions import Edition, load_edition
from goldenspike.engine import api
from goldenspike.engine.events import LOG
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.moves import CLAIM, KEEP
from goldenspike.engine.state import EMPTY, KINDS, new_states
from goldenspike.engine.tables import build_tables
from tests.rules import words
from tests.rules.scene import Scene
from tests.rules.words import RuleEvent


class RulesTable(Scene):
    """One game that a test may change in any way.

    Seats are numbered from 0, cards are colours or "loco", routes and tickets have the names of the board
    file, moves are texts such as "take red" or "keep LAX-NYC, DEN-ELP". Unless `choose` is False every seat
    has kept all tickets it was dealt. `events` are those of the last :meth:`play` or of the deal.
    """

    def __init__(
        self, edition: str | Edition, players: int = 2, *, first: int = 0, seed: int = 0, choose: bool = True
    ) -> None:
        super().__init__(load_edition(edition) if isinstance(edition, str) else edition, players)
        self._laid: set[int] = set()
        self._states = new_states(1)
        self._tables = build_tables(self.edition)
        self._logs = np.zeros(1, LOG)
        key = np.arange(8, dtype=np.uint32) + np.uint32(1000 * seed)
        api.deal(self._states, self._tables, players, key, first, self._logs)
        self._read_log()
        if choose and self.phase == "choosing":
            for seat in range(players):
                self.play(seat, "keep " + ", ".join(self.offer(seat)))

    def copy(self) -> RulesTable:
        """Return an independent copy."""
        other = copy.copy(self)
        other._states = self._states.copy()
        return other

    @property
    def state(self) -> Any:
        """The engine's own struct."""
        return self._states[0]

    @property
    def tables(self) -> Any:
        """The engine's tables of the board and the edition."""
        return self._tables[0]

    def view(self, seat: int) -> RulesTable:
        """Return a table with the view of a seat, -1 for a spectator."""
        seen = self.copy()
        seen._states = new_states(1)
        api.observe(self._states, self._tables, seat, seen._states)
        return seen

    # Playing

    def play(self, seat: int, *moves: str) -> None:
        """Play moves that must be legal; `events` then has the events of all of them."""
        happened: list[RuleEvent] = []
        for move in moves:
            reason = api.step(self._states, self._tables, seat, self._number(seat, move), self._logs)
            assert reason == LEGAL, f"seat {seat} may not {move!r}: {words.REASONS[reason]}"
            self._read_log()
            happened += self.events
            self.verify_cards()
        self.events = happened

    def refusal(self, seat: int, move: str) -> str:
        """Return why a seat may not play a move now, "legal" if it may; nothing changes."""
        before = self._states.tobytes()
        number = self._number(seat, move)
        reason = api.verify_move(self._states, self._tables, seat, number)
        if reason != LEGAL:
            assert api.step(self._states, self._tables, seat, number, self._logs) == reason
        assert self._states.tobytes() == before, "a refused move changed the game"
        return words.REASONS[reason]

    def legal(self, seat: int) -> list[str]:
        """Return the texts of a seat's legal moves."""
        out = np.zeros(CLAIM + int(self.tables.claims), np.int16)
        count = api.list_moves(self._states, self._tables, seat, out)
        texts = {number: text for text, number in words.move_numbers(self.edition).items()}
        return [
            words.keep_text(self.offer(seat), number) if KEEP < number < CLAIM else texts[number]
            for number in map(int, out[:count])
        ]

    def draw_two(self, seat: int) -> None:
        """Play a turn that changes little: two cards from the deck."""
        self.play(seat, *["draw deck"] * (2 if self.edition.face_up else 1))

    def finish(self) -> None:
        """Play the last turn of the last round without a claim, so that the game is scored."""
        self.state.turns_left = 1
        self.draw_two(self.turn)
        assert self.phase == "over"

    def _number(self, seat: int, move: str) -> int:
        if move.startswith("keep"):
            return words.keep_number(self.offer(seat), move)
        if move.startswith("claim"):
            words.route_of(self.edition, move.split()[1])
            return words.move_numbers(self.edition).get(move, words.NO_MOVE)
        return words.move_numbers(self.edition)[move]

    def _read_log(self) -> None:
        log = self._logs[0]
        assert log.count <= len(log.rows), "the log was too short for the events"
        self.events = [
            RuleEvent(words.EVENTS[int(row[0])], int(row[1]), tuple(map(int, row[2:])))
            for row in log.rows[: int(log.count)]
        ]

    # Setting cards

    def set_hand(self, seat: int, **cards: int) -> None:
        """Give a seat exactly these cards."""
        self._laid.add(seat)
        self._exchange(self.state.hands[seat], self._counts(cards), self.state.deck)
        self.state.known[seat] = 0
        self._recount()

    def set_row(self, *cards: str) -> None:
        """Turn up exactly these cards; other slots are empty. Nothing is wiped or filled yet."""
        row = np.zeros(KINDS, np.int16)
        for kind in self.state.row:
            row[kind] += kind != EMPTY
        wanted = self._counts({card: cards.count(card) for card in cards})
        self._exchange(row, wanted, self.state.deck)
        self.state.row[:] = EMPTY
        for slot, card in enumerate(cards):
            self.state.row[slot] = words.kind_of(self.edition, card)
        self._recount()

    def set_discards(self, **cards: int) -> None:
        """Put exactly these cards on the discards."""
        self._exchange(self.state.discards, self._counts(cards), self.state.deck)
        self._recount()

    def set_deck(self, **cards: int) -> None:
        """Leave exactly these cards in the deck; all others are in the last seat's hand."""
        self._exchange(self.state.deck, self._counts(cards), self.state.hands[self.players - 1])
        self._recount()

    def _counts(self, cards: dict[str, int]) -> Any:
        counts = np.zeros(KINDS, np.int16)
        for card, count in cards.items():
            counts[words.kind_of(self.edition, card)] = count
        return counts

    def _exchange(self, pile: Any, wanted: Any, bank: Any) -> None:
        """Set a pile to the wanted cards, taken from the bank and, if it runs short, from dealt hands."""
        hands = self.state.hands
        lenders = [hands[seat] for seat in range(self.players) if seat not in self._laid]
        bank += pile - wanted
        pile[:] = wanted
        for lender in (hands[self.players - 1], *lenders):
            lent = np.minimum(lender, -np.minimum(bank, 0))
            bank += lent
            lender[:] -= lent
        assert (bank >= 0).all(), "the bank has too few of these cards"
        assert (pile == wanted).all(), "the last seat cannot lend to itself"

    def _recount(self) -> None:
        state = self.state
        state.hand_size[:] = state.hands.sum(axis=1)
        state.deck_size = state.deck.sum()
        state.discards_size = state.discards.sum()
        self.verify_cards()

    def verify_cards(self) -> None:
        """Check that no card was created or lost."""
        state = self.state
        total = state.hands.sum(axis=0) + state.deck + state.discards
        for kind in state.row:
            if kind != EMPTY:
                total[kind] += 1
        assert (total == self.tables.deck).all(), f"cards were created or lost: {total - self.tables.deck}"
        sizes = [*state.hand_size, state.deck_size, state.discards_size]
        assert sizes == [*state.hands.sum(axis=1), state.deck.sum(), state.discards.sum()]

    # Setting routes, pieces and tickets

    def own(self, seat: int, *routes: str) -> None:
        """Give routes to a seat as if claimed earlier: pieces placed, points scored, doubles closed."""
        for name in routes:
            api.take_route(self._states, self._tables, seat, words.route_of(self.edition, name))

    def close_routes(self) -> None:
        """Close all routes to all seats."""
        self.state.open_to[:] = 0

    def clear_cards(self) -> None:
        """Leave no card to draw, and none in any hand except the last seat's."""
        self.set_row()
        self.set_discards()
        for seat in range(self.players - 1):
            self.set_hand(seat)
        self.set_deck()

    def set_completed(self, seat: int, count: int) -> None:
        """Set the number of completed tickets a seat has shown (First Journey)."""
        self.state.completed_count[seat] = count

    def set_pieces(self, seat: int, count: int) -> None:
        """Set the number of pieces a seat has left."""
        self.state.pieces[seat] = count

    def set_points(self, *points: int) -> None:
        """Set the route points of all seats."""
        self.state.points[: self.players] = points

    def set_tickets(self, seat: int, *names: str) -> None:
        """Give a seat exactly these tickets; its old ones go to the bottom of the ticket deck."""
        wanted = [words.ticket_of(self.edition, name) for name in names]
        for other in range(self.players):
            assert other == seat or not {*wanted} & {*self._held(other)}, "another seat holds it"
        deck = [ticket for ticket in self._ticket_deck() + self._held(seat) if ticket not in wanted]
        self._lay_ticket_deck(deck)
        self.state.held[seat] = 0
        for ticket in wanted:
            self.state.held[seat, ticket >> 6] |= np.uint64(1 << (ticket & 63))
        self.state.held_count[seat] = len(wanted)
        if self.edition.ticket_rules.flow == "swap":
            self.state.offer[seat] = EMPTY
            self.state.offer[seat, : len(wanted)] = wanted
            self.state.offer_size[seat] = len(wanted)

    def set_ticket_deck(self, *names: str) -> None:
        """Set the tickets to draw, top first; the others are removed from the game."""
        self._lay_ticket_deck([words.ticket_of(self.edition, name) for name in names])

    def _lay_ticket_deck(self, tickets: list[int]) -> None:
        self.state.ticket_deck[:] = EMPTY
        self.state.ticket_deck[: len(tickets)] = tickets
        self.state.ticket_top = 0
        self.state.ticket_deck_size = len(tickets)


def bare(edition: str, players: int = 2) -> RulesTable:
    """Return a table where no seat holds a ticket."""
    table = RulesTable(edition, players)
    for seat in range(players):
        table.set_tickets(seat)
    return table
