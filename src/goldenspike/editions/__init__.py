"""Editions: the ways to play, each a board with numbers and a few named choices, read from TOML files.

>>> from goldenspike.editions import load_edition
>>> edition = load_edition("new-york")
>>> edition.pieces, edition.words.piece, len(edition.tickets)
(15, 'taxi', 18)
"""

from goldenspike.editions.check import check_file
from goldenspike.editions.load import EditionError, edition_ids, load_edition, parse_edition
from goldenspike.editions.model import (
    Bonuses,
    Deck,
    Edition,
    End,
    EndWhen,
    Flow,
    TicketRules,
    TieBreak,
    Words,
)

__all__ = [
    "Bonuses",
    "Deck",
    "Edition",
    "EditionError",
    "End",
    "EndWhen",
    "Flow",
    "TicketRules",
    "TieBreak",
    "Words",
    "check_file",
    "edition_ids",
    "load_edition",
    "parse_edition",
]
