"""What a finished game earns each seat. Over all seats it comes to nothing."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine.compile import door, inlined
from goldenspike.engine.state import State

Reward = Literal["wins", "scores"]

BY_WINS, BY_SCORES = range(2)
"""What rewards are made of."""
REWARDS = {"wins": BY_WINS, "scores": BY_SCORES}


def read_reward(reward: str) -> int:
    """Return the number that compiled code knows a kind of reward by.

    >>> read_reward("wins")
    0
    """
    if reward not in REWARDS:
        raise ValueError(f"Rewards are by {' or by '.join(REWARDS)}, not by {reward!r}.")
    return REWARDS[reward]


@inlined
def write_rewards(state: State, reward: int, out: NDArray[np.floating[Any]]) -> None:
    """Write the rewards of a finished game.

    By wins: 1 to the winner, and -1 shared by the others; winners who share a victory share both. By scores:
    a seat's score less the mean of the others' scores.
    """
    winners, total = 0, 0
    for seat in range(state.seats):
        winners += state.winners >> seat & 1
        total += int(state.totals[seat])
    for seat in range(state.seats):
        if reward == BY_WINS:
            share = (state.winners >> seat & 1) / winners
            out[seat] = (state.seats * share - 1) / (state.seats - 1)
        else:
            own = int(state.totals[seat])
            out[seat] = own - (total - own) / (state.seats - 1)


@door
def rewards_of(states: NDArray[np.record], reward: int, out: NDArray[np.floating[Any]]) -> None:
    """Write the rewards of one finished game."""
    write_rewards(states[0], reward, out)
