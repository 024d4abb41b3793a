"""Flat records: one class says what a record holds, for the type checker and for NumPy alike."""

from __future__ import annotations

from typing import Annotated, Any, cast, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

Int = Annotated[int, "i2"]
"""A 16-bit count or code."""
Wide = Annotated[int, "i8"]
"""A 64-bit number: for what functions are called with, which are compiled anew for every width."""

Ints = NDArray[np.int16]
Bytes = NDArray[np.int8]
Words = NDArray[np.uint64]
Words32 = NDArray[np.uint32]


class Record(np.record):  # pyright: ignore[reportIncompatibleVariableOverride]
    """A base for classes that describe a record by annotated fields.

    ``name: Annotated[type, dtype]`` is a scalar field, ``Annotated[type, dtype, shape]`` an array. No object
    of such a class is ever made: NumPy and Numba hand out records that have these fields.
    """


def record_dtype(record: type[Record]) -> np.dtype[np.record]:
    """Return the NumPy type of a record class: fields in the order they are written, aligned.

    >>> class Point(Record):
    ...     x: Wide
    ...     tail: Annotated[Words, "u8", (2,)]
    >>> record_dtype(Point).names
    ('x', 'tail')
    >>> record_dtype(Point).itemsize
    24
    """
    fields: list[Any] = []
    for name, hint in get_type_hints(record, include_extras=True).items():
        if name.startswith("_") or not hasattr(hint, "__metadata__"):
            continue
        dtype, *shape = get_args(hint)[1:]
        fields.append((name, dtype, *shape))
    return cast("np.dtype[np.record]", np.dtype((np.record, np.dtype(fields, align=True))))
