"""Compiled and interpreted code play the same games: moves, events and states are equal at each step."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path

import pytest

from goldenspike.editions import edition_ids, load_edition

DRIVER = Path(__file__).with_name("drive_modes.py")


def start(games: list[str], is_interpreted: bool) -> subprocess.Popen[str]:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1" if is_interpreted else "0"}
    return subprocess.Popen(
        [sys.executable, "-W", "error", DRIVER, *games],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def compare_modes(games: list[str]) -> int:
    """Play in both modes at the same time; return the number of steps compared."""
    runs = [start(games, is_interpreted) for is_interpreted in (False, True)]
    with ThreadPoolExecutor(2) as threads:  # a full pipe of one process must not block the other
        outputs = list(threads.map(lambda run: run.communicate(), runs))
    (compiled, compiled_errors), (interpreted, interpreted_errors) = outputs
    assert runs[0].returncode == 0, f"compiled: {compiled_errors}"
    assert runs[1].returncode == 0, f"interpreted: {interpreted_errors}"
    steps = list(zip_longest(compiled.splitlines(), interpreted.splitlines()))
    for number, (one, other) in enumerate(steps):
        assert one == other, f"the modes part at line {number}"
    return len(steps)


@pytest.mark.slow
@pytest.mark.parametrize("name", edition_ids())
def test_both_modes_play_the_same_games_of_every_edition(name: str):
    assert compare_modes([f"{name}:{seats}:9999" for seats in load_edition(name).players]) > 150
