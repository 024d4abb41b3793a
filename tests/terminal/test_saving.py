"""Nothing is lost: saving, leaving in every way, a killed process, a damaged file."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pexpect
import pytest

from goldenspike.cli import main
from goldenspike.cli.terminal.session import HungUp, hang_ups_raised
from tests.terminal.driver import Player

GAME = ("--edition", "usa-classic", "--seats", "me,easy", "--seed", "prairie", "--first", "me")


def begin(state: Path) -> Player:
    player = Player(state, *GAME)
    player.wait_turn()
    player.type("all")
    player.wait_turn()
    player.type("claim bos-nyc/yellow")
    player.wait_turn()
    return player


def kept_files(state: Path) -> list[Path]:
    return sorted((state / "goldenspike").glob("*.jsonl"))


def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    player = begin(tmp_path)
    before = player.ask("log all", "You claimed Boston-New York")
    player.child.kill(signal.SIGKILL)
    player.child.expect(pexpect.EOF)
    again = Player(tmp_path, "--resume")
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
def test_leaving_keeps_the_game_and_says_how_to_go_on(leave: str | int, code: int, tmp_path: Path) -> None:
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
    """It may come while a callback runs, and what a callback raises is only reported."""

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
    player.ask("save", "Save it where?")
    in_the_way = tmp_path / "a-file"
    in_the_way.touch()
    for nowhere in (f"{in_the_way}/game", "~nobody-at-all/game", "x" * 300):
        assert "It could not be saved in" in player.ask(f"save {nowhere}", " file.")
    player.ask(f"save {file}", "Saved in")
    player.ask(f"save {file}", "Write over it?")
    player.ask("n", "You>")
    player.type("draw deck")
    player.wait_turn()
    player.ask("quit", "Keep it?")
    player.ask("n", "The game is dropped.")
    player.end()
    assert kept_files(tmp_path) == []
    assert main(["replay", str(file)]) == 0
    assert "claim BOS-NYC/yellow" in capsys.readouterr().out
    again = Player(tmp_path, "--resume", str(file))
    assert "Your move:" in again.wait_turn()
    again.ask("quit", "Keep it?")
    again.ask("", "--resume")
    again.end()


def test_another_game_is_resumed_from_within(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    player = begin(tmp_path)
    player.ask(f"save {file}", "Saved in")
    player.type("draw deck")
    player.wait_turn()
    player.ask("resume nowhere.jsonl", "There is no file nowhere.jsonl")
    player.ask("resume ~nobody-at-all/game", "There is no such user. The game here")
    player.ask(f"resume {'x' * 300}", " on.")
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text(file.read_text().replace("claim", "clown"))
    player.ask(f"resume {damaged}", "trusted:")
    player.type(f"resume {file}")
    assert "Your move:" in player.wait_turn()


def test_a_bot_that_cannot_be_made_keeps_no_game_from_going_on(tmp_path: Path) -> None:
    file, bot = tmp_path / "evening.jsonl", tmp_path / "mine.py"
    bot.write_text("from goldenspike.bots import Bot\n\n\nclass Lamp(Bot):\n    pass\n")
    player = begin(tmp_path)
    player.ask(f"save {file}", "Saved in")
    seats = tmp_path / "evening.jsonl.seats"
    seats.write_text(seats.read_text().replace('"bot": "easy"', f'"bot": "{bot}:Lamp"'))
    said = " ".join(player.ask(f"resume {file}", " on.").split())
    assert "instantiate abstract class Lamp" in said
    player.ask("hand", "You>")


def test_a_kept_game_that_is_resumed_from_within_goes_on_in_its_place(tmp_path: Path) -> None:
    player = begin(tmp_path)
    player.child.send("\x04")
    player.end()
    [left] = kept_files(tmp_path)
    player = Player(tmp_path, *GAME)
    player.wait_turn()
    player.type(f"resume {left}")
    player.wait_turn()
    player.ask("quit", "Keep it?")
    player.ask("n", "The game is dropped.")
    player.end()
    assert not left.exists()
    assert len(kept_files(tmp_path)) == 1


def test_a_game_saved_where_it_is_kept_stays_there(tmp_path: Path) -> None:
    player = begin(tmp_path)
    [kept] = kept_files(tmp_path)
    player.ask("quit", "Keep it?")
    player.ask(str(kept), "Write over it?")
    player.ask("y", "Saved in")
    player.end()
    assert kept_files(tmp_path) == [kept]
    again = Player(tmp_path, "--resume", str(kept))
    assert "You 2/43/" in again.wait_turn()


def test_a_game_that_is_over_and_saved_where_it_is_kept_stays_there(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["simulate", "new-york", "--games", "1", "--jobs", "1", "--save", str(file)]) == 0
    player = Player(tmp_path, "--resume", str(file), "--seats", "me,easy")
    player.wait("What next?")
    [kept] = kept_files(tmp_path)
    player.ask(f"save {kept}", "Write over it?")
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
    player = Player(tmp_path, "--resume", str(file), "--seats", "me,easy")
    assert "The game is over" in player.wait("What next?")


def test_a_rematch_rotates_the_seats(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["simulate", "new-york", "--games", "1", "--jobs", "1", "--save", str(file)]) == 0
    player = Player(tmp_path, "--resume", str(file), "--seats", "me,easy")
    player.wait("What next?")
    player.ask("save", "Save it where?")
    player.ask("board", "Letters: ")
    player.type("")
    screen = player.wait_turn()
    assert "● easy 0/15/2/" in screen
    assert "■ You 0/15/2/" in screen


def test_a_folder_that_cannot_be_written_is_said_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    player = Player(tmp_path / "state", *GAME)
    assert "cannot be kept safe" in player.wait_turn().replace("\n", " ")
    player.type("all")
    player.wait_turn()
    player.ask(f"save {tmp_path / 'here.jsonl'}", "Saved in")
