"""Random numbers: a ChaCha20 stream of uniform numbers, stored inside the struct that uses it.

The key is a game's 256-bit seed, so the same seed gives the same game on every platform, and cards cannot be
predicted without the seed. Each purpose has its own stream (the nonce), so drawing from one stream never
shifts another.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.engine.bits import wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.struct import Struct, Wide, Words32, struct_dtype

CARDS, TICKETS, FIRST_SEAT, PLAYERS = range(4)
"""The streams: drawing train cards, shuffling tickets, the first seat, and moves of random players."""

_WORDS = 16
_LOW = np.uint64(0xFFFFFFFF)
_MASK = 0xFFFFFFFF
_C0, _C1 = np.uint32(0x61707865), np.uint32(0x3320646E)
_C2, _C3 = np.uint32(0x79622D32), np.uint32(0x6B206574)


class Chance(Struct):
    """A ChaCha20 key stream and how much of it is used."""

    key: Annotated[Words32, "u4", (8,)]
    block: Annotated[Words32, "u4", (_WORDS,)]
    counter: Annotated[int, "u4"]
    stream: Annotated[int, "u4"]
    used: Wide
    """Words of the block already used."""


CHANCE = struct_dtype(Chance)


@inlined
def _add(a: np.uint32, b: np.uint32) -> np.uint32:
    return np.uint32((np.uint64(a) + np.uint64(b)) & _LOW)


@inlined
def _xor_rotate(a: np.uint32, b: np.uint32, by: int) -> np.uint32:
    word = np.uint64(a ^ b)
    return np.uint32(((word << np.uint64(by)) | (word >> np.uint64(32 - by))) & _LOW)


@compiled
def quarter_round(
    a: np.uint32, b: np.uint32, c: np.uint32, d: np.uint32
) -> tuple[np.uint32, np.uint32, np.uint32, np.uint32]:
    """Mix four 32-bit words (RFC 8439, 2.1)."""
    a = _add(a, b)
    d = _xor_rotate(d, a, 16)
    c = _add(c, d)
    b = _xor_rotate(b, c, 12)
    a = _add(a, b)
    d = _xor_rotate(d, a, 8)
    c = _add(c, d)
    b = _xor_rotate(b, c, 7)
    return a, b, c, d


@compiled
def chacha20_block(key: Words32, counter: int, nonce: tuple[int, int, int], out: Words32) -> None:
    """Write the 16 words of one ChaCha20 block (RFC 8439, 2.3), or the first 8 where there is space for 8.

    The working words are sixteen variables, not an array, so that they stay in registers: twice as fast.
    """
    x0, x1, x2, x3 = _C0, _C1, _C2, _C3
    x4, x5, x6, x7 = key[0], key[1], key[2], key[3]
    x8, x9, x10, x11 = key[4], key[5], key[6], key[7]
    x12, x13 = np.uint32(counter), np.uint32(nonce[0])
    x14, x15 = np.uint32(nonce[1]), np.uint32(nonce[2])
    for _ in range(10):
        x0, x4, x8, x12 = quarter_round(x0, x4, x8, x12)
        x1, x5, x9, x13 = quarter_round(x1, x5, x9, x13)
        x2, x6, x10, x14 = quarter_round(x2, x6, x10, x14)
        x3, x7, x11, x15 = quarter_round(x3, x7, x11, x15)
        x0, x5, x10, x15 = quarter_round(x0, x5, x10, x15)
        x1, x6, x11, x12 = quarter_round(x1, x6, x11, x12)
        x2, x7, x8, x13 = quarter_round(x2, x7, x8, x13)
        x3, x4, x9, x14 = quarter_round(x3, x4, x9, x14)
    out[0], out[1], out[2], out[3] = _add(x0, _C0), _add(x1, _C1), _add(x2, _C2), _add(x3, _C3)
    out[4], out[5] = _add(x4, key[0]), _add(x5, key[1])
    out[6], out[7] = _add(x6, key[2]), _add(x7, key[3])
    if len(out) < _WORDS:
        return
    out[8], out[9] = _add(x8, key[4]), _add(x9, key[5])
    out[10], out[11] = _add(x10, key[6]), _add(x11, key[7])
    out[12], out[13] = _add(x12, np.uint32(counter)), _add(x13, np.uint32(nonce[0]))
    out[14], out[15] = _add(x14, np.uint32(nonce[1])), _add(x15, np.uint32(nonce[2]))


@inlined
def open_stream(chance: Chance, key: Words32, stream: int) -> None:
    """Set a chance struct to the beginning of a stream."""
    for i in range(8):
        chance.key[i] = key[i]
    chance.stream = stream
    chance.counter = 0
    chance.used = _WORDS


@inlined
def next_word(chance: Chance) -> int:
    """Return the next 32 bits of the stream."""
    if chance.used == _WORDS:
        nonce = (wide(chance.stream), wide(0), wide(0))
        chacha20_block(chance.key, wide(chance.counter), nonce, chance.block)
        chance.counter += 1
        chance.used = 0
    word = int(wide(chance.block[chance.used]))
    chance.used += 1
    return word


@inlined
def below(chance: Chance, bound: int) -> int:
    """Return a number from 0 to bound - 1, all equally likely.

    Lemire's method: the high half of a product is uniform once the few low halves that would favour some
    results are rejected.
    """
    while True:
        product = next_word(chance) * int(bound)
        low = product & _MASK
        if low >= bound or low >= (_MASK + 1 - bound) % bound:
            return product >> 32


@compiled
def shuffle(chance: Chance, items: np.ndarray, count: int) -> None:
    """Shuffle the first items of an array in place (Fisher-Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(chance, last + 1)
        held = items[last]
        items[last] = items[other]
        items[other] = held
