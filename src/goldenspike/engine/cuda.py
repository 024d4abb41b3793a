"""The rules on a GPU: functions for CUDA from the recorded source of the compiled ones.

A kernel is a plain function of a module that calls compiled functions by their global names. :func:`kernel`
copies it with other globals: every compiled function is replaced by its CUDA version, which is made in the
same way. So a process can have both versions, and no rule knows about it.

With ``NUMBA_ENABLE_CUDASIM=1`` kernels run in Numba's simulator: slow, without a GPU, for tests.

Importing this module imports `numba-cuda`, the extra ``cuda``. See :mod:`goldenspike.device`.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dis import get_instructions
from types import FunctionType, SimpleNamespace
from typing import Any

import numba  # pyright: ignore[reportMissingTypeStubs]
import numpy as np

from goldenspike.engine.code_cache import stamp_cache
from goldenspike.engine.compile import Source, compile_plain_integers, source_of

_numba: Any = numba
_numpy: Any = np
if not hasattr(_numpy, "row_stack"):  # NumPy 2.5 has removed it, and numba-cuda 0.30 asks for it
    _numpy.row_stack = np.vstack

import numba.cuda  # noqa: E402  # pyright: ignore[reportMissingTypeStubs, reportUnusedImport]

cuda: Any = _numba.cuda
IS_SIMULATED = bool(_numba.config.ENABLE_CUDASIM)
"""Whether kernels run in Numba's simulator."""

if not IS_SIMULATED:  # the simulator has none of these
    import numba.cuda.core.caching  # pyright: ignore[reportMissingImports]
    import numba.cuda.dispatcher  # pyright: ignore[reportUnusedImport]
    import numba.cuda.extending  # pyright: ignore[reportUnusedImport]
    import numba.cuda.typing.typeof  # pyright: ignore[reportMissingImports]

_versions: dict[Callable[..., Any], Any] = {}

kernels: list[Any] = []
"""All kernels of the modules that are imported."""

_THREADS = 4 if IS_SIMULATED else 128
"""Threads of a block. The simulator starts each of them as a thread of Python."""


def kernel(function: Callable[..., None]) -> Any:
    """Return a kernel, a function that many threads run on a GPU at the same time; see :func:`launch`."""
    dispatcher = cuda.jit(_with_cuda_globals(function))
    if not IS_SIMULATED:
        dispatcher.enable_caching()
        stamp_cache(dispatcher._cache, cuda.core.caching, function)  # noqa: SLF001  # Numba has no public way
    kernels.append(dispatcher)
    return dispatcher


def launch(kernel: Any, threads: int, *arguments: Any) -> None:
    """Start a kernel in at least this many threads. It runs while Python goes on."""
    kernel[-(-threads // _THREADS), _THREADS](*arguments)


def ptx_of(kernel: Any, arguments: Sequence[Any], capability: tuple[int, int] = (9, 0)) -> str:
    """Compile a kernel for a GPU that need not be there; return its assembly code.

    The arguments may be arrays in host memory. By default the GPU is a Hopper one, like the H200.
    """
    typeof = cuda.typing.typeof
    types = tuple(typeof.typeof(argument, typeof.Purpose.argument) for argument in arguments)
    current_device = cuda.dispatcher.get_current_device
    cuda.dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        return cuda.compile_ptx(kernel.py_func, types, cc=capability)[0]
    finally:
        cuda.dispatcher.get_current_device = current_device


def cuda_version(source: Source) -> Any:
    """Return the CUDA version of a compiled function, as kernels and other such functions call it."""
    if source.function not in _versions:
        _versions[source.function] = _make_version(source)
    return _versions[source.function]


def _make_version(source: Source) -> Any:
    if IS_SIMULATED:
        return source.function if source.instruction else _with_cuda_globals(source.function)
    if source.instruction is not None:
        return source.instruction.make(cuda.extending.intrinsic, cuda.types)
    dispatcher = cuda.jit(device=True)(_with_cuda_globals(source.function))
    compile_plain_integers(dispatcher, cuda.types)
    return dispatcher


def _with_cuda_globals(function: Callable[..., Any]) -> FunctionType:
    """Return a copy of a function that calls the CUDA versions of all compiled functions it names."""
    code, known = function.__code__, function.__globals__
    loaded = {step.argval for step in get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    names = {name: known[name] for name in loaded if name in known}
    for name, value in names.items():
        source = source_of(value)
        if source is not None:
            names[name] = cuda_version(source)
    names |= {"__name__": function.__module__, "__builtins__": builtins}
    copy = FunctionType(code, names, function.__name__, function.__defaults__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy
