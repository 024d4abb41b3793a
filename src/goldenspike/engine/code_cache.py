"""The on-disk cache of compiled machine code: its location and its invalidation."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import binding  # pyright: ignore[reportMissingTypeStubs]
from numba.core import caching, codegen, config  # pyright: ignore[reportMissingTypeStubs]

_codegen: Any = codegen
_config: Any = config
_binding: Any = binding
_caching: Any = caching
_PACKAGE = Path(__file__).resolve().parent.parent

SHIPPED = _PACKAGE / "compiled"
"""Machine code shipped in a platform wheel: one folder per package."""

_BASELINES = {"x86_64": "x86-64-v3", "AMD64": "x86-64-v3", "aarch64": "generic", "arm64": "generic"}
_BASELINE_FEATURES = {"x86-64-v3": ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")}


def baseline() -> str | None:
    """Return the LLVM name of the processor that shipped code targets; None if none is shipped for this one.

    x86-64-v3 covers Intel processors since about 2013 and AMD processors since about 2017.
    """
    return _BASELINES.get(platform.machine())


def shipped_folder(folder: Path, shipped: Path = SHIPPED) -> Path:
    """Return the folder in a wheel that has the machine code of a folder of this package."""
    return shipped / folder.relative_to(_PACKAGE)


@cache
def shipped_target() -> tuple[str, str, str] | None:
    """Return the target of the shipped code as in Numba's index; None if this machine cannot run it."""
    name = baseline()
    features = _binding.get_host_cpu_features()
    if name is None or not SHIPPED.is_dir() or not all(map(features.get, _BASELINE_FEATURES.get(name, ()))):
        return None
    return _binding.get_process_triple(), name, ""


@cache
def host_target() -> tuple[str, str, str]:
    """Return the target that this process compiles for, as in Numba's index."""
    name, features = _config.CPU_NAME, _config.CPU_FEATURES
    return (
        _binding.get_process_triple(),
        _binding.get_host_cpu_name() if name is None else name,
        _codegen.get_host_cpu_features() if features is None else features,
    )


@cache
def source_stamp(folder: Path) -> str:
    """Return a digest of all compiled source that a function in this folder may call."""
    digest = hashlib.sha256()
    for package in sorted(_packages_called_by(folder)):
        for path in sorted(package.rglob("*.py")):
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _packages_called_by(folder: Path) -> set[Path]:
    """Return the folders (including subfolders) whose code may be compiled into a function of this folder."""
    rules, bots = {_PACKAGE / "engine", _PACKAGE / "boards"}, _PACKAGE / "bots"
    if any(folder.is_relative_to(package) for package in rules):
        return rules
    return rules | {bots} if folder.is_relative_to(bots) else rules | {bots, folder}


class CodeIndex(_caching.IndexDataCacheFile):  # pyright: ignore[reportUntypedBaseClass]
    """Numba's index of one function's machine code. An index that cannot be read counts as empty.

    Numba reads the types of the arguments before it compares the stamp. That fails if the index was written
    by another version, in which one of these classes had another name.
    """

    def _load_index(self) -> dict[Any, Any]:
        try:
            return super()._load_index()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        except (AttributeError, ImportError):
            return {}


def stamp_cache(cache: Any, caching: Any, function: Callable[..., Any]) -> None:
    """Make a cache of Numba stale when any file of a package that the function may call changes.

    Numba checks only the file that defines the function, although the functions it calls are compiled into
    it. `caching` is the module of the cache's class.
    """
    stamp = source_stamp(Path(function.__code__.co_filename).resolve().parent)
    file = caching.IndexDataCacheFile(cache.cache_path, cache._impl.filename_base, stamp)  # noqa: SLF001
    cache._cache_file = file  # noqa: SLF001  # Numba has no public way to set it


class CodeCache(_caching.FunctionCache):  # pyright: ignore[reportUntypedBaseClass]
    """Numba's cache of one function, with three changes.

    - Code is stale when any file of a package that the function may call changes. Numba checks only the file
      that defines the function, although the functions it calls are compiled into it.
    - Code shipped in a wheel is looked up first. It is never written to.
    - Code of another version is replaced even if its types cannot be read.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # pyright: ignore[reportUnknownMemberType]
        self._shipped: Any = None
        folder = Path(function.__code__.co_filename).resolve().parent
        if folder.is_relative_to(_PACKAGE):  # else a third-party bot: Numba's stamp is enough
            base, stamp = self._impl.filename_base, source_stamp(folder)
            self._cache_file = CodeIndex(self._cache_path, base, stamp)
            if shipped_target() is not None:
                self._shipped = CodeIndex(str(shipped_folder(folder)), base, stamp)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        if self._shipped is not None:
            signature, _, code = self._index_key(sig, target_context.codegen())
            data = self._shipped.load((signature, shipped_target(), code))
            if data is not None:
                return self._impl.rebuild(target_context, data)
        return super()._load_overload(sig, target_context)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
