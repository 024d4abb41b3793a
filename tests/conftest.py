"""How all tests search for counterexamples."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The first example of a test may compile the engine, so no example has a deadline.
settings.register_profile(
    "local", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
# The same examples each time: a build does not fail for what its change has not touched.
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
