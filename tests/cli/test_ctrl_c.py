"""Ctrl-C ends every long command soon, without a traceback, and leaves no half-written file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from goldenspike.exit_codes import INTERRUPTED
from tests.arena.test_processes import DREAMER
from tests.code_cache import with_customization
from tests.server.waiting import wait_until

SOON = 2.0
"""The promised time, counted from the key press, not from the start of the command."""


class CommandProcess:
    """A command in its own process group, as a terminal starts it."""

    def __init__(self, folder: Path, *words: str, python: tuple[str, ...] = (), **environment: str) -> None:
        self._said = folder / "said"
        with self._said.open("w") as said:
            self.process = subprocess.Popen(
                [sys.executable, *python, "-m", "goldenspike", *words],
                env=os.environ | environment,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        return self._said.read_text()

    def wait_until_it_says(self, text: str) -> None:
        wait_until(lambda: text in self.said or self.process.poll() is not None, f"it says {text!r}", 300)
        assert self.process.poll() is None, self.said

    def press_ctrl_c(self) -> float:
        """Send SIGINT to all processes of the command, as a terminal does; return the seconds to its end."""
        start = time.monotonic()
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(60)
        return time.monotonic() - start

    def end(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)


Start = Callable[..., CommandProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start commands, and kill those that a failed test leaves behind."""
    started: list[CommandProcess] = []

    def start_one(*words: str, python: tuple[str, ...] = (), **environment: str) -> CommandProcess:
        started.append(CommandProcess(tmp_path, *words, python=python, **environment))
        return started[-1]

    yield start_one
    for command in started:
        command.end()


def verify_stopped(command: CommandProcess) -> None:
    """Press Ctrl-C; the command must end soon and quietly."""
    seconds = command.press_ctrl_c()
    assert command.process.returncode == INTERRUPTED, command.said
    assert "Traceback" not in command.said
    assert "Stopped" in command.said
    assert seconds < SOON


@pytest.mark.parametrize("command", ["match greedy random", "ladder", "serve --port 0"])
def test_ctrl_c_while_libraries_are_imported(command: str, start: Start) -> None:
    running = start(*command.split(), python=("-X", "importtime"))
    running.wait_until_it_says(" opcode")  # an early import of every command; the larger ones follow
    verify_stopped(running)


CTRL_C_IN_A_FINALIZER = """
import os, signal, sys

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100):  # Python calls the handler of the signal here
            pass

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["GOLDENSPIKE_TEST_IMPORT"]:
            Finalized()

sys.meta_path.insert(0, Finder())
"""
"""Presses Ctrl-C when a module is about to be imported, while Python runs a finalizer."""


@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("match greedy random", "numpy"),
        ("serve --port 0", "msgspec"),
        ("serve --port 0", "uvicorn"),
        ("play --no-open --port 0", "uvicorn"),
        ("play --terminal --seats easy,easy --edition new-york", "rich"),
    ],
)
def test_ctrl_c_is_not_lost_in_a_finalizer(command: str, module: str, start: Start, tmp_path: Path) -> None:
    """Imports run finalizers all the time, and Python drops exceptions in them."""
    environment = with_customization(tmp_path / "python", CTRL_C_IN_A_FINALIZER)
    running = start(*command.split(), GOLDENSPIKE_TEST_IMPORT=module, **environment)
    assert running.process.wait(60) == INTERRUPTED, running.said
    assert running.said == "Stopped.\n"


@pytest.mark.slow
def test_ctrl_c_while_the_rules_are_compiled(tmp_path: Path, start: Start) -> None:
    file = tmp_path / "games.jsonl"
    cold = str(tmp_path / "cache")
    running = start("simulate", "new-york", "--save", str(file), NUMBA_CACHE_DIR=cold)
    running.wait_until_it_says("compiling for this machine")
    verify_stopped(running)
    assert [path.name for path in tmp_path.iterdir() if "games" in path.name] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        f"match {DREAMER} random --out match.parquet",
        f"ladder --bots {DREAMER} random greedy --edition new-york --games 30000 --picture ladder.svg",
        f"playtest {{edition}} --bot {DREAMER} --out playtest.html",
    ],
)
def test_ctrl_c_while_bots_think(command: str, tmp_path: Path, start: Start) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    edition = Path(__file__).parents[2] / "src" / "goldenspike" / "editions" / "new-york.toml"
    files = {name: str(tmp_path / name) for name in ("match.parquet", "ladder.svg", "playtest.html")}
    words = [files.get(word, word) for word in command.format(edition=edition).split()]
    running = start(*words, "--jobs", "2", GOLDENSPIKE_TEST_MARKER=str(marks))
    wait_until(
        lambda: len(list(marks.iterdir())) == 2 or running.process.poll() is not None, "both think", 300
    )
    verify_stopped(running)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["marks", "said"]
