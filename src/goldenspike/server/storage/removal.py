"""Removing games, or only their names and chat, while a server may be running on the database."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, delete, func, select, update

from goldenspike.server.play.entry import Entry, chain_hash
from goldenspike.server.storage.schema import ENTRIES, GAMES, METADATA
from goldenspike.server.storage.summary import is_idle_since

CHUNK = 5
"""Games removed in one transaction. With five long games, other writers to SQLite wait up to 50 ms."""
_MOST_ASKED = 500
LOCK = 0x476F6C64656E5370
"""The key of our advisory lock in PostgreSQL, chosen not to collide with other programs."""
_REDACTED = "\u2026"
"""Replaces a chat message: an ellipsis, which needs no translation."""


def remove_games(
    engine: Engine, games: Sequence[str], before: int, show: Callable[[int], None] = lambda _: None
) -> int:
    """Remove games with all their rows; return how many. A game that is no longer idle is kept.

    `show` is called after each transaction with the number of games that it processed.
    """
    removed = 0
    for start in range(0, len(games), CHUNK):
        chunk = games[start : start + CHUNK]
        with _begin_removal(engine) as connection:
            removed += _remove_idle(connection, chunk, before)
        show(len(chunk))
    return removed


def find_idle(engine: Engine, before: int) -> list[str]:
    """Return the games in which nothing has happened since a time, in milliseconds since 1970."""
    with engine.connect() as connection:
        return list(connection.execute(select(GAMES.c.id).where(is_idle_since(before))).scalars())


def remove_alone(engine: Engine, games: Sequence[str], before: int) -> int | None:
    """Remove games in one transaction; return how many, or None if another process is removing some."""
    with _begin_removal(engine) as connection:
        if engine.dialect.name == "postgresql":  # on SQLite there is one process
            is_ours = connection.execute(select(func.pg_try_advisory_xact_lock(LOCK))).scalar()
            if not is_ours:
                return None
        return _remove_idle(connection, games, before)


def redact_game(engine: Engine, game: str, seat: int | None = None) -> None:
    """Remove the names and the chat of a game, or only those of a seat; its moves stay."""
    with _begin_removal(engine) as connection:
        chosen = select(GAMES.c.setup).where(GAMES.c.id == game).with_for_update()
        setup: dict[str, Any] = msgspec.json.decode(connection.execute(chosen).scalar_one())
        for index, wish in enumerate(setup["seats"]):
            if seat in {None, index}:
                wish.pop("name", None)
        changed = update(GAMES).where(GAMES.c.id == game)
        connection.execute(changed.values(setup=msgspec.json.encode(setup).decode()))
        log = select(ENTRIES).where(ENTRIES.c.game == game).order_by(ENTRIES.c.number)
        previous: str | None = None
        for row in connection.execute(log).mappings().all():
            entry = Entry(**row)
            if entry.kind in {"joined", "said"} and seat in {None, entry.seat}:
                entry = msgspec.structs.replace(entry, text=_REDACTED if entry.kind == "said" else None)
            # The chain covers the text. With the old chain a server would treat the log as damaged.
            previous = None if entry.chain is None else chain_hash(previous, entry)
            place = update(ENTRIES).where(ENTRIES.c.game == game, ENTRIES.c.number == entry.number)
            connection.execute(place.values(text=entry.text, chain=previous))


def delete_game(engine: Engine, game: str) -> bool:
    """Remove a game with all its rows, whatever its age; return whether it existed."""
    with _begin_removal(engine) as connection:
        # Waits for entries that are being written; later ones wait for this transaction and are then refused.
        found = connection.execute(select(GAMES.c.id).where(GAMES.c.id == game).with_for_update()).all()
        _remove(connection, [game])
    return bool(found)


@contextmanager
def _begin_removal(engine: Engine) -> Generator[Connection]:
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA secure_delete=ON")  # overwrite removed rows
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # lock before reading: SQLite ignores FOR UPDATE
        yield connection


def _remove_idle(connection: Connection, games: Sequence[str], before: int) -> int:
    # A locked game is being written to, so it is not idle.
    lock = select(GAMES.c.id).where(GAMES.c.id.in_(games)).with_for_update(skip_locked=True)
    locked = connection.execute(lock).scalars().all()
    idle = select(GAMES.c.id).where(GAMES.c.id.in_(locked), is_idle_since(before))
    return _remove(connection, connection.execute(idle).scalars().all())


def _remove(connection: Connection, games: Sequence[str]) -> int:
    """Remove games, first from the tables that refer to them."""
    for table in reversed(METADATA.sorted_tables):
        if "game" in table.c:
            connection.execute(delete(table).where(table.c.game.in_(games)))
    return connection.execute(delete(GAMES).where(GAMES.c.id.in_(games))).rowcount


def find_missing(engine: Engine, games: Sequence[str]) -> list[str]:
    """Return the given games that are not in the database."""
    found: set[str] = set()
    with engine.connect() as connection:
        for start in range(0, len(games), _MOST_ASKED):
            some = GAMES.c.id.in_(games[start : start + _MOST_ASKED])
            found.update(connection.execute(select(GAMES.c.id).where(some)).scalars())
    return [game for game in games if game not in found]
