"""Ctrl-C stops a server whenever it comes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("drive_ctrl_c.py")


@pytest.mark.slow
def test_ctrl_c_counts_before_the_server_listens_to_it(tmp_path: Path):
    command = [sys.executable, str(DRIVER), "--database", f"sqlite:///{tmp_path}/games.db", "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 130  # as commands do that were interrupted
    assert "Traceback" not in done.stderr
