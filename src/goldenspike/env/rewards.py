"""Rewards of a finished game. They add up to 0 over all seats."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine.compile import entry_point, inlined
from goldenspike.engine.state import State
from goldenspike.engine.struct import Structs

Reward = Literal["wins", "scores"]

BY_WINS, BY_SCORES = range(2)
"""The kinds of reward."""
REWARDS = {"wins": BY_WINS, "scores": BY_SCORES}


def read_reward(reward: str) -> int:
    """Return the number of a kind of reward, as compiled code takes it.

    >>> read_reward("wins")
    0
    """
    if reward not in REWARDS:
        raise ValueError(f"Rewards are by {' or by '.join(REWARDS)}, not by {reward!r}.")
    return REWARDS[reward]


@inlined
def write_rewards(state: State, reward: int, out: NDArray[np.floating[Any]]) -> None:
    """Write the rewards of a finished game.

    By wins: 1 to the winner, and -1 shared by the others; winners of a shared win share both. By scores: a
    seat's score minus the mean of the others' scores.
    """
    winners, total = 0, 0
    for seat in range(state.seats):
        winners += state.winners >> seat & 1
        total += int(state.totals[seat])
    for seat in range(state.seats):
        if reward == BY_WINS:
            won = state.winners >> seat & 1
            out[seat] = (state.seats * won - winners) / (winners * (state.seats - 1))
        else:
            own = int(state.totals[seat])
            out[seat] = own - (total - own) / (state.seats - 1)


@entry_point
def rewards_of(states: Structs, reward: int, out: NDArray[np.floating[Any]]) -> None:
    """Write the rewards of one finished game."""
    write_rewards(states[0], reward, out)
