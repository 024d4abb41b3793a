"""The database of games: blocking calls that write and read games, keys and log entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from threading import Lock
from typing import Any, NamedTuple

from msgspec.structs import astuple
from sqlalchemy import (
    Connection,
    Engine,
    Row,
    and_,
    create_engine,
    delete,
    event,
    insert,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from goldenspike.extras import need
from goldenspike.server.play.entry import Entry, follows, intact_prefix, now, with_chains
from goldenspike.server.protocol.links import Key
from goldenspike.server.storage.schema import ENTRIES, GAMES, KEYS, SEATS

_BUSY_SECONDS = 30
_MOST_ASKED = 500
_CHUNK = 64
"""The most entries that one statement adds. A statement releases the GIL while it runs, but between two
statements this thread waits for the GIL, for milliseconds when the process is busy. So most transactions
should be one statement. A statement is kept for each length, so there should not be too many lengths."""
_PAGES = 250
"""Pages in SQLite's write-ahead log (1 MB) after which the next writer runs a checkpoint. All other writers
wait meanwhile: 4 ms for 250 pages, 15 ms for SQLite's default of 1000."""
_WAY = "write sqlite:///FILE or postgresql://USER@HOST/NAME."


class StoredGame(NamedTuple):
    """A row of `games`, with the keys and the free seats of the game."""

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
    keys: tuple[Key, ...] = ()
    free: frozenset[int] = frozenset()
    """The seats that any player may take."""


class SpentError(Exception):
    """The invitation or the code was used already."""


class Database:
    """A SQLite or PostgreSQL database of games, opened by its URL."""

    def __init__(self, url: str, connections: int = 6) -> None:
        self.engine = open_engine(url, connections)
        self.is_remote = self.engine.dialect.name != "sqlite"
        self._writing: AbstractContextManager[object] = nullcontext() if self.is_remote else Lock()
        """Held by the writing thread. SQLite lets one connection write at a time, and makes the others poll
        with pauses of up to 0.1 s; with this lock they continue at once."""
        dialect = postgresql if self.is_remote else sqlite
        # Of two entries with the same number only the first is stored.
        self._append = (
            dialect.insert(ENTRIES).on_conflict_do_nothing().returning(ENTRIES.c.game, ENTRIES.c.number)
        )
        self._adds = [_write_insert(self.engine, size) for size in range(_CHUNK + 1)]
        """The statements that add entries, indexed by how many they add."""
        self._finds = [_write_find(self.engine, size) for size in range(_CHUNK + 1)]
        """The statements that find the chains of entries, indexed by how many they look up."""

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def ping(self) -> None:
        """Check that the database answers."""
        with self.engine.connect() as connection:
            connection.execute(select(1))

    def try_writing(self) -> None:
        """Check that the database can be written to, with an update that changes nothing.

        Reading is not enough, because it works on a full disk.
        """
        with self._writing, self.engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = version_num"))

    # Writing

    def create(self, game: StoredGame, entries: Iterable[Entry], *, before: str | None = None) -> bool:
        """Add a game with its first entries; return whether it was added.

        With `before`, the game is the rematch of that game, and is added only if there is no rematch yet.
        """
        with self._writing, self.engine.begin() as connection:
            if before is not None:
                taken = update(GAMES).where(GAMES.c.id == before, GAMES.c.rematch.is_(None))
                if connection.execute(taken.values(rematch=game.id)).rowcount == 0:
                    return False
            row = game._asdict()
            del row["keys"], row["free"]
            connection.execute(insert(GAMES), row)
            seats = [{"game": game.id, "seat": i, "is_free": i in game.free} for i in range(game.players)]
            connection.execute(insert(SEATS), seats)
            if game.keys:
                connection.execute(insert(KEYS), [{"game": game.id, **key._asdict()} for key in game.keys])
            connection.execute(insert(ENTRIES), [_row(entry) for entry in with_chains(entries)])
        return True

    def append(self, entries: Sequence[Entry]) -> list[bool]:
        """Add entries in one transaction; return for each whether it was added.

        An entry is not added if its number is taken, or if it does not follow the last entry of its log. The
        latter means that the database is older than the memory of the process, after a failover or a restored
        backup.
        """
        # All processes insert in the same order, because otherwise two transactions could deadlock.
        ordered = sorted(entries, key=lambda entry: (entry.game, entry.number))
        with self._writing, self.engine.connect() as connection:
            if not all(chunk_follows := self._follow(connection, ordered)):
                ordered = [entry for entry, is_next in zip(ordered, chunk_follows, strict=True) if is_next]
            # Nearly always all of them are new. The row count shows that, and is several times faster than
            # RETURNING.
            chunks = (ordered[start : start + _CHUNK] for start in range(0, len(ordered), _CHUNK))
            if sum(self._add(connection, chunk) for chunk in chunks) == len(ordered):
                connection.commit()
                if len(ordered) == len(entries):
                    return [True] * len(entries)
                added = {(entry.game, entry.number) for entry in ordered}
            else:
                connection.rollback()
                rows = connection.execute(self._append, [_row(entry) for entry in ordered])
                added = {(row.game, row.number) for row in rows}
                connection.commit()
        kept: list[bool] = []
        for key in ((entry.game, entry.number) for entry in entries):
            kept.append(key in added)
            added.discard(key)  # of two entries with the same number, the first was added
        return kept

    def _add(self, connection: Connection, chunk: Sequence[Entry]) -> int:
        """Add entries with one statement; return how many were new."""
        values = tuple(chain.from_iterable(map(astuple, chunk)))
        return connection.exec_driver_sql(self._adds[len(chunk)], values).rowcount

    def _follow(self, connection: Connection, entries: Sequence[Entry]) -> list[bool]:
        """Return for each entry whether the log has the previous entry that it was chained to."""
        chains: dict[tuple[str, int], str | None] = {}
        for start in range(0, len(entries), _CHUNK):
            chunk = entries[start : start + _CHUNK]
            values = tuple(chain.from_iterable((entry.game, entry.number - 1) for entry in chunk))
            rows = connection.exec_driver_sql(self._finds[len(chunk)], values)
            chains |= {(game, number): found for game, number, found in rows}
        for entry in entries:
            chains.setdefault((entry.game, entry.number), entry.chain)  # the next entry may be in this batch
        keys = ((entry, (entry.game, entry.number - 1)) for entry in entries)
        return [key in chains and follows(chains[key], entry) for entry, key in keys]

    def take_seat(self, joined: Entry, key: Key) -> bool:
        """Add the entry of a player who took a free seat, and the player's key, in one transaction."""
        seat = update(SEATS).where(SEATS.c.game == joined.game, SEATS.c.seat == joined.seat)
        with self._writing, self.engine.begin() as connection:
            if not self._add_alone(connection, joined):
                return False
            connection.execute(seat.values(is_free=False))
            connection.execute(insert(KEYS), {"game": joined.game, **key._asdict()})
        return True

    def add_key(self, game: str, key: Key, entry: Entry | None = None) -> bool:
        """Add a key and its entry. An invitation or a code replaces the seat's previous one."""
        with self._writing, self.engine.begin() as connection:
            if entry is not None and not self._add_alone(connection, entry):
                return False
            same = (KEYS.c.game == game, KEYS.c.seat == key.seat, KEYS.c.kind == key.kind)
            if key.kind != "device":
                connection.execute(delete(KEYS).where(*same))
            connection.execute(insert(KEYS), {"game": game, **key._asdict()})
        return True

    def spend_key(self, entry: Entry, spent: Key, key: Key, *, is_only: bool) -> bool:
        """Replace an invitation or a code by a device key, and add the entry, in one transaction.

        With `is_only` the keys of the seat's other devices are deleted. Raise :class:`SpentError` if the
        invitation was used already.
        """
        old = (KEYS.c.game == entry.game, KEYS.c.secret_hash == spent.secret_hash, KEYS.c.kind == spent.kind)
        with self._writing, self.engine.begin() as connection:
            if connection.execute(delete(KEYS).where(*old)).rowcount != 1:
                raise SpentError
            if not self._add_alone(connection, entry):
                connection.rollback()
                return False
            if is_only:
                devices = (KEYS.c.game == entry.game, KEYS.c.seat == key.seat, KEYS.c.kind == "device")
                connection.execute(delete(KEYS).where(*devices))
            connection.execute(insert(KEYS), {"game": entry.game, **key._asdict()})
        return True

    def find_code(self, secret_hash: bytes, since: int) -> str | None:
        """Return the game of a code that was created at or after a time, or None."""
        chosen = select(KEYS.c.game).where(
            KEYS.c.secret_hash == secret_hash, KEYS.c.kind == "code", KEYS.c.at >= since
        )
        with self.engine.connect() as connection:
            return connection.execute(chosen).scalar_one_or_none()

    def _add_alone(self, connection: Connection, entry: Entry) -> bool:
        """Add one entry within a transaction; return whether it was added."""
        if not all(self._follow(connection, [entry])):
            return False
        return bool(connection.execute(self._append, [_row(entry)]).all())

    def finish(self, game: str, at: int) -> None:
        """Mark a game as ended, and drop all of its positions except the last."""
        with self._writing, self.engine.begin() as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == game).values(ended=at))
            last = select(ENTRIES.c.number).where(ENTRIES.c.game == game, ENTRIES.c.state.is_not(None))
            number = connection.execute(last.order_by(ENTRIES.c.number.desc()).limit(1)).scalar()
            old = update(ENTRIES).where(ENTRIES.c.game == game, ENTRIES.c.number < number)
            connection.execute(old.values(state=None))

    # Reading

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

    def entries_after(self, known: Mapping[str, int]) -> dict[str, list[Entry]]:
        """Return the entries of several games after the last known number of each, in order."""
        found: dict[str, list[Entry]] = {}
        games = list(known.items())
        with self.engine.connect() as connection:
            for start in range(0, len(games), _MOST_ASKED):
                some = [
                    and_(ENTRIES.c.game == game, ENTRIES.c.number > number)
                    for game, number in games[start : start + _MOST_ASKED]
                ]
                rows = connection.execute(select(ENTRIES).where(or_(*some)).order_by(ENTRIES.c.number))
                for row in rows.mappings():
                    found.setdefault(row["game"], []).append(Entry(**row))
        return found

    def cut(self, game: str) -> Sequence[Entry]:
        """Delete the part of a log after its first gap, because it cannot be replayed; return the log.

        An entry is added that says how many were lost. The log is read again under a lock, because another
        process may have cut it already.
        """
        with self._writing, self.engine.begin() as connection:
            # The first statement locks SQLite's file; the second makes other writers of PostgreSQL wait.
            connection.execute(update(GAMES).where(GAMES.c.id == game).values(id=GAMES.c.id))
            connection.execute(select(GAMES.c.id).where(GAMES.c.id == game).with_for_update())
            chosen = select(ENTRIES).where(ENTRIES.c.game == game).order_by(ENTRIES.c.number)
            entries = [Entry(**row) for row in connection.execute(chosen).mappings()]
            whole = intact_prefix(entries)
            if not whole or len(whole) == len(entries):
                return whole
            last = whole[-1]
            [note] = with_chains(
                [Entry.restored(game, last.number + 1, now(), entries[-1].number - last.number)], last.chain
            )
            connection.execute(delete(ENTRIES).where(ENTRIES.c.game == game, ENTRIES.c.number > last.number))
            connection.execute(insert(ENTRIES), _row(note))
            connection.execute(update(GAMES).where(GAMES.c.id == game).values(ended=None))
        return [*whole, note]

    def longer(self, known: Mapping[str, int]) -> list[str]:
        """Return the games whose log has entries after the last known number."""
        found: list[str] = []
        nexts = [(game, number + 1) for game, number in known.items()]
        with self.engine.connect() as connection:
            for start in range(0, len(nexts), _MOST_ASKED):
                some = tuple_(ENTRIES.c.game, ENTRIES.c.number).in_(nexts[start : start + _MOST_ASKED])
                found += connection.execute(select(ENTRIES.c.game).where(some)).scalars()
        return found

    def by_token(self, game: str, token: str) -> Entry | None:
        """Return the entry with this token, or None."""
        chosen = select(ENTRIES).where(ENTRIES.c.game == game, ENTRIES.c.token == token)
        with self.engine.connect() as connection:
            row = connection.execute(chosen).mappings().one_or_none()
            return None if row is None else Entry(**row)

    def free_games(self, limit: int) -> list[StoredGame]:
        """Return public games with a free seat, the newest first."""
        free = select(SEATS.c.game).where(SEATS.c.is_free)
        chosen = select(GAMES).where(GAMES.c.is_public, GAMES.c.ended.is_(None), GAMES.c.id.in_(free))
        with self.engine.connect() as connection:
            rows = connection.execute(chosen.order_by(GAMES.c.created.desc()).limit(limit)).all()
            return [_game(connection, row) for row in rows]


def read_url(url: str) -> URL:
    """Return the parsed URL of a database."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        raise ValueError(f"This is not the address of a database: {_WAY}") from None


def open_engine(url: str, connections: int) -> Engine:
    """Open a database. SQLite is set up so that a commit survives a power failure."""
    parsed = read_url(url)
    if parsed.get_backend_name() == "postgresql":
        need("psycopg", "server")
        options: dict[str, Any] = {"connect_args": {"connect_timeout": 5}, "pool_timeout": 5}
        options["pool_pre_ping"] = True  # not needed for SQLite, whose file cannot disconnect
        parsed = parsed.set(drivername="postgresql+psycopg")
    elif parsed.get_backend_name() == "sqlite":
        options = {"connect_args": {"timeout": _BUSY_SECONDS, "check_same_thread": False}}
    else:
        raise ValueError(f"{parsed.get_backend_name()!r} is no database we know: {_WAY}")
    # Errors show the statement but not its parameters, because they may be logged.
    engine = create_engine(parsed, pool_size=connections, max_overflow=0, hide_parameters=True, **options)
    if parsed.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    settings = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"wal_autocheckpoint={_PAGES}")
    for setting in settings:
        connection.execute(f"PRAGMA {setting}")


def _write_insert(engine: Engine, size: int) -> str:
    """Return the driver's SQL that adds `size` entries; its parameters are all their fields in sequence."""
    names = ", ".join(map(engine.dialect.identifier_preparer.quote, Entry.__struct_fields__))
    marks = ", ".join(["?" if engine.dialect.paramstyle == "qmark" else "%s"] * len(Entry.__struct_fields__))
    rows = ", ".join([f"({marks})"] * size)
    return f"INSERT INTO {ENTRIES.name} ({names}) VALUES {rows} ON CONFLICT DO NOTHING"


def _write_find(engine: Engine, size: int) -> str:
    """Return the driver's SQL that finds the chains of `size` entries, by their games and numbers.

    The join makes SQLite look up each entry in the index; with `IN (VALUES ...)` it scans the whole table.
    """
    mark = "?" if engine.dialect.paramstyle == "qmark" else "%s"
    pairs = ", ".join([f"({mark}, {mark})"] * max(size, 1))
    return (
        f"WITH wanted (game, number) AS (VALUES {pairs}) "
        f"SELECT found.game, found.number, found.chain FROM wanted CROSS JOIN {ENTRIES.name} AS found "
        "WHERE found.game = wanted.game AND found.number = wanted.number"
    )


def _row(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__struct_fields__}


def _game(connection: Connection, row: Row[Any]) -> StoredGame:
    free = select(SEATS.c.seat).where(SEATS.c.game == row.id, SEATS.c.is_free)
    keys = select(KEYS.c.secret_hash, KEYS.c.seat, KEYS.c.kind, KEYS.c.at).where(KEYS.c.game == row.id)
    found = connection.execute(keys.order_by(KEYS.c.seat, KEYS.c.at)).all()
    return StoredGame(
        *row,
        keys=tuple(Key(*key) for key in found),
        free=frozenset(connection.execute(free).scalars()),
    )
