"""Compile the rules with Numba, or leave them as plain Python.

Every function of the engine carries :func:`door`, :func:`compiled` or :func:`inlined`. With
``NUMBA_DISABLE_JIT=1`` in the environment the same source runs interpreted: slow, but with a debugger and
readable tracebacks. Code here must therefore mean the same in both modes; three habits keep it so:

- counts are 16-bit fields and never get near their limit, because interpreted arithmetic on them wraps;
- sets are unsigned 64-bit words and only meet unsigned words (see :mod:`goldenspike.engine.bits`);
- nothing relies on an overflow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba  # pyright: ignore[reportMissingTypeStubs]
from numba.core import caching  # pyright: ignore[reportMissingTypeStubs]

F = TypeVar("F", bound=Callable[..., Any])

_numba: Any = numba

IS_INTERPRETED = bool(_numba.config.DISABLE_JIT)
"""Whether this process runs the rules as plain Python."""

_njit: Any = _numba.njit
_PACKAGE = Path(__file__).resolve().parent.parent


_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy"}
_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def door(function: F) -> F:
    """Compile a function that Python calls, keep the machine code on disk, and release the GIL inside it."""
    return cast("F", _njit(**_OPTIONS)(function))


def compiled(function: F) -> F:
    """Compile a function that only compiled code calls: half the work, for want of a way in from Python."""
    return cast("F", _njit(**_OPTIONS, **_NO_WRAPPERS)(function))


def inlined(function: F) -> F:
    """Compile a function into its callers.

    For the small ones and for those with one caller: a function of its own costs a tenth of a second to
    compile, and calling it may cost as much as what it does.
    """
    return cast("F", _njit(**_OPTIONS | {"cache": False}, inline="always")(function))


@cache
def _source_stamp(directory: Path) -> str:
    """Return one digest of all compiled source that a function in this directory may call."""
    digest = hashlib.sha256()
    for folder in sorted({directory, _PACKAGE / "engine", _PACKAGE / "boards"}):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


class _RoomStamp:
    """Make a cached function stale when any file of its room changes.

    Numba's own stamp covers only the file a function stands in, but what it calls is compiled into it: a
    rule changed in one file would live on in the cache of the next.
    """

    _py_file: str

    def get_source_stamp(self) -> str:
        return _source_stamp(Path(self._py_file).parent)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Any:
        if not Path(py_file).is_relative_to(_PACKAGE):
            return None
        return cast("Any", super()).from_function(py_func, py_file)


def _install_cache_stamps() -> None:
    impl: Any = caching.CacheImpl
    known: list[type] = impl._locator_classes  # noqa: SLF001  # Numba has no public way to add one
    ours = [type("Room" + base.__name__, (_RoomStamp, base), {}) for base in known]
    impl._locator_classes = ours + known  # noqa: SLF001


_install_cache_stamps()
