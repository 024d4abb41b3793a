"""Writing sets as flags, many at a time."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from llvmlite import ir  # pyright: ignore[reportMissingTypeStubs]
from numba import types  # pyright: ignore[reportMissingTypeStubs]
from numba.extending import intrinsic  # pyright: ignore[reportMissingTypeStubs]
from numpy.typing import NDArray

from goldenspike.engine.bits import ONE_BIT
from goldenspike.engine.compile import IS_INTERPRETED, inlined

_types: Any = types
_ir: Any = ir

Bytes = NDArray[np.uint8]


def write_64(out: Bytes, at: int, word: np.uint64) -> None:
    """Write the 64 flags of a word, for which there must be room."""
    for i in range(64):
        out[at + i] = np.uint8(word >> np.uint64(i) & ONE_BIT)


def write_8(out: Bytes, at: int, word: np.uint64) -> None:
    """Write the lowest 8 flags of a word, for which there must be room."""
    for i in range(8):
        out[at + i] = np.uint8(word >> np.uint64(i) & ONE_BIT)


def _writer(count: int) -> Any:
    """Return what stands for one of the functions above in compiled code: bits to bytes in vector registers.

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

    return cast("Any", intrinsic)(typing)


if not IS_INTERPRETED:
    write_64, write_8 = _writer(64), _writer(8)


@inlined
def write_word(word: np.uint64, count: int, out: Bytes, at: int) -> None:
    """Write the first flags of a word, none beyond them."""
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
