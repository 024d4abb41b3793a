"""Worker processes end with the match that started them, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.process_tree import are_dead
from tests.server.waiting import wait_until

DREAMER = Path(__file__).with_name("bots_to_try.py").as_posix() + ":Dreamer"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_match(number: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "goldenspike", "match", DREAMER, "random", "--games", "4", "--jobs", "2"]
    environment = os.environ | {"GOLDENSPIKE_TEST_MARKER": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as match:
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2, "both workers are at work", 300)
        workers = [int(path.name) for path in tmp_path.iterdir()]
        assert not are_dead(workers)
        match.send_signal(number)
        match.wait(30)
    wait_until(lambda: are_dead(workers), "the workers are dead", 20)
