"""Watching a table of bots: the pace, the keys, and leaving."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from goldenspike.cli import main
from tests.cli.terminal.driver import TerminalGame, environment

BOTS = ("--edition", "new-york", "--seats", "easy,random,easy", "--seed", "3")
KEYS = "q quit"


def test_a_whole_game_is_watched_without_waiting(tmp_path: Path) -> None:
    player = TerminalGame(tmp_path, *BOTS, "--pace", "0")
    shown = player.wait("What next?")
    assert "the bots play" in shown
    assert "The game is over:" in shown
    assert "Winner: " in shown or "Shared victory: " in shown
    page = player.command("statistics", "What next?")
    assert "points per turn" in page
    assert "Score over time" in page + player.command("", "What next?")
    player.command("", "What next?")
    assert "replay, move 1 of" in player.command("replay", "q quits the replay:")
    player.command("q", "What next?")
    player.ask("q", "Goodbye.")


def test_it_pauses_steps_and_changes_its_pace(tmp_path: Path) -> None:
    player = TerminalGame(tmp_path, *BOTS, "--pace", "60")
    player.wait("60 s per turn")
    player.child.send(" ")
    player.wait("paused")
    for _ in range(3):
        before = player.watched_turn
        player.child.send("\r")
        player.child.expect(rf"(?s)\x1b\[H\x1b\[2J.*{KEYS}")
        player.seen += str(player.child.after)
        assert player.watched_turn in {before, before + 1}  # choosing tickets is not a turn
    player.child.send("-")
    player.child.send(" ")
    player.wait("8 s per turn")
    for _ in range(6):
        player.child.send("+")
    assert "The game is over:" in player.wait("What next?")


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("q", 0)], ids=["ctrl-c", "q"])
def test_leaving_keeps_the_game(key: str, code: int, tmp_path: Path) -> None:
    player = TerminalGame(tmp_path, *BOTS, "--pace", "0.3")
    player.child.expect(r"turn [5-9]")
    player.wait(KEYS)
    player.child.send(key)
    assert "The game is kept." in player.end()
    assert player.child.exitstatus == code
    again = TerminalGame(tmp_path, "--resume", "--pace", "0")
    assert "The game is over:" in again.wait("What next?")


def test_without_a_terminal_every_turn_is_printed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "goldenspike", "play", "--terminal", *BOTS, "--pace", "0"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=environment(tmp_path),
    )
    assert re.search(r"^easy 2 claimed .* taxi|^easy claimed ", done.stdout, re.MULTILINE)
    assert "The game is over:" in done.stdout
    assert done.stderr == ""


def test_bots_can_be_watched_between_the_turns_of_a_person(tmp_path: Path) -> None:
    seats = ("--edition", "new-york", "--seats", "me,easy,easy", "--seed", "3", "--first", "me")
    player = TerminalGame(tmp_path, *seats, "--pace", "0.1")
    player.wait_turn()
    player.type("all")
    player.wait(KEYS)
    player.wait_turn()
    player.type("draw deck")
    player.wait_turn()
    player.type("draw deck")
    shown = player.wait_turn()
    assert "easy 2 " in shown


def test_an_invalid_pace_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--terminal", "--seats", "easy,easy", "--edition", "new-york", "--pace", "-1"]) == 1
    assert "between 0 and 60 seconds" in capsys.readouterr().err
    assert main(["play", "--pace", "1"]) == 1
    assert "--pace belongs to the game in the terminal" in capsys.readouterr().err
