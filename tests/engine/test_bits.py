"""Sets as words: every operation compared with a Python set."""

from __future__ import annotations

import random
from typing import Any

import numba
import numpy as np

from goldenspike.engine import bits

_njit: Any = numba.njit
NUMBERS = range(128)


@_njit
def popcount(word: np.uint64) -> int:
    return bits.popcount(word)


@_njit
def lowest(word: np.uint64) -> int:
    return bits.lowest(word)


@_njit
def nth_member(word: np.uint64, n: int) -> int:
    return bits.nth_member(word, n)


@_njit
def drop_lowest(word: np.uint64) -> np.uint64:
    return bits.drop_lowest(word)


@_njit
def bit(number: int) -> np.uint64:
    return bits.bit(number)


@_njit
def has(words: Any, number: int) -> bool:
    return bits.has(words, number)


@_njit
def pair_has(word_0: np.uint64, word_1: np.uint64, number: int) -> bool:
    return bits.pair_has((word_0, word_1), number)


@_njit
def add(words: Any, number: int) -> None:
    bits.add(words, number)


@_njit
def remove(words: Any, number: int) -> None:
    bits.remove(words, number)


def random_sets() -> list[set[int]]:
    """Return sets of numbers below 64: the ends of the range, all of it, and many in between."""
    chance = random.Random(1)
    some = [set(chance.sample(range(64), chance.randrange(65))) for _ in range(200)]
    return [set(), {0}, {63}, {0, 63}, set(range(64)), *some]


def word_of(members: set[int]) -> np.uint64:
    return np.uint64(sum(1 << number for number in members))


def test_popcount_counts_members() -> None:
    for members in random_sets():
        assert popcount(word_of(members)) == len(members)


def test_members_come_in_order() -> None:
    for members in random_sets():
        word = word_of(members)
        for n, number in enumerate(sorted(members)):
            assert nth_member(word_of(members), n) == number
            assert lowest(word) == number
            word = np.uint64(drop_lowest(word))
        assert word == 0


def test_bit_holds_one_number() -> None:
    for number in NUMBERS:
        assert int(bit(number)) == 1 << number % 64


def test_pairs_hold_numbers_up_to_127() -> None:
    chance = random.Random(2)
    words, members = np.zeros(2, np.uint64), set[int]()
    for _ in range(2000):
        number = chance.choice(NUMBERS)
        if chance.random() < 0.5:
            add(words, number)
            members.add(number)
        else:
            remove(words, number)
            members.discard(number)
        assert int(words[0]) | int(words[1]) << 64 == sum(1 << member for member in members)
        probe = chance.choice(NUMBERS)
        assert has(words, probe) == pair_has(words[0], words[1], probe) == (probe in members)


def test_add_and_remove_are_idempotent() -> None:
    words = np.zeros(2, np.uint64)
    for number in (0, 63, 64, 127):
        add(words, number)
        add(words, number)
    assert [int(word) for word in words] == [1 | 1 << 63] * 2
    for number in (0, 63, 64, 127):
        remove(words, number)
        remove(words, number)
    assert not words.any()
