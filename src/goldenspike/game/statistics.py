"""The statistics of a game: totals for every seat, and series of numbers after each action.

They are computed from the unredacted events, so they are available for a game in memory, for one stored as
rows, and for an unfinished one (but must not be shown to its players).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from goldenspike.editions import Edition
from goldenspike.engine import api
from goldenspike.engine import events as kinds
from goldenspike.engine.state import CHOOSING, LOCOMOTIVE, TURN, new_states
from goldenspike.engine.tables import build_tables
from goldenspike.game.events import HIDDEN, Rows
from goldenspike.game.fold import follow_openly
from goldenspike.game.result import score
from goldenspike.game.thread_log import THREAD_LOG
from goldenspike.game.view import members


class KeptTicket(msgspec.Struct):
    """A ticket of a seat: the turns in which it was received (0: at setup) and joined, if it was."""

    ticket: str
    points: int
    kept_in_turn: int
    joined_in_turn: int | None = None


class SeatStatistics(msgspec.Struct):
    """The statistics of one seat; docs/reference/statistics.md explains each number.

    A term of the score is None if the edition does not have it.
    """

    score: int = 0
    points_routes: int | None = None
    points_tickets_made: int | None = None
    points_tickets_failed: int | None = None
    points_longest_path: int | None = None
    points_globetrotter: int | None = None
    points_attractions: int | None = None
    points_completed_tickets: int | None = None
    points_per_turn: float = 0.0

    turns: int = 0
    turns_drawing_cards: int = 0
    turns_claiming: int = 0
    turns_drawing_tickets: int = 0
    turns_passed: int = 0

    cards_dealt: int = 0
    cards_drawn: int = 0
    cards_taken: int = 0
    cards_played: int = 0
    cards_left: int = 0
    locomotives_dealt: int = 0
    locomotives_drawn: int = 0
    locomotives_taken: int = 0
    locomotives_played: int = 0
    locomotives_left: int = 0
    luck: float = 0.0

    routes: int = 0
    average_route_length: float = 0.0
    longest_path: int = 0
    pieces_left: int = 0

    tickets_offered: int = 0
    tickets_returned: int = 0
    tickets_made: int = 0
    tickets_failed: int = 0
    tickets_cut_off: int = 0
    coast_to_coast_in_turn: int | None = None
    tickets: list[KeptTicket] = []


class Series(msgspec.Struct):
    """The course of a game: for every seat, a list of numbers after setup and after each action.

    `score` is the score if the game had ended there, hidden tickets included.
    """

    turns: list[int]
    score: list[list[int]]
    route_points: list[list[int]]
    cards: list[list[int]]
    pieces: list[list[int]]


class Statistics(msgspec.Struct):
    """The statistics of a game, by seat and by action."""

    seats: list[SeatStatistics]
    series: Series


def game_statistics(edition: Edition, history: Sequence[Rows]) -> Statistics:
    """Return the statistics of a game from its events: the rows of the setup, then of each action.

    >>> from goldenspike import Game
    >>> game = Game.new("first-journey", 2, seed=1, first=0)
    >>> game.play("draw deck")
    >>> statistics = game_statistics(game.edition, game.history)
    >>> statistics.seats[0].cards_dealt, statistics.seats[0].cards_drawn, statistics.series.cards
    (4, 2, [[4, 6], [4, 4]])
    """
    tally = _Tally(edition)
    for rows in history:
        tally.tell(rows)
    return tally.sum_up()


class _Tally:
    """Accumulates the statistics of a game, with one method for each kind of event that counts.

    Each method is called before the event is applied to the state. A turn counts from its first event, so a
    seat's count of turns is also the number of its current turn; it is 0 at setup.
    """

    def __init__(self, edition: Edition) -> None:
        self._edition = edition
        self._tables = build_tables(edition)
        self._states = new_states(1)
        self._state: Any = self._states[0]
        self._seats: list[SeatStatistics] = []
        self._tickets: list[dict[int, KeptTicket]] = []
        self._scores: tuple[int, ...] = ()
        self._series = Series([], [], [], [], [])

    def tell(self, rows: Rows) -> None:
        """Process the events of the setup, or of one action."""
        for i, (kind, seat, *details) in enumerate(rows.tolist()):
            if kind in _COUNT:
                _COUNT[kind](self, seat, *details)
            follow_openly(self._edition, self._states, rows[i : i + 1])
        if not _SCORE_CHANGES.isdisjoint(rows[:, 0].tolist()):
            self._scores = score(self._edition, self._states).totals
        self._note()

    def _note(self) -> None:
        series, state = self._series, self._state
        series.turns.append(int(state.turns))
        for by_seat, numbers in (
            (series.score, self._scores),
            (series.route_points, state.points.tolist()),
            (series.cards, state.hand_size.tolist()),
            (series.pieces, state.pieces.tolist()),
        ):
            for seat, so_far in enumerate(by_seat):
                so_far.append(numbers[seat])

    def started(self, _first: int, seats: int, *_: int) -> None:
        self._seats = [SeatStatistics() for _ in range(seats)]
        self._tickets = [{} for _ in range(seats)]
        series = self._series
        for by_seat in (series.score, series.route_points, series.cards, series.pieces):
            by_seat.extend([] for _ in range(seats))

    def _begins_turn(self, seat: int) -> bool:
        """Tell whether this event is the first of a turn, and count it if so."""
        is_first = bool(self._state.phase == TURN)
        self._seats[seat].turns += is_first
        return is_first

    def drew(self, seat: int, card: int, *_: int) -> None:
        if card == HIDDEN:
            raise ValueError("Statistics need the events as they were, not as redacted for a seat.")
        count, is_locomotive = self._seats[seat], card == LOCOMOTIVE
        count.luck += is_locomotive - self._chance_of_locomotive()
        if self._state.phase == CHOOSING:
            count.cards_dealt += 1
            count.locomotives_dealt += is_locomotive
        else:
            count.turns_drawing_cards += self._begins_turn(seat)
            count.cards_drawn += 1
            count.locomotives_drawn += is_locomotive

    def _chance_of_locomotive(self) -> float:
        """Return the probability that the next card of the deck is a locomotive, given all other cards."""
        state = self._state
        elsewhere = state.hands[:, LOCOMOTIVE].sum() + state.discards[LOCOMOTIVE]
        elsewhere += np.count_nonzero(state.row == LOCOMOTIVE)
        return int(self._edition.deck.locomotive - elsewhere) / int(state.deck_size)

    def took(self, seat: int, _slot: int, card: int, *_: int) -> None:
        count = self._seats[seat]
        count.turns_drawing_cards += self._begins_turn(seat)
        count.cards_taken += 1
        count.locomotives_taken += card == LOCOMOTIVE

    def claimed(self, seat: int, route: int, _card: int, locomotives: int, *_: int) -> None:
        count = self._seats[seat]
        count.turns_claiming += self._begins_turn(seat)
        count.routes += 1
        count.cards_played += self._edition.board.routes[route].length
        count.locomotives_played += locomotives

    def passed(self, seat: int, *_: int) -> None:
        self._seats[seat].turns_passed += self._begins_turn(seat)

    def offered(self, seat: int, *_: int) -> None:
        count = self._seats[seat]
        count.turns_drawing_tickets += self._begins_turn(seat)
        count.tickets_offered += 1

    def kept(self, seat: int, ticket: int, *_: int) -> None:
        told = self._edition.tickets[ticket]
        self._tickets[seat][ticket] = KeptTicket(told.name, told.points, self._seats[seat].turns)

    def returned(self, seat: int, *_: int) -> None:
        self._seats[seat].tickets_returned += 1

    def received(self, seat: int, ticket: int, *_: int) -> None:
        self._seats[seat].tickets_offered += 1
        self.kept(seat, ticket)

    def swapped(self, seat: int, tickets: int, *_: int) -> None:
        count = self._seats[seat]
        count.turns_drawing_tickets += self._begins_turn(seat)
        count.tickets_returned += tickets
        for ticket in members(self._state.held[seat]):
            del self._tickets[seat][ticket]

    def joined(self, seat: int, ticket: int, *_: int) -> None:
        self._tickets[seat][ticket].joined_in_turn = self._seats[seat].turns

    def coast_to_coast(self, seat: int, *_: int) -> None:
        self._seats[seat].coast_to_coast_in_turn = self._seats[seat].turns

    def sum_up(self) -> Statistics:
        """Return the statistics of all events so far."""
        scores = score(self._edition, self._states)
        for seat, count in enumerate(self._seats):
            count.score = scores.totals[seat]
            for term, points in scores.of(seat).items():  # the fields are named after the terms
                setattr(count, "points_" + term.replace(" ", "_"), points)
            count.points_per_turn = count.score / max(1, count.turns)
            self._sum_up_cards_and_routes(seat, count)
            self._sum_up_tickets(seat, count)
        self._count_cut_off()
        return Statistics(self._seats, self._series)

    def _sum_up_cards_and_routes(self, seat: int, count: SeatStatistics) -> None:
        state = self._state
        count.cards_left = int(state.hand_size[seat])
        count.locomotives_left = int(state.hands[seat, LOCOMOTIVE])
        count.average_route_length = count.cards_played / max(1, count.routes)
        count.longest_path = int(
            api.longest_trail(self._tables, state.owned[seat, 0], state.owned[seat, 1], THREAD_LOG.logs)
        )
        count.pieces_left = int(state.pieces[seat])

    def _sum_up_tickets(self, seat: int, count: SeatStatistics) -> None:
        count.tickets = list(self._tickets[seat].values())
        joined = sum(kept.joined_in_turn is not None for kept in count.tickets)
        count.tickets_made = joined + (count.coast_to_coast_in_turn is not None)
        count.tickets_failed = len(count.tickets) - joined

    def _count_cut_off(self) -> None:
        """Count the tickets that a seat could not join even with every route that is still open to it."""
        states = self._states.copy()
        states["owned"] |= states["open_to"]
        for seat, count in enumerate(self._seats):
            for ticket, kept in self._tickets[seat].items():
                ends = self._edition.tickets[ticket]
                within_reach = int(api.joined_cities(states, self._tables, seat, ends.a))
                count.tickets_cut_off += kept.joined_in_turn is None and not within_reach >> ends.b & 1


_COUNT: dict[int, Callable[..., None]] = {
    kinds.STARTED: _Tally.started,
    kinds.OFFERED: _Tally.offered,
    kinds.KEPT: _Tally.kept,
    kinds.RETURNED: _Tally.returned,
    kinds.DREW: _Tally.drew,
    kinds.TOOK: _Tally.took,
    kinds.CLAIMED: _Tally.claimed,
    kinds.JOINED: _Tally.joined,
    kinds.COMPLETED: _Tally.joined,
    kinds.COAST_TO_COAST: _Tally.coast_to_coast,
    kinds.RECEIVED: _Tally.received,
    kinds.SWAPPED: _Tally.swapped,
    kinds.PASSED: _Tally.passed,
}

_SCORE_CHANGES = {kinds.STARTED, kinds.KEPT, kinds.CLAIMED, kinds.COMPLETED}
"""Scores change only in actions with one of these events. Computing scores is the most expensive part."""
