"""Explicit chance: games in which the caller decides every card and ticket drawn.

The engine draws from a stream of random numbers. Here the stream is filled beforehand so that the engine
draws what was decided. If a step draws more than that, it is not carried out; the next draw becomes a chance
question: which kinds or tickets it could be, with their probabilities. So no rule is implemented twice, and
the probabilities are exact: those of a card are the counts in the deck, and every ticket not yet seen is
equally likely to be on top. (Returned tickets are below them, in a known order.)
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from goldenspike.boards.limits import TICKETS
from goldenspike.editions import load_edition
from goldenspike.engine import api, events
from goldenspike.engine.cards import give_from_deck, settle_cards
from goldenspike.engine.compile import entry_point
from goldenspike.engine.events import LOG
from goldenspike.engine.state import CHOOSING, EMPTY, KINDS, LOCOMOTIVE, STATE, new_states
from goldenspike.engine.struct import Structs
from goldenspike.engine.tickets import offer_tickets, receive_ticket
from goldenspike.engine.turns import begin_turn, play_legal
from goldenspike.env.single import SingleGame
from goldenspike.game.events import Rows
from goldenspike.game.fold import follow_openly

GIVE_CARD, SETTLE, GIVE_TICKET, BEGIN, PLAY = range(5)
"""Steps: those of setup (S-2, S-3, J-1), and playing a move."""
BLOCK = 16
"""Draws that can be decided at once: the engine's stream comes in blocks of this size."""
_FILLER = 2
"""A random number that draws the first card of any deck."""


class EngineStep(NamedTuple):
    """One call of the engine: a kind of step for a seat, and the move if there is one."""

    kind: int
    seat: int = 0
    move: int = 0


class ChanceQuestion(NamedTuple):
    """The next draw: how many cards of each kind it could be, or which tickets."""

    counts: tuple[int, ...] = ()
    tickets: tuple[int, ...] = ()


@entry_point
def carry_out(states: Structs, tables: Structs, kind: int, seat: int, move: int, logs: Structs) -> None:
    """Carry out a step and log its events."""
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
    """What all games of an edition and player count share: tables and a log buffer."""

    def __init__(self, edition: str, players: int) -> None:
        self.edition = load_edition(edition)
        self.players = self.edition.require_players(players)
        self.single = SingleGame(self.edition, self.players)
        self.tables: Any = self.single.tables
        self._logs: Any = np.zeros(1, LOG)

    @cached_property
    def undealt(self) -> Structs:
        """A state before the deal: all cards and tickets in their decks, and seat 0 first."""
        states = new_states(1)
        api.deal(states, self.tables, self.players, np.zeros(8, np.uint32), 0, self._logs)
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

    def setup(self) -> list[EngineStep]:
        """Return the steps from an undealt state to the first decision."""
        tables = self.tables[0]
        cards = [
            EngineStep(GIVE_CARD, seat) for seat in range(self.players) for _ in range(tables.opening_hand)
        ]
        tickets = [EngineStep(GIVE_TICKET, seat) for seat in range(self.players) for _ in range(tables.deal)]
        return [*cards, EngineStep(SETTLE), *tickets, EngineStep(BEGIN)]

    def attempt(
        self, states: Structs, step: EngineStep, words: list[int], tickets: list[int], unseen: int
    ) -> tuple[Structs, Rows, ChanceQuestion | None]:
        """Carry out a step with the draws decided so far; return its result, or what it draws next.

        `words` are the numbers of the stream, one for each card; `unseen` is how many tickets at the top of
        the deck no seat has seen yet.
        """
        trial = _copy(states)
        _rig(trial, words, tickets, unseen)
        carry_out(trial, self.tables, step.kind, step.seat, step.move, self._logs)
        count = min(int(self._logs["count"][0]), self._logs["rows"].shape[1])
        rows = self._logs["rows"][0, :count].copy()
        drawn = (int(trial["ticket_top"][0]) - int(states["ticket_top"][0])) % TICKETS
        if min(drawn, unseen) > len(tickets):
            top = int(states["ticket_top"][0])
            _rig(trial := _copy(states), words, tickets, unseen)
            ring = trial["ticket_deck"][0]
            left = [int(ring[(top + i) % TICKETS]) for i in range(len(tickets), unseen)]
            return trial, rows, ChanceQuestion(tickets=tuple(sorted(left)))
        draws = np.flatnonzero(np.isin(rows[:, 0], (events.DREW, events.TURNED_UP)))
        if len(draws) <= len(words):
            return trial, rows, None
        cut = draws[len(words)]
        table = self._table_after(states, rows[:cut])
        if len(words) == BLOCK:
            # Only a row that is wiped several times draws this many cards. Nothing else in the state depends
            # on the cards that follow, so restore deck, discards and row as of the end of the block, and
            # continue from there with a SETTLE step.
            _put(trial, table)
            return trial, rows[:cut], ChanceQuestion()
        return trial, rows, ChanceQuestion(counts=tuple(int(n) for n in table["deck"][0]))

    def _table_after(self, states: Structs, rows: Rows) -> Structs:
        """Return a copy of the states after some events, with the cards by kind that are left in the deck."""
        after = _copy(states)
        follow_openly(self.edition, after, rows)
        state: Any = after[0]
        state.deck[:] = self.tables[0].deck - state.hands.sum(axis=0) - state.discards
        for kind in state.row[state.row != EMPTY]:
            state.deck[kind] -= 1
        return after


def _copy(states: Structs) -> Structs:
    """Return a copy. Many times faster than NumPy's, which copies such a struct field by field."""
    return np.frombuffer(bytearray(states.tobytes()), STATE)


def _rig(states: Structs, words: list[int], tickets: list[int], unseen: int) -> None:
    """Fill the stream, and move the decided tickets to the top of those unseen."""
    # By columns, because reading a NumPy struct by field name takes ten times as long.
    chance: Any = states["chance"]
    block, ring = chance["block"][0], states["ticket_deck"][0]
    block[:] = _FILLER
    block[: len(words)] = words
    chance["used"] = 0
    top = int(states["ticket_top"][0])
    for i, ticket in enumerate(tickets):
        places = [(top + j) % TICKETS for j in range(i, unseen)]
        there = next(place for place in places if ring[place] == ticket)
        ring[there], ring[places[0]] = ring[places[0]], ticket


def _put(states: Structs, table: Structs) -> None:
    for field in ("deck", "discards", "row"):
        states[field] = table[field]
    states["deck_size"], states["discards_size"] = table["deck"].sum(), table["discards"].sum()


def word_for(kind: int, counts: tuple[int, ...]) -> int:
    """Return a random number that makes the engine draw a card of this kind from such a deck.

    The engine takes the high half of the number times the deck size, unless the low half is below
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
