"""Games that are removed while a server runs, by an operator or by `retention_days`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from goldenspike.cli import main
from goldenspike.editions import load_edition
from goldenspike.exit_codes import OK
from goldenspike.server.archive.archive import Archive
from goldenspike.server.play.entry import now
from goldenspike.server.protocol.client import Client, RefusedError
from goldenspike.server.protocol.messages import Branch, Options, Rematch, Say, SeatWish
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage import removal
from goldenspike.server.storage.database import Database
from goldenspike.server.storage.migrate import upgrade
from goldenspike.server.storage.removal import delete_game, find_idle, remove_alone, remove_games
from goldenspike.server.storage.retention import Retention
from goldenspike.simulation import random_game
from tests.server.in_process import deal, open_game, open_service, play_out
from tests.server.processes import GameServer
from tests.server.stored import said, started, stored_game
from tests.server.waiting import wait_until

DAY = 24 * 3_600_000
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]


def keep_idle(store: Database, name: str, days: float) -> None:
    """Store a game whose only entry is this many days old."""
    at = now() - round(days * DAY)
    store.create(stored_game(name)._replace(created=at), [started(name, at)])


@pytest.fixture(params=BOTH)
def server(request: pytest.FixtureRequest) -> Iterator[GameServer]:
    """Run a server on each kind of database."""
    database = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    with GameServer(database, retention_days=30) as running:
        yield running


@pytest.mark.slow
def test_a_server_forgets_a_game_that_was_deleted(server: GameServer) -> None:
    people = [{"who": "here", "name": "Ann"}, {"who": "open", "name": "Ben"}]
    game = server.new_game(seats=people, public=True)
    seat = game.seats[0]
    assert seat is not None
    path = f"/api/games/{game.game}"
    record = random_game(load_edition("new-york"), 2, bytes(32)).record()
    imported = server.get("/api/records/", body=record.encode())["game"]
    server.get(f"/api/games/{imported}/replay")
    with server.store() as store:
        keep_idle(store, "idle", 31)
        keep_idle(store, "fresh", 29)

    def ask_while_in_memory() -> None:
        assert server.call(f"{path}/join", body={"name": "Cleo"})[1]["code"] == "unknown_game"
        for subject in ("record", "replay?first=1", "statistics"):
            assert server.call(f"/api/games/{imported}/{subject}")[1]["code"] == "unknown_game"

    async def meet() -> None:
        async with Client.connect(server.url, seat, -1) as ann:
            await ann.send(Say("1", "Hello"))
            delete = ["admin", "delete", "--database", server.database, "--", game.game, imported]
            assert await asyncio.to_thread(main, delete) == OK
            for n in range(3):
                # A connection that was closed already is checked below.
                with pytest.raises((RefusedError, ConnectionError, ConnectionClosed)) as refused:
                    await ann.send(Say(f"again {n}", "Is anybody there?"))
                if isinstance(refused.value, RefusedError):
                    assert refused.value.refusal.code == "unknown_game"
            await asyncio.to_thread(ask_while_in_memory)
            await ann.wait(lambda: ann.is_closed)
            assert ann.refusals[-1].code == "unknown_game"

    asyncio.run(meet())
    wait_until(lambda: server.call(path, game.watch)[0] == 404, "the game is forgotten")
    with server.store() as store:
        wait_until(lambda: store.game("idle") is None, "the idle game is removed")
        assert store.game("fresh") is not None
        assert store.game(game.game) is None
        assert store.entries(game.game) == []

    def removals() -> list[tuple[int, int]]:
        lines = [line for line in server.log() if "idle for long" in line["message"]]
        return [(line["games"], line["days"]) for line in lines]

    wait_until(lambda: removals() == [(1, 30)], "the removal is logged")
    assert not [line for line in server.log() if "is unreachable" in line["message"]]
    assert server.failures() == []


def test_a_removed_game_has_no_rematch_and_no_archive(tmp_path: Path) -> None:
    async def look_back() -> None:
        async with open_game(tmp_path, "new-york", 2) as (service, live):
            await play_out(service, live)
            delete_game(service.games.store.database.engine, live.id)
            archive = Archive(service)
            two = [SeatWish("here"), SeatWish("here")]
            requests: list[Any] = [
                service.do(live, 0, Rematch("1")),
                archive.record(live),
                archive.replay(live, 0, 1),
                archive.statistics(live),
                archive.branch(live, Branch(0, two, Options())),
            ]
            for request in requests:
                with pytest.raises(Problem) as problem:
                    await request
                assert problem.value.code == "unknown_game"

    asyncio.run(look_back())


def test_a_bot_does_not_play_on_in_a_removed_game(tmp_path: Path) -> None:
    async def wait_for_bot() -> None:
        async with open_game(tmp_path, "new-york", 2) as (service, live):
            live.automatic_action = bot = asyncio.create_task(asyncio.sleep(3600))
            delete_game(service.games.store.database.engine, live.id)
            await Retention(service.games).forget_removed()
            assert service.games.ids_in_memory() == []
            await asyncio.wait([bot], timeout=60)
            assert bot.cancelled()

    asyncio.run(wait_for_bot())


def test_idle_games_are_removed_in_small_transactions(
    store: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removal, "CHUNK", 2)
    for n in range(5):
        keep_idle(store, f"old {n}", 10 + n)
    keep_idle(store, "new", 1)
    keep_idle(store, "busy", 10)
    store.append([said("busy", 1, at=now())])
    before = now() - 5 * DAY
    assert sorted(find_idle(store.engine, before)) == [f"old {n}" for n in range(5)]
    done: list[int] = []
    assert (
        remove_games(store.engine, [*(f"old {n}" for n in range(5)), "busy", "new"], before, done.append) == 5
    )
    assert done == [2, 2, 2, 1]
    assert store.game("new") is not None
    assert len(store.entries("busy")) == 2


@pytest.mark.slow
def test_one_process_at_a_time_removes_idle_games(postgres_url: str) -> None:
    store = Database(postgres_url, 1)
    upgrade(store.engine)
    keep_idle(store, "old", 10)
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [removal.LOCK])
        assert remove_alone(store.engine, ["old"], now()) is None
        other.rollback()
        assert remove_alone(store.engine, ["old"], now()) == 1
    store.close()


@pytest.mark.slow
def test_a_game_that_is_being_written_to_is_not_idle(postgres_url: str) -> None:
    store = Database(f"{postgres_url}?options=-c%20lock_timeout%3D5000", 1)
    upgrade(store.engine)
    keep_idle(store, "old", 10)
    with psycopg.connect(postgres_url) as writer:
        writer.execute(
            "INSERT INTO entries (game, number, kind, reveals, at) VALUES ('old', 1, 'said', false, %s)",
            [now()],
        )
        assert remove_games(store.engine, ["old"], now() - DAY) == 0
    assert len(store.entries("old")) == 2
    store.close()


def test_a_clock_that_jumps_ahead_removes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def jump() -> None:
        async with open_service(tmp_path, retention_days=30) as service:
            game = (await deal(service, "new-york", 2)).game
            keep_idle(service.games.store.database, "old", 31)
            keeper = Retention(service.games)
            real = time.time_ns
            monkeypatch.setattr(time, "time_ns", lambda: real() + 400 * DAY * 1_000_000)
            await keeper.remove_old()
            assert service.games.store.database.game("old") is None
            assert service.games.store.database.game(game) is not None

    asyncio.run(jump())
