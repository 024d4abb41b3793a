"""Ahead-of-time compilation: what is compiled on this machine, and a process that compiles the rest.

``goldenspike compile`` does the work (:mod:`goldenspike.cli.compile`). This module tells whether it is still
needed, keeps two processes from doing it at the same time, and starts it for other commands.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any

import numba  # pyright: ignore[reportMissingTypeStubs]

from goldenspike.engine import code_cache
from goldenspike.engine.compile import IS_INTERPRETED

try:
    import fcntl
except ImportError:  # Windows: two processes may compile the same code, which only costs time
    fcntl = None

_numba: Any = numba

_PACKAGES = {
    "rules": "engine",
    "simulation": "engine",
    "server": "server/views/json_writer",
    "bots": "bots",
    "matches": "bots",
    "environments": "env",
}
PARTS = tuple(_PACKAGES)
"""The parts that can be compiled separately, in order of compilation."""
TO_PLAY = ("rules", "server", "bots")
"""The parts that a server needs, and a game in the terminal."""
TO_SIMULATE = ("rules", "simulation")
TO_MATCH = ("rules", "bots", "matches")

_WAIT = 0.2
"""Seconds between checks of another process's progress."""


class CompilationError(ValueError):
    """The compiling process failed."""


def is_compiled(parts: Sequence[str]) -> bool:
    """Tell whether all given parts are compiled; always False if the rules are interpreted.

    >>> is_compiled([])
    True
    """
    if not parts:
        return True
    if IS_INTERPRETED:
        return False
    shipped = code_cache.shipped_target()
    if shipped is not None and _read(code_cache.SHIPPED) >= _marks(parts, shipped):
        return True
    return _read(_folder()) >= _marks(parts, code_cache.host_target())


def mark_compiled(part: str, folder: Path | None = None) -> None:
    """Record that a part is compiled for this process's target."""
    folder = _folder() if folder is None else folder
    folder.mkdir(parents=True, exist_ok=True)
    target = code_cache.host_target()
    current = {mark for other in PARTS for mark in _marks([other], target)}
    kept = _read(folder) & current  # drop marks of older source
    _write(folder / _MARKS, "\n".join(sorted(kept | _marks([part], target))))


_MARKS = "compiled.txt"
_LOCK = "compiling.lock"


def _folder() -> Path:
    """Return where Numba keeps the engine's machine code."""
    return Path(code_cache.CodeCache(code_cache.baseline).cache_path)


def _marks(parts: Sequence[str], target: tuple[str, str, str]) -> set[str]:
    """Return the marks of compiled parts; they change whenever the compiled code would be stale."""
    return {f"{part} {_key(_PACKAGES[part], target)}" for part in parts}


@cache
def _key(package: str, target: tuple[str, str, str]) -> str:
    stamp = code_cache.source_stamp(Path(__file__).parent / package)
    return hashlib.sha256(repr((stamp, target, _numba.__version__, MAGIC_NUMBER)).encode()).hexdigest()


def _read(folder: Path) -> set[str]:
    try:
        return set((folder / _MARKS).read_text(encoding="utf-8").splitlines())
    except OSError:
        return set()


def _write(path: Path, text: str) -> None:
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


@contextmanager
def only_one(on_wait: Callable[[float], None]) -> Generator[Callable[[float], None]]:
    """Hold the compilation lock during the block; wait until no other process has it.

    While waiting, `on_wait` is called with the other process's progress (0 to 1). The yielded function
    reports this process's progress to processes that wait.
    """
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _LOCK).touch()
    with (folder / _LOCK).open("r+", encoding="utf-8") as file:
        while fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                file.seek(0)
                with contextlib.suppress(ValueError):  # the file is being written
                    on_wait(float(file.read()))
                time.sleep(_WAIT)

        def report(done: float) -> None:
            file.seek(0)
            file.write(f"{done:.3f}")  # always the same length, so a reader never sees part of a number
            file.flush()

        report(0.0)
        yield report


def progress() -> float | None:
    """Return the progress of the process that is compiling, from 0 to 1; None if there is none."""
    if fcntl is None:
        return None
    try:
        with (_folder() / _LOCK).open("r", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return float(file.read() or 0)
    except (OSError, ValueError):  # the file does not exist, or is being written
        pass
    return None


class Compiler:
    """A process that compiles parts, at low priority with `is_background`.

    It ends with this process: it reads from a pipe, which is closed when this process ends.
    """

    def __init__(self, parts: Sequence[str], *, is_background: bool = False) -> None:
        command = [sys.executable, "-m", "goldenspike", "compile", "--report", *parts]
        environment = {name: text for name, text in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
        self._process = subprocess.Popen(
            [*command, *(["--background"] if is_background else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def wait(self, on_progress: Callable[[float], None]) -> None:
        """Wait until all parts are compiled; call `on_progress` with the progress from 0 to 1."""
        output, errors = self._process.stdout, self._process.stderr
        assert output is not None
        assert errors is not None
        for line in output:
            on_progress(float(line))
        reason = errors.read()
        if self._process.wait() != 0:
            last = reason.strip().rpartition("\n")[2] or f"exit code {self._process.returncode}"
            raise CompilationError(
                f"The rules could not be compiled ({last}). "
                "Run 'goldenspike compile' to see why; NUMBA_DISABLE_JIT=1 plays without compiling."
            )

    def stop(self) -> None:
        """Stop the process; finished parts of its work are kept."""
        self._process.terminate()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
