"""Stored games, for tests that write to the database themselves."""

from __future__ import annotations

import json
from functools import cache

from goldenspike.editions import load_edition
from goldenspike.game import Game
from goldenspike.server.archive.history import log_of
from goldenspike.server.play.entry import Entry, now
from goldenspike.server.protocol.links import Key
from goldenspike.server.storage.database import Database, StoredGame
from goldenspike.simulation import random_game

DAY = 24 * 3_600_000

SETUP = '{"seats":[{"who":"link","name":"Ann"},{"who":"bot","level":"easy"}]}'


def stored_game(name: str) -> StoredGame:
    """Return a game of a person with a key and a bot."""
    return StoredGame(
        name, "new-york", "", 2, 0, "00" * 32, SETUP, bytes(32), is_public=False, created=0, ended=None,
        branch_of=None, rematch=None, keys=(Key(bytes(32), 0, "device", 0),), free=frozenset({1}),
    )  # fmt: skip


def started(game: str, at: int = 0) -> Entry:
    """Return the first entry of a game that is never opened."""
    return Entry.started(game, at, events=b"", state=b"a position", state_hash="")


def said(game: str, number: int, chat: str = "Hello.", at: int = 0) -> Entry:
    """Return a chat message of the first seat."""
    return Entry.said(game, number, at, 0, None, chat)


def moved(game: str, number: int, state: bytes = b"a position") -> Entry:
    """Return a move in a game that is never opened."""
    return Entry.moved(
        game, number, 0, 0, None, move=0, text="", events=b"", state=state, state_hash="", reveals=False
    )


def keep(
    url: str,
    name: str,
    created: int,
    *days: int,
    is_over: bool = False,
    setup: str = SETUP,
    edition: str = "new-york",
    joined: str | None = None,
    said: str | None = None,
) -> None:
    """Store a game that was dealt this many days ago, with entries of the given ages in days."""
    today = now()
    store = Database(url, 1)
    entries = [Entry.said(name, n, today - ago * DAY, 0, None, said) for n, ago in enumerate(days)]
    if joined is not None:
        entries.append(Entry.joined(name, len(entries), entries[-1].at, 0, joined))
    store.create(
        stored_game(name)._replace(
            edition=edition, setup=setup, created=today - created * DAY, ended=today if is_over else None
        ),
        entries,
    )
    store.close()


def fill(url: str) -> None:
    """Store four games: one that is old, one that has ended, one that is active and one that is new."""
    keep(url, "old", 100, 100, 95)
    keep(url, "ended", 100, 100, 95, is_over=True)
    keep(url, "busy", 100, 100, 2)
    keep(url, "new", 1, 1)


@cache
def played_game() -> Game:
    """Play a game at random."""
    return random_game(load_edition("new-york"), 2, b"export".ljust(32))


def keep_played(url: str, name: str, *, actions: int | None = None) -> None:
    """Store a real game with a chat message at the end; or only its first `actions`, not over."""
    game = played_game()
    entries = log_of(game, name, now())[: None if actions is None else actions + 1]
    chat = Entry.said(name, len(entries), now(), 1, None, "Well played, Ann")
    setup = {"seats": [{"who": "link", "name": "Ann"}, {"who": "link", "name": "Ben"}]}
    stored = stored_game(name)._replace(
        keys=tuple(Key(bytes([seat]) * 32, seat, "device", 0) for seat in (0, 1)),
        free=frozenset[int](),
        rules=game.edition.digest,
        first=game.first,
        seed=game.seed.hex(),
        setup=json.dumps(setup),
        created=now(),
        ended=now() if actions is None else None,
    )
    store = Database(url, 1)
    store.create(stored, [*entries, chat])
    store.close()
