"""Flat structs: one annotated class declares the fields for both the type checker and NumPy."""

from __future__ import annotations

from typing import Annotated, Any, cast, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

Int = Annotated[int, "i2"]
"""A 16-bit count or code."""
Wide = Annotated[int, "i8"]
"""A 64-bit number. Used for function arguments, because Numba compiles a function once per integer width."""

Ints = NDArray[np.int16]
Bytes = NDArray[np.int8]
Words = NDArray[np.uint64]
Words32 = NDArray[np.uint32]
Structs = NDArray[np.record]
"""An array of structs, the form in which Python passes one: Numba unboxes it ten times faster."""


class Struct(np.record):  # pyright: ignore[reportIncompatibleVariableOverride]
    """Base class of flat structs, which are declared by annotated fields.

    ``name: Annotated[type, dtype]`` is a scalar field, ``Annotated[type, dtype, shape]`` an array. These
    classes are never instantiated: NumPy and Numba return their own objects with the same fields.
    """


def struct_dtype(struct: type[Struct]) -> np.dtype[np.record]:
    """Return the NumPy dtype of a struct class: fields in order of declaration, aligned.

    >>> class Point(Struct):
    ...     x: Wide
    ...     tail: Annotated[Words, "u8", (2,)]
    >>> struct_dtype(Point).names
    ('x', 'tail')
    >>> struct_dtype(Point).itemsize
    24
    """
    fields: list[Any] = []
    for name, hint in get_type_hints(struct, include_extras=True).items():
        if name.startswith("_") or not hasattr(hint, "__metadata__"):
            continue
        dtype, *shape = get_args(hint)[1:]
        fields.append((name, dtype, *shape))
    return cast("np.dtype[np.record]", np.dtype((np.record, np.dtype(fields, align=True))))
