"""The first game on a machine: it begins at once, and the bots get faster when the rules are compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from goldenspike.compilation import TO_PLAY
from tests.cli.terminal.driver import TerminalGame, environment
from tests.code_cache import copy_code, marked_parts
from tests.server.process_tree import processes
from tests.server.waiting import wait_until


def has_children(pid: int | None) -> bool:
    return any(member.parent == pid and member.is_alive for member in processes().values())


GAME = ("--edition", "usa-classic", "--seats", "me,hard", "--seed", "1", "--first", "me", "--think", "0.05")
BOTS = ("--edition", "usa-classic", "--seats", "medium,hard", "--seed", "1", "--think", "0.05")
COMPILING = "Speeding up the bots; until then"
"""As much of the sentence as fits on a line beside the board."""
NOT_COMPILED = "The bots cannot get faster"
MOST_MOVES = 20
"""The most moves after everything is compiled, because the game notices it a moment later."""


@pytest.mark.slow
def test_a_game_continues_with_compiled_rules(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    player = TerminalGame(tmp_path / "state", *GAME, size=(40, 120), more=copy_code(cache))
    assert COMPILING in player.wait_turn()
    process = Path(f"/proc/{player.child.pid}")
    player.type("keep all")
    player.wait_turn()
    wait_until(
        lambda: set(TO_PLAY) <= marked_parts(cache) and not has_children(player.child.pid),
        "everything is compiled, and the process that did it has ended",
    )
    for _ in range(MOST_MOVES):
        player.type("draw deck")
        player.wait_turn()
        if b"--resume" in (process / "cmdline").read_bytes():
            break
    else:
        pytest.fail("the game did not go on with compiled rules")
    assert b"NUMBA_DISABLE_JIT" not in (process / "environ").read_bytes()
    player.type("draw deck")
    player.wait_turn()
    assert "You drew" in player.command("log")


def code_that_cannot_be_compiled(cache: Path) -> dict[str, str]:
    more = copy_code(cache)
    for folder in list(cache.iterdir()):
        (folder / "compiling.lock").mkdir()  # in place of the file that a compiling process locks
    return more


def test_a_failed_compilation_is_reported_once(tmp_path: Path) -> None:
    more = code_that_cannot_be_compiled(tmp_path / "cache")
    player = TerminalGame(tmp_path / "state", *GAME, size=(40, 120), more=more)
    assert COMPILING in player.wait_turn()
    assert "The medium bot would play: " in player.command("hint")
    player.type("keep all")
    player.wait_turn()
    wait_until(lambda: not has_children(player.child.pid), "the process that compiles has ended")
    told = 0
    for _ in range(MOST_MOVES):
        player.type("draw deck")
        told += NOT_COMPILED in player.wait_turn()
    assert told == 1


@pytest.mark.slow
@pytest.mark.parametrize("size", [(24, 80), (40, 130)], ids=["small", "wide"])
def test_a_watched_game_of_bots_continues_with_compiled_rules(size: tuple[int, int], tmp_path: Path) -> None:
    player = TerminalGame(
        tmp_path / "state", *BOTS, "--pace", "2", size=size, more=copy_code(tmp_path / "cache")
    )
    process = Path(f"/proc/{player.child.pid}")
    assert COMPILING in player.wait("2 s per turn")
    player.child.send("+")
    player.child.send("+")
    player.wait("0.5 s per turn")
    assert COMPILING in "\n".join(player.page)  # not only for a moment
    turn = 0
    while b"--resume" not in (process / "cmdline").read_bytes():
        turn = player.watched_turn
        assert "What next?" not in player.wait("q quit", "What next?"), "the game has ended before"
    assert b"NUMBA_DISABLE_JIT" not in (process / "environ").read_bytes()
    player.child.send(" ")
    player.wait("paused")
    assert player.watched_turn >= turn > 0  # it is the same game
    assert COMPILING not in "\n".join(player.page)
    player.child.send(" ")
    player.wait("0.5 s per turn")  # the pace that was chosen by keys


def test_a_paused_game_does_not_start_to_move_when_the_rules_are_compiled(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    player = TerminalGame(tmp_path / "state", *BOTS, "--pace", "60", more=copy_code(cache))
    player.wait("60 s per turn")
    player.child.send(" ")
    player.wait("paused")
    wait_until(
        lambda: set(TO_PLAY) <= marked_parts(cache) and not has_children(player.child.pid),
        "everything is compiled, and the process that did it has ended",
    )
    process = Path(f"/proc/{player.child.pid}")
    for _ in range(3):
        player.child.send("\r")
        player.child.expect(r"(?s)\x1b\[H\x1b\[2J.*q quit")
        assert b"--resume" not in (process / "cmdline").read_bytes()
    player.child.send(" ")
    player.child.send("\r")
    player.wait("60 s per turn")
    wait_until(lambda: b"--resume" in (process / "cmdline").read_bytes(), "it goes on with compiled rules")


def test_without_a_terminal_a_game_of_bots_continues_with_compiled_rules(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with subprocess.Popen(
        [sys.executable, "-m", "goldenspike", "play", "--terminal", *BOTS, "--pace", "1"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(tmp_path / "state", copy_code(cache)),
    ) as game:
        try:
            assert game.stdout is not None
            said = ""
            while COMPILING not in said:
                said += (line := game.stdout.readline())
                assert line, said
            assert "drew" not in said
            process = Path(f"/proc/{game.pid}")
            wait_until(lambda: b"--resume" in (process / "cmdline").read_bytes(), "it goes on compiled")
        finally:
            game.kill()


@pytest.mark.parametrize("live", [True, False], ids=["terminal", "no terminal"])
def test_a_watcher_is_told_that_the_compilation_failed(live: bool, tmp_path: Path) -> None:
    more = code_that_cannot_be_compiled(tmp_path / "cache")
    if live:
        player = TerminalGame(tmp_path / "state", *BOTS, "--pace", "0.25", more=more)
        assert COMPILING in player.wait("q quit")
        player.wait(NOT_COMPILED)
        player.wait("q quit")
        assert COMPILING not in "\n".join(player.page)
        return
    done = subprocess.run(
        [sys.executable, "-m", "goldenspike", "play", "--terminal", *BOTS, "--pace", "0.1"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=environment(tmp_path / "state", more),
    )
    assert done.stdout.count(COMPILING) == 1
    assert done.stdout.count(NOT_COMPILED) == 1
    assert "The game is over:" in done.stdout
