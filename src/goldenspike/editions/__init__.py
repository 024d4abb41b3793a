"""Editions: a board with numbers and a few named choices of rules, read from TOML files.

>>> from goldenspike.editions import load_edition
>>> edition = load_edition("new-york")
>>> edition.pieces, edition.words.piece, len(edition.tickets)
(15, 'taxi', 18)
"""

from goldenspike.editions.check import check_file
from goldenspike.editions.load import (
    EditionError,
    advise_edition,
    edition_ids,
    find_board,
    is_board,
    load_edition,
    parse_edition,
)
from goldenspike.editions.model import (
    Bonuses,
    Deck,
    Edition,
    EditionWords,
    EndRule,
    EndWhen,
    Flow,
    TicketRules,
    TieBreak,
)

__all__ = [
    "Bonuses",
    "Deck",
    "Edition",
    "EditionError",
    "EditionWords",
    "EndRule",
    "EndWhen",
    "Flow",
    "TicketRules",
    "TieBreak",
    "advise_edition",
    "check_file",
    "edition_ids",
    "find_board",
    "is_board",
    "load_edition",
    "parse_edition",
]
