"""A bot's random numbers: a ChaCha20 stream independent of the card deals."""

from __future__ import annotations

from typing import Any

import numpy as np

from goldenspike.engine import chance
from goldenspike.engine.chance import CHANCE, PLAYERS, open_stream
from goldenspike.engine.compile import entry_point
from goldenspike.engine.struct import Structs, Words32
from goldenspike.game.seeds import Seed, key_words, read_seed

SEAT_DICE = PLAYERS + 1
"""Stream number of seat 0's dice; the other seats use the numbers after it."""


class Dice:
    """A random number generator for a bot. The same seed and seat give the same numbers on every platform.

    >>> dice = Dice.of("a quiet evening", seat=2)
    >>> [dice.below(6) for _ in range(5)]
    [2, 4, 4, 3, 2]
    """

    def __init__(self, array: Structs) -> None:
        self.array = array
        """The generator's struct, as compiled bots take it."""

    @classmethod
    def of(cls, seed: Seed | None, seat: int = 0) -> Dice:
        """Return a seat's dice for a game's seed; without a seed, randomly seeded ones."""
        array = np.zeros(1, CHANCE)
        _open(array, key_words(read_seed(seed)), SEAT_DICE + seat)
        return cls(array)

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, uniformly distributed."""
        if bound < 1:
            raise ValueError(f"There is no number from 0 to {bound - 1}.")
        return int(_below(self.array, bound))

    def choose(self, things: Any) -> Any:
        """Return one of several things, each equally likely."""
        return things[self.below(len(things))]

    def child(self) -> Dice:
        """Return new dice seeded by these."""
        array = np.zeros(1, CHANCE)
        words = [self.below(1 << 16) << 16 | self.below(1 << 16) for _ in range(8)]
        _open(array, np.array(words, np.uint32), SEAT_DICE)
        return Dice(array)

    def copy(self) -> Dice:
        """Return dice that will produce the same numbers."""
        return Dice(self.array.copy())


@entry_point
def _open(chances: Structs, key: Words32, stream: int) -> None:
    open_stream(chances[0], key, stream)


@entry_point
def _below(chances: Structs, bound: int) -> int:
    return chance.below(chances[0], bound)
