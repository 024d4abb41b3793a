"""Update a view from redacted events alone, without access to the state.

This is what a client does. The updated view is equal to a fresh one, byte for byte. With unredacted events
the same code updates a state.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from goldenspike.boards.limits import SEATS
from goldenspike.editions import Edition
from goldenspike.engine import api
from goldenspike.engine import events as kinds
from goldenspike.engine.observe import HAS_CHOSEN
from goldenspike.engine.state import (
    CHOOSING,
    EMPTY,
    KEEPING,
    LOCOMOTIVE,
    NOT_LAST_ROUND,
    OVER,
    SECOND_CARD,
    TURN,
    States,
    new_states,
)
from goldenspike.engine.tables import build_tables
from goldenspike.game.events import HIDDEN, Rows
from goldenspike.game.view import View


def begin_view(edition: Edition, seat: int | None) -> View:
    """Return a blank view of a seat, to which no event has been applied yet."""
    return View(edition, seat, new_states(1))


def follow(view: View, rows: Rows) -> None:
    """Apply events, redacted for the view's seat, to a view."""
    _tell(_Follower(view.edition, view.array, (view.seat,)), rows)


def follow_openly(edition: Edition, states: States, rows: Rows) -> None:
    """Apply unredacted events to a state, which is blank before the first event.

    It becomes equal to the game's state except for what no event contains: the order of the ticket deck, the
    kinds of the cards in the deck, and the state of the random number generator.

    >>> from goldenspike import Game
    >>> game, states = Game.new("usa-classic", 2, seed=1), new_states(1)
    >>> follow_openly(game.edition, states, game.rows())
    >>> bool((states["hands"] == game.states["hands"]).all())
    True
    """
    _tell(_Follower(edition, states, range(SEATS)), rows)


def _tell(follower: _Follower, rows: Rows) -> None:
    for kind, seat, *details in rows.tolist():
        _FOLLOW[kind](follower, seat, *details)


class _Follower:
    """A state struct and its tables, with one method for each kind of event.

    `open_seats` are the seats whose hands and tickets the struct shows.
    """

    def __init__(self, edition: Edition, states: States, open_seats: Container[int | None]) -> None:
        self._states = states
        self._v: Any = states[0]
        self._all_tables = build_tables(edition)
        self._tables: Any = self._all_tables[0]
        self._open_seats = open_seats

    def started(self, first: int, seats: int, *_: int) -> None:
        v = self._v
        v.seats, v.first, v.turn, v.turns_left, v.phase = seats, first, first, NOT_LAST_ROUND, CHOOSING
        v.row[:], v.offer[:], v.ticket_deck[:] = EMPTY, EMPTY, EMPTY
        v.pieces[:seats] = self._tables.pieces
        v.open_to[:seats] = self._tables.up_to[-1]
        v.deck_size, v.ticket_deck_size = self._tables.deck.sum(), self._tables.tickets

    def _go_on(self, phase: int) -> None:
        """Enter the second phase of a turn, if it has just begun; the end of the turn may follow at once."""
        if self._v.phase == TURN:
            self._v.phase = phase
            self._v.passes = 0

    def drew(self, seat: int, card: int, *_: int) -> None:
        self._v.deck_size -= 1
        self._v.hand_size[seat] += 1
        if card != HIDDEN:
            self._v.hands[seat, card] += 1
        self._go_on(SECOND_CARD)

    def took(self, seat: int, slot: int, card: int, *_: int) -> None:
        self._v.row[slot] = EMPTY
        self._v.hand_size[seat] += 1
        self._v.known[seat, card] += 1
        if seat in self._open_seats:
            self._v.hands[seat, card] += 1
        self._go_on(SECOND_CARD)

    def turned_up(self, _seat: int, slot: int, card: int, *_: int) -> None:
        self._v.row[slot] = card
        self._v.deck_size -= 1

    def wiped(self, *_: int) -> None:
        for card in self._v.row[self._v.row != EMPTY]:
            self._v.discards[card] += 1
            self._v.discards_size += 1
        self._v.row[:] = EMPTY

    def reshuffled(self, _seat: int, cards: int, *_: int) -> None:
        self._v.deck_size += cards
        self._v.discards[:] = 0
        self._v.discards_size = 0

    def offered(self, seat: int, ticket: int, *_: int) -> None:
        v = self._v
        v.ticket_deck_size -= 1
        if ticket != HIDDEN:
            v.offer[seat, v.offer_size[seat]] = ticket
        v.offer_size[seat] += 1
        self._go_on(KEEPING)

    def chose(self, seat: int, mask: int, *_: int) -> None:
        self._v.choice[seat] = HAS_CHOSEN if mask == HIDDEN else mask

    def kept(self, seat: int, ticket: int, *_: int) -> None:
        self._v.choice[seat] = 0
        self._v.held_count[seat] += 1
        if ticket != HIDDEN:
            _add(self._v.held[seat], ticket)
        self._put_away(seat)

    def returned(self, seat: int, *_: int) -> None:
        self._v.ticket_deck_size += 1
        self._put_away(seat)

    def _put_away(self, seat: int) -> None:
        """Remove one ticket from a seat's offer; after the last one the offer is over."""
        self._v.offer_size[seat] -= 1
        if self._v.offer_size[seat] == 0:
            self._v.offer[seat] = EMPTY

    def claimed(self, seat: int, route: int, card: int, locomotives: int, *_: int) -> None:
        paid = int(self._tables.route_length[route]) - locomotives
        for kind, count in ((card, paid), (LOCOMOTIVE, locomotives)):
            if count:
                self._v.discards[kind] += count
                self._v.known[seat, kind] = max(0, self._v.known[seat, kind] - count)
                if seat in self._open_seats:
                    self._v.hands[seat, kind] -= count
        self._v.discards_size += paid + locomotives
        self._v.hand_size[seat] -= paid + locomotives
        self._v.passes = 0
        api.take_route(self._states, self._all_tables, seat, route)

    def received(self, seat: int, ticket: int, *_: int) -> None:
        self._v.held_count[seat] += 1
        if ticket != HIDDEN:
            _add(self._v.held[seat], ticket)
        phase = self._v.phase
        self.offered(seat, ticket)
        self._v.phase = phase

    def swapped(self, seat: int, tickets: int, *_: int) -> None:
        v = self._v
        v.ticket_deck_size += tickets
        v.held_count[seat] = v.offer_size[seat] = 0
        v.held[seat], v.offer[seat] = 0, EMPTY

    def completed(self, seat: int, ticket: int, *_: int) -> None:
        v = self._v
        v.held_count[seat] -= 1
        v.completed_count[seat] += 1
        _add(v.completed[seat], ticket)
        v.offer_size[seat] -= 1
        if seat in self._open_seats:
            v.held[seat, ticket >> 6] &= ~(v.held.dtype.type(1) << v.held.dtype.type(ticket & 63))
            rest = [t for t in v.offer[seat] if t not in {ticket, EMPTY}]
            v.offer[seat] = EMPTY
            v.offer[seat, : len(rest)] = rest

    def coast_to_coast(self, seat: int, *_: int) -> None:
        self._v.coast_to_coast[seat] = 1
        self._v.completed_count[seat] += 1

    def turn_ended(self, _seat: int, turns: int, turns_left: int, passes: int, *_: int) -> None:
        self._v.turns, self._v.turns_left, self._v.passes = turns, turns_left, passes

    def turn_began(self, seat: int, *_: int) -> None:
        self._v.phase, self._v.turn = TURN, seat

    def revealed(self, seat: int, ticket: int, made: int, *_: int) -> None:
        _add(self._v.held[seat], ticket)
        if made:
            _add(self._v.completed[seat], ticket)
            self._v.completed_count[seat] += 1

    def scored(self, seat: int, _term: int, points: int, *_: int) -> None:
        self._v.totals[seat] += points

    def ended(self, _seat: int, ending: int, tie_break: int, winners: int, *_: int) -> None:
        v = self._v
        v.phase, v.ending, v.tie_break, v.winners = OVER, ending, tie_break, winners

    def nothing(self, *_: int) -> None:
        """Do nothing, because the event changes nothing in a view."""


def _add(words: Any, number: int) -> None:
    word = words.dtype.type
    words[number >> 6] |= word(1) << word(number & 63)


_FOLLOW: dict[int, Callable[..., None]] = {
    kinds.STARTED: _Follower.started,
    kinds.OFFERED: _Follower.offered,
    kinds.CHOSE: _Follower.chose,
    kinds.KEPT: _Follower.kept,
    kinds.RETURNED: _Follower.returned,
    kinds.DREW: _Follower.drew,
    kinds.TOOK: _Follower.took,
    kinds.TURNED_UP: _Follower.turned_up,
    kinds.WIPED: _Follower.wiped,
    kinds.RESHUFFLED: _Follower.reshuffled,
    kinds.CLAIMED: _Follower.claimed,
    kinds.JOINED: _Follower.nothing,
    kinds.COMPLETED: _Follower.completed,
    kinds.COAST_TO_COAST: _Follower.coast_to_coast,
    kinds.RECEIVED: _Follower.received,
    kinds.SWAPPED: _Follower.swapped,
    kinds.PASSED: _Follower.nothing,
    kinds.TURN_ENDED: _Follower.turn_ended,
    kinds.LAST_ROUND: _Follower.nothing,
    kinds.TURN_BEGAN: _Follower.turn_began,
    kinds.REVEALED: _Follower.revealed,
    kinds.SCORED: _Follower.scored,
    kinds.ENDED: _Follower.ended,
}
