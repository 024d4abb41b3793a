"""Kernels in Numba's CUDA simulator play the games that the processor plays, move by move."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "subject",
    [
        pytest.param("simulations", marks=pytest.mark.slow),
        pytest.param("matches", marks=pytest.mark.slow),
        pytest.param("environments", marks=pytest.mark.slow),
        pytest.param("figures", marks=pytest.mark.slow),
        "interfaces",
    ],
)
def test_the_simulator_plays_the_same_games(subject: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.cuda.drive_simulator", subject],
        cwd=ROOT,
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "the same\n", done.stderr
