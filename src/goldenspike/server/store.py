"""The database: what is written and what is read back, by plain calls that block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from threading import Lock
from typing import Any, NamedTuple

from msgspec.structs import astuple
from sqlalchemy import Connection, Engine, Row, create_engine, event, insert, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from goldenspike.extras import need
from goldenspike.server.entry import Entry
from goldenspike.server.schema import ENTRIES, GAMES, SEATS

_BUSY_SECONDS = 30
_MOST_ASKED = 500
_CHUNK = 64
"""How many entries one statement adds at most. While a statement runs, other threads do; between two of them
this one waits for its turn, for milliseconds when the process is busy. So most transactions should be one
statement; but one of each length is kept prepared, and there should not be too many lengths."""
_PAGES = 250
"""How long SQLite's log of changes grows (1 MB) until whoever writes next moves it to where it belongs. All
others wait meanwhile: 4 ms for so many pages, 15 ms for SQLite's own thousand."""
_WAY = "write sqlite:///FILE or postgresql://USER@HOST/NAME."


class StoredGame(NamedTuple):
    """A row of `games`, and the hashes of its seats' secrets."""

    id: str
    edition: str
    rules: str
    players: int
    first: int | None
    seed: str
    setup: str
    watch_hash: bytes
    is_public: bool
    created: int
    ended: int | None
    branch_of: str | None
    rematch: str | None
    secret_hashes: tuple[bytes | None, ...] = ()


class Store:
    """A database of games, SQLite or PostgreSQL, by its URL."""

    def __init__(self, url: str, connections: int = 6) -> None:
        self.engine = open_engine(url, connections)
        self.is_remote = self.engine.dialect.name != "sqlite"
        self._writing: AbstractContextManager[object] = nullcontext() if self.is_remote else Lock()
        """Held by who writes. SQLite lets one connection write at a time, and has the others look
        again after pauses of up to a tenth of a second; here they go on at once."""
        dialect = postgresql if self.is_remote else sqlite
        # Of two entries with the same number only the first is kept.
        self._append = (
            dialect.insert(ENTRIES).on_conflict_do_nothing().returning(ENTRIES.c.game, ENTRIES.c.number)
        )
        self._adds = [_write_insert(self.engine, size) for size in range(_CHUNK + 1)]
        """The statement that adds so many entries, by their number."""

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    def ping(self) -> None:
        """Ask the database whether it is there."""
        with self.engine.connect() as connection:
            connection.execute(select(1))

    # What is written

    def create(self, game: StoredGame, entries: Iterable[Entry], *, before: str | None = None) -> bool:
        """Add a game with its first entries. As the rematch of another it is added only once."""
        with self._writing, self.engine.begin() as connection:
            if before is not None:
                taken = update(GAMES).where(GAMES.c.id == before, GAMES.c.rematch.is_(None))
                if connection.execute(taken.values(rematch=game.id)).rowcount == 0:
                    return False
            row = game._asdict()
            hashes: tuple[bytes | None, ...] = row.pop("secret_hashes")
            connection.execute(insert(GAMES), row)
            seats = [{"game": game.id, "seat": i, "secret_hash": h} for i, h in enumerate(hashes)]
            connection.execute(insert(SEATS), seats)
            connection.execute(insert(ENTRIES), [_row(entry) for entry in entries])
        return True

    def append(self, entries: Sequence[Entry]) -> list[bool]:
        """Add entries in one transaction; return for each whether it was added, or came too late."""
        # All processes in the same order, or two could each wait for what the other has written.
        ordered = sorted(entries, key=lambda entry: (entry.game, entry.number))
        with self._writing, self.engine.connect() as connection:
            # Nearly always all of them are new. That they were can be seen from their count, and to ask for
            # nothing more is several times faster.
            chunks = (ordered[start : start + _CHUNK] for start in range(0, len(ordered), _CHUNK))
            if sum(self._add(connection, chunk) for chunk in chunks) == len(entries):
                connection.commit()
                return [True] * len(entries)
            connection.rollback()
            added = {
                tuple(row) for row in connection.execute(self._append, [_row(entry) for entry in ordered])
            }
            connection.commit()
        kept: list[bool] = []
        for key in ((entry.game, entry.number) for entry in entries):
            kept.append(key in added)
            added.discard(key)  # of two with the same number, the first was added
        return kept

    def _add(self, connection: Connection, chunk: Sequence[Entry]) -> int:
        """Add entries by one statement; return how many were new."""
        values = tuple(chain.from_iterable(map(astuple, chunk)))
        return connection.exec_driver_sql(self._adds[len(chunk)], values).rowcount

    def take_seat(self, joined: Entry, secret_hash: bytes) -> bool:
        """Add the entry that somebody took a seat, and give the seat to their secret: both, or neither."""
        seat = update(SEATS).where(SEATS.c.game == joined.game, SEATS.c.seat == joined.seat)
        with self._writing, self.engine.begin() as connection:
            if not connection.execute(self._append, [_row(joined)]).all():
                return False
            connection.execute(seat.values(secret_hash=secret_hash))
        return True

    def finish(self, game: str, at: int) -> None:
        """Mark a game as ended, and drop its positions but the last."""
        with self._writing, self.engine.begin() as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == game).values(ended=at))
            last = select(ENTRIES.c.number).where(ENTRIES.c.game == game, ENTRIES.c.state.is_not(None))
            number = connection.execute(last.order_by(ENTRIES.c.number.desc()).limit(1)).scalar()
            old = update(ENTRIES).where(ENTRIES.c.game == game, ENTRIES.c.number < number)
            connection.execute(old.values(state=None))

    # What is read

    def game(self, game: str) -> StoredGame | None:
        """Return a game, or None."""
        with self.engine.connect() as connection:
            row = connection.execute(select(GAMES).where(GAMES.c.id == game)).one_or_none()
            return None if row is None else _game(connection, row)

    def entries(self, game: str, after: int = -1, until: int | None = None) -> list[Entry]:
        """Return the entries of a game after a number, in order."""
        chosen = select(ENTRIES).where(ENTRIES.c.game == game, ENTRIES.c.number > after)
        if until is not None:
            chosen = chosen.where(ENTRIES.c.number <= until)
        with self.engine.connect() as connection:
            rows = connection.execute(chosen.order_by(ENTRIES.c.number))
            return [Entry(**row) for row in rows.mappings()]

    def longer(self, known: Mapping[str, int]) -> list[str]:
        """Return those games whose log goes on after the number that is known of it."""
        found: list[str] = []
        nexts = [(game, number + 1) for game, number in known.items()]
        with self.engine.connect() as connection:
            for start in range(0, len(nexts), _MOST_ASKED):
                some = tuple_(ENTRIES.c.game, ENTRIES.c.number).in_(nexts[start : start + _MOST_ASKED])
                found += connection.execute(select(ENTRIES.c.game).where(some)).scalars()
        return found

    def by_token(self, game: str, token: str) -> Entry | None:
        """Return the entry that a client has called so, or None."""
        chosen = select(ENTRIES).where(ENTRIES.c.game == game, ENTRIES.c.token == token)
        with self.engine.connect() as connection:
            row = connection.execute(chosen).mappings().one_or_none()
            return None if row is None else Entry(**row)

    def free_games(self, limit: int) -> list[StoredGame]:
        """Return public games with a free seat, the newest first."""
        free = select(SEATS.c.game).where(SEATS.c.secret_hash.is_(None))
        chosen = select(GAMES).where(GAMES.c.is_public, GAMES.c.ended.is_(None), GAMES.c.id.in_(free))
        with self.engine.connect() as connection:
            rows = connection.execute(chosen.order_by(GAMES.c.created.desc()).limit(limit)).all()
            return [_game(connection, row) for row in rows]


def read_url(url: str) -> URL:
    """Return the parts of a database's address."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        raise ValueError(f"This is not the address of a database: {_WAY}") from None


def open_engine(url: str, connections: int) -> Engine:
    """Open a database. SQLite keeps every commit even if the machine loses power, not only the process."""
    parsed = read_url(url)
    if parsed.get_backend_name() == "postgresql":
        need("psycopg", "server")
        options: dict[str, Any] = {"connect_args": {"connect_timeout": 5}, "pool_timeout": 5}
        options["pool_pre_ping"] = True  # a file does not go away
        parsed = parsed.set(drivername="postgresql+psycopg")
    elif parsed.get_backend_name() == "sqlite":
        options = {"connect_args": {"timeout": _BUSY_SECONDS, "check_same_thread": False}}
    else:
        raise ValueError(f"{parsed.get_backend_name()!r} is no database we know: {_WAY}")
    # An error says what was tried, but not with which values: it may end up in a log.
    engine = create_engine(parsed, pool_size=connections, max_overflow=0, hide_parameters=True, **options)
    if parsed.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    settings = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"wal_autocheckpoint={_PAGES}")
    for setting in settings:
        connection.execute(f"PRAGMA {setting}")


def _write_insert(engine: Engine, size: int) -> str:
    """Return the statement that adds so many entries, as the driver takes it: all their fields in a row."""
    names = ", ".join(map(engine.dialect.identifier_preparer.quote, Entry.__struct_fields__))
    marks = ", ".join(["?" if engine.dialect.paramstyle == "qmark" else "%s"] * len(Entry.__struct_fields__))
    rows = ", ".join([f"({marks})"] * size)
    return f"INSERT INTO {ENTRIES.name} ({names}) VALUES {rows} ON CONFLICT DO NOTHING"


def _row(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__struct_fields__}


def _game(connection: Connection, row: Row[Any]) -> StoredGame:
    seats = select(SEATS.c.secret_hash).where(SEATS.c.game == row.id).order_by(SEATS.c.seat)
    return StoredGame(*row, secret_hashes=tuple(connection.execute(seats).scalars()))
