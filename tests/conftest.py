"""How all tests search for counterexamples, which of them are slow, and that Ctrl-C can be tried."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# The first example of a test may compile the engine, so no example has a deadline.
settings.register_profile(
    "local", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("fast", settings.get_profile("local"), max_examples=15)
# The same examples each time: a build does not fail for what its change has not touched.
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# Who runs in the background may have been told to ignore Ctrl-C, and what is started here would inherit it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW_ROOMS = ("tests/terminal/", "tests/web/")
"""Where a terminal or a browser is driven, and all tests but those marked `quick` are slow."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `./test fast` leaves out, before pytest chooses."""
    for item in items:
        if item.nodeid.startswith(SLOW_ROOMS) and item.get_closest_marker("quick") is None:
            item.add_marker(pytest.mark.slow)
