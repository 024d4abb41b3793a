"""Every kernel compiles for a GPU, on a machine without one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_every_kernel_compiles_to_ptx() -> None:
    """It takes a minute of processor time. NVIDIA's compiler is installed from PyPI, outside .venv."""
    done = subprocess.run([ROOT / "tools" / "ptx"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("lines of PTX") == 11
