"""Load boards: packaged ones by id, custom ones by path."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from goldenspike.boards.read import read_board
from goldenspike.datafiles.problems import BoardError, FileProblem, Report
from goldenspike.datafiles.source import is_path, parse_toml, read_source, suggest_file
from goldenspike.datafiles.words import listed, show, suggest

if TYPE_CHECKING:
    from goldenspike.boards.model import Board

_FOLDER = Path(__file__).parent
_IDS = ("usa", "new-york", "first-journey")


def board_ids() -> tuple[str, ...]:
    """Return the ids of the packaged boards.

    >>> board_ids()
    ('usa', 'new-york', 'first-journey')
    """
    return _IDS


def load_board(id_or_path: str | os.PathLike[str]) -> Board:
    """Load a board by id or from a file.

    A text that ends in ".toml" or has a slash is a path, any other an id. Raise `BoardError`, with all
    problems, if there is no such board or its file is invalid.

    >>> board = load_board("usa")
    >>> len(board.cities), len(board.routes), board.routes[0].name
    (36, 100, 'ATL-CHS')
    """
    name = os.fspath(id_or_path)
    if isinstance(id_or_path, str) and not is_path(name):
        return _load_packaged(name)
    report = Report(name, BoardError)
    return _read(read_source(Path(name), report), report)


def parse_board(text: str, file: str = "board.toml") -> Board:
    """Return the board that a TOML text describes; `file` is what error messages call it.

    >>> parse_board("format = 1", "empty.toml")
    Traceback (most recent call last):
    goldenspike.datafiles.problems.BoardError: empty.toml: id is missing; add it: text in quotes
    ...
    """
    return _read(text, Report(file, BoardError))


@cache
def _load_packaged(board_id: str) -> Board:
    if board_id not in _IDS:
        what = f"there is no board {show(board_id)}"
        raise BoardError([FileProblem("", "", None, what, _advise_board(board_id))])
    path = _FOLDER / f"{board_id}.toml"
    report = Report(path.name, BoardError)
    return _read(read_source(path, report), report)


def _advise_board(name: str) -> str:
    # An edition is often named after its board: usa-classic.
    near = next((f'did you mean "{known}"?' for known in _IDS if name.startswith(f"{known}-")), "")
    others = (
        f"the boards are {listed(_IDS, 'and')}; a board of your own is given as a path that ends in .toml"
    )
    return suggest_file(name) or near or suggest(name, _IDS) or others


def _read(text: str, report: Report) -> Board:
    return read_board(parse_toml(text, report), report)
