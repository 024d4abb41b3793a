"""OpenSpiel's own test, and that chance laid open is the engine's chance."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pyspiel
import pytest

from goldenspike import Game
from goldenspike.engine import events
from goldenspike.engine.state import KINDS, LOCOMOTIVE, STATE
from goldenspike.env.odds import SETTLE, Step, word_for
from goldenspike.env.openspiel import NAME, SpielState
from goldenspike.env.single import SingleGame
from tests.game.games import EVERY_TABLE, FEW_TABLES, TABLES, Table, random_game

DRAWS = {events.DREW: 2, events.TURNED_UP: 3}
"""Events that show a card, and the column it stands in."""
TICKET_DRAWS = {events.OFFERED, events.RECEIVED}
HIDDEN = {"chance", "ticket_deck"}
"""What may differ: numbers not drawn yet, and the order of tickets nobody has seen."""


def load(table: Table, **more: Any) -> Any:
    edition, players = table
    return pyspiel.load_game(NAME, {"edition": edition, "players": players, **more})


def play_chance(state: Any, rng: random.Random) -> None:
    """Let chance decide until a seat must."""
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(odds for _, odds in outcomes) == pytest.approx(1)
        numbers = [number for number, _ in outcomes]
        assert numbers == sorted(set(numbers))
        state.apply_action(rng.choices(numbers, [odds for _, odds in outcomes])[0])


def follow(state: Any, rows: np.ndarray) -> None:
    """Let chance decide what events say was drawn."""
    cards = [int(row[DRAWS[int(row[0])]]) for row in rows if int(row[0]) in DRAWS]
    tickets = [KINDS + int(row[2]) for row in rows if int(row[0]) in TICKET_DRAWS]
    while state.is_chance_node():
        possible = {number for number, odds in state.chance_outcomes() if odds > 0}
        drawn = (tickets if max(possible) >= KINDS else cards).pop(0)
        assert drawn in possible
        state.apply_action(drawn)
    assert not cards


def check_same(state: Any, game: Game) -> None:
    for name in STATE.names or ():
        if name not in HIDDEN:
            assert (state.states[name] == game.states[name]).all(), name


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_with_the_same_draws_it_is_the_same_game(table: Table) -> None:
    game = random_game(table, 12, claims=0.3)
    again = Game.new(*table, seed=game.seed)
    state = load(table).new_initial_state()
    state.apply_action(int(game.state.first))
    follow(state, again.rows())
    setup = table[1] if len(again.to_move) > 1 else 0
    # Of several that choose at once the lowest seat is asked first.
    for action in [*sorted(game.played[:setup], key=lambda p: p.seat), *game.played[setup:]]:
        check_same(state, again)
        assert state.current_player() == action.seat
        assert state.legal_actions() == list(again.legal_moves(action.seat).numbers)
        assert state.action_to_string(action.number) == action.text
        before = len(again.played)
        again.play(action.number, action.seat)
        state.apply_action(action.number)
        follow(state, again.rows(before + 1))
    check_same(state, again)
    assert state.is_terminal()
    assert again.is_over
    look = SingleGame(again.edition, again.players)
    look.states = again.states
    assert state.returns() == look.rewards(0)
    assert sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize("table", [("first-journey", 2), ("new-york", 3)], ids=str)
def test_openspiels_own_test(table: Table, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(table), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_openspiels_own_test_for_every_table(table: Table, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(table), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_tensors_are_the_layouts_and_strings_tell_no_secret(table: Table) -> None:
    rng = random.Random(2)
    game = load(table)
    state = game.new_initial_state()
    play_chance(state, rng)
    for _ in range(30):
        state.apply_action(rng.choice(state.legal_actions()))
        play_chance(state, rng)
        if state.is_terminal():
            break
    look = state.kit.single
    for seat in range(table[1]):
        look.states = state.states
        assert state.observation_tensor(seat) == look.observe(seat)[0].tolist()
        assert state.information_state_tensor(seat) == state.observation_tensor(seat)
        text = state.information_state_string(seat)
        assert f"drew seat={seat} card=?" not in text
        for other in set(range(table[1])) - {seat}:
            drawn = [line for line in text.splitlines() if line.startswith(f"drew seat={other}")]
            assert set(drawn) == {f"drew seat={other} card=?"}


def test_a_copy_goes_its_own_way() -> None:
    rng = random.Random(3)
    state = load(("usa-classic", 2)).new_initial_state()
    play_chance(state, rng)
    before = state.states.tobytes()
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert state.states.tobytes() == before != copy.states.tobytes()
    again = pickle.loads(pickle.dumps(state))
    assert again.states.tobytes() == before
    assert str(again) == str(state)


def test_a_card_is_as_likely_as_the_deck_has_it() -> None:
    state = load(("usa-classic", 2)).new_initial_state()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    state.apply_action(0)
    assert dict(state.chance_outcomes()) == pytest.approx({**dict.fromkeys(range(8), 12 / 110), 8: 14 / 110})
    state.apply_action(3)
    assert dict(state.chance_outcomes())[3] == pytest.approx(11 / 109)


def test_a_row_swept_away_again_and_again_is_still_decided_by_chance() -> None:
    """D-6: more cards than the engine's stream has in a block, so settling goes on in a second step."""
    state = load(("usa-classic", 2)).new_initial_state()
    state.apply_action(0)
    for _ in range(8):
        state.apply_action(0)
    drawn = 0
    while state._steps[0] == Step(SETTLE):
        outcomes = dict(state.chance_outcomes())
        state.apply_action(LOCOMOTIVE if LOCOMOTIVE in outcomes else min(outcomes))
        drawn += 1
    assert drawn == 20
    kinds = Counter(int(row[0]) for row in state.rows())
    assert kinds[events.WIPED] == 3
    assert kinds[events.TURNED_UP] == 20
    assert int(state.states["discards_size"][0]) == 15
    assert int(state.states["deck_size"][0]) == 110 - 8 - 20
    assert state.states["discards"][0, LOCOMOTIVE] == 14


def test_a_number_of_the_stream_draws_every_kind() -> None:
    for counts in [(1,), (3, 0, 5), (12,) * 8 + (14,), (0, 999)]:
        ends = np.cumsum(counts)
        for kind, count in enumerate(counts):
            if count:
                product = word_for(kind, counts) * sum(counts)
                assert int(np.searchsorted(ends, product >> 32, side="right")) == kind
                assert product & 0xFFFFFFFF >= sum(counts)


def test_a_game_without_end_is_broken_off() -> None:
    rng = random.Random(1)
    state: SpielState = load(("first-journey", 2), limit=25).new_initial_state()
    decisions = 0
    while not state.is_terminal():
        play_chance(state, rng)
        if not state.is_terminal():
            state.apply_action(2)
            decisions += 1
    assert decisions == 25
    assert state.returns() == [0, 0]
