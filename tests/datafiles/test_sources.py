"""Unreadable files, and texts that are not TOML."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from goldenspike.boards import BoardError, load_board, parse_board
from goldenspike.datafiles.source import is_path
from goldenspike.editions import EditionError, load_edition


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('id = "usa\n', 1, "this is not valid TOML: Illegal character"),
        ("format = 1\nroutes = [\n", 3, "this is not valid TOML: "),
        ("format = 1\nid = usa\n", 2, "this is not valid TOML: Invalid value"),
        ("format = 1\nformat = 1\n", 2, '"format" is written twice'),
        ("[cities]\n[cities]\n", 2, "this is not valid TOML: "),
        ("a = 1\nb = " + "9" * 5000, 2, "this is not valid TOML: "),
        ("a = " + "[" * 100_000, 1, "lists, tables or keys are nested too deeply"),
        ("a" + ".a" * 100_000 + " = 1", 1, "lists, tables or keys are nested too deeply"),
        ("[" + "'a' . " * 100_000 + "a]", 1, "lists, tables or keys are nested too deeply"),
    ],
)
def test_not_toml(text: str, line: int, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_board(text, "bad.toml")
    (problem,) = caught.value.problems
    assert message in problem.what
    assert problem.line in {line, None}
    assert str(problem).startswith("bad.toml")


def test_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    for load, error in [(load_board, BoardError), (load_edition, EditionError)]:
        with pytest.raises(error) as caught:
            load(path)
        assert str(caught.value) == f"{path}: there is no such file; check the name and the folder"


@pytest.mark.parametrize("name", ["x\0.toml", "x" * 5000 + ".toml", "./"])
def test_impossible_file(name: str) -> None:
    with pytest.raises(BoardError, match=r"no such file|cannot be read"):
        load_board(name)


def test_folder_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="there is no such file"):
        load_board(tmp_path)


def test_large_file(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_text("#" * (1 << 20) + "\n")
    with pytest.raises(BoardError, match="the file is larger than 1024 KiB"):
        load_board(path)


def test_not_utf8(tmp_path: Path, board_text: str) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes(board_text.replace("Ashford", "Montréal").encode("latin-1"))
    with pytest.raises(BoardError, match="is not UTF-8 text; save the file with the encoding UTF-8"):
        load_board(path)


def test_byte_order_marks_and_crlf_are_accepted(tmp_path: Path, board_text: str) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(board_text.replace("\n", "\r\n").encode("utf-8-sig"))
    assert load_board(path) == parse_board(board_text)
    path.write_bytes(board_text.replace("\n", "\r\n").replace("length = 3", "length = 0").encode("utf-8-sig"))
    with pytest.raises(BoardError, match=r"windows\.toml:10: route 3"):
        load_board(path)


def test_paths_and_ids_are_distinguished() -> None:
    assert not is_path("usa-classic")
    assert is_path("usa.toml")
    assert is_path("boards/usa")


def test_an_error_can_be_pickled() -> None:
    with pytest.raises(BoardError) as caught:
        load_board("nowhere")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.problems == caught.value.problems
    assert str(copy) == str(caught.value)
