"""Other worlds: games that differ only in what is hidden from one seat or a spectator."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from goldenspike import Game
from goldenspike.engine.state import CHOOSING, EMPTY, OVER, States
from goldenspike.game.view import members


def other_world(game: Game, seat: int | None, rng: random.Random, same_choices: bool = False) -> States:
    """Return a state that looks to a seat exactly like the game's own, with everything else dealt again.

    Other seats' hands are dealt again from the deck and their own cards, except for publicly known cards.
    Other seats' tickets and offers are dealt again from theirs and the ticket deck. Choices made at setup are
    replaced; with `same_choices` by choices of as many tickets. Random numbers start from another key.
    """
    states = game.states.copy()
    state: Any = states[0]
    others = [other for other in range(game.players) if other != seat]
    _deal_cards(state, others, rng)
    _deal_tickets(game, state, others, rng)
    for other in others:
        if state.phase == CHOOSING and state.choice[other]:
            state.choice[other] = _other_choice(game, state, other, rng, same_choices)
    state.chance.key[:] = [rng.getrandbits(32) for _ in range(8)]
    state.chance.block[:] = [rng.getrandbits(32) for _ in range(16)]
    state.chance.used = rng.randrange(17)
    state.chance.counter = rng.randrange(1000)
    return states


def _deal_cards(state: Any, others: list[int], rng: random.Random) -> None:
    pool = state.deck.copy()
    for other in others:
        assert (state.known[other] <= state.hands[other]).all(), "public memory is a lower bound"
        pool += state.hands[other] - state.known[other]
    cards = [kind for kind, count in enumerate(pool) for _ in range(count)]
    rng.shuffle(cards)
    for other in others:
        state.hands[other] = state.known[other]
        for _ in range(state.hand_size[other] - state.known[other].sum()):
            state.hands[other, cards.pop()] += 1
    state.deck[:] = np.bincount(np.array(cards, int), minlength=len(state.deck))
    assert state.deck.sum() == state.deck_size


def _deal_tickets(game: Game, state: Any, others: list[int], rng: random.Random) -> None:
    """Deal again the tickets that only their holders have seen; at the end kept tickets are public."""
    swaps = game.edition.ticket_rules.flow == "swap"
    shown = state.phase == OVER and not swaps
    size, top = int(state.ticket_deck_size), int(state.ticket_top)
    places = [(top + i) % len(state.ticket_deck) for i in range(size)]
    pool = [int(state.ticket_deck[place]) for place in places]
    for other in others:
        pool += [int(ticket) for ticket in state.offer[other, : state.offer_size[other]]]
        if not shown and not swaps:
            pool += members(state.held[other])
    assert EMPTY not in pool
    rng.shuffle(pool)
    for other in others:
        for i in range(state.offer_size[other]):
            state.offer[other, i] = pool.pop()
        if swaps:
            _hold(state, other, list(state.offer[other, : state.offer_size[other]]))
        elif not shown:
            _hold(state, other, [pool.pop() for _ in range(state.held_count[other])])
    for place in places:
        state.ticket_deck[place] = pool.pop()
    assert not pool


def _hold(state: Any, seat: int, tickets: list[int]) -> None:
    held = sum(1 << int(ticket) for ticket in tickets)
    state.held[seat] = [held & (1 << 64) - 1, held >> 64]


def _other_choice(game: Game, state: Any, seat: int, rng: random.Random, same: bool) -> int:
    before = int(state.choice[seat])
    masks = range(1, 1 << int(state.offer_size[seat]))
    least = game.edition.ticket_rules.deal_keep
    fitting = [
        mask
        for mask in masks
        if (mask.bit_count() == before.bit_count() if same else mask.bit_count() >= least)
    ]
    return rng.choice(fitting)
