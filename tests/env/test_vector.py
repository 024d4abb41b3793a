"""The vector environment plays the same games as single games, and keeps its arrays consistent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldenspike import Game, load_edition
from goldenspike.bots import Budget, Dice, make_bot
from goldenspike.engine.moves import DRAW_TICKETS
from goldenspike.env import VectorEnv
from goldenspike.env.rewards import Reward
from goldenspike.env.single import SingleGame
from goldenspike.errors import MoveError
from goldenspike.game.seeds import read_seed
from goldenspike.simulation import series_seed, simulate
from tests.game.games import FEW_TABLES, TABLES, GameSetup

ARRAYS = ("observations", "masks", "seats", "rewards", "ended", "truncated", "scores", "decisions", "numbers")


def snapshot(env: VectorEnv) -> dict[str, bytes]:
    return {name: getattr(env, name).tobytes() for name in ARRAYS} | {"states": env._batch.states.tobytes()}


def lowest_legal(env: VectorEnv, step: int) -> np.ndarray:
    """Return moves by a deterministic rule: the n-th legal one, n from the step."""
    rows = [np.flatnonzero(mask) for mask in env.masks]
    return np.array([row[(7 * step + i) % len(row)] for i, row in enumerate(rows)])


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_it_plays_the_games_of_the_series_as_one_by_one(table: GameSetup) -> None:
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
def test_random_moves_play_the_games_of_a_simulation(table: GameSetup) -> None:
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
def test_rewards_come_at_the_end_and_sum_to_zero(table: GameSetup, reward: Reward) -> None:
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
                assert rewards.max() >= 0  # 0 if all share the win
                assert rewards.max() <= 1
                assert rewards.min() >= -1 / (env.players - 1) - 1e-6
                assert scores[rewards.argmax()] == scores.max()
    assert ended > 10


def test_an_ended_game_is_replaced_by_the_next_of_its_series() -> None:
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
def test_threads_do_not_change_games(threads: int) -> None:
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
def test_a_move_that_is_not_an_integer_changes_nothing(kind: Any) -> None:
    env = VectorEnv("usa-classic", 2, games=5, seed=1)
    before = snapshot(env)
    with pytest.raises(TypeError, match="whole numbers"):
        env.step(env.random_moves().astype(kind))
    assert snapshot(env) == before


def test_endless_swapping_is_truncated() -> None:
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
def test_invalid_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"players|at least one|Rewards"):
        VectorEnv(**{"edition": "usa-classic", "players": 2, "games": 1, **wrong})


FIRST_LEGAL = """
from goldenspike.bots import Bot
class First(Bot):
    name = "first"
    def choose(self, view, dice, budget):
        return str(view.legal_moves()[dice.below(2) and -1])
"""
"""A user's bot in Python: it plays the first or the last legal move, and returns it as a text."""


def opponents_of(players: int, folder: Path) -> list[str]:
    """Return an opponent for every seat except one: compiled ones, and one in Python."""
    (folder / "own.py").write_text(FIRST_LEGAL)
    return ["planner", f"{folder}/own.py:First", "random", "greedy"][: players - 1]


class Alone:
    """The same games one by one, in Python, with the bots that a match would have."""

    def __init__(self, table: GameSetup, names: list[str], seed: bytes) -> None:
        self.table, self.seed, self.bots = table, seed, [make_bot(name) for name in names]

    def deal(self, number: int, home: int) -> None:
        key = series_seed(self.seed, number)
        self.game, self.home = Game.new(*self.table, seed=key), home
        self.dice = [Dice.of(key, seat) for seat in range(self.table[1])]

    def answer(self) -> None:
        game = self.game
        while not game.is_over and game.to_move[0] != self.home:
            seat = game.to_move[0]
            bot = self.bots[(seat - self.home) % self.table[1] - 1]
            game.play(bot.ask(game.view(seat), self.dice[seat], Budget()).move, seat)


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_opponents_play_as_they_do_one_by_one(table: GameSetup, tmp_path: Path) -> None:
    games, seed, names = 3, read_seed("opponents"), opponents_of(table[1], tmp_path)
    env = VectorEnv(*table, games=games, seed=seed, opponents=names)
    alone = [Alone(table, names, seed) for _ in range(games)]
    for i, one in enumerate(alone):
        one.deal(i, int(env.seats[i]))
        one.answer()
    homes, ended = set(env.seats.tolist()), 0
    for step in range(120):
        for i, one in enumerate(alone):
            assert env._batch.states[i].tobytes() == one.game.states.tobytes()
            assert env.seats[i] == one.home
            assert env.decisions[i] == len(one.game.played)
        moves, movers = lowest_legal(env, step), env.seats.copy()
        env.step(moves)
        for i, one in enumerate(alone):
            one.game.play(int(moves[i]), one.home)
            one.answer()
            assert env.ended[i] == one.game.is_over
            if one.game.is_over:
                assert env.scores[i].tolist() == list(one.game.scores().totals)
                won = bool(int(one.game.state.winners) >> one.home & 1)
                assert (env.rewards[i, movers[i]] == env.rewards[i].max()) == won
                look = SingleGame(one.game.edition, one.game.players)
                look.states = one.game.states
                last = look.observe(one.home)[0]
                assert (env.final_observations[i] * env.scales == last).all()
                one.deal(int(env.numbers[i]), int(env.seats[i]))
                one.answer()
                homes.add(one.home)
                ended += 1
    assert ended > 2
    assert len(homes) > 1, "the learner sits here and there"


@pytest.mark.parametrize("opponents", [[], ["greedy"]], ids=["alone", "greedy"])
def test_every_autoreset_mode_plays_the_same_games(opponents: list[str]) -> None:
    """Each row's moves come from its own game, so it plays the same games however it is reset."""
    stories: list[list[list[bytes]]] = []
    for mode in ("SameStep", "NextStep", "Disabled"):
        env = VectorEnv("new-york", 2, games=4, seed=5, opponents=opponents, autoreset=mode)
        story: list[list[bytes]] = [[] for _ in range(4)]
        for _ in range(150):
            before = env.ended & (mode != "SameStep")
            if mode == "Disabled" and before.any():
                with pytest.raises(MoveError, match=r"over.*reset_games"):
                    env.step(env.masks.argmax(axis=1))
                env.reset_games(before)
                before = env.ended.copy()
            assert (env.masks.any(axis=1) != before).all()
            for i in np.flatnonzero(~before):
                story[i].append(env.observations[i].tobytes())
            env.step(env.random_moves())
            assert not env.rewards[~env.ended].any()
            for i in np.flatnonzero(env.ended):
                story[i].append(env.final_observations[i].tobytes() + env.rewards[i].tobytes())
                if mode != "SameStep":
                    assert (env.final_observations[i] == env.observations[i]).all()
        stories.append(story)
    for rows in zip(*stories, strict=True):
        shortest = min(map(len, rows))
        assert shortest > 100
        assert rows[0][:shortest] == rows[1][:shortest] == rows[2][:shortest]


def test_opponents_on_several_threads() -> None:
    settings: Any = {"games": 20, "seed": 9, "opponents": ["planner", "random"], "graph": True}
    one = VectorEnv("usa-classic", 3, **settings)
    with VectorEnv("usa-classic", 3, threads=3, **settings) as many:
        for _ in range(60):
            one.step(one.random_moves())
            many.step(many.random_moves())
        assert snapshot(one) == snapshot(many)


def test_the_learner_can_have_several_seats_and_choose_them() -> None:
    env = VectorEnv("usa-classic", 4, games=6, seed=1, opponents=["greedy", "random"], seat=3)
    seen: set[int] = set()
    for _ in range(40):
        seen |= set(env.seats.tolist())
        env.step(env.random_moves())
    assert seen == {3, 0}


def test_opponents_do_not_play_past_the_limit() -> None:
    env = VectorEnv("first-journey", 2, games=2, seed=1, limit=40, opponents=["random"], seat=0)
    steps = 0
    while not env.ended.any():
        env.step(np.full(2, DRAW_TICKETS))
        steps += 1
    assert env.truncated[env.ended].all() or env.scores.any()
    assert steps <= 20


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"opponents": ["planner", "greedy"]}, "3 players"),
        ({"opponents": ["nobody"]}, "no bot 'nobody'"),
        ({"opponents": "planner"}, r"\['planner'\]"),
        ({"opponents": ["planner"], "seat": 2}, "0 to 1"),
        ({"autoreset": "Never"}, "SameStep"),
    ],
)
def test_invalid_opponents_are_refused(wrong: dict[str, Any], match: str) -> None:
    with pytest.raises((ValueError, TypeError), match=match):
        VectorEnv("usa-classic", 2, 1, **wrong)
