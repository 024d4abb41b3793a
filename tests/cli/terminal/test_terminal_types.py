"""The same game on every kind of terminal, and in a pipe."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from goldenspike.editions import edition_ids
from tests.cli.terminal.driver import TerminalGame, environment

COLOUR = re.compile(r"\x1b\[[0-9;]*\b(?:3[0-8]|4[0-8])[0-9;]*m")
GAME = ("--edition", "usa-classic", "--seats", "me,easy,random", "--seed", "prairie", "--first", "me")


@pytest.mark.parametrize("edition", edition_ids())
def test_everything_fits_on_80_by_24(edition: str, tmp_path: Path) -> None:
    player = TerminalGame(tmp_path, "--edition", edition, "--seats", "me,easy,random,easy", "--seed", "9")
    for _ in range(3):
        screen = player.wait_turn()
        shown = player.page
        assert len(shown) <= 24, "\n".join(shown)
        assert all(len(line) <= 80 for line in shown)
        assert "your move" in shown[0]
        assert "'help' lists all commands" in shown[0]
        player.type("all" if "Keep at least" in screen else "draw deck")


def test_a_large_terminal_has_the_board_beside_the_rest(tmp_path: Path) -> None:
    player = TerminalGame(tmp_path, *GAME, size=(50, 200))
    player.wait_turn()
    player.type("all")
    screen = player.wait_turn()
    assert "You can claim" in screen
    assert "What happened" in screen
    assert max(map(len, player.page)) <= 200
    assert len(player.page) <= 50


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        pytest.param((), {"NO_COLOR": "1"}, id="NO_COLOR"),
        pytest.param((), {"TERM": "dumb"}, id="dumb"),
        pytest.param(("--plain",), {}, id="--plain"),
    ],
)
def test_without_colours_the_board_is_a_list(
    arguments: tuple[str, ...], more: dict[str, str], tmp_path: Path
) -> None:
    player = TerminalGame(tmp_path, *GAME, *arguments, more=more)
    player.wait_turn()
    listed = player.ask("board", "WPG Winnipeg:")
    assert "ATL Atlanta: CHS 2 any, MIA 5 blue, NAS 1 any" in listed
    assert not COLOUR.search(player.seen)


def test_a_script_pipes_its_moves(tmp_path: Path) -> None:
    moves = "keep all\nclaim bos-nyc/yellow\nnonsense\nhand\n"
    done = subprocess.run(
        [sys.executable, "-m", "goldenspike", "play", "--terminal", *GAME],
        input=moves,
        capture_output=True,
        text=True,
        check=True,
        env=environment(tmp_path),
    )
    assert "You> claim bos-nyc/yellow" in done.stdout
    assert "You claimed Boston-New York (yellow) with 2 yellow for 2 points." in done.stdout
    assert "'nonsense' is not a move." in done.stdout
    assert "\nUSA: your move\n" in done.stdout
    assert "goldenspike play --terminal --resume" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_without_options_a_dialogue_asks_for_edition_and_seats(tmp_path: Path) -> None:
    player = TerminalGame(tmp_path)
    assert "First Journey" in player.wait("Number or name")
    player.ask("monopoly", 'there is no edition "monopoly"')
    player.ask("new york", "Seats [me,")
    player.ask("me", "New York is for 2 to 4 players; these are 1")
    player.ask("me,esay", "There is no bot 'esay'")
    player.type("me,easy")
    assert "New York" in player.wait_turn()


@pytest.mark.quick
def test_enter_alone_starts_a_quick_game(tmp_path: Path) -> None:
    player = TerminalGame(tmp_path)
    player.wait("Number or name")
    player.ask("", "Seats [me,")
    player.type("")
    assert player.wait_turn().count("0/45/4/0") == 4
