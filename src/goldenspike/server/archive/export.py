"""Export of records for the operator, including games that are not over."""

from __future__ import annotations

from goldenspike.editions import Edition
from goldenspike.server.archive.archive import record_of
from goldenspike.server.archive.history import restore_states
from goldenspike.server.play.catalogue import Catalogue
from goldenspike.server.play.entry import Entry
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage.database import Database, StoredGame


def export_record(database: Database, catalogue: Catalogue, game: str) -> str:
    """Return the record of a game; raise `ValueError` with the reason if that is impossible."""
    stored, entries = database.game(game), database.entries(game)
    if stored is None or not entries:
        raise ValueError("it was removed meanwhile.")
    try:
        edition = catalogue.get(stored.edition)
    except Problem as problem:
        raise ValueError(f"{problem} Name their folder with --editions or --config.") from None
    if edition.digest != stored.rules:
        raise ValueError(f"it was played with another version of the edition {stored.edition!r}.")
    return record_of(_revive(stored, edition, entries), entries)


def _revive(stored: StoredGame, edition: Edition, entries: list[Entry]) -> LiveGame:
    try:
        return LiveGame(stored, edition, entries)
    except ValueError:  # an older version wrote the positions: replay the moves
        try:
            return LiveGame(stored, edition, restore_states(stored, edition, entries))
        except ValueError:
            raise ValueError("its log is damaged, so its moves cannot be played again.") from None
