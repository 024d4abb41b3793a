"""The files of the board tutorial load, and the reference lists every key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

import goldenspike.boards
from goldenspike.boards import BoardError, board_ids, load_board
from goldenspike.editions import check_file, load_edition

DOCS = Path(__file__).parents[2] / "docs"


def test_the_files_of_the_tutorial_are_valid(tmp_path: Path) -> None:
    page = (DOCS / "how-to" / "make-a-board.md").read_text("utf-8")
    board, edition = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "lakes.toml").write_text(board, "utf-8")
    (tmp_path / "lakes-quick.toml").write_text(edition, "utf-8")
    loaded = load_edition(tmp_path / "lakes-quick.toml")
    assert loaded.board.name == "Five Lakes"
    assert "points equal the shortest path on all" in check_file(tmp_path / "lakes-quick.toml")

    broken = board.replace("length = 3", "length = 11", 1).replace(
        'b = "DUN", points', 'b = "DUM", points', 1
    )
    (tmp_path / "lakes.toml").write_text(broken, "utf-8")
    with pytest.raises(BoardError) as caught:
        load_board(tmp_path / "lakes.toml")
    assert len(caught.value.problems) == 2
    for problem in caught.value.problems:
        assert str(problem).removeprefix(f"{tmp_path}/") in page


def keys(value: object) -> Iterator[str]:
    """Return every key in a document, at any depth."""
    if isinstance(value, dict):
        for key, each in cast("dict[str, object]", value).items():
            yield key
            yield from keys(each)
    if isinstance(value, list):
        for each in cast("list[object]", value):
            yield from keys(each)


def test_the_reference_has_every_key() -> None:
    page = (DOCS / "reference" / "board-files.md").read_text("utf-8")
    names = {"1910"}
    for board_id in board_ids():
        board = load_board(board_id)
        names |= {city.code for city in board.cities} | set(board.ticket_sets)
    files = Path(goldenspike.boards.__file__).parents[1].glob("*/*.toml")
    used = {key for file in files for key in keys(tomllib.loads(file.read_text("utf-8")))}
    assert len(used - names) > 40
    assert [key for key in sorted(used - names) if not re.search(rf"`[^`]*\b{key}\b[^`]*`", page)] == []
