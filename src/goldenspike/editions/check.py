"""Check and summarise a board or edition file, for its author."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from goldenspike.boards.load import board_ids, load_board, parse_board
from goldenspike.boards.summary import format_summary, format_tickets, summarise, summarise_tickets
from goldenspike.datafiles.problems import BoardError, Report
from goldenspike.datafiles.source import kind_of, parse_toml, read_source
from goldenspike.editions.load import edition_ids, load_edition, parse_edition

if TYPE_CHECKING:
    from goldenspike.editions.model import Edition


def check_file(path: str | os.PathLike[str]) -> str:
    """Check a board file, or an edition file with its board, and return a summary as plain text.

    The id of a packaged board or edition is accepted too. Raise `DataError`, with all problems, if the file
    is invalid.

    >>> import goldenspike.boards
    >>> folder = Path(goldenspike.boards.__file__).parent
    >>> print(check_file(folder / "first-journey.toml").splitlines()[0])
    First Journey: 19 cities, 64 routes (25 doubles), 133 spaces
    """
    name = os.fspath(path)
    if name in edition_ids():
        return _describe(load_edition(name))
    if name in board_ids():
        return format_summary(summarise(load_board(name)))
    report = Report(name, BoardError)
    text = read_source(Path(name), report)
    # A file of unknown kind is checked as a board, because authors write the board first.
    if kind_of(parse_toml(text, report)) == "edition":
        return _describe(parse_edition(text, name))
    return format_summary(summarise(parse_board(text, name)))


def _describe(edition: Edition) -> str:
    return f"{format_edition(edition)}\n\n{format_summary(summarise(edition.board))}"


def format_edition(edition: Edition) -> str:
    """Return the numbers of an edition as plain text.

    >>> from goldenspike.editions import load_edition
    >>> print(format_edition(load_edition("first-journey")))
    First Journey: 2 to 4 players, 72 cards, 20 pieces each
      tickets  32, from 3 (ATL-NYC) to 5 (ABQ-DUL) spaces; no points
    """
    low, high = edition.players
    tickets = format_tickets(summarise_tickets(edition.board, edition.tickets))
    players = f"{low} to {high}" if low < high else f"{low}"
    head = f"{edition.name}: {players} players, {edition.cards} cards, {edition.pieces} pieces each"
    return f"{head}\n  tickets  {tickets}"
