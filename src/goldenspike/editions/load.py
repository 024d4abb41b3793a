"""Load editions: packaged ones by id, custom ones by path."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from goldenspike.boards.limits import FACE_UP, HAND, PIECES, SEATS
from goldenspike.boards.load import board_ids, load_board
from goldenspike.datafiles.problems import BoardError, DataError, FileProblem, Report
from goldenspike.datafiles.reader import TomlTable, read_format, refuse_misplaced
from goldenspike.datafiles.source import digest_of, is_path, kind_of, parse_toml, read_source, suggest_file
from goldenspike.datafiles.words import listed, show, suggest
from goldenspike.editions import read
from goldenspike.editions.model import Edition
from goldenspike.editions.tickets import resolve_tickets
from goldenspike.editions.verify import verify_edition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldenspike.boards.model import Board

_FOLDER = Path(__file__).parent
_IDS = ("usa-classic", "usa-1910", "usa-big-cities", "usa-mega", "new-york", "first-journey")
_KEYS = (
    "format",
    "id",
    "name",
    "board",
    "minutes",
    "players",
    "opening_hand",
    "face_up",
    "deck",
    "route_points",
    "doubles_close_up_to",
    "tie_breaks",
    "words",
)
"""Keys that occur only at the top level of an edition file; `pieces` and `tickets` occur in tables too."""


class EditionError(DataError):
    """All problems of an edition file and its board."""


def edition_ids() -> tuple[str, ...]:
    """Return the ids of the packaged editions, the default one first.

    >>> edition_ids()
    ('usa-classic', 'usa-1910', 'usa-big-cities', 'usa-mega', 'new-york', 'first-journey')
    """
    return _IDS


def load_edition(id_or_path: str | os.PathLike[str]) -> Edition:
    """Load an edition, with its board, by id or from a file.

    A text that ends in ".toml" or has a slash is a path, any other an id. The path of a board means the only
    edition in its folder that uses it. Raise `EditionError`, with all problems, if there is no such edition
    or if its file or its board is invalid.

    >>> edition = load_edition("usa-big-cities")
    >>> edition.players, edition.board.name, len(edition.tickets)
    ((2, 5), 'United States', 35)
    """
    name = os.fspath(id_or_path)
    if isinstance(id_or_path, str) and not is_path(name):
        return _load_packaged(name)
    report = Report(name, EditionError)
    document = parse_toml(read_source(Path(name), report), report)
    if kind_of(document) == "board":
        return load_edition(_edition_beside(Path(name), report))
    return read_edition(document, report)


def parse_edition(text: str, file: str = "edition.toml", board: Board | None = None) -> Edition:
    """Return the edition that a TOML text describes; `file` is what error messages call it.

    A `board` replaces the one that the text names. Otherwise a board named by path is relative to the folder
    of `file`.

    >>> parse_edition("format = 1", "empty.toml")
    Traceback (most recent call last):
    goldenspike.editions.load.EditionError: empty.toml: id is missing; add it: text in quotes
    ...
    """
    report = Report(file, EditionError)
    return read_edition(parse_toml(text, report), report, board)


@cache
def _load_packaged(edition_id: str) -> Edition:
    if edition_id not in _IDS:
        others = (
            f"the editions are {listed(_IDS, 'and')}; one of your own is given as a path that ends in .toml"
        )
        fix = suggest_file(edition_id) or advise_edition(edition_id, map(load_edition, _IDS)) or others
        raise EditionError([FileProblem("", "", None, f"there is no edition {show(edition_id)}", fix)])
    path = _FOLDER / f"{edition_id}.toml"
    return parse_edition(read_source(path, Report(path.name, EditionError)), path.name)


def advise_edition(name: str, editions: Iterable[Edition]) -> str:
    """Return a suggestion for an unknown edition id, or nothing if none is near.

    >>> advise_edition("usa", map(load_edition, edition_ids()))
    '"usa" is a board: choose usa-classic, usa-1910, usa-big-cities or usa-mega'
    """
    boards = {edition.id: edition.board.id for edition in editions}
    if played := [key for key, board in boards.items() if board == name.lower()]:
        return f"{show(name)} is a board: choose {listed(played)}"
    return suggest(name, boards)


def find_board(id_or_path: str) -> str | Path:
    """Return the id or path of a board: the one given, or that of the edition given.

    >>> find_board("usa"), find_board("usa-mega")
    ('usa', 'usa')
    """
    if not is_path(id_or_path):
        return load_edition(id_or_path).board.id if id_or_path in _IDS else id_or_path
    path = Path(id_or_path)
    board = _board_named_in(path)
    return path if board is None else _board_source(path, board)


def is_board(id_or_path: str | os.PathLike[str]) -> bool:
    """Say whether an id or a path is a board and not an edition.

    >>> is_board("usa"), is_board("usa-classic")
    (True, False)
    """
    name = os.fspath(id_or_path)
    if isinstance(id_or_path, str) and not is_path(name):
        return name in board_ids() and name not in _IDS
    report = Report(name, EditionError)
    return kind_of(parse_toml(read_source(Path(name), report), report)) == "board"


def read_edition(document: dict[str, object], report: Report, board: Board | None = None) -> Edition:
    """Return the edition in a parsed document; raise the report's error if anything is wrong with it."""
    top = TomlTable(report, document)
    if kind_of(document) == "board":
        what = "this is a board, not an edition"
        report.add((), "", what, "give the edition file that says how it is played")
        raise report.error()
    refuse_misplaced(top, _KEYS)
    read_format(top)
    edition_id, name = top.id("id"), top.text("name")
    board = board if top.has("board") and board else _find_board(top)
    make = partial(
        Edition,
        id=edition_id,
        name=name,
        minutes=read.read_range(top, "minutes", 1, 999),
        players=read.read_range(top, "players", 2, SEATS),
        pieces=top.integer("pieces", 1, PIECES),
        opening_hand=top.integer("opening_hand", 1, HAND),
        face_up=top.integer("face_up", 0, FACE_UP),
        deck=read.read_deck(top),
        route_points=read.read_route_points(top),
        doubles_close_up_to=top.integer("doubles_close_up_to", 0, SEATS),
        tie_breaks=read.read_tie_breaks(top),
        words=read.read_words(top),
        ticket_rules=read.read_ticket_rules(top),
        end=read.read_end(top),
        bonuses=read.read_bonuses(top),
    )
    top.close()
    if board is None:
        raise report.error()
    edition = make(board=board, tickets=(), digest="")
    edition = replace(edition, tickets=resolve_tickets(top, edition.ticket_rules, board))
    verify_edition(top, edition)
    report.raise_if_any()
    return replace(edition, digest=_digest(edition))


def _find_board(top: TomlTable) -> Board | None:
    name = top.text("board", noun='the id of a board, or the path of a board file such as "my-board.toml"')
    if not name:
        return None
    file = Path(top.report.file)
    if hint := "" if is_path(name) or name in board_ids() else suggest_file(name, file.parent):
        top.note("board", f"there is no board {show(name)}", hint)
        return None
    try:
        return load_board(_board_source(file, name))
    except BoardError as error:
        top.report.include(("board",), error.problems)
    return None


def _board_source(edition: Path, board: str) -> str | Path:
    """Return the board that an edition file names; a path is relative to the folder of the edition."""
    return edition.parent / board if is_path(board) else board


def _board_named_in(path: Path) -> str | None:
    """Return the board that a file names if it is an edition; raise the problems of the file."""
    report = Report(str(path), EditionError)
    document = parse_toml(read_source(path, report), report)
    board = document.get("board")
    return board if kind_of(document) == "edition" and isinstance(board, str) else None


def _edition_beside(board: Path, report: Report) -> Path:
    """Return the only edition in the folder of a board that uses it."""
    found: list[Path] = []
    for file in sorted(board.parent.glob("*.toml")):
        with suppress(OSError, ValueError):  # other files in the folder may be anything
            name = _board_named_in(file)
            if name and is_path(name) and (board.parent / name).resolve() == board.resolve():
                found.append(file)
    if len(found) == 1:
        return found[0]
    if found:
        what, fix = "this is a board with several editions", f"give one: {listed(map(str, found))}"
    else:
        what = "this is a board, and no edition beside it is played on it"
        fix = f'write an edition file with board = "{board.name}", which says how it is played'
    report.add((), "", what, fix)
    raise report.error()


def _digest(edition: Edition) -> str:
    """Return the digest of what affects the rules: not names, words or playing time."""
    rules = edition.ticket_rules
    return digest_of(
        {
            "players": edition.players,
            "pieces": edition.pieces,
            "opening_hand": edition.opening_hand,
            "face_up": edition.face_up,
            "deck": asdict(edition.deck),
            "route_points": edition.route_points,
            "doubles_close_up_to": edition.doubles_close_up_to,
            "tie_breaks": edition.tie_breaks,
            "flow": [rules.flow, rules.deal, rules.deal_keep, rules.draw, rules.draw_keep],
            "end": asdict(edition.end),
            "bonuses": asdict(edition.bonuses),
            "board": edition.board.digest,
            "tickets": [[ticket.a, ticket.b, ticket.points] for ticket in edition.tickets],
        }
    )
