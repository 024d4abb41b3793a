"""Entries that collide on their way into the database: each is kept or not, and its writer knows which."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import msgspec
import pytest

from goldenspike.server.entry import Entry
from goldenspike.server.migrate import upgrade
from goldenspike.server.problems import Problem
from goldenspike.server.store import Store
from goldenspike.server.writer import Writer
from tests.server.stored import stored_game


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Open an empty database of either kind."""
    is_sqlite = request.param == "sqlite"
    store = Store(f"sqlite:///{tmp_path}/games.db" if is_sqlite else request.getfixturevalue("postgres_url"))
    upgrade(store.engine)
    yield store
    store.close()


def add_game(store: Store, name: str) -> str:
    store.create(stored_game(name), [said(name, 0, "here we go")])
    return name


def said(game: str, number: int, text: str, token: str | None = None) -> Entry:
    return Entry(game, number, "said", 0, 0, token, text=text)


def texts(store: Store, game: str) -> list[str | None]:
    return [entry.text for entry in store.entries(game)]


def write(store: Store, *entries: Entry) -> list[bool | str]:
    """Write entries in one batch; return whether each was kept, or the code of its problem."""

    async def append() -> list[bool | str]:
        writer = Writer(store)
        answers = await asyncio.gather(*map(writer.append, entries), return_exceptions=True)
        await writer.close()
        return [answer.code if isinstance(answer, Problem) else bool(answer) for answer in answers]

    return asyncio.run(append())


def test_of_two_entries_with_one_number_the_first_is_kept(store: Store) -> None:
    game = add_game(store, "one")
    assert write(store, said(game, 1, "first"), said(game, 1, "second")) == [True, False]
    assert write(store, said(game, 1, "third")) == [False]
    assert texts(store, game) == ["here we go", "first"]


def test_an_entry_of_a_removed_game_hurts_no_other(store: Store) -> None:
    game = add_game(store, "one")
    assert write(store, said(game, 1, "before"), said("gone", 1, "lost"), said(game, 2, "after")) == [
        True,
        "unknown_game",
        True,
    ]
    assert texts(store, game) == ["here we go", "before", "after"]


def test_a_seat_is_taken_together_with_its_entry_or_not_at_all(store: Store) -> None:
    game = add_game(store, "one")
    write(store, said(game, 1, "I was faster"))
    joined = Entry(game, 1, "joined", 0, 1, text="Ben")
    assert store.take_seat(joined, b"a secret") is False
    stored = store.game(game)
    assert stored is not None
    assert stored.secret_hashes == (bytes(32), None)
    assert store.take_seat(msgspec.structs.replace(joined, number=2), b"a secret") is True
    stored = store.game(game)
    assert stored is not None
    assert stored.secret_hashes == (bytes(32), b"a secret")
    assert texts(store, game) == ["here we go", "I was faster", "Ben"]


def test_all_who_write_to_a_file_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldenspike.server.store._BUSY_SECONDS", 0)  # SQLite refuses whom it would make wait
    store = Store(f"sqlite:///{tmp_path}/games.db")
    upgrade(store.engine)
    games = [add_game(store, f"game {n}") for n in range(200)]
    store.append([Entry(game, 1, "moved", 0, 0, state=b"a position") for game in games])
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


def test_the_log_of_changes_stays_short(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/games.db")
    upgrade(store.engine)
    game = add_game(store, "one")
    for number in range(1, 1000):
        store.append([Entry(game, number, "moved", 0, 0, state=bytes(1000))])
    assert 0 < (tmp_path / "games.db-wal").stat().st_size < 1_500_000
    store.close()


def test_batches_in_any_order_do_not_wait_for_each_other(postgres_url: str) -> None:
    stores = [Store(postgres_url), Store(postgres_url)]
    upgrade(stores[0].engine)
    games = [add_game(stores[0], f"game {n}") for n in range(100)]
    start = Barrier(2)

    def append_all(mine: int) -> int:
        """Write to all games, in the one order or the other; return how many entries were kept."""
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
