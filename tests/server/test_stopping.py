"""How a server starts and stops, and what it says of that."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.serving import Server

DRIVER = Path(__file__).with_name("drive_ctrl_c.py")
NOBODY = """
import sys
from goldenspike.server import run
from goldenspike.server.settings import Settings

run._check = lambda _: None  # the database has gone away since
database, redis = "postgresql://nobody@127.0.0.1:1/games", "redis://127.0.0.1:1/0"
sys.exit(run.serve(Settings(port=0, database=database, redis=redis, workers=2)))
"""


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as listener:
            listener.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.slow
def test_ctrl_c_counts_before_the_server_listens_to_it(tmp_path: Path):
    command = [sys.executable, str(DRIVER), "--database", f"sqlite:///{tmp_path}/games.db", "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 130  # as commands do that were interrupted
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_several_workers_that_cannot_start_are_a_failure() -> None:
    command = [sys.executable, "-c", NOBODY]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "failed to start" in done.stderr
    assert done.returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(not has_ipv6(), reason="this machine has no such addresses")
def test_the_address_with_colons_that_a_server_says_can_be_opened(tmp_path: Path) -> None:
    server = Server(tmp_path, "--host", "::1")
    try:
        assert server.url.startswith("http://[::1]:")
        server.wait_ready("/healthz")
    finally:
        server.stop()
