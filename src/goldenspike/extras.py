"""Libraries that not everybody has, loaded when they are needed, with one sentence if they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class MissingExtraError(ValueError):
    """A library of an extra is not installed."""


def need(module: str, extra: str) -> Any:
    """Return a module of an extra; if it is not installed, say what to install.

    >>> need("no_such_library", "arena")
    Traceback (most recent call last):
    goldenspike.extras.MissingExtraError: This needs no_such_library: pip install 'goldenspike[arena]'
    """
    try:
        return import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        if (error.name or library).partition(".")[0] != library:
            raise
        raise MissingExtraError(f"This needs {library}: pip install 'goldenspike[{extra}]'") from None
