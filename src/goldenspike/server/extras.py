"""Libraries that only a server of several processes needs."""

from __future__ import annotations

from importlib.util import find_spec


def need(library: str) -> None:
    """Say what to install if a library is not there.

    >>> need("no_such_library")
    Traceback (most recent call last):
    ValueError: This needs no_such_library: pip install 'goldenspike[server]'
    """
    if find_spec(library) is None:
        raise ValueError(f"This needs {library}: pip install 'goldenspike[server]'")
