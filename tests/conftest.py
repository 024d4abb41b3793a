"""Hypothesis profiles, the marking of slow tests, and a handler for Ctrl-C."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from goldenspike.compilation import PARTS, Compiler, is_compiled
from goldenspike.engine.compile import IS_INTERPRETED

# The first example of a test may compile the engine, so no example has a deadline.
settings.register_profile(
    "local", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("fast", settings.get_profile("local"), max_examples=15)
# The same examples each time, so that a build fails only because of its own change.
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# A shell may start background jobs with SIGINT ignored, and processes started by tests would inherit it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW_FOLDERS = ("tests/cli/terminal/", "tests/web/")
"""Tests that drive a terminal or a browser; all of them are slow except those marked `quick`."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `./test fast` skips, before pytest selects tests."""
    for item in items:
        if item.nodeid.startswith(SLOW_FOLDERS) and item.get_closest_marker("quick") is None:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def everything_compiled() -> None:
    """Compile stale code, because a server would start interpreted and switch during a test."""
    if not IS_INTERPRETED and not is_compiled(PARTS):
        compiler = Compiler(PARTS)
        compiler.wait(lambda _done: None)
        compiler.stop()  # closes its pipes
