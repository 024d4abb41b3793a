"""The command line, as a person or a script uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldenspike.cli import COMMANDS, FAILED, MISUSED, OK, main
from goldenspike.editions import edition_ids
from goldenspike.game import Game
from goldenspike.record import read_records
from tests.boards.conftest import BOARD

Out = pytest.CaptureFixture[str]


def save(path: Path, edition: str = "new-york", *more: str) -> Path:
    file = path / "games.jsonl"
    assert main(["simulate", edition, "--games", "3", "--jobs", "1", "--save", str(file), *more]) == OK
    return file


def test_no_command_shows_help_and_is_misuse(capsys: Out) -> None:
    assert main([]) == MISUSED
    out = capsys.readouterr().out
    assert all(name in out for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, capsys: Out) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == OK
    assert f"example: goldenspike {command}" in capsys.readouterr().out


def test_an_unknown_option_is_misuse(capsys: Out) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["simulate", "usa-classic", "--flayers", "3"])
    assert stopped.value.code == MISUSED


def test_help_does_not_load_numba() -> None:
    code = (
        "import sys; from goldenspike.cli import build_parser; build_parser(None).format_help();"
        "assert not {'numba', 'numpy', 'rich'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_editions_lists_all(capsys: Out) -> None:
    assert main(["editions"]) == OK
    out = capsys.readouterr().out
    assert all(id_ in out for id_ in edition_ids())


@pytest.mark.parametrize("edition", edition_ids())
def test_rules_shows_numbers_and_rulings(edition: str, capsys: Out) -> None:
    assert main(["rules", edition]) == OK
    out = capsys.readouterr().out
    assert "Each player" in out
    assert "R-4" in out


def test_rules_of_an_unknown_edition_says_which_there_are(capsys: Out) -> None:
    assert main(["rules", "usa-clasic"]) == FAILED
    assert 'did you mean "usa-classic"?' in capsys.readouterr().err


def test_simulate_is_the_same_for_any_number_of_jobs(capsys: Out) -> None:
    tables: list[list[str]] = []
    for jobs in ("1", "2", "5"):
        assert (
            main(["simulate", "usa-mega", "--players", "5", "--games", "2500", "--seed", "x", "--jobs", jobs])
            == OK
        )
        tables.append([line for line in capsys.readouterr().out.splitlines() if "games/s" not in line])
    assert tables[0] == tables[1] == tables[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new-york", "--players", "5"], "New York is for 2 to 4 players, not 5."),
        (["new-york", "--games", "0"], "at least 1 game"),
        (["new-york", "--save", "/no/such/folder/games.jsonl"], "/no/such/folder/games.jsonl: No such file"),
    ],
)
def test_simulate_refuses_nonsense(arguments: list[str], message: str, capsys: Out) -> None:
    assert main(["simulate", *arguments]) == FAILED
    assert message in capsys.readouterr().err


def test_replay_tells_a_saved_game(tmp_path: Path, capsys: Out) -> None:
    file = save(tmp_path)
    assert main(["replay", str(file), "--game", "2", "--to", "4"]) == OK
    out = capsys.readouterr().out
    assert "Game 2: New York, 2 players" in out
    assert "   4  seat" in out
    assert "   5  seat" not in out


@pytest.mark.parametrize("edition", edition_ids())
def test_replay_json_is_enough_to_judge_every_move(edition: str, tmp_path: Path, capsys: Out) -> None:
    file = save(tmp_path, edition, "--seed", "json")
    capsys.readouterr()
    assert main(["replay", str(file), "--json"]) == OK
    actions = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {action["game"] for action in actions} == {1, 2, 3}
    assert all(action["move"] in action["legal"] for action in actions)
    saved = next(iter(read_records(file.read_text())))
    assert [a["move"] for a in actions if a["game"] == 1] == [a.move for a in saved.actions]
    cards = Game.new(edition, 2).edition.cards
    for action in actions:
        state = action["state"]
        hands = sum(sum(seat["hand"].values()) for seat in state["seats"])
        face_up = sum(card is not None for card in state["face_up"])
        assert hands + face_up + state["deck_size"] + sum(state["discards"].values()) == cards
        assert action["seat"] in state["to_move"]


def test_replay_refuses_a_changed_record_with_line_and_reason(tmp_path: Path, capsys: Out) -> None:
    file = save(tmp_path)
    lines = file.read_text().splitlines(keepends=True)
    lines[5] = (
        lines[5].replace('"seat":0', '"seat":1') if '"seat":0' in lines[5] else lines[5].replace("1", "0", 1)
    )
    file.write_text("".join(lines))
    assert main(["replay", str(file)]) == FAILED
    assert "line 6: the line was changed" in capsys.readouterr().err


def test_replay_of_a_game_that_is_not_there(tmp_path: Path, capsys: Out) -> None:
    assert main(["replay", str(save(tmp_path)), "--game", "9"]) == FAILED
    assert "holds 3 games; there is no game 9" in capsys.readouterr().err


def test_replay_of_no_file(capsys: Out) -> None:
    assert main(["replay", "nowhere.jsonl"]) == FAILED
    assert "nowhere.jsonl: No such file" in capsys.readouterr().err


@pytest.mark.slow
def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    file = save(tmp_path, "usa-classic")
    command = f"{sys.executable} -m goldenspike replay {file} --json | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert done.returncode == OK
    assert done.stderr == ""


@pytest.mark.parametrize("command", ["editions", "rules new-york", "--help", "match --help"])
def test_output_that_nobody_reads_is_no_error(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "goldenspike", *command.split()],
        env=os.environ | {"PYTHONUNBUFFERED": ""},  # written at the very end, as for anybody
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (OK, "")


def test_board_check_sums_up_or_says_what_is_wrong(tmp_path: Path, capsys: Out) -> None:
    board = tmp_path / "board.toml"
    board.write_text(
        'format = 1\nid = "x"\nname = "X"\ncolours = ["red"]\nroutes = [{ a = "AAA", b = "AAB" }]\n'
    )
    assert main(["board", "check", str(board)]) == FAILED
    assert "board.toml" in capsys.readouterr().err
    board.write_text(BOARD, encoding="utf-8")
    assert main(["board", "check", str(board)]) == OK
    assert "Four Lakes" in capsys.readouterr().out
