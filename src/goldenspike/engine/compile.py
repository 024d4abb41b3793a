"""Compile the rules for a target: the processor, a GPU, or none.

Every function of the engine is decorated with :func:`entry_point`, :func:`compiled` or :func:`inlined`. In
this process they are compiled for the processor, or run interpreted with ``NUMBA_DISABLE_JIT=1`` in the
environment: slow, but with a debugger and readable tracebacks. The decorators also record the source of each
function, from which :mod:`goldenspike.engine.cuda` makes functions for a GPU.

Code must behave the same on all targets. Four conventions ensure this:

- counts are 16-bit fields and stay far below their limit, because interpreted arithmetic on them wraps;
- sets are unsigned 64-bit words and are only combined with unsigned words (see
  :mod:`goldenspike.engine.bits`);
- nothing relies on overflow;
- nothing allocates: working memory is a struct that the caller passes, like the log.

Where a target has a better way to do something than the Python source, :func:`instruction` or
:func:`on_processor` say so. There are no other differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar, cast

import numba  # pyright: ignore[reportMissingTypeStubs]
from numba.core import types  # pyright: ignore[reportMissingTypeStubs]
from numba.extending import intrinsic  # pyright: ignore[reportMissingTypeStubs]

from goldenspike.engine.code_cache import CodeCache

F = TypeVar("F", bound=Callable[..., Any])

_numba: Any = numba

IS_INTERPRETED = bool(_numba.config.DISABLE_JIT)
"""Whether this process runs the rules as plain Python."""

_njit: Any = _numba.njit
_types: Any = types

_OPTIONS = {"nogil": True, "error_model": "numpy"}
_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class Instruction(NamedTuple):
    """What replaces a function of one number in compiled code: the names of types, and how to emit it."""

    result: str
    argument: str
    emit: Callable[[Any, Any], Any]

    def make(self, intrinsic: Any, types: Any) -> Any:
        """Return the intrinsic function of a target, given its decorator and types."""

        def typing(_context: Any, _operand: Any) -> Any:
            def codegen(_context: Any, builder: Any, _signature: Any, operands: Any) -> Any:
                return self.emit(builder, operands[0])

            return getattr(types, self.result)(getattr(types, self.argument)), codegen

        return intrinsic(typing)


class Source(NamedTuple):
    """The source of a compiled function."""

    function: Callable[..., Any]
    instruction: Instruction | None = None


_sources: dict[Any, Source] = {}


def source_of(function: Any) -> Source | None:
    """Return the source of a function that is decorated with one of the decorators below; None for others."""
    try:
        return _sources.get(function)
    except TypeError:  # not hashable, so no function
        return None


def entry_point(function: F) -> F:
    """Compile a function that Python calls; cache its machine code on disk and release the GIL inside it."""
    return _compile_and_keep(function, _OPTIONS)


def compiled(function: F) -> F:
    """Compile a function that only compiled code calls; skipping the Python wrapper halves compile time."""
    return _compile_and_keep(function, _OPTIONS | _NO_WRAPPERS)


def inlined(function: F) -> F:
    """Compile a function into its callers.

    Use it for small functions and for functions with one caller: a separate function takes a tenth of a
    second to compile, and the call may cost as much as the body.
    """
    return _record(_njit(**_OPTIONS, inline="always")(function), Source(function))


def instruction(result: str, argument: str, emit: Callable[[Any, Any], Any]) -> Callable[[F], F]:
    """Replace a function of one number by one or two instructions in compiled code, on every target.

    Inlining the Python source instead costs ten milliseconds of compile time at each of 200 call sites.
    """
    recipe = Instruction(result, argument, emit)

    def replace(function: F) -> F:
        value = function if IS_INTERPRETED else recipe.make(intrinsic, _types)
        return _record(value, Source(function, recipe))

    return replace


def on_processor(typing: Callable[..., Any]) -> Callable[[F], F]:
    """Replace a function by an intrinsic where it is compiled for the processor; see :func:`instruction`.

    Other targets compile the function itself.
    """

    def replace(function: F) -> F:
        value = function if IS_INTERPRETED else cast("Any", intrinsic)(typing)
        return _record(value, Source(function))

    return replace


def _record(value: Any, source: Source) -> Any:
    _sources[value] = source
    return value


def _compile_and_keep(function: F, options: Mapping[str, Any]) -> F:
    if IS_INTERPRETED:
        return _record(function, Source(function))
    dispatcher = _njit(**options)(function)
    compile_plain_integers(dispatcher, _types)
    dispatcher._cache = CodeCache(function)  # noqa: SLF001  # Numba has no public way to set a cache
    return _record(dispatcher, Source(function))


def compile_plain_integers(dispatcher: Any, types: Any) -> None:
    """Compile a function once for all integers; by default Numba compiles f(x, 0) and f(x, n) separately."""
    find_template = dispatcher.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        plain: tuple[Any, ...] = tuple(types.unliteral(arg) for arg in args)
        return find_template(plain, {name: types.unliteral(arg) for name, arg in kws.items()})

    dispatcher.get_call_template = get_call_template
