"""A game as the database keeps it, for tests that write to the database themselves."""

from __future__ import annotations

from goldenspike.server.store import StoredGame


def stored_game(name: str) -> StoredGame:
    """Return a game of two, one of them with a secret."""
    return StoredGame(
        name, "new-york", "", 2, 0, "00" * 32, "{}", bytes(32), is_public=False, created=0, ended=None,
        branch_of=None, rematch=None, secret_hashes=(bytes(32), None),
    )  # fmt: skip
