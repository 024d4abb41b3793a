"""Games are never lost: saving, every way of leaving, a killed process, a damaged file."""

from __future__ import annotations

import asyncio
import re
import shlex
import signal
from pathlib import Path

import pexpect
import pytest

from goldenspike import Game
from goldenspike.cli import main
from goldenspike.cli.terminal.session import HungUp, hang_ups_raised
from tests.cli.terminal.driver import TerminalGame

GAME = ("--edition", "usa-classic", "--seats", "me,easy", "--seed", "prairie", "--first", "me")


def begin(state: Path) -> TerminalGame:
    player = TerminalGame(state, *GAME)
    player.wait_turn()
    player.type("all")
    player.wait_turn()
    player.type("claim bos-nyc/yellow")
    player.wait_turn()
    return player


def kept_files(state: Path) -> list[Path]:
    return sorted((state / "goldenspike").glob("*.jsonl"))


def test_a_killed_game_can_be_resumed(tmp_path: Path) -> None:
    player = begin(tmp_path)
    before = player.ask("log all", "You claimed Boston-New York")
    player.child.kill(signal.SIGKILL)
    player.child.expect(pexpect.EOF)
    again = TerminalGame(tmp_path, "--resume")
    screen = again.wait_turn()
    assert "You 2/43/" in screen
    assert before.splitlines()[-1] in again.ask("log all", "You claimed Boston-New York")
    assert len(kept_files(tmp_path)) == 1


@pytest.mark.parametrize(
    ("leave", "code"),
    [
        pytest.param("\x03", 130, id="ctrl-c"),
        pytest.param("\x04", 0, id="ctrl-d"),
        pytest.param(signal.SIGHUP, 130, id="hang-up"),
        pytest.param(signal.SIGTERM, 130, id="terminate"),
    ],
)
def test_leaving_keeps_the_game_and_says_how_to_resume(leave: str | int, code: int, tmp_path: Path) -> None:
    player = begin(tmp_path)
    if isinstance(leave, str):
        player.child.send(leave)
    else:
        player.child.kill(leave)
    said = player.end()
    [kept] = kept_files(tmp_path)
    assert f"goldenspike play --terminal --resume {kept}" in said.replace("\n", "")
    assert player.child.exitstatus == code


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_hang_up_is_not_lost_in_an_event_loop(number: signal.Signals) -> None:
    """It may arrive while a callback runs, and asyncio only reports what a callback raises."""

    async def wait() -> None:
        asyncio.get_running_loop().call_soon(signal.raise_signal, number)
        await asyncio.sleep(1)

    with hang_ups_raised(), pytest.raises(HungUp):
        asyncio.run(wait())


def test_a_saved_game_is_a_record_and_can_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.jsonl"
    player = begin(tmp_path)
    player.ask("save", "Which file?")
    in_the_way = tmp_path / "a-file"
    in_the_way.touch()
    for nowhere in (f"{in_the_way}/game", "~nobody-at-all/game", "x" * 300):
        assert "The game could not be saved in" in player.ask(f"save {nowhere}", " file.")
    player.ask(f"save {file}", "Saved in")
    player.ask(f"save {file}", "Overwrite it?")
    player.ask("n", "You>")
    player.type("draw deck")
    player.wait_turn()
    player.ask("quit", "Keep it?")
    player.ask("n", "The game is discarded.")
    player.end()
    assert kept_files(tmp_path) == []
    assert main(["replay", str(file)]) == 0
    assert "You claimed Boston-New York" in capsys.readouterr().out
    again = TerminalGame(tmp_path, "--resume", str(file))
    assert "Your move:" in again.wait_turn()
    again.ask("quit", "Keep it?")
    again.ask("", "--resume")
    again.end()


def test_another_game_is_resumed_from_within(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    player = begin(tmp_path)
    assert "Saved in" in player.command(f"save {file}")
    player.command("draw deck")
    assert "There is no file nowhere.jsonl" in player.command("resume nowhere.jsonl")
    assert "There is no such user. This game" in player.command("resume ~nobody-at-all/game")
    assert "This game continues." in player.command(f"resume {'x' * 300}")
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text(file.read_text().replace("claim", "clown"))
    said = player.command(f"resume {damaged}").split()  # a long path wraps the sentence
    assert "is not a valid game" in " ".join(said)
    assert "Your move:" in player.command(f"resume {file}")


def test_a_game_can_be_resumed_although_a_bot_cannot_be_loaded(tmp_path: Path) -> None:
    file, bot = tmp_path / "evening.jsonl", tmp_path / "mine.py"
    bot.write_text("from goldenspike.bots import Bot\n\n\nclass Lamp(Bot):\n    pass\n")
    player = begin(tmp_path)
    player.ask(f"save {file}", "Saved in")
    seats = tmp_path / "evening.jsonl.seats"
    seats.write_text(seats.read_text().replace('"bot": "easy"', f'"bot": "{bot}:Lamp"'))
    said = " ".join(player.ask(f"resume {file}", "This game continues.").split())
    assert "instantiate abstract class Lamp" in said
    player.ask("hand", "You>")


FAILING = """\
from goldenspike.bots import Bot


class Lamp(Bot):
    name = "lamp"

    def choose(self, view, dice, budget):
        if view.offer:
            return "keep all"
        {body}
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param("return 1 // 0", "ZeroDivisionError", id="crash"),
        pytest.param("return None", "None", id="no answer"),
        pytest.param("return 'pass'", "broke the rules", id="illegal move"),
    ],
)
def test_a_game_continues_without_a_bot_that_failed(body: str, reason: str, tmp_path: Path) -> None:
    bot = tmp_path / "my bots" / "mine.py"
    bot.parent.mkdir()
    bot.write_text(FAILING.format(body=body))
    seats = f"me,{bot}:Lamp,easy"
    player = TerminalGame(
        tmp_path, "--edition", "usa-classic", "--seats", seats, "--first", "me", size=(24, 500)
    )
    player.wait_turn()
    player.type("all")
    player.wait_turn()
    player.type("draw deck")
    player.wait_turn()
    player.type("draw deck")
    said = player.end()
    assert player.child.exitstatus == 1
    assert reason in said
    command = re.search(r"goldenspike play --terminal (--resume .*)", said)
    assert command is not None
    again = TerminalGame(tmp_path, *shlex.split(command[1]))
    again.wait_turn()
    assert "medium " in again.command("log")


def test_a_kept_game_resumed_from_within_stays_in_its_file(tmp_path: Path) -> None:
    player = begin(tmp_path)
    player.child.send("\x04")
    player.end()
    [left] = kept_files(tmp_path)
    player = TerminalGame(tmp_path, *GAME)
    player.wait_turn()
    player.type(f"resume {left}")
    player.wait_turn()
    player.ask("quit", "Keep it?")
    player.ask("n", "The game is discarded.")
    player.end()
    assert not left.exists()
    assert len(kept_files(tmp_path)) == 1


def test_a_game_saved_where_it_is_kept_stays_there(tmp_path: Path) -> None:
    player = begin(tmp_path)
    [kept] = kept_files(tmp_path)
    player.ask("quit", "Keep it?")
    player.ask(str(kept), "Overwrite it?")
    player.ask("y", "Saved in")
    player.end()
    assert kept_files(tmp_path) == [kept]
    again = TerminalGame(tmp_path, "--resume", str(kept))
    assert "You 2/43/" in again.wait_turn()


def test_a_game_that_is_over_and_saved_where_it_is_kept_stays_there(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["simulate", "new-york", "--games", "1", "--jobs", "1", "--save", str(file)]) == 0
    player = TerminalGame(tmp_path, "--resume", str(file), "--seats", "me,easy")
    player.wait("What next?")
    [kept] = kept_files(tmp_path)
    player.ask(f"save {kept}", "Overwrite it?")
    player.ask("y", "Saved in")
    player.wait("What next?")
    player.ask("q", "Goodbye.")
    player.end()
    assert kept_files(tmp_path) == [kept]


def test_a_record_without_seats_asks_for_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["simulate", "new-york", "--games", "1", "--jobs", "1", "--save", str(file)]) == 0
    capsys.readouterr()
    assert main(["play", "--terminal", "--resume", str(file)]) == 1
    assert "--seats me,easy" in capsys.readouterr().err
    player = TerminalGame(tmp_path, "--resume", str(file), "--seats", "me,easy")
    assert "The game is over" in player.wait("What next?")


def test_a_rematch_rotates_the_seats(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["simulate", "new-york", "--games", "1", "--jobs", "1", "--save", str(file)]) == 0
    player = TerminalGame(tmp_path, "--resume", str(file), "--seats", "me,easy")
    player.wait("What next?")
    player.command("save", "What next?")
    assert "Which file?" in "\n".join(player.page)
    assert "Enter goes back to the result." in player.command("board", "What next?")
    assert "Winner: " in player.command("", "What next?")
    player.type("")
    screen = player.wait_turn()
    assert "● easy 0/15/2/" in screen
    assert "■ You 0/15/2/" in screen


def test_an_unwritable_folder_is_reported_and_the_game_continues(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    player = TerminalGame(tmp_path / "state", *GAME)
    assert "cannot be saved in" in player.wait_turn().replace("\n", " ")
    player.type("all")
    player.wait_turn()
    player.ask(f"save {tmp_path / 'here.jsonl'}", "Saved in")


def test_a_saved_game_has_the_names_of_the_players(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    player = begin(tmp_path)
    player.ask(f"save {file}", "Saved in")
    assert Game.from_record(file.read_text()).names == ("You", "easy")


SILENT = """
from goldenspike.bots import Bot


class Silent(Bot):
    def choose(self, view, dice, budget):
        pass
"""


def test_a_bot_that_returns_no_move_is_told_what_to_return(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(SILENT)
    player = TerminalGame(
        tmp_path, "--edition", "usa-classic", "--seats", f"me,{bot}:Silent", "--first", "me"
    )
    player.wait_turn()
    player.type("keep all")
    said = " ".join(player.wait("one of these.").split())
    assert "goldenspike play: The bot 'Silent' returned None (did you forget to return the move?)." in said
    assert "--resume" in player.wait(".jsonl")
    assert len(kept_files(tmp_path)) == 1


def test_a_failed_bot_is_reported_and_the_game_is_kept(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    failing = 'return 1 // 0 if view.phase == "choosing" else view.legal_moves().numbers[0]'
    bot.write_text(
        "from goldenspike.bots import Bot\n\n\nclass Broken(Bot):\n"
        f"    def choose(self, view, dice, budget):\n        {failing}\n"
    )
    player = TerminalGame(
        tmp_path, "--edition", "usa-classic", "--seats", f"me,{bot}:Broken", "--first", "me"
    )
    player.wait_turn()
    player.type("keep all")
    said = " ".join(player.end().split())
    assert ":Broken failed: ZeroDivisionError: integer division or modulo by zero (mine.py, line 6)." in said
    assert "Traceback" not in said
    assert "--resume" in said
    assert len(kept_files(tmp_path)) == 1
