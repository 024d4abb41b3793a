"""Answers to commands: beside the board or on pages, with a way back, and redrawn at any size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldenspike.cli.terminal.palette import LIT
from tests.cli.terminal.driver import TerminalGame, plain

GAME = ("--edition", "usa-classic", "--seats", "me,easy", "--seed", "prairie", "--first", "me")
LIT_LINE = "\x1b[1;38;2;{};{};{}".format(*(int(LIT[i : i + 2], 16) for i in (1, 3, 5)))
"""The escape sequence of a highlighted path in a terminal with many colours."""


def begin(state: Path, size: tuple[int, int] = (24, 80), *more: str) -> TerminalGame:
    player = TerminalGame(state, *(more or GAME), size=size, more={"COLORTERM": "truecolor"})
    player.wait_turn()
    player.command("all")
    return player


@pytest.fixture(scope="module", params=[(24, 80), (40, 120)], ids=["80x24", "120x40"])
def player(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TerminalGame:
    """Return a game that tests share; what they type does not change it."""
    return begin(tmp_path_factory.mktemp("state"), request.param)


def has_board(page: str) -> bool:
    return all(code in page for code in ("CHI", "MIA", "SEA")) and "Your move:" in page


@pytest.mark.parametrize(
    "command", ["help", "hint", "score", "tickets", "log", "statistics", "rules", "board", "nonsense", "way"]
)
def test_an_answer_fits_and_enter_returns_to_the_board(player: TerminalGame, command: str) -> None:
    rows, columns = player.child.getwinsize()
    page = player.command(command)
    while not has_board(page):
        lines = page.split("\n")
        assert len(lines) <= rows, page
        assert all(len(line) <= columns for line in lines), page
        assert "Enter to go back to the game" in page or "Enter shows them" in page
        page = player.command("")
    assert len(page.split("\n")) <= rows, page
    page = player.command("")
    assert has_board(page)
    assert "You kept" in page  # the news is shown again


def test_a_long_answer_is_read_page_by_page(tmp_path: Path) -> None:
    player = begin(tmp_path)
    first = player.command("rules")
    assert "Each player: 45 trains, 4 cards" in first
    assert re.search(r"\d+ more lines: Enter shows them", first)
    second = player.command("")
    assert "R-14: You may get two locomotives" in second
    assert "Each player" not in second
    assert has_board(player.command(""))


def test_a_resize_redraws_everything_and_keeps_the_input(tmp_path: Path) -> None:
    player = begin(tmp_path)
    player.child.send("draw d")
    player.wait("draw d")
    player.resize(40, 120)
    player.child.expect(r"(?s)\x1b\[H\x1b\[2J.*?You> draw d")
    page = plain(player.child.after or "").split("\n")  # pyright: ignore[reportArgumentType]  # it matched
    assert "You can claim" in "\n".join(page)  # only beside the board of a large terminal
    assert max(map(len, page)) > 100
    assert len(page) == 40
    player.resize(24, 80)
    player.child.expect(r"(?s)\x1b\[H\x1b\[2J.*?You> draw d")
    page = plain(player.child.after or "").split("\n")  # pyright: ignore[reportArgumentType]  # it matched
    assert max(map(len, page)) <= 80
    assert len(page) <= 24
    assert "You drew " in player.command("eck").replace("\n", " ")


def test_an_open_page_is_redrawn_after_a_resize(tmp_path: Path) -> None:
    player = begin(tmp_path)
    player.command("help")
    player.resize(30, 100)
    player.child.expect(r"(?s)\x1b\[H\x1b\[2J.*?You>")
    page = plain(player.child.after or "")  # pyright: ignore[reportArgumentType]  # it matched
    assert "Enter to go back to the game" in page


def test_the_path_of_a_ticket_is_highlighted(player: TerminalGame) -> None:
    assert LIT_LINE not in player.raw
    page = player.command("way TOR-MIA")
    assert LIT_LINE in player.raw
    assert has_board(page)
    told = " ".join(page.split())
    assert "TOR-MIA Toronto - Miami 10 points: 10 trains to go by PIT-TOR 2 any, PIT-RAL 2 any" in told
    assert "CHS-MIA 4 purple." in told
    assert player.command("way miami-toronto").count("Toronto - Miami 10 points") == 1
    third = player.command("way 3")
    assert "Toronto - Miami 10 points" in third  # by its number among the tickets
    assert LIT_LINE in player.raw
    player.command("")
    assert LIT_LINE not in player.raw
    assert "your tickets are " in player.command("way 9") + player.command("way zz")


def test_offered_tickets_have_paths_too(tmp_path: Path) -> None:
    player = TerminalGame(tmp_path, *GAME)
    player.wait_turn()
    page = " ".join(player.command("way 2").split())
    assert "BOS-MIA Boston - Miami 12 points: 12 trains to go by BOS-NYC 2 red or yellow" in page
    assert "Keep at least 2" in page


def test_statistics_hide_secrets_of_other_seats(player: TerminalGame) -> None:
    page = player.command("statistics")
    [drawn] = re.findall(r"cards drawn blind.*\n *locomotives among them +(.*)", page)
    assert drawn.split() == ["0", "?"]
    assert "compared with average" not in page  # it would reveal all seats' cards


def test_replay_shows_the_game_move_by_move(tmp_path: Path) -> None:
    player = begin(tmp_path)
    player.command("claim bos-nyc/yellow")
    prompt = "q quits the replay:"
    page = player.command("replay", prompt)
    assert "replay, move 1 of " in page
    assert "●" not in page.split("points/")[0]  # nothing was claimed yet
    page = player.command("3", prompt)
    assert "You claimed Boston-New York (yellow) with 2 yellow for 2 points." in page
    assert "●" in page.split("points/")[0]
    assert "move 2 of" in player.command("b", prompt)
    assert "the moves are 1 to " in player.command("99", prompt)
    last = player.command("end", prompt)
    [(at, count)] = re.findall(r"move (\d+) of (\d+)", last)
    assert at == count
    assert has_board(player.command("q"))


def test_new_york_says_taxi(tmp_path: Path) -> None:
    game = ("--edition", "new-york", "--seats", "me,easy", "--seed", "4", "--first", "me")
    player = begin(tmp_path, (40, 120), *game)
    for command in ("help", "hint", "rules", "statistics", "take locomotive", "claim che-grv with 9 red"):
        player.command(command)
        player.command("")
    player.child.send("take \t")
    player.wait("You> ")
    player.child.send("\x15")
    told = plain(player.seen).replace("take locomotive", "")
    assert "taxi cards" in told
    assert "taxis" in told
    assert not re.search(r"\blocos?\b|locomotive|\btrains?\b", told)
