"""Load editions: those that come with the package by id, home-made ones by path."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from goldenspike.boards.digest import digest_of
from goldenspike.boards.limits import FACE_UP, HAND, PIECES, SEATS
from goldenspike.boards.load import load_board
from goldenspike.boards.problems import BoardError, DataError, Problem, Report
from goldenspike.boards.shape import Table, read_format
from goldenspike.boards.source import is_path, parse_toml, read_source
from goldenspike.boards.words import listed, show, suggest
from goldenspike.editions import read
from goldenspike.editions.model import Edition
from goldenspike.editions.tickets import resolve_tickets
from goldenspike.editions.verify import verify_edition

if TYPE_CHECKING:
    from goldenspike.boards.model import Board

_FOLDER = Path(__file__).parent
_IDS = ("usa-classic", "usa-1910", "usa-big-cities", "usa-mega", "new-york", "first-journey")


class EditionError(DataError):
    """Report everything that is wrong with an edition file, its board included."""


def edition_ids() -> tuple[str, ...]:
    """Return the ids of the editions that come with the package, the one to begin with first.

    >>> edition_ids()
    ('usa-classic', 'usa-1910', 'usa-big-cities', 'usa-mega', 'new-york', 'first-journey')
    """
    return _IDS


def load_edition(id_or_path: str | os.PathLike[str]) -> Edition:
    """Load an edition, with its board, by id or from a file.

    A text that ends in ".toml" or has a slash is a path, any other an id. Raise `EditionError`, with
    everything that is wrong, if there is no such edition or its file or its board cannot be used.

    >>> edition = load_edition("usa-big-cities")
    >>> edition.players, edition.board.name, len(edition.tickets)
    ((2, 5), 'United States', 35)
    """
    name = os.fspath(id_or_path)
    if isinstance(id_or_path, str) and not is_path(name):
        return _load_packaged(name)
    return parse_edition(read_source(Path(name), Report(name, EditionError)), name)


def parse_edition(text: str, file: str = "edition.toml", board: Board | None = None) -> Edition:
    """Return the edition that a TOML text describes; `file` is what error messages call it.

    With a `board`, play on it, whatever board the text names; otherwise a board named by path is looked for
    beside `file`.

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
        fix = suggest(edition_id, _IDS) or "an edition of your own is given as a path that ends in .toml"
        what = f"there is no edition {show(edition_id)}; the editions are {listed(_IDS, 'and')}"
        raise EditionError([Problem("", "", None, what, fix)])
    path = _FOLDER / f"{edition_id}.toml"
    return parse_edition(read_source(path, Report(path.name, EditionError)), path.name)


def read_edition(document: dict[str, object], report: Report, board: Board | None = None) -> Edition:
    """Return the edition in a parsed document; raise the report's error if anything is wrong with it."""
    top = Table(report, document)
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


def _find_board(top: Table) -> Board | None:
    name = top.text("board", noun='the id of a board, or the path of a board file such as "my-board.toml"')
    if not name:
        return None
    try:
        return load_board(Path(top.report.file).parent / name if is_path(name) else name)
    except BoardError as error:
        top.report.include(("board",), error.problems)
    return None


def _digest(edition: Edition) -> str:
    """Fingerprint what matters to the rules: not names, words or the time a game takes."""
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
