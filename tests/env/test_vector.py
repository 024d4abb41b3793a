"""The vector environment plays the very games that are played one by one, and keeps its arrays in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goldenspike import Game, load_edition
from goldenspike.engine.moves import DRAW_TICKETS
from goldenspike.env import VectorEnv
from goldenspike.env.rewards import Reward
from goldenspike.env.single import SingleGame
from goldenspike.errors import MoveError
from goldenspike.seeds import read_seed
from goldenspike.simulation import series_seed, simulate
from tests.game.games import FEW_TABLES, TABLES, Table

ARRAYS = ("observations", "masks", "seats", "rewards", "ended", "truncated", "scores", "decisions", "numbers")


def snapshot(env: VectorEnv) -> dict[str, bytes]:
    return {name: getattr(env, name).tobytes() for name in ARRAYS} | {"states": env._batch.states.tobytes()}


def lowest_legal(env: VectorEnv, step: int) -> np.ndarray:
    """Return moves by a rule that needs no chance of its own: the n-th legal one, n from the step."""
    rows = [np.flatnonzero(mask) for mask in env.masks]
    return np.array([row[(7 * step + i) % len(row)] for i, row in enumerate(rows)])


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_it_plays_the_games_of_the_series_as_one_by_one(table: Table) -> None:
    games, seed = 3, read_seed("in step")
    env = VectorEnv(*table, games=games, seed=seed)
    singles = [Game.new(*table, seed=series_seed(seed, i)) for i in range(games)]
    for step in range(60):
        moves = lowest_legal(env, step)
        for i, game in enumerate(singles):
            assert env._batch.states[i].tobytes() == game.states.tobytes()
            assert env.seats[i] == game.to_move[0]
            look = SingleGame(game.edition, game.players)
            look.states = game.states
            observation, mask = look.observe(int(env.seats[i]))
            assert (env.observations[i] * env.scales == observation).all()
            assert (env.masks[i] == mask).all()
            game.play(int(moves[i]), game.to_move[0])
        env.step(moves)
        for i, game in enumerate(singles):
            assert env.ended[i] == game.is_over
            if game.is_over:
                assert env.scores[i].tolist() == list(game.scores().totals)
                singles[i] = Game.new(*table, seed=series_seed(seed, int(env.numbers[i])))


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_random_moves_play_the_games_of_a_simulation(table: Table) -> None:
    games, rounds, seed = 8, 3, read_seed("by chance")
    run = simulate(load_edition(table[0]), table[1], games * rounds, seed)
    env = VectorEnv(*table, games=games, seed=seed)
    finished: set[int] = set()
    while len(finished) < games * rounds:
        before = env.numbers.copy()
        env.step(env.random_moves())
        for i in np.flatnonzero(env.ended):
            if before[i] < games * rounds:
                finished.add(int(before[i]))
                assert env.scores[i].tolist() == run.totals[before[i]].tolist()
                won = [seat for seat in range(table[1]) if run.summaries["winners"][before[i]] >> seat & 1]
                assert np.flatnonzero(env.rewards[i] == env.rewards[i].max()).tolist() == won


@pytest.mark.parametrize("reward", ["wins", "scores"])
@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_rewards_come_at_the_end_and_sum_to_nothing(table: Table, reward: Reward) -> None:
    env = VectorEnv(*table, games=16, seed=4, reward=reward)
    ended = 0
    for _ in range(600):
        env.step(env.random_moves())
        assert not env.rewards[~env.ended].any()
        assert np.allclose(env.rewards.sum(axis=1), 0, atol=1e-4)
        for scores, rewards in zip(env.scores[env.ended], env.rewards[env.ended], strict=True):
            ended += 1
            if reward == "scores":
                others = (scores.sum() - scores) / (env.players - 1)
                assert np.allclose(rewards, scores - others, atol=1e-4)
            else:
                assert rewards.max() >= 0  # 0 if all share the victory
                assert rewards.max() <= 1
                assert rewards.min() >= -1 / (env.players - 1) - 1e-6
                assert scores[rewards.argmax()] == scores.max()
    assert ended > 10


def test_a_game_that_ends_is_dealt_anew_from_the_next_seed() -> None:
    env = VectorEnv("new-york", 2, games=2, seed=1)
    while not env.ended[0]:
        env.step(env.random_moves())
    assert env.numbers[0] == 2
    assert env.decisions[0] == 0
    fresh = Game.new("new-york", 2, seed=series_seed(env.seed, 2))
    assert env._batch.states[0].tobytes() == fresh.states.tobytes()
    env.step(env.random_moves())
    assert not env.ended[0]
    assert not env.rewards[0].any()


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_change_nothing(threads: int) -> None:
    one = VectorEnv("usa-classic", 3, games=20, seed=9, graph=True)
    with VectorEnv("usa-classic", 3, games=20, seed=9, graph=True, threads=threads) as many:
        for _ in range(150):
            one.step(one.random_moves())
            many.step(many.random_moves())
        assert snapshot(one) == snapshot(many)


def test_more_threads_than_games() -> None:
    with VectorEnv("new-york", 2, games=2, seed=1, threads=5) as env:
        env.step(env.random_moves())
        assert env.decisions.tolist() == [1, 1]


def test_a_reset_begins_the_series_again() -> None:
    env = VectorEnv("first-journey", 2, games=4, seed=2)
    begin = snapshot(env)
    for _ in range(200):
        env.step(env.random_moves())
    assert snapshot(env) != begin
    env.reset(2)
    assert snapshot(env) == begin
    env.reset()
    assert snapshot(env) != begin


@pytest.mark.parametrize("wrong", [-1, 0, 1135, 10**12])
def test_a_move_that_is_not_legal_changes_nothing(wrong: int) -> None:
    env = VectorEnv("usa-classic", 2, games=5, seed=1)
    before = snapshot(env)
    moves = env.random_moves().copy()
    moves[3] = wrong
    with pytest.raises(MoveError, match="game 3"):
        env.step(moves)
    assert snapshot(env) == before
    with pytest.raises(ValueError, match="5 games"):
        env.step(moves[:3])


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.bool_])
def test_a_move_that_is_no_whole_number_changes_nothing(kind: Any) -> None:
    env = VectorEnv("usa-classic", 2, games=5, seed=1)
    before = snapshot(env)
    with pytest.raises(TypeError, match="whole numbers"):
        env.step(env.random_moves().astype(kind))
    assert snapshot(env) == before


def test_swapping_for_ever_is_broken_off() -> None:
    env = VectorEnv("first-journey", 2, games=2, seed=1, limit=40)
    for step in range(1, 41):
        env.step(np.full(2, DRAW_TICKETS))
        assert env.truncated.tolist() == env.ended.tolist() == [step == 40] * 2
    assert not env.rewards.any()
    assert env.numbers.tolist() == [2, 3]


def test_arrays_are_made_once_and_shared_without_a_copy() -> None:
    env = VectorEnv("usa-classic", 2, games=3, seed=1)
    arrays = {name: getattr(env, name) for name in ARRAYS}
    shared = {name: np.from_dlpack(array) for name, array in arrays.items()}
    for _ in range(5):
        env.step(env.random_moves())
    for name, array in arrays.items():
        assert getattr(env, name) is array
        assert array.flags.c_contiguous
        assert np.shares_memory(shared[name], array)
        assert np.array_equal(shared[name], array)


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 6},
        {"players": 1},
        {"games": 0},
        {"threads": 0},
        {"limit": 0},
        {"reward": "glory"},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"players|at least one|Rewards"):
        VectorEnv(**{"edition": "usa-classic", "players": 2, "games": 1, **wrong})
