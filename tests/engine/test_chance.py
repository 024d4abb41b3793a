"""ChaCha20 against the vectors of RFC 8439; uniform numbers, uniform shuffles, separate streams."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
import pytest

from goldenspike.engine import chance
from goldenspike.engine.chance import (
    CARDS,
    CHANCE,
    FIRST_SEAT,
    PLAYERS,
    TICKETS,
    chacha20_block,
    quarter_round,
)
from goldenspike.engine.playout import game_key

_njit: Any = numba.njit
Struct = np.ndarray[Any, np.dtype[Any]]

RFC_KEY = bytes(range(32))
NO_KEY = bytes(32)


@_njit
def mix(words: Any) -> None:
    words[0], words[1], words[2], words[3] = quarter_round(words[0], words[1], words[2], words[3])


@_njit
def block_of(key: Any, counter: int, nonce: tuple[int, int, int], out: Any) -> None:
    chacha20_block(key, counter, nonce, out)


@_njit
def open_stream(record: Any, key: Any, stream: int) -> None:
    chance.open_stream(record[0], key, stream)


@_njit
def next_word(record: Any) -> int:
    return chance.next_word(record[0])


@_njit
def below(record: Any, bound: int) -> int:
    return chance.below(record[0], bound)


@_njit
def shuffle(record: Any, items: Any, count: int) -> None:
    chance.shuffle(record[0], items, count)


def words_of(data: bytes) -> np.ndarray[Any, np.dtype[np.uint32]]:
    return np.frombuffer(data, "<u4").astype(np.uint32)


def block(key: bytes, counter: int, nonce: bytes) -> bytes:
    out = np.zeros(16, np.uint32)
    first, second, third = (int(word) for word in words_of(nonce))
    block_of(words_of(key), counter, (first, second, third), out)
    return out.astype("<u4").tobytes()


def stream(number: int, key: bytes = RFC_KEY) -> Struct:
    record = np.zeros(1, CHANCE)
    open_stream(record, words_of(key), number)
    return record


def fed(words: Sequence[int]) -> Struct:
    """Return a chance struct whose next words, at most 16, are these."""
    record = stream(CARDS)
    record["used"] = 16 - len(words)
    record["block"][0, 16 - len(words) :] = words
    return record


def chi_square(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def limit_of(cells: int) -> float:
    """Return the 99.9% quantile of chi-square (Wilson-Hilferty approximation)."""
    freedom = cells - 1
    return freedom * (1 - 2 / (9 * freedom) + 3.09 * (2 / (9 * freedom)) ** 0.5) ** 3


def test_quarter_round() -> None:
    """RFC 8439, 2.1.1."""
    words = np.array([0x11111111, 0x01020304, 0x9B8D6F43, 0x01234567], np.uint32)
    mix(words)
    assert [int(word) for word in words] == [0xEA2A92F4, 0xCB1CF8CE, 0x4581472E, 0x5881C4BB]


def test_block() -> None:
    """RFC 8439, 2.3.2."""
    expected = """
        10 f1 e7 e4 d1 3b 59 15 50 0f dd 1f a3 20 71 c4 c7 d1 f4 c7 33 c0 68 03 04 22 aa 9a c3 d4 6c 4e
        d2 82 64 46 07 9f aa 09 14 c2 d7 05 d9 8b 02 a2 b5 12 9c d1 de 16 4e b9 cb d0 83 e8 a2 50 3c 4e
    """
    assert block(RFC_KEY, 1, bytes.fromhex("000000090000004a00000000")) == bytes.fromhex(expected)


@pytest.mark.parametrize(
    ("key", "counter", "nonce", "expected"),
    [
        pytest.param(
            NO_KEY,
            0,
            bytes(12),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
            id="1",
        ),
        pytest.param(
            NO_KEY,
            1,
            bytes(12),
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
            id="2",
        ),
        pytest.param(
            bytes(31) + b"\1",
            1,
            bytes(12),
            "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
            "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
            id="3",
        ),
        pytest.param(
            b"\0\xff" + bytes(30),
            2,
            bytes(12),
            "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
            "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
            id="4",
        ),
        pytest.param(
            NO_KEY,
            0,
            bytes(11) + b"\2",
            "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
            "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
            id="5",
        ),
    ],
)
def test_key_stream(key: bytes, counter: int, nonce: bytes, expected: str) -> None:
    """RFC 8439, appendix A.1."""
    assert block(key, counter, nonce).hex() == expected


def test_a_stream_is_its_blocks_in_order() -> None:
    """The first word of the nonce is the stream; the counter increases with every block of 16 words."""
    record = stream(TICKETS)
    drawn = [next_word(record) for _ in range(48)]
    blocks = b"".join(block(RFC_KEY, i, TICKETS.to_bytes(4, "little") + bytes(8)) for i in range(3))
    assert drawn == [int(word) for word in words_of(blocks)]
    assert int(record["counter"][0]) == 3
    assert 0 <= min(drawn) < max(drawn) < 1 << 32


def test_streams_are_independent() -> None:
    alone = {number: stream(number) for number in (CARDS, TICKETS, FIRST_SEAT, PLAYERS)}
    drawn = {number: [next_word(record) for _ in range(40)] for number, record in alone.items()}
    assert len({word for words in drawn.values() for word in words}) == 160

    together = {number: stream(number) for number in alone}
    by_turns = {number: [] for number in alone}
    for i in range(38):
        for number, record in together.items():
            for _ in range((i + number) % 3):
                by_turns[number].append(next_word(record))
    for number, words in by_turns.items():
        assert words == drawn[number][: len(words)]


def test_opening_a_stream_restarts_it() -> None:
    record = stream(CARDS)
    first = [next_word(record) for _ in range(5)]
    open_stream(record, words_of(RFC_KEY), CARDS)
    assert [next_word(record) for _ in range(5)] == first


def test_different_keys_give_different_streams() -> None:
    assert next_word(stream(CARDS, NO_KEY)) != next_word(stream(CARDS, bytes(31) + b"\1"))


@pytest.mark.parametrize("index", [0, 1, 70_000])
def test_seeds_of_a_series_use_a_separate_stream(index: int) -> None:
    """Streams of a game differ in the first word of the nonce; a series uses the last word."""
    key = np.zeros(8, np.uint32)
    game_key(words_of(RFC_KEY), index, key)
    assert key.astype("<u4").tobytes() == block(RFC_KEY, index, bytes(8) + b"\1\0\0\0")[:32]


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 110, 1000, 32_767])
def test_below_maps_equally_many_words_to_each_result(bound: int) -> None:
    """The words from `least` to `most` give one result; words between two such ranges are rejected."""
    unfair = (1 << 32) % bound
    shares: set[int] = set()
    for result in {0, 1, bound // 2, bound - 1} & set(range(bound)):
        least = -(-((result << 32) + unfair) // bound)
        most = (((result + 1) << 32) - 1) // bound
        shares.add(most - least + 1)
        spare = (1 << 32) // 2 + 1  # fair for every bound here
        for word in (least, most):
            record = fed([word, spare])
            assert below(record, bound) == result
            assert record["used"][0] == 15, "one word is used"
        if unfair and (least - 1) * bound >> 32 == result:
            record = fed([least - 1, spare])
            assert below(record, bound) == spare * bound >> 32
            assert record["used"][0] == 16, "the first word is refused"
    assert shares == {(1 << 32) // bound}


def test_below_rejects_words_that_would_bias_the_result() -> None:
    """With a bound of 6 four words are rejected: those whose product ends in 0 or 2."""
    refused = [0, 0x2AAAAAAB, 0x80000000, 0xAAAAAAAB]
    assert [word * 6 & 0xFFFFFFFF for word in refused] == [0, 2, 0, 2]
    assert below(fed([*refused, 0x55555556]), 6) == 2


@pytest.mark.parametrize("bound", [2, 3, 7, 12, 110])
def test_below_is_uniform(bound: int) -> None:
    record = stream(PLAYERS)
    counts = Counter(below(record, bound) for _ in range(20_000))
    assert set(counts) <= set(range(bound))
    assert chi_square([counts[i] for i in range(bound)]) < limit_of(bound)


def test_shuffle_permutes() -> None:
    record = stream(TICKETS)
    for count in range(31):
        items = np.arange(30, dtype=np.int8)
        shuffle(record, items, count)
        assert sorted(items[:count]) == list(range(count))
        assert list(items[count:]) == list(range(count, 30)), "the rest stays"


def test_shuffle_is_uniform() -> None:
    record, counts = stream(TICKETS), Counter[tuple[int, ...]]()
    for _ in range(24_000):
        items = np.arange(4, dtype=np.int8)
        shuffle(record, items, 4)
        counts[tuple(int(item) for item in items)] += 1
    orders = list(itertools.permutations(range(4)))
    assert chi_square([counts[order] for order in orders]) < limit_of(len(orders))
