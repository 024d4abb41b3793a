"""Sampled states could be the real one: the referee accepts them, and the seat's view is unchanged."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from goldenspike import Game
from goldenspike.bots import Dice
from goldenspike.bots.search.determinize import HIDDEN_POOL, determinize
from goldenspike.engine.referee import FINE, SENTENCES, inspect
from goldenspike.game.view import View
from tests.game.games import FEW_TABLES, every_moment


@numba.njit
def determinize_once(views, tables, pools, dice, seat, states):  # type: ignore[no-untyped-def]
    states[0] = views[0]
    determinize(views[0], tables[0], pools[0], dice[0], seat, states[0])


def determinized(game: Game, view: View, dice: Dice) -> np.ndarray:
    states = view.array.copy()
    determinize_once(view.array, game.tables, np.zeros(1, HIDDEN_POOL), dice.array, view.seat, states)
    return states


@pytest.mark.parametrize("table", FEW_TABLES)
@pytest.mark.parametrize("claims", [0.5, 0.02])
def test_a_sampled_state_is_valid_and_has_the_same_view(table: tuple[str, int], claims: float):
    dice = Dice.of("determinize")
    for number, game in enumerate(every_moment(table, 2, claims)):
        if number % 3 or game.is_over:
            continue
        for seat in game.to_move:
            view = game.view(seat)
            states = determinized(game, view, dice)
            fault = inspect(states, game.tables)
            assert fault == FINE, SENTENCES[fault]
            assert View.of(game.edition, states, seat) == view


def test_sampled_hands_and_tickets_vary():
    game = Game.new("usa-classic", 3, seed=1, first=0)
    for seat in range(3):
        game.play("keep all", seat)
    dice = Dice.of(2)
    states = [determinized(game, game.view(0), dice) for _ in range(20)]
    assert len({state["hands"].tobytes() for state in states}) > 10
    assert len({state["held"].tobytes() for state in states}) > 10
    assert len({state["ticket_deck"].tobytes() for state in states}) > 10


def test_known_cards_are_in_every_sampled_hand():
    game = Game.new("usa-classic", 2, seed=4, first=0)
    for seat in range(2):
        game.play("keep all", seat)
    colour = next(card for card in game.view(0).row if card not in {None, "loco"})
    game.play(f"take {colour}")
    game.play("draw deck")
    kind = game.edition.board.colours.index(str(colour))
    for number in range(20):
        assert determinized(game, game.view(1), Dice.of(number))["hands"][0, 0, kind] >= 1


def test_tickets_that_fit_a_network_are_likelier():
    """A seat that has joined a ticket's cities gets it more often than one far from both."""
    game = Game.new("usa-classic", 2, seed=5, first=0)
    for seat in range(2):
        game.play("keep all", seat)
    names = [ticket.name for ticket in game.edition.tickets]
    mine = set(game.view(0).tickets)
    target = next(t for t in game.edition.tickets if t.name not in mine)
    state = game.states
    state["touched"][0, 1] = np.uint64(1 << target.a | 1 << target.b)
    view = game.view(0)
    index = names.index(target.name)
    counts = np.zeros(len(names))
    dice = Dice.of(6)
    for _ in range(1000):
        held = determinized(game, view, dice)["held"][0, 1]
        both = int(held[0]) | int(held[1]) << 64
        counts += [both >> i & 1 for i in range(len(names))]
    others = [counts[i] for i in range(len(names)) if i != index and names[i] not in mine]
    assert counts[index] > 1.5 * np.mean(others)
