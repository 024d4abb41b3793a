"""PettingZoo's own tests, and what they do not cover."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils import parallel_to_aec, turn_based_aec_to_parallel

from goldenspike.engine.moves import DRAW_TICKETS, KEEP
from goldenspike.env import VectorEnv, aec
from goldenspike.errors import IllegalMoveError, MalformedMoveError
from tests.game.games import EVERY_TABLE, FEW_TABLES, GameSetup

pytestmark = [
    # PettingZoo knows by name which environments have dictionary observations, which its documentation asks
    # for.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


def play(env: Any, policy: Any = None) -> list[tuple[str, float]]:
    """Play random moves, or those of a policy, to the end; return the rewards in order."""
    rewards: list[tuple[str, float]] = []
    for agent in env.agent_iter():
        observation, reward, is_over, is_broken_off, _ = env.last()
        if is_over or is_broken_off:
            rewards.append((agent, reward))
            env.step(None)
        else:
            assert reward == 0
            mask = observation["action_mask"]
            env.step(policy(mask) if policy else env.action_space(agent).sample(mask))
    return rewards


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("table", EVERY_TABLE)
def test_pettingzoos_own_tests(table: GameSetup, graph: bool, capsys: pytest.CaptureFixture[str]) -> None:
    edition, players = table
    env = aec(edition, players, graph=graph)
    api_test(env, num_cycles=200, verbose_progress=False)
    assert "Passed" in capsys.readouterr().out
    seed_test(lambda: aec(edition, players, graph=graph), num_cycles=40)


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_pettingzoos_parallel_wrappers(table: GameSetup) -> None:
    parallel_api_test(turn_based_aec_to_parallel(aec(*table)), num_cycles=300)


def test_converting_to_parallel_and_back_works() -> None:
    """Converted to a parallel environment and back, it still works as an AEC environment."""
    env = parallel_to_aec(turn_based_aec_to_parallel(aec("new-york", 2)))
    env.reset(seed=1)
    assert env.agents == ["seat_0", "seat_1"]
    observation = env.last()[0]
    assert isinstance(observation, dict)
    assert observation["action_mask"].any()


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    def make(render_mode: str | None = None) -> Any:
        return aec("new-york", 3, render_mode=render_mode)

    render_test(make)
    assert "to move" in capsys.readouterr().out
    env = aec("usa-classic", 2, render_mode="ansi")
    env.reset(seed=1)
    play(env)
    text = env.render()
    assert "to move: none" in text
    assert "routes: " in text


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_it_plays_the_games_of_the_vector_environment(table: GameSetup) -> None:
    env, many = aec(*table), VectorEnv(*table, games=1, seed=6)
    env.reset(seed=6)
    for _ in range(2):
        while True:
            agent = env.agent_selection
            observation = env.last()[0]
            assert agent == f"seat_{many.seats[0]}"
            assert (observation["observation"] == many.observations[0] * many.scales).all()
            assert (observation["action_mask"] == many.masks[0]).all()
            moves = many.random_moves()
            env.step(int(moves[0]))
            many.step(moves)
            if many.ended[0]:
                break
        assert [reward for _, reward in play(env)] == pytest.approx(many.rewards[0].tolist())
        env.reset()  # without a seed, the next game of the series


def test_rewards_are_paid_once_to_every_seat() -> None:
    env = aec("usa-classic", 4)
    env.reset(seed=2)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    rewards = play(env)
    assert [agent for agent, _ in rewards] == env.possible_agents
    assert sorted(reward for _, reward in rewards) == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])
    assert env.agents == []


def test_observations_hide_choices_at_setup() -> None:
    """S-3: seats choose one after the other here, and see of earlier seats only that they have chosen."""
    seen: list[tuple[bytes, ...]] = []
    for kept in (0b011, 0b111):
        env = aec("usa-classic", 3)
        env.reset(seed=1)
        env.step(KEEP + kept)
        assert env.agent_selection == "seat_1"
        seen.append(tuple(env.observe(agent)["observation"].tobytes() for agent in ("seat_1", "seat_2")))
    assert seen[0] == seen[1]


def test_an_endless_game_is_truncated() -> None:
    env = aec("first-journey", 2, limit=30)
    env.reset(seed=1)
    moves: list[int] = []
    rewards = play(env, lambda _mask: moves.append(DRAW_TICKETS) or DRAW_TICKETS)
    assert len(moves) == 30
    assert rewards == [("seat_0", 0), ("seat_1", 0)]
    with pytest.raises(ValueError, match="at least one decision"):
        aec("first-journey", 2, limit=0)


def test_a_move_that_is_not_legal_is_refused_with_its_reason() -> None:
    env = aec("usa-classic", 2)
    env.reset(seed=1)
    before = env.last()[0]
    with pytest.raises(IllegalMoveError, match="tickets"):
        env.step(KEEP + 1)
    with pytest.raises(MalformedMoveError, match="1134"):
        env.step(5000)
    assert (env.last()[0]["observation"] == before["observation"]).all()
    env.step(np.int64(KEEP + 7))
    assert env.agent_selection == "seat_1"
