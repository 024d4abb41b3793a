"""The command line, as a person or a script uses it."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldenspike.cli import COMMANDS, main
from goldenspike.editions import edition_ids
from goldenspike.exit_codes import FAILED, MISUSED, OK
from goldenspike.game import Game
from goldenspike.game.record import read_records
from tests.boards.conftest import BOARD
from tests.game.games import random_game

Out = pytest.CaptureFixture[str]


def save(path: Path, edition: str = "new-york", *more: str) -> Path:
    file = path / "games.jsonl"
    assert main(["simulate", edition, "--games", "3", "--jobs", "1", "--save", str(file), *more]) == OK
    return file


def test_without_a_command_help_is_shown_and_the_exit_code_is_misuse(capsys: Out) -> None:
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
        "import sys; from goldenspike.cli import build_parser; build_parser().format_help();"
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


def test_rules_of_an_unknown_edition_lists_the_known_ones(capsys: Out) -> None:
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
        (
            ["new-york", "--save", "/no/such/folder/games.jsonl"],
            "/no/such/folder/games.jsonl cannot be written",
        ),
    ],
)
def test_simulate_refuses_invalid_arguments(arguments: list[str], message: str, capsys: Out) -> None:
    assert main(["simulate", *arguments]) == FAILED
    assert message in capsys.readouterr().err


def test_replay_prints_a_saved_game(tmp_path: Path, capsys: Out) -> None:
    file = save(tmp_path)
    assert main(["replay", str(file), "--game", "2", "--to", "4"]) == OK
    out = capsys.readouterr().out
    assert "Game 2: New York, 2 players (random and random 2). First player: random" in out
    numbers = [int(line[:4]) for line in out.splitlines() if line[:4].strip().isdecimal()]
    assert numbers[0] == 1
    assert max(numbers) in {3, 4}, "a turn has the number of its first action"
    assert "The game is not over. If it ended here:" in out


def tale_of(game: Game, tmp_path: Path, capsys: Out) -> list[str]:
    file = tmp_path / "tale.jsonl"
    file.write_text(game.record())
    assert main(["replay", str(file)]) == OK
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("edition", edition_ids())
def test_replay_is_prose_with_names_and_final_scores(edition: str, tmp_path: Path, capsys: Out) -> None:
    game = random_game((edition, 3), 5)
    game.names = ["Ann", "Ben", "Cleo"]
    head, _, *told = tale_of(game, tmp_path, capsys)
    assert head.startswith(f"Game 1: {game.edition.name}, 3 players (Ann, Ben and Cleo). ")
    assert head.endswith(f" First player: {game.names[int(game.state.first)]}.")
    end = told.index("")
    starts = {line[6:].split()[0] for line in told[:end]}
    assert starts <= {"Ann", "Ben", "Cleo", "The", "Three"}
    assert all(line.endswith((".", "!")) for line in told[:end])
    assert not any(" your " in line for line in told), "the reader has no seat"
    assert sum("claimed" in line for line in told) == len(game.view(None).owners)
    numbers = [int(line[:4]) for line in told[:end] if line[:4].strip()]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] <= len(game.played)
    assert told[end + 1].startswith("The game is over: ")
    assert told[end + 2].split() == ["Ann", "Ben", "Cleo"]
    assert game.result is not None
    totals = next(line for line in told if line.startswith("total")).split()[1:]
    assert totals == [str(total) for total in game.result.totals]
    assert told[-1].startswith(("Winner: ", "Shared victory: ", "The tie was broken"))


def test_replay_prints_hidden_information(tmp_path: Path, capsys: Out) -> None:
    games = (random_game(("new-york", 2), seed) for seed in itertools.count())
    game = next(game for game in games if any(event.kind == "joined" for event in game.events))
    joined = next(event for event in game.events if event.kind == "joined")
    told = tale_of(game, tmp_path, capsys)
    assert joined.seat is not None
    line = f"      Seat {joined.seat + 1} completed the ticket {joined.details['ticket']}."
    assert line in told
    assert not any("from the deck" in line for line in told)
    assert "(" not in told[0], "players without names are not listed"


def test_simulate_counts_seats_from_1(capsys: Out) -> None:
    assert main(["simulate", "new-york", "--players", "3", "--games", "4", "--jobs", "1"]) == OK
    out = capsys.readouterr().out
    assert [line.split()[1] for line in out.splitlines() if line.strip().startswith("seat ")] == list("123")


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
        view = action["view"]
        hands = [sum(own["hand"].values()) for own in action["own"]]
        assert hands == [seat["cards"] for seat in view["seats"]]
        face_up = sum(card is not None for card in view["row"])
        assert sum(hands) + face_up + view["deck"] + sum(view["discards"].values()) == cards
        assert action["seat"] in view["to_move"]
        assert len(action["legal"]) == len(action["own"][action["seat"]]["legal"])


def test_replay_refuses_a_changed_record_with_line_and_reason(tmp_path: Path, capsys: Out) -> None:
    file = save(tmp_path)
    lines = file.read_text().splitlines(keepends=True)
    lines[5] = (
        lines[5].replace('"seat":0', '"seat":1') if '"seat":0' in lines[5] else lines[5].replace("1", "0", 1)
    )
    file.write_text("".join(lines))
    assert main(["replay", str(file)]) == FAILED
    assert "line 6: the line was changed" in capsys.readouterr().err


def test_replay_of_a_missing_game_is_refused(tmp_path: Path, capsys: Out) -> None:
    assert main(["replay", str(save(tmp_path)), "--game", "9"]) == FAILED
    assert "holds 3 games; there is no game 9" in capsys.readouterr().err


def test_replay_of_a_missing_file_is_refused(capsys: Out) -> None:
    assert main(["replay", "nowhere.jsonl"]) == FAILED
    assert "nowhere.jsonl: No such file" in capsys.readouterr().err


@pytest.mark.slow
def test_a_closed_pipe_is_not_an_error(tmp_path: Path) -> None:
    file = save(tmp_path, "usa-classic")
    command = f"{sys.executable} -m goldenspike replay {file} --json | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert done.returncode == OK
    assert done.stderr == ""


@pytest.mark.parametrize("command", ["editions", "rules new-york", "--help", "match --help"])
def test_unread_output_is_not_an_error(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "goldenspike", *command.split()],
        env=os.environ | {"PYTHONUNBUFFERED": ""},  # buffered, so that output is written at the very end
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (OK, "")


def test_board_check_prints_a_summary_or_the_problems(tmp_path: Path, capsys: Out) -> None:
    board = tmp_path / "board.toml"
    board.write_text(
        'format = 1\nid = "x"\nname = "X"\ncolours = ["red"]\nroutes = [{ a = "AAA", b = "AAB" }]\n'
    )
    assert main(["board", "check", str(board)]) == FAILED
    assert "board.toml" in capsys.readouterr().err
    board.write_text(BOARD, encoding="utf-8")
    assert main(["board", "check", str(board)]) == OK
    assert "Four Lakes" in capsys.readouterr().out
