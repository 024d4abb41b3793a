"""Commands on a machine where nothing is compiled, each as a process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from goldenspike.compilation import PARTS
from goldenspike.editions import load_edition
from goldenspike.simulation import random_game
from tests.code_cache import REFUSE_COMPILING, copy_code, note_compiling, parents_of_compilers

NOTICE = "compiling for this machine, once"
NOTHING_COMPILED = f"""{REFUSE_COMPILING}
from goldenspike.cli import main

for command in (
    "simulate usa-classic --games 20",
    "match planner path --games 2 --jobs 1 --edition new-york",
    "match search planner --playouts 4 --games 2 --jobs 1 --edition new-york",
):
    main(command.split())
from goldenspike.env import VectorEnv
with VectorEnv("usa-mega", players=4, games=2, seed=1, graph=True) as env:
    env.step(env.random_moves())
"""


def start(cache: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *arguments],
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(cache: Path, *arguments: str, **environment: str) -> tuple[str, str]:
    process = start(cache, *arguments, **environment)
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return output, errors


@pytest.mark.slow
def test_commands_compile_once_and_wait_for_each_other(tmp_path: Path) -> None:
    cache, notes = tmp_path / "cache", tmp_path / "notes"
    environment = note_compiling(notes)
    games = ["-m", "goldenspike", "simulate", "new-york", "--games", "100"]
    both = [start(cache, *games, **environment) for _ in range(2)]
    said = [process.communicate(timeout=600) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert [errors.count(NOTICE) for _, errors in said] == [1, 1]
    assert re.search(r"^About \d+ seconds? to go\.$", said[0][1] + said[1][1], re.MULTILINE)
    [compiler] = parents_of_compilers(notes)
    assert compiler not in {process.pid for process in both}
    _, errors = run(cache, *games, **environment)
    assert NOTICE not in errors
    assert parents_of_compilers(notes) == {compiler}

    output, errors = run(cache, "-m", "goldenspike", "compile")
    assert output == "Everything is compiled.\n"
    assert NOTICE in errors
    output, errors = run(cache, "-m", "goldenspike", "compile", *PARTS)
    assert output == "Everything was compiled already.\n"
    assert errors == ""
    run(cache, "-c", NOTHING_COMPILED)


def test_a_terminal_shows_a_progress_bar_while_compiling(tmp_path: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "goldenspike", "simulate", "new-york", "--games", "7"],
        env=os.environ | copy_code(tmp_path) | {"TERM": "xterm-256color"},  # pyright: ignore[reportArgumentType]
        dimensions=(24, 100),
        encoding="utf-8",
        timeout=600,
    )
    try:
        child.expect_exact(NOTICE)
        counts = [0]
        while child.expect([r"(\d+)/100\b", "playing"]) == 0:
            assert isinstance(child.match, re.Match)
            counts.append(int(child.match[1]))
        assert counts == sorted(counts)
        assert counts[-1] > 0, "the bar did not move"
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)
    assert child.exitstatus == 0


def test_a_single_game_is_replayed_and_checked_without_compiling(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(random_game(load_edition("new-york"), 2, bytes(32)).record(), encoding="utf-8")
    for command in ("verify", "replay"):
        output, errors = run(tmp_path, "-m", "goldenspike", command, str(record))
        assert "New York" in output
        assert NOTICE not in errors
    assert not list(tmp_path.rglob("*.nbc"))
