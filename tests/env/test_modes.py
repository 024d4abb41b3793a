"""The environment gives the same results compiled and interpreted."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CODE = """
import hashlib
from goldenspike.env import VectorEnv
for *table, opponents in (
    ("new-york", 3, []),
    ("first-journey", 2, []),
    ("usa-classic", 2, []),
    ("new-york", 3, ["planner", "random"]),
):
    env = VectorEnv(*table, games=1, seed=1, graph=True, opponents=opponents)
    digest = hashlib.sha256()
    for _ in range(60):
        for array in (env.observations, env.masks, env.rewards, env.seats):
            digest.update(array.tobytes())
        env.step(env.random_moves())
    print(digest.hexdigest())
"""


@pytest.mark.slow
def test_interpreted_and_compiled_see_the_same() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", CODE],
            env=os.environ | {"NUMBA_DISABLE_JIT": mode},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for mode in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert len(set(outputs[0].split())) == 4
