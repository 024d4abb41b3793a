"""Creating a board, and passing boards and editions to commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenspike.arena.playtest import try_out
from goldenspike.cli import board_layout, main
from goldenspike.editions import load_edition
from goldenspike.exit_codes import FAILED, OK
from tests.boards.conftest import BOARD, EDITION

Out = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with fast layouts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(board_layout, "STEPS", 60)
    monkeypatch.setattr(board_layout, "TRIES", 1)
    return tmp_path


def test_a_new_board_goes_through_every_command_at_once(folder: Path, capsys: Out) -> None:
    assert main(["board", "new", "island"]) == OK
    out = capsys.readouterr().out
    assert sorted(file.name for file in folder.iterdir()) == ["island-edition.toml", "island.toml"]
    for command in (
        "board check island-edition.toml",
        "board layout island.toml --picture island.svg",
        "playtest island-edition.toml",
        "play --edition island-edition.toml",
    ):
        assert f"  goldenspike {command} " in out
    for command in ("board check island.toml", "board check island-edition.toml", "rules island.toml"):
        assert main(command.split()) == OK
    assert "points equal the shortest path on all" in capsys.readouterr().out
    assert main(["board", "layout", "island.toml", "--picture", "island.svg"]) == OK
    assert main(["simulate", "island-edition.toml", "--games", "20", "--players", "3"]) == OK
    assert main(["playtest", "island.toml", "--games", "20", "--bot", "greedy", "--jobs", "1"]) == OK


def test_a_new_board_has_a_layout_without_faults(
    folder: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_layout, "STEPS", 450)
    main(["board", "new", "island"])
    assert main(["board", "layout", "island.toml"]) == OK
    assert "could not be kept apart" not in capsys.readouterr().out


@pytest.mark.slow
def test_a_playtest_finds_nothing_unused_on_a_new_board(folder: Path) -> None:
    main(["board", "new", "island"])
    findings = try_out(load_edition("island.toml"), 500, jobs=2).findings
    easy = "almost always completed"  # the board is small, so its tickets are
    assert {finding.subject for finding in findings if easy not in finding.text} <= {"order of play"}


@pytest.mark.parametrize(
    ("name", "file", "title"),
    [
        ("Treasure Island", "treasure-island.toml", "Treasure Island"),
        ("treasure-island", "treasure-island.toml", "Treasure Island"),
        ("island.toml", "island.toml", "Island"),
        ('Île "verte"', "ile-verte.toml", 'Île "verte"'),
        ("maps/island", "maps/island.toml", "Island"),
    ],
)
def test_a_name_becomes_files_and_ids(folder: Path, name: str, file: str, title: str) -> None:
    (folder / "maps").mkdir()
    assert main(["board", "new", name]) == OK
    edition = load_edition(file)
    assert (edition.name, edition.board.name) == (title, title)
    assert edition.id == edition.board.id == Path(file).stem


@pytest.mark.parametrize("there", ["island.toml", "island-edition.toml"])
def test_a_new_board_overwrites_nothing(folder: Path, there: str, capsys: Out) -> None:
    (folder / there).write_text("mine")
    assert main(["board", "new", "island"]) == FAILED
    assert f"{there} already exists and is not overwritten; choose another name." in capsys.readouterr().err
    assert [(file.name, file.read_text()) for file in folder.iterdir()] == [(there, "mine")]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("usa", '"usa" comes with the program; choose another name.'),
        ("New York", '"new-york" comes with the program; choose another name.'),
        ("???", '"???" cannot be a name: use up to 40 letters, digits and spaces.'),
        ("x" * 41, "cannot be a name"),
        ("nowhere/island", "There is no folder nowhere for the files; make it first."),
    ],
)
def test_invalid_names_of_a_new_board_are_refused(
    folder: Path, name: str, sentence: str, capsys: Out
) -> None:
    assert main(["board", "new", name]) == FAILED
    assert sentence in capsys.readouterr().err
    assert list(folder.iterdir()) == []


QUICK = ["--games", "4", "--jobs", "1"]
COMMANDS_ON_EDITIONS = [
    ["rules", "{}"],
    ["simulate", "{}", *QUICK],
    ["match", "greedy", "random", "--edition", "{}", *QUICK],
    ["playtest", "{}", "--bot", "greedy", *QUICK],
    ["playtest", "{}", "quick.toml", "--bot", "greedy", *QUICK],
]


@pytest.mark.parametrize("command", COMMANDS_ON_EDITIONS, ids=" ".join)
def test_a_board_file_stands_for_its_only_edition(folder: Path, command: list[str]) -> None:
    (folder / "lakes.toml").write_text(BOARD, encoding="utf-8")
    (folder / "quick.toml").write_text(EDITION, encoding="utf-8")
    assert main([word.format("lakes.toml") for word in command]) == OK


@pytest.mark.parametrize(
    "command",
    [
        *COMMANDS_ON_EDITIONS[:-1],
        ["ladder", "--bots", "greedy", "random", "--edition", "{}", *QUICK],
        ["play", "--no-open", "--port", "0", "--edition", "{}"],
        ["play", "--terminal", "--edition", "{}"],
        ["replay", "games.jsonl", "--edition", "{}"],
        ["verify", "games.jsonl", "--edition", "{}"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("edition", "sentence"),
    [
        (
            "lakes.toml",
            "lakes.toml: this is a board, and no edition beside it is played on it; write an edition",
        ),
        ("usa", '"usa" is a board: choose usa-classic, usa-1910, usa-big-cities or usa-mega'),
        ("newyork", 'there is no edition "newyork"; did you mean "new-york"?'),
        ("lakes", 'there is no edition "lakes"; did you mean the file "lakes.toml"?'),
        ("lake.toml", 'lake.toml: there is no such file; did you mean "lakes.toml"?'),
    ],
    ids=["file of a board", "id of a board", "misspelt id", "file without its ending", "misspelt file"],
)
def test_a_file_that_is_not_an_edition_is_refused(
    folder: Path, command: list[str], edition: str, sentence: str, capsys: Out
) -> None:
    (folder / "lakes.toml").write_text(BOARD, encoding="utf-8")
    assert main([word.format(edition) for word in command]) == FAILED
    (line,) = capsys.readouterr().err.splitlines()
    assert sentence in line
