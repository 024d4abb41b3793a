"""Gymnasium's own checks, the contract of vector environments, and the example that learns."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import goldenspike.env  # noqa: F401  # registers the environments
from goldenspike.editions import edition_ids
from goldenspike.env import VectorEnv
from goldenspike.env.registration import env_id

NEW_YORK = "goldenspike/NewYork-v0"
EXAMPLE = Path(__file__).parents[2] / "examples" / "maskable_ppo.py"


def legal(mask: Any, step: int) -> int:
    """Return a legal move by a deterministic rule: the n-th, n from the step."""
    moves = np.flatnonzero(mask)
    return int(moves[7 * step % len(moves)]) if len(moves) else 0


def play(env: Any, steps: int, seed: int | None) -> list[Any]:
    """Play legal moves; return all observations."""
    observation, info = env.reset(seed=seed)
    story = [observation.tobytes(), info["seat"]]
    for step in range(steps):
        observation, reward, terminated, truncated, info = env.step(legal(info["action_mask"], step))
        story += [observation.tobytes(), reward, terminated, truncated]
        if terminated or truncated:
            story.append(info["scores"].tolist())
            observation, info = env.reset()
            story += [observation.tobytes(), info["seat"]]
    return story


@pytest.mark.parametrize("edition", edition_ids())
def test_gymnasiums_own_checks(edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(env_id(edition), opponents=["greedy", "random"], render_mode="ansi")
    check_env(env.unwrapped)


def test_the_names_are_registered_by_an_import() -> None:
    """In a new process: by `import goldenspike.env`, before or after Gymnasium, or by the name alone."""
    names = [
        "goldenspike/UsaClassic-v0",
        "goldenspike/Usa1910-v0",
        "goldenspike/UsaBigCities-v0",
        "goldenspike/UsaMega-v0",
        "goldenspike/NewYork-v0",
        "goldenspike/FirstJourney-v0",
    ]
    for lines in ("import gymnasium, goldenspike.env", "import goldenspike.env, gymnasium"):
        code = f"{lines}\nprint(*(name for name in gymnasium.registry if name.startswith('goldenspike')))"
        run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert sorted(run.stdout.split()) == sorted(names)
    env = gymnasium.make(f"goldenspike.env:{NEW_YORK}")
    assert env.observation_space.shape == (env.get_wrapper_attr("layout").width,)


def test_a_seed_determines_the_first_game_and_the_following_ones() -> None:
    one, other = (gymnasium.make(NEW_YORK, opponents=["planner", "random"]) for _ in range(2))
    story = play(one, 80, seed=4)
    assert play(other, 80, seed=4) == story
    assert play(other, 80, seed=5) != story
    assert play(other, 80, seed=None) != story
    assert play(one, 80, seed=4) == story


def test_it_plays_the_games_of_the_vector_environment() -> None:
    env = gymnasium.make("goldenspike/UsaClassic-v0", opponents=["greedy", "planner"], graph=True)
    many = VectorEnv("usa-classic", 3, games=1, seed=8, opponents=["greedy", "planner"], graph=True)
    observation, info = env.reset(seed=8)
    for step in range(100):
        assert (observation == many.observations[0] * many.scales).all()
        assert (env.get_wrapper_attr("action_masks")() == many.masks[0]).all()
        assert info["seat"] == many.seats[0]
        move = legal(many.masks[0], step)
        observation, reward, is_over, _, info = env.step(move)
        mover = int(many.seats[0])
        many.step([move])
        assert is_over == many.ended[0]
        if is_over:
            assert reward == many.rewards[0, mover]
            assert (observation == many.final_observations[0] * many.scales).all()
            assert not info["action_mask"].any()
            observation, info = env.reset()


@pytest.mark.parametrize("seat", [0, 2, None])
def test_the_seat_is_chosen_or_drawn(seat: int | None) -> None:
    env = gymnasium.make(NEW_YORK, opponents=["greedy", "random"], seat=seat)
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(20)}
    assert seats == ({0, 1, 2} if seat is None else {seat})


@pytest.mark.parametrize("action", [0, 10**6, -1])
def test_an_illegal_action_loses(action: int) -> None:
    env = gymnasium.make(NEW_YORK, illegal_reward=-7.0, disable_env_checker=True)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["illegal_move"]) == (-7.0, True, False, action)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"reset\(\)"):
        env.step(12)
    assert env.reset()[1]["action_mask"].any()


def test_an_endless_game_is_truncated() -> None:
    env = gymnasium.make("goldenspike/FirstJourney-v0", opponents=["random"], limit=20)
    env.reset(seed=1)
    results = [env.step(2)]  # swaps its tickets again and again
    while not (results[-1][2] or results[-1][3]):
        results.append(env.step(2))
    _, reward, terminated, truncated, info = results[-1]
    assert (reward, terminated, truncated) == (0, False, True)
    assert len(results) <= 10
    assert "scores" not in info


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(NEW_YORK, render_mode="ansi")
    env.reset(seed=1)
    assert "own hand: " in str(env.render())
    human = gymnasium.make(NEW_YORK, render_mode="human")
    human.reset(seed=1)
    shown = capsys.readouterr().out
    assert "own hand: " in shown
    assert re.findall(r"^(?i:seat) \d+(?=:)", shown, re.MULTILINE) == ["Seat 1", "Seat 2"]  # as people count
    many = gymnasium.make_vec(NEW_YORK, num_envs=2, render_mode="ansi")
    many.reset(seed=1)
    frames = many.render()
    assert frames is not None
    assert [str(frame).count("own hand: ") for frame in frames] == [1, 1]


def test_opponents_must_be_named() -> None:
    for wrong in ([], "planner"):
        with pytest.raises(ValueError, match="list of one or more"):
            gymnasium.make(NEW_YORK, opponents=wrong)
    with pytest.raises(ValueError, match="no bot"):
        gymnasium.make(NEW_YORK, opponents=["nobody"])


def check_equal(here: Any, there: Any) -> None:
    """Check that two answers of vector environments are the same, dictionaries and objects included."""
    assert type(here) is type(there)
    if isinstance(here, dict):
        assert here.keys() == there.keys()
        for key, value in here.items():
            check_equal(value, there[key])
    elif isinstance(here, tuple):
        for one, other in zip(here, there, strict=True):
            check_equal(one, other)
    elif here.dtype == object:
        for one, other in zip(here, there, strict=True):
            assert (one is None) == (other is None)
            assert one is None or (one == other).all()
    else:
        assert here.dtype == there.dtype
        assert (here == there).all()


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.value)
def test_make_vec_equals_a_sync_vector_env_of_single_environments(mode: AutoresetMode) -> None:
    """Observations, rewards, ends and infos, with illegal moves and truncated games."""
    settings: dict[str, Any] = {"opponents": ["greedy", "random"], "limit": 90}
    ours: Any = gymnasium.make_vec(NEW_YORK, num_envs=4, autoreset_mode=mode, **settings)
    theirs = gymnasium.make_vec(
        NEW_YORK, 4, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **settings
    )
    assert isinstance(theirs, SyncVectorEnv)
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    here, there = ours.reset(seed=3), theirs.reset(seed=3)
    over = np.zeros(4, np.bool_)
    ended = 0
    for step in range(140):
        check_equal(here, there)
        if mode == AutoresetMode.DISABLED and over.any():
            with pytest.raises(gymnasium.error.ResetNeeded, match="reset_mask"):
                ours.step(np.zeros(4, int))
            here = ours.reset(options={"reset_mask": over.copy()})
            there = theirs.reset(options={"reset_mask": over.copy()})
            check_equal(here, there)
        masks = ours.action_masks()
        actions = np.array([legal(mask, step) for mask in masks])
        if step % 25 == 24:
            actions[step % 4] = 0  # a pass, which is illegal
        here, there = ours.step(actions), theirs.step(actions)
        over = here[2] | here[3]
        ended += over.sum()
    assert ended > 8
    ours.close()


def test_make_vec_with_threads_and_a_seed_per_row() -> None:
    one = gymnasium.make_vec(NEW_YORK, num_envs=4, opponents=["planner"])
    many: Any = gymnasium.make_vec(NEW_YORK, num_envs=4, opponents=["planner"], threads=2)
    check_equal(one.reset(seed=1), many.reset(seed=[1, 2, 3, 4]))
    with pytest.raises(ValueError, match="4 games"):
        many.reset(seed=[1, 2])
    with pytest.raises(ValueError, match="4 games"):
        many.step(np.zeros(3, int))
    many.close()


class GymBatch:
    """A minimal version of Stable-Baselines3's DummyVecEnv."""

    def __init__(self, name: str, count: int, seed: int, settings: dict[str, Any]) -> None:
        self.envs = [gymnasium.make(name, **settings) for _ in range(count)]
        self.seeds = [seed + i for i in range(count)]

    def reset(self) -> np.ndarray:
        pairs = zip(self.envs, self.seeds, strict=True)
        return np.stack([env.reset(seed=seed)[0] for env, seed in pairs])

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[Any]]:
        results = [env.step(action) for env, action in zip(self.envs, actions, strict=True)]
        dones = np.array([result[2] or result[3] for result in results])
        rows = zip(self.envs, results, dones, strict=True)
        observations = [env.reset()[0] if is_done else result[0] for env, result, is_done in rows]
        return np.stack(observations), np.array([result[1] for result in results], np.float32), dones, []

    def env_method(self, name: str) -> list[Any]:
        return [env.get_wrapper_attr(name)() for env in self.envs]


class RandomPolicy:
    """Replaces MaskablePPO: it plays, and checks what MaskablePPO would need, but does not learn."""

    def __init__(self, _policy: str, env: GymBatch, **_settings: Any) -> None:
        self.env, self.rng, self.played = env, np.random.default_rng(1), 0

    def learn(self, steps: int, **_settings: Any) -> RandomPolicy:
        observations = self.env.reset()
        space: Any = self.env.envs[0].observation_space
        while self.played < steps:
            assert all(observation in space for observation in observations)
            actions, _ = self.predict(observations, masks_of(self.env))
            observations, *_ = self.env.step(actions)
            self.played += len(actions)
        return self

    def predict(self, observations: Any, action_masks: Any, **_settings: Any) -> tuple[Any, None]:
        space: Any = self.env.envs[0].action_space
        assert action_masks.shape == (len(observations), space.n)
        assert action_masks.any(axis=1).all()
        return np.where(action_masks, self.rng.random(action_masks.shape), -1).argmax(axis=1), None


def masks_of(games: GymBatch) -> np.ndarray:
    return np.stack(games.env_method("action_masks"))


def module(name: str, **content: Any) -> ModuleType:
    made = ModuleType(name)
    made.__dict__.update(content)
    return made


def test_the_example_runs_without_sb3_contrib(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The script runs to its end and uses the environments rightly, but nothing learns.

    PyTorch is too large for the lock files, so the classes above replace it and sb3-contrib.
    """

    def make(name: str, count: int, seed: int, env_kwargs: dict[str, Any]) -> GymBatch:
        return GymBatch(name, count, seed, env_kwargs)

    for stand_in in (
        module("torch", set_num_threads=lambda _: None),
        module("sb3_contrib", MaskablePPO=RandomPolicy),
        module("sb3_contrib.common.maskable.utils", get_action_masks=masks_of),
        module("stable_baselines3.common.env_util", make_vec_env=make),
        module("stable_baselines3.common.vec_env", VecEnv=GymBatch),
    ):
        monkeypatch.setitem(sys.modules, stand_in.__name__, stand_in)
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), "--steps", "400", "--games", "30", "--envs", "4"])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" won ")[0] for line in lines] == ["random moves", "the policy"]
    assert all("of 32 games" in line for line in lines)


@pytest.mark.slow
def test_the_example_learns_with_sb3_contrib(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With the real libraries, if they are installed: a short training wins many games against `greedy`.

    PyTorch is not in the lock files, so ./test skips this. docs/how-to/train-on-it.md says how to run it.
    """
    pytest.importorskip("sb3_contrib", reason="needs PyTorch and sb3-contrib, which are not locked")
    policy = tmp_path / "policy.zip"
    options = ["--steps", "60000", "--games", "200", "--out", str(policy)]
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), *options])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    told = dict(re.findall(r"^(.+) won ([\d.]+)% of 208 games", capsys.readouterr().out, re.MULTILINE))
    assert told.keys() == {"random moves", "the policy"}
    assert float(told["random moves"]) < 10
    assert float(told["the policy"]) > 30
    assert policy.is_file()
