"""Entries that collide in the database: each is stored or not, and its writer knows which."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import msgspec
import pytest
from sqlalchemy import text

from goldenspike.server.play.entry import Entry
from goldenspike.server.protocol.links import Key
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage.database import Database
from goldenspike.server.storage.migrate import upgrade
from goldenspike.server.storage.writer import Writer
from tests.server.stored import moved, said, stored_game

KEY = Key(b"a hash".ljust(32), 1, "device", 5)


def test_every_connection_waits_for_the_disk(store: Database) -> None:
    """Check that SQLite is FULL (2) and that commits of PostgreSQL wait; fsync is the operator's choice."""
    question, answer = ("SHOW synchronous_commit", "on") if store.is_remote else ("PRAGMA synchronous", 2)
    with ExitStack() as stack:
        connections = [stack.enter_context(store.engine.connect()) for _ in range(6)]
        assert [connection.execute(text(question)).scalar() for connection in connections] == [answer] * 6


def add_game(store: Database, name: str) -> str:
    store.create(stored_game(name), [said(name, 0, "here we go")])
    return name


def texts(store: Database, game: str) -> list[str | None]:
    return [entry.text for entry in store.entries(game)]


def write(store: Database, *entries: Entry) -> list[bool | str]:
    """Write entries in one batch; return whether each was stored, or the code of its problem."""

    async def append() -> list[bool | str]:
        writer = Writer(store)
        answers = await asyncio.gather(*map(writer.append, entries), return_exceptions=True)
        await writer.close()
        return [answer.code if isinstance(answer, Problem) else bool(answer) for answer in answers]

    return asyncio.run(append())


def test_of_two_entries_with_one_number_the_first_is_kept(store: Database) -> None:
    game = add_game(store, "one")
    assert write(store, said(game, 1, "first"), said(game, 1, "second")) == [True, False]
    assert write(store, said(game, 1, "third")) == [False]
    assert texts(store, game) == ["here we go", "first"]


def test_an_entry_of_a_removed_game_does_not_affect_others(store: Database) -> None:
    game = add_game(store, "one")
    assert write(store, said(game, 1, "before"), said("gone", 1, "lost"), said(game, 2, "after")) == [
        True,
        False,
        True,
    ]
    assert texts(store, game) == ["here we go", "before", "after"]


def test_a_seat_is_taken_together_with_its_entry_or_not_at_all(store: Database) -> None:
    game = add_game(store, "one")
    write(store, said(game, 1, "I was faster"))
    joined = Entry.joined(game, 1, 0, 1, "Ben")
    assert store.take_seat(joined, KEY) is False
    stored = store.game(game)
    assert stored is not None
    assert (stored.free, KEY in stored.keys) == ({1}, False)
    assert store.take_seat(msgspec.structs.replace(joined, number=2), KEY) is True
    stored = store.game(game)
    assert stored is not None
    assert (stored.free, KEY in stored.keys) == (set(), True)
    assert texts(store, game) == ["here we go", "I was faster", "Ben"]


def test_writers_of_a_file_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "goldenspike.server.storage.database._BUSY_SECONDS", 0
    )  # SQLite refuses instead of waiting
    store = Database(f"sqlite:///{tmp_path}/games.db")
    upgrade(store.engine)
    games = [add_game(store, f"game {n}") for n in range(200)]
    store.append([moved(game, 1) for game in games])
    start = Barrier(3)

    def finish_all() -> None:
        start.wait(timeout=60)
        for game in games:
            store.finish(game, at=1)

    def create_all() -> None:
        start.wait(timeout=60)
        for game in games:
            add_game(store, f"{game}, again")

    def append_all() -> None:
        start.wait(timeout=60)
        for game in games:
            assert store.append([said(game, 2, "on")]) == [True]

    with ThreadPoolExecutor() as threads:
        for running in [threads.submit(work) for work in (finish_all, create_all, append_all)]:
            running.result()
    store.close()


def test_the_write_ahead_log_stays_short(tmp_path: Path) -> None:
    store = Database(f"sqlite:///{tmp_path}/games.db")
    upgrade(store.engine)
    game = add_game(store, "one")
    for number in range(1, 1000):
        store.append([moved(game, number, bytes(1000))])
    assert 0 < (tmp_path / "games.db-wal").stat().st_size < 1_500_000
    store.close()


def test_batches_in_any_order_do_not_wait_for_each_other(postgres_url: str) -> None:
    stores = [Database(postgres_url), Database(postgres_url)]
    upgrade(stores[0].engine)
    games = [add_game(stores[0], f"game {n}") for n in range(100)]
    start = Barrier(2)

    def append_all(mine: int) -> int:
        """Write to all games, in one order or the other; return how many entries were stored."""
        kept = 0
        for number in range(1, 12):
            entries = [said(game, number, str(mine)) for game in games[:: 1 if mine else -1]]
            start.wait(timeout=60)
            kept += sum(stores[mine].append(entries))
        return kept

    with ThreadPoolExecutor() as threads:
        assert sum(threads.map(append_all, [0, 1])) == 1100
    for store in stores:
        store.close()
