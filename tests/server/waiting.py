"""Waiting until a condition holds."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds until waiting counts as failure; even on a busy machine, nothing should take a tenth of it."""


def wait_until(condition: Callable[[], bool], meaning: str, patience: float = PATIENCE) -> None:
    """Return as soon as the condition holds; `meaning` describes it in the error if it never does.

    >>> wait_until(lambda: 2 > 1, "two is more")
    >>> wait_until(lambda: 1 > 2, "one is more", patience=0)
    Traceback (most recent call last):
    TimeoutError: Waited 0 s in vain until one is more.
    """
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() >= deadline:
            raise TimeoutError(f"Waited {patience:g} s in vain until {meaning}.")
        time.sleep(0.005)
