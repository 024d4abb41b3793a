"""Writing bit sets as arrays of flags, with vector instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # pyright: ignore[reportMissingTypeStubs]
from numba import types  # pyright: ignore[reportMissingTypeStubs]
from numpy.typing import NDArray

from goldenspike.engine.bits import ONE_BIT
from goldenspike.engine.compile import inlined, on_processor

_types: Any = types
_ir: Any = ir

Bytes = NDArray[np.uint8]


def _bits_to_bytes(count: int) -> Any:
    """Return how the processor writes flags: from bits to bytes in vector registers.

    A loop over the bits takes five times as long.
    """

    def typing(_context: Any, array: Any, _at: Any, _word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
            out, at, word = operands
            number = builder.trunc(word, _ir.IntType(count)) if count < 64 else word
            flags = builder.bitcast(number, _ir.VectorType(_ir.IntType(1), count))
            row = _ir.VectorType(_ir.IntType(8), count)
            helper = context.make_array(signature.args[0])(context, builder, out)
            place = builder.bitcast(builder.gep(helper.data, [at]), row.as_pointer())
            builder.store(builder.zext(flags, row), place, align=1)
            return context.get_dummy_value()

        return _types.void(array, _types.int64, _types.uint64), codegen

    return typing


@on_processor(_bits_to_bytes(64))
def write_64(out: Bytes, at: int, word: np.uint64) -> None:
    """Write the 64 flags of a word; the array must have space for all."""
    for i in range(64):
        out[at + i] = np.uint8(word >> np.uint64(i) & ONE_BIT)


@on_processor(_bits_to_bytes(8))
def write_8(out: Bytes, at: int, word: np.uint64) -> None:
    """Write the lowest 8 flags of a word; the array must have space for all."""
    for i in range(8):
        out[at + i] = np.uint8(word >> np.uint64(i) & ONE_BIT)


@inlined
def write_word(word: np.uint64, count: int, out: Bytes, at: int) -> None:
    """Write the lowest `count` flags of a word, and nothing beyond them."""
    if count >= 64:
        write_64(out, at, word)
        return
    while count >= 8:
        write_8(out, at, word)
        word >>= np.uint64(8)
        at, count = at + 8, count - 8
    for i in range(count):
        out[at + i] = np.uint8(word >> np.uint64(i) & ONE_BIT)


@inlined
def write_set(words: NDArray[np.uint64], count: int, out: Bytes, at: int) -> None:
    """Write a pair of words as flags, one for each number below count.

    >>> out = np.zeros(72, np.uint8)
    >>> write_set(np.array([1, 6], np.uint64), 70, out, 1)
    >>> np.flatnonzero(out).tolist()
    [1, 66, 67]
    """
    write_word(words[0], count, out, at)
    if count > 64:
        write_word(words[1], count - 64, out, at + 64)
