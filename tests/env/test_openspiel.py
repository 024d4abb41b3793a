"""OpenSpiel's own test, and that explicit chance equals the engine's chance."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from goldenspike import Game
from goldenspike.engine import events
from goldenspike.engine.moves import CLAIM
from goldenspike.engine.state import KINDS, LOCOMOTIVE, STATE
from goldenspike.env.explicit_chance import SETTLE, EngineStep, word_for
from goldenspike.env.openspiel import NAME, SpielState
from goldenspike.env.single import SingleGame
from goldenspike.game.view import members
from tests.game.games import EVERY_TABLE, FEW_TABLES, TABLES, GameSetup, random_game

DRAWS = {events.DREW: 2, events.TURNED_UP: 3}
"""Events that show a card, and the column of the card."""
TICKET_DRAWS = {events.OFFERED, events.RECEIVED}
HIDDEN = {"chance", "ticket_deck"}
"""What may differ: numbers not drawn yet, and the order of unseen tickets."""


def load(table: GameSetup, **more: Any) -> Any:
    edition, players = table
    return pyspiel.load_game(NAME, {"edition": edition, "players": players, **more})


def play_chance(state: Any, rng: random.Random) -> None:
    """Sample chance outcomes until a seat must decide."""
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(odds for _, odds in outcomes) == pytest.approx(1)
        numbers = [number for number, _ in outcomes]
        assert numbers == sorted(set(numbers))
        state.apply_action(rng.choices(numbers, [odds for _, odds in outcomes])[0])


def follow(state: Any, rows: np.ndarray) -> None:
    """Choose the chance outcomes that the events show."""
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
def test_the_same_draws_give_the_same_game(table: GameSetup) -> None:
    game = random_game(table, 12, claims=0.3)
    again = Game.new(*table, seed=game.seed)
    state = load(table).new_initial_state()
    state.apply_action(int(game.state.first))
    follow(state, again.rows())
    setup = table[1] if len(again.to_move) > 1 else 0
    # If several choose at once, the lowest seat is asked first.
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
def test_openspiels_own_test(table: GameSetup, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(table), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_openspiels_own_test_for_every_table(table: GameSetup, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(table), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_tensors_follow_the_layout_and_strings_contain_no_secret(table: GameSetup) -> None:
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


def test_a_copy_is_independent() -> None:
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


def test_the_probability_of_a_card_is_its_share_of_the_deck() -> None:
    state = load(("usa-classic", 2)).new_initial_state()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    state.apply_action(0)
    assert dict(state.chance_outcomes()) == pytest.approx({**dict.fromkeys(range(8), 12 / 110), 8: 14 / 110})
    state.apply_action(3)
    assert dict(state.chance_outcomes())[3] == pytest.approx(11 / 109)


def test_repeated_wipes_of_the_row_are_chance_nodes() -> None:
    """D-6: more cards than a block of the engine's stream has, so settling continues in a second step."""
    state = load(("usa-classic", 2)).new_initial_state()
    state.apply_action(0)
    for _ in range(8):
        state.apply_action(0)
    drawn = 0
    while state._steps[0] == EngineStep(SETTLE):
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


def test_an_endless_game_is_truncated() -> None:
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


def play_on(state: Any, rng: random.Random, decisions: int, claims: float = 0.4) -> None:
    """Play random moves: with this probability a claim if one is legal, otherwise anything else."""
    for _ in range(decisions):
        if state.is_terminal():
            return
        moves = state.legal_actions()
        wants_claim = rng.random() < claims
        wanted = [move for move in moves if (move >= CLAIM) == wants_claim]
        state.apply_action(rng.choice(wanted or moves))
        play_chance(state, rng)


def shown(state: Any) -> dict[str, bytes]:
    """Return the engine's state without the random numbers that no card was drawn from yet."""
    return {name: state.states[name].tobytes() for name in STATE.names or () if name != "chance"}


def check_resampled(state: Any, player: int, rng: random.Random) -> Any:
    """Check one state that a player cannot tell from this one, and return it."""
    number = rng.random()
    other, again = (state.resample_from_infostate(player, lambda: number) for _ in range(2))
    assert other.history() == again.history()
    assert other.current_player() == state.current_player()
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.information_state_tensor(player) == state.information_state_tensor(player)
    assert other.observation_string(player) == state.observation_string(player)
    if state.current_player() == player:
        assert other.legal_actions() == state.legal_actions()
    for seat in range(state.num_players()):  # each seat sees the events it saw before
        assert other.legal_actions(other.current_player())
        assert len(other.information_state_string(seat)) > 0
    everything = other.states["hands"][0].sum(axis=0) + other.states["deck"][0] + other.states["discards"][0]
    for card in other.states["row"][0][other.states["row"][0] >= 0]:
        everything[card] += 1
    assert (everything == other.kit.tables["deck"][0]).all()
    return other


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_a_resampled_state_looks_the_same_to_the_player(table: GameSetup) -> None:
    """It is rebuilt from its own history, move by move, and played to the end."""
    rng = random.Random(f"resample {table}")
    other = state = load(table).new_initial_state()
    play_chance(state, rng)
    for decisions in (0, 1, table[1], 25, 25):
        play_on(state, rng, decisions)
        if state.is_terminal():
            break
        for player in range(table[1]):
            other = check_resampled(state, player, rng)
            assert other.history() != state.history()
    again = pickle.loads(pickle.dumps(other))
    assert shown(again) == shown(other)
    assert again.log == other.log
    copy = other.clone()
    play_on(copy, rng, 3000)
    assert copy.is_terminal()
    assert sum(copy.returns()) == pytest.approx(0)
    assert copy.history()[: len(other.history())] == other.history()


def test_a_game_that_is_over_is_only_copied_and_chance_is_waited_for() -> None:
    rng = random.Random(5)
    state = load(("new-york", 2)).new_initial_state()
    with pytest.raises(ValueError, match="where a player is to move"):
        state.resample_from_infostate(0, rng.random)
    play_chance(state, rng)
    play_on(state, rng, 3000)
    assert state.resample_from_infostate(0, rng.random).history() == state.history()


@pytest.mark.parametrize("table", [("usa-classic", 2), ("first-journey", 3)], ids=str)
def test_resampling_has_the_probabilities_of_the_hidden_cards(table: GameSetup) -> None:
    """At the start another seat's cards and tickets are uniform over those the player does not have."""
    rng = random.Random(7)
    state = load(table).new_initial_state()
    play_chance(state, rng)
    samples = 250
    hands = np.zeros(KINDS)
    tickets: Counter[int] = Counter()
    for _ in range(samples):
        other = state.resample_from_infostate(0, rng.random)
        assert (other.states["hands"][0, 0] == state.states["hands"][0, 0]).all()
        hands += other.states["hands"][0, 1]
        tickets.update(other.states["offer"][0, 1, : other.states["offer_size"][0, 1]].tolist())
    own = state.states["offer"][0, 0, : state.states["offer_size"][0, 0]].tolist()
    unseen = state.states["deck"][0] + state.states["hands"][0, 1 : table[1]].sum(axis=0)
    size = int(state.states["hand_size"][0, 1])
    assert hands / samples / size == pytest.approx(unseen / unseen.sum(), abs=0.07)
    possible = set(range(len(state.kit.edition.tickets))) - set(own)
    assert set(tickets) == possible
    expected = samples * int(state.states["offer_size"][0, 1]) / len(possible)
    assert max(tickets.values()) < expected + 5 * expected**0.5
    assert min(tickets.values()) > expected - 5 * expected**0.5


def hidden_of(state: Any, seat: int) -> tuple[Counter[int], set[int]]:
    """Return a seat's private information: cards not seen being taken, and its tickets."""
    cards = (state.states["hands"] - state.states["known"])[0, seat]
    return Counter(dict(enumerate(cards.tolist()))), set(members(state.states["held"][0, seat]))


def likeness(here: Any, there: Any, seat: int) -> np.ndarray:
    """Return how many hidden cards and tickets of a seat two states have in common."""
    (cards, tickets), (others, other_tickets) = hidden_of(here, seat), hidden_of(there, seat)
    return np.array([(cards & others).total(), len(tickets & other_tickets)])


@pytest.mark.slow
def test_resampling_does_not_reveal_the_true_state() -> None:
    """Resampled states are as similar to each other as to the true one, which is only one of them.

    That holds if and only if the truth is one sample of many: play is random, so the moves reveal nothing.
    """
    true, among = np.zeros(2), np.zeros(2)
    for number in range(40):
        rng = random.Random(number)
        state = load(("usa-classic", 2)).new_initial_state()
        play_chance(state, rng)
        play_on(state, rng, 20 + number, claims=0.15)
        samples = [state.resample_from_infostate(0, rng.random) for _ in range(4)]
        true += np.mean([likeness(state, sample, 1) for sample in samples], axis=0)
        among += np.mean([likeness(*pair, 1) for pair in combinations(samples, 2)], axis=0)
    assert (among > 20).all()
    assert true == pytest.approx(among, rel=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("table", [("new-york", 2), ("first-journey", 2)], ids=str)
def test_openspiels_ismcts_plays_a_whole_game(table: GameSetup) -> None:
    """Against random moves, with few simulations: it runs, and only on resampled states."""
    rng = random.Random(2)
    game = load(table)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=1.4,
        max_simulations=4,
        random_state=np.random.RandomState(2),
    )
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            play_chance(state, rng)
        elif state.current_player() == 0:
            action = int(bot.step(state))
            assert action in state.legal_actions()
            state.apply_action(action)
            moves += 1
        else:
            play_on(state, rng, 1)
    assert moves > 5
    assert sum(state.returns()) == pytest.approx(0)
