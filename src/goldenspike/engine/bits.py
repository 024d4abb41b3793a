"""Sets of small numbers as unsigned 64-bit words.

A set of routes or tickets is a pair of words (numbers 0-127), a set of cities is one word. Never combine such
a word with a plain Python integer in arithmetic: compiled code would convert both to floating point.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from llvmlite import ir  # pyright: ignore[reportMissingTypeStubs]

from goldenspike.engine.compile import inlined, instruction

NO_BITS = np.uint64(0)
ONE_BIT = np.uint64(1)

_word: Any = cast("Any", ir.IntType(64))
_is_not_empty: Any = cast("Any", ir.IntType(1))(1)


@instruction("int64", "uint64", lambda to, word: to.ctpop(word))
def popcount(word: np.uint64) -> int:
    """Count the members of a set."""
    return int(word).bit_count()


@instruction("int64", "uint64", lambda to, word: to.cttz(word, _is_not_empty))
def lowest(word: np.uint64) -> int:
    """Return the smallest member of a set that is not empty."""
    value = int(word)
    return (value & -value).bit_length() - 1


@instruction("int64", "int64", lambda _, number: number)
def wide(number: int | np.integer[Any]) -> int:
    """Return a number as 64 bits.

    Numba compiles a function once for every integer width, and for every constant, that it is called with.
    """
    return np.int64(number)  # pyright: ignore[reportReturnType]


@instruction("uint64", "int64", lambda to, number: to.shl(_word(1), to.and_(number, _word(63))))
def bit(number: int) -> np.uint64:
    """Return the word that holds just this number (0-63), or number - 64 of a pair's second word."""
    return ONE_BIT << np.uint64(number & 63)


@instruction("uint64", "uint64", lambda to, word: to.and_(word, to.sub(word, _word(1))))
def drop_lowest(word: np.uint64) -> np.uint64:
    """Return the set without its smallest member; the set must not be empty."""
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
    """Return the member that has exactly n smaller members.

    >>> nth_member(np.uint64(0b11010), 2)
    4
    """
    for _ in range(n):
        word = drop_lowest(word)
    return lowest(word)
