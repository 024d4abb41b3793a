"""A bot's own chance: a ChaCha20 stream that has nothing to do with the cards."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine import chance
from goldenspike.engine.chance import CHANCE, PLAYERS, open_stream
from goldenspike.engine.compile import door
from goldenspike.engine.record import Words32
from goldenspike.seeds import Seed, key_words, read_seed

SEAT_DICE = PLAYERS + 1
"""The stream of seat 0's dice under a game's seed; the other seats' follow."""

Records = NDArray[np.record]


class Dice:
    """A generator of a bot's own. The same seed and seat give the same numbers on every platform.

    >>> dice = Dice.of("a quiet evening", seat=2)
    >>> [dice.below(6) for _ in range(5)]
    [2, 4, 4, 3, 2]
    """

    def __init__(self, array: Records) -> None:
        self.array = array
        """The record, as compiled bots take it."""

    @classmethod
    def of(cls, seed: Seed | None, seat: int = 0) -> Dice:
        """Return a seat's dice for a game's seed; fresh ones without a seed."""
        array = np.zeros(1, CHANCE)
        _open(array, key_words(read_seed(seed)), SEAT_DICE + seat)
        return cls(array)

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, all equally likely."""
        if bound < 1:
            raise ValueError(f"There is no number from 0 to {bound - 1}.")
        return int(_below(self.array, bound))

    def choose(self, things: Any) -> Any:
        """Return one of several things, all equally likely."""
        return things[self.below(len(things))]

    def child(self) -> Dice:
        """Return dice of their own, seeded by these."""
        array = np.zeros(1, CHANCE)
        words = [self.below(1 << 16) << 16 | self.below(1 << 16) for _ in range(8)]
        _open(array, np.array(words, np.uint32), SEAT_DICE)
        return Dice(array)

    def copy(self) -> Dice:
        """Return dice that will fall the same way."""
        return Dice(self.array.copy())


@door
def _open(chances: Records, key: Words32, stream: int) -> None:
    open_stream(chances[0], key, stream)


@door
def _below(chances: Records, bound: int) -> int:
    return chance.below(chances[0], bound)
