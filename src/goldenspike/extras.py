"""Optional libraries: import them when needed, or say how to install the extra they belong to."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
"""The root of a clone. The environment that `./play` or `./test` creates there has uv instead of pip."""


class MissingExtraError(ValueError):
    """A library of an extra is not installed."""


def need(module: str, extra: str) -> Any:
    """Import a module of an extra; if it is not installed, raise an error that says how to install it.

    >>> need("no_such_library", "arena")
    Traceback (most recent call last):
    goldenspike.extras.MissingExtraError: This needs no_such_library. Install it with: ...
    """
    try:
        return import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        if (error.name or library).partition(".")[0] != library:
            raise
        raise MissingExtraError(f"This needs {library}. {how_to_install(extra)}") from None


def how_to_install(extra: str) -> str:
    """Return a sentence with the command that installs an extra in the current environment.

    The package itself is installed already, so the installer adds only the missing libraries.
    """
    return how_to_install_library(f"goldenspike[{extra}]")


def how_to_install_library(library: str) -> str:
    """Return a sentence with the command that installs a library in the current environment."""
    return f"Install it with: {_installer()} {shlex.quote(library)}"


def _installer() -> str:
    python = shlex.quote(sys.executable)
    if find_spec("pip") is not None:
        return f"{python} -m pip install"
    own = _ROOT / ".tools" / "bin" / "uv"
    if os.access(own, os.X_OK):
        return shlex.join([_brief(own), "pip", "install", "--python", _brief(Path(sys.prefix))])
    if shutil.which("uv"):
        return f"uv pip install --python {python}"
    return f"{python} -m ensurepip && {python} -m pip install"


def _brief(path: Path) -> str:
    """Return a path relative to the current folder if it is inside it."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
