"""Sets of small numbers as unsigned 64-bit words.

A set of routes or tickets is a pair of words (numbers 0-127), a set of cities is one word. A bare Python
integer must not meet such a word in arithmetic: compiled code would turn both into floating point.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types  # pyright: ignore[reportMissingTypeStubs]
from numba.extending import intrinsic  # pyright: ignore[reportMissingTypeStubs]

from goldenspike.engine.compile import IS_INTERPRETED, inlined

_types: Any = types

NO_BITS = np.uint64(0)
ONE_BIT = np.uint64(1)


def popcount(word: np.uint64) -> int:
    """Count the members of a set."""
    return int(word).bit_count()


def lowest(word: np.uint64) -> int:
    """Return the smallest member of a set that is not empty."""
    value = int(word)
    return (value & -value).bit_length() - 1


def _instruction(name: str, *flags: bool) -> Any:
    """Return a stand-in for one machine instruction on a word, to be used in compiled code."""

    def typing(_context: Any, _word: Any) -> Any:
        def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            constants = [context.get_constant(_types.boolean, flag) for flag in flags]
            return getattr(builder, name)(args[0], *constants)

        return _types.int64(_types.uint64), codegen

    return cast("Any", intrinsic)(typing)


if not IS_INTERPRETED:
    popcount = _instruction("ctpop")
    lowest = _instruction("cttz", True)


@inlined
def wide(number: int | np.integer[Any]) -> int:
    """Return a number as 64 bits.

    A compiled function is compiled anew for every width, and for every constant, that it is called with.
    """
    return np.int64(number)  # pyright: ignore[reportReturnType]


@inlined
def bit(number: int) -> np.uint64:
    """Return the word that holds just this number (0-63), or number - 64 of a pair's second word.

    >>> int(bit(3)), int(bit(67))
    (8, 8)
    """
    return ONE_BIT << np.uint64(number & 63)


@inlined
def drop_lowest(word: np.uint64) -> np.uint64:
    """Return the set without its smallest member; the set must not be empty.

    >>> bin(drop_lowest(np.uint64(0b1010)))
    '0b1000'
    """
    return word & (word - ONE_BIT)


@inlined
def pair_has(words: tuple[np.uint64, np.uint64], number: int) -> bool:
    """Tell whether a pair of words, as a tuple, holds a number."""
    return ((words[0] if number < 64 else words[1]) & bit(number)) != NO_BITS


@inlined
def has(words: Any, number: int) -> bool:
    """Tell whether a pair of words holds a number."""
    return (words[number >> 6] & bit(number)) != NO_BITS


@inlined
def add(words: Any, number: int) -> None:
    """Put a number into a pair of words."""
    words[number >> 6] |= bit(number)


@inlined
def remove(words: Any, number: int) -> None:
    """Take a number out of a pair of words."""
    words[number >> 6] &= ~bit(number)


@inlined
def nth_member(word: np.uint64, n: int) -> int:
    """Return the member that has exactly n smaller ones.

    >>> nth_member(np.uint64(0b11010), 2)
    4
    """
    for _ in range(n):
        word = drop_lowest(word)
    return lowest(word)
