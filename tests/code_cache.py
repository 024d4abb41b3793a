"""A copy of the machine code of this checkout, for processes that think they must compile."""

from __future__ import annotations

import shutil
from pathlib import Path

from numba.core.caching import UserProvidedCacheLocator

import goldenspike

PACKAGE = Path(goldenspike.__file__).parent
REFUSE_COMPILING = """
import numba.core.event as event

class CompileListener(event.Listener):
    def on_start(self, event):
        raise SystemExit(f"compiled: {event.data['dispatcher']}")

    def on_end(self, event):
        pass

event.register("numba:compile", CompileListener())
"""
"""The beginning of a program that fails as soon as something is compiled in it."""
_NOTE_COMPILING = """
import os
from pathlib import Path

import numba.core.event as event


class CompileListener(event.Listener):
    def on_start(self, event):
        Path(os.environ["GOLDENSPIKE_TEST_NOTES"], f"{os.getppid()}-{os.getpid()}.note").touch()

    def on_end(self, event):
        pass


event.register("numba:compile", CompileListener())
"""
_OTHER_NUMBA = """
import numba

numba.__version__ = "0.0.0"
"""


def note_compiling(folder: Path) -> dict[str, str]:
    """Return an environment in which a process that compiles something leaves a note in a folder."""
    return with_customization(folder, _NOTE_COMPILING) | {"GOLDENSPIKE_TEST_NOTES": str(folder)}


def parents_of_compilers(folder: Path) -> set[int]:
    """Return the parents of the processes that left a note; a pool's processes have one parent."""
    return {int(note.name.partition("-")[0]) for note in folder.glob("*.note")}


def with_other_numba(folder: Path) -> dict[str, str]:
    """Return an environment in which Numba says that it is another version."""
    return with_customization(folder, _OTHER_NUMBA)


def with_customization(folder: Path, code: str) -> dict[str, str]:
    """Return an environment in which every Python process runs some code first."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(code)  # Python imports it whenever it starts
    return {"PYTHONPATH": str(folder)}


def copy_code(cache: Path) -> dict[str, str]:
    """Put the machine code into a folder without the note that it is complete; return what makes it used.

    A process finds nothing marked as compiled, starts to compile, and is done in seconds.
    """
    for folder in {path.parent for path in PACKAGE.rglob("__pycache__/*.nbi")}:
        source = folder.parent / "__init__.py"
        name = UserProvidedCacheLocator.get_suitable_cache_subpath(str(source))
        shutil.copytree(folder, cache / name, ignore=lambda _, names: [n for n in names if ".nb" not in n])
    return {"NUMBA_CACHE_DIR": str(cache)}


def marked_parts(cache: Path) -> set[str]:
    """Return the parts that a process has written down as compiled in this folder."""
    lines = [line for file in cache.rglob("compiled.txt") for line in file.read_text().splitlines()]
    return {line.split()[0] for line in lines}
