"""Sets of small numbers as unsigned 64-bit words.

A set of routes or tickets is a pair of words (numbers 0-127), a set of cities is one word. A bare Python
integer must not meet such a word in arithmetic: compiled code would turn both into floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir  # pyright: ignore[reportMissingTypeStubs]
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


def wide(number: int | np.integer[Any]) -> int:
    """Return a number as 64 bits.

    A compiled function is compiled anew for every width, and for every constant, that it is called with.
    """
    return np.int64(number)  # pyright: ignore[reportReturnType]


def bit(number: int) -> np.uint64:
    """Return the word that holds just this number (0-63), or number - 64 of a pair's second word."""
    return ONE_BIT << np.uint64(number & 63)


def drop_lowest(word: np.uint64) -> np.uint64:
    """Return the set without its smallest member; the set must not be empty."""
    return word & (word - ONE_BIT)


def _instruction(result: Any, argument: Any, emit: Callable[[Any, Any], Any]) -> Any:
    """Return what stands for one of the functions above in compiled code: a machine instruction or two.

    Inlined as Python they would cost ten milliseconds for each of the 200 places where they are used.
    """

    def typing(_context: Any, _operand: Any) -> Any:
        def codegen(_context: Any, builder: Any, _signature: Any, operands: Any) -> Any:
            return emit(builder, operands[0])

        return result(argument), codegen

    return cast("Any", intrinsic)(typing)


if not IS_INTERPRETED:
    _int, _word, _constant = _types.int64, _types.uint64, cast("Any", ir.IntType(64))
    _true = cast("Any", ir.IntType(1))(1)
    popcount = _instruction(_int, _word, lambda to, word: to.ctpop(word))
    lowest = _instruction(_int, _word, lambda to, word: to.cttz(word, _true))
    wide = _instruction(_int, _int, lambda _, number: number)
    bit = _instruction(_word, _int, lambda to, number: to.shl(_constant(1), to.and_(number, _constant(63))))
    drop_lowest = _instruction(_word, _word, lambda to, word: to.and_(word, to.sub(word, _constant(1))))


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
