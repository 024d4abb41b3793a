"""Chance laid open: a game in which every card and ticket that is drawn is an outcome somebody else decides.

The engine draws from a stream of numbers. Here the stream is laid out beforehand so that the engine draws
what was decided; when it draws more than that, the step is not carried out and the next draw is an open
question: which kinds, or which tickets, it could be, and with what chance. So no rule is written twice, and
the chances are exact: a card is as likely as the deck has cards of its kind, and of the tickets that nobody
has seen yet any is equally likely to be on top. (Returned tickets lie below them, in a known order.)
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import TICKETS
from goldenspike.editions import load_edition
from goldenspike.engine import doors, events
from goldenspike.engine.cards import give_from_deck, settle_cards
from goldenspike.engine.compile import door
from goldenspike.engine.events import LOG
from goldenspike.engine.state import CHOOSING, EMPTY, KINDS, LOCOMOTIVE, new_states
from goldenspike.engine.tickets import offer_tickets, receive_ticket
from goldenspike.engine.turns import begin_turn, play_legal
from goldenspike.env.single import SingleGame
from goldenspike.event import Rows

GIVE_CARD, SETTLE, GIVE_TICKET, BEGIN, PLAY = range(5)
"""Steps: of setting up (S-2, S-3, J-1), and playing a move."""
BLOCK = 16
"""Draws that can be laid out at a time: the engine's stream comes in blocks."""
_FILLER = 2
"""A number that draws the first card there is, whatever the deck."""

Records = NDArray[np.record]


class Step(NamedTuple):
    """Something the engine does in one go: for a seat, and with a move where it is one."""

    kind: int
    seat: int = 0
    move: int = 0


class Question(NamedTuple):
    """The next draw: how many cards of each kind it could be, or which tickets."""

    counts: tuple[int, ...] = ()
    tickets: tuple[int, ...] = ()


@door
def carry_out(states: Records, tables: Records, kind: int, seat: int, move: int, logs: Records) -> None:
    """Carry out a step, with its events."""
    logs[0].is_on, logs[0].count = 1, 0
    if kind == GIVE_CARD:
        give_from_deck(states[0], seat, logs[0])
    elif kind == SETTLE:
        settle_cards(states[0], tables[0], logs[0])
    elif kind == GIVE_TICKET:
        if tables[0].swaps:
            receive_ticket(states[0], seat, logs[0])
        else:
            offer_tickets(states[0], seat, 1, logs[0])
    elif kind == BEGIN:
        if tables[0].swaps:
            begin_turn(states[0], states[0].first, logs[0])
        else:
            states[0].phase = CHOOSING
    else:
        play_legal(states[0], tables[0], seat, move, logs[0])


class Kit:
    """What all games of an edition with as many players are played on: tables, and room for a log."""

    def __init__(self, edition: str, players: int) -> None:
        self.edition = load_edition(edition)
        self.players = self.edition.require_players(players)
        self.single = SingleGame(self.edition, self.players)
        self.tables: Any = self.single.tables
        self._logs: Any = np.zeros(1, LOG)

    @cached_property
    def undealt(self) -> Records:
        """A table laid for a game: all cards in the deck, all tickets in theirs, and seat 0 first."""
        states = new_states(1)
        doors.deal(states, self.tables, self.players, np.zeros(8, np.uint32), 0, self._logs)
        state: Any = states[0]
        state.deck[:] = self.tables[0].deck
        state.deck_size = state.deck.sum()
        for field in ("hands", "hand_size", "discards", "discards_size", "held", "held_count", "offer_size"):
            state[field] = 0
        state.row[:] = state.offer[:] = EMPTY
        state.ticket_deck[:] = EMPTY
        state.ticket_deck[: self.tables[0].tickets] = np.arange(self.tables[0].tickets)
        state.ticket_top, state.ticket_deck_size = 0, self.tables[0].tickets
        state.phase = CHOOSING
        return states

    def setup(self) -> list[Step]:
        """Return the steps from an undealt table to the first decision."""
        tables = self.tables[0]
        cards = [Step(GIVE_CARD, seat) for seat in range(self.players) for _ in range(tables.opening_hand)]
        tickets = [Step(GIVE_TICKET, seat) for seat in range(self.players) for _ in range(tables.deal)]
        return [*cards, Step(SETTLE), *tickets, Step(BEGIN)]

    def attempt(
        self, states: Records, step: Step, words: list[int], tickets: list[int], unseen: int
    ) -> tuple[Records, Rows, Question | None]:
        """Carry out a step with the draws decided so far; return what came of it, or what it draws next.

        `words` are the numbers of the stream, one for each card; `unseen` is how many tickets of the deck,
        from the top, nobody has seen yet.
        """
        trial = states.copy()
        _rig(trial, words, tickets, unseen)
        carry_out(trial, self.tables, step.kind, step.seat, step.move, self._logs)
        count = min(int(self._logs["count"][0]), self._logs["rows"].shape[1])
        rows = self._logs["rows"][0, :count].copy()
        drawn = (int(trial["ticket_top"][0]) - int(states["ticket_top"][0])) % TICKETS
        if min(drawn, unseen) > len(tickets):
            top = int(states["ticket_top"][0])
            _rig(trial := states.copy(), words, tickets, unseen)
            ring = trial["ticket_deck"][0]
            left = [int(ring[(top + i) % TICKETS]) for i in range(len(tickets), unseen)]
            return trial, rows, Question(tickets=tuple(sorted(left)))
        table, cut = self._follow(states, rows, len(words))
        if cut is None:
            return trial, rows, None
        if len(words) == BLOCK:
            # Only a row that is swept away several times draws so many cards. Nothing else in the state
            # depends on what comes up in the end: put cards and row back to where they were when the block
            # was used up, and settle from there.
            _put(trial, table)
            return trial, rows[:cut], Question()
        return trial, rows, Question(counts=tuple(int(n) for n in table["deck"][0]))

    def _follow(self, states: Records, rows: Rows, draws: int) -> tuple[Records, int | None]:
        """Follow deck, discards and row through events up to the draw after so many; return where that is."""
        table = states.copy()
        state: Any = table[0]
        for i, (kind, _, a, b, c, _) in enumerate(rows.tolist()):
            if kind in {events.DREW, events.TURNED_UP}:
                if draws == 0:
                    return table, i
                draws -= 1
                card = a if kind == events.DREW else b
                state.deck[card] -= 1
                if kind == events.TURNED_UP:
                    state.row[a] = card
            elif kind == events.TOOK:
                state.row[a] = EMPTY
            elif kind == events.CLAIMED:
                state.discards[b] += int(self.tables[0].route_length[a]) - c
                state.discards[LOCOMOTIVE] += c
            elif kind == events.RESHUFFLED:
                state.deck[:], state.discards[:] = state.discards.copy(), 0
            elif kind == events.WIPED:
                for card in state.row[state.row != EMPTY]:
                    state.discards[card] += 1
                state.row[:] = EMPTY
        return table, None


def _rig(states: Records, words: list[int], tickets: list[int], unseen: int) -> None:
    """Lay out the stream, and bring the tickets decided to the top of those unseen."""
    state: Any = states[0]
    state.chance.block[:] = _FILLER
    state.chance.block[: len(words)] = words
    state.chance.used = 0
    top = int(state.ticket_top)
    for i, ticket in enumerate(tickets):
        places = [(top + j) % TICKETS for j in range(i, unseen)]
        there = next(place for place in places if state.ticket_deck[place] == ticket)
        state.ticket_deck[there], state.ticket_deck[places[0]] = state.ticket_deck[places[0]], ticket


def _put(states: Records, table: Records) -> None:
    for field in ("deck", "discards", "row"):
        states[field] = table[field]
    states["deck_size"], states["discards_size"] = table["deck"].sum(), table["discards"].sum()


def word_for(kind: int, counts: tuple[int, ...]) -> int:
    """Return a number of the stream that makes the engine draw a card of this kind from such a deck.

    The engine takes the high half of the number times the size of the deck, unless the low half is below
    that size.

    >>> word_for(0, (3, 1)), word_for(1, (3, 1)) * 4 >> 32
    (2, 3)
    """
    return (sum(counts[:kind]) << 32) // sum(counts) + 2


@lru_cache(maxsize=64)
def kit_of(edition: str, players: int) -> Kit:
    """Return the kit for an edition, given by its id or file."""
    return Kit(edition, players)


assert KINDS == LOCOMOTIVE + 1, "kinds of card are numbered before tickets"
