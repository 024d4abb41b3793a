"""A database that is older than a process's memory: the game goes back, and players are told."""

from __future__ import annotations

import asyncio
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import delete, insert

from goldenspike.server.archive.archive import Archive
from goldenspike.server.play import entry as entry_module
from goldenspike.server.play.commands import decide_move
from goldenspike.server.play.entry import Entry, chain_hash, intact_prefix, now, with_chains
from goldenspike.server.protocol.client import Client, RefusedError
from goldenspike.server.protocol.messages import Branch, Options, Play, Say, SeatWish
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage.database import Database
from goldenspike.server.storage.schema import ENTRIES
from tests.game.games import random_game
from tests.server.in_process import deal, open_game, open_service
from tests.server.people import known
from tests.server.process_tree import send
from tests.server.processes import GameServer
from tests.server.services import PostgresServer
from tests.server.serving import within
from tests.server.stored import said, started, stored_game
from tests.server.test_conflicts import workers_of
from tests.server.waiting import wait_until


def forget(store: Database, game: str, *, after: int, until: int = 2**31 - 1) -> None:
    """Remove entries, as if an older backup had been restored."""
    with store.engine.begin() as connection:
        gone = (ENTRIES.c.game == game, ENTRIES.c.number > after, ENTRIES.c.number <= until)
        connection.execute(delete(ENTRIES).where(*gone))


def test_an_entry_is_written_only_after_the_one_it_follows(store: Database) -> None:
    store.create(stored_game("one"), [started("one")])
    first = store.entries("one")[0]
    assert first.chain == chain_hash(None, first)
    second = said("one", 1)
    good = msgspec.structs.replace(second, chain=chain_hash(first.chain, second))
    other = msgspec.structs.replace(second, chain=chain_hash("0123456789abcdef", second))
    later = said("one", 3)
    assert store.append([other, later]) == [False, False]
    assert store.append([good]) == [True]
    assert [entry.number for entry in store.entries("one")] == [0, 1]


def test_a_gap_that_two_processes_find_is_cut_once_and_no_later_move_is_lost(store: Database) -> None:
    store.create(stored_game("one"), [said("one", number) for number in range(6)])
    forget(store, "one", after=2, until=3)
    other = Database(store.engine.url.render_as_string(hide_password=False), 1)
    try:
        late = [entry.number for entry in other.entries("one")]
        assert late == [0, 1, 2, 4, 5]  # the other process sees the gap too, but is delayed
        log = store.cut("one")
        assert [(entry.number, entry.kind) for entry in log[-2:]] == [(2, "said"), (3, "restored")]
        assert log[-1].lost_count == 3
        move = said("one", 4)
        assert store.append(with_chains([move], log[-1].chain)) == [True]
        assert other.cut("one") == store.entries("one")
        assert [entry.text for entry in store.entries("one")[-2:]] == [None, "Hello."]
    finally:
        other.close()


def test_a_log_is_not_cut_while_another_process_writes_to_it(store: Database) -> None:
    store.create(stored_game("one"), [said("one", number) for number in range(6)])
    forget(store, "one", after=2, until=3)
    [third] = with_chains([said("one", 3, "Hi.")], store.entries("one")[2].chain)
    other = Database(store.engine.url.render_as_string(hide_password=False), 1)
    try:
        with ThreadPoolExecutor(1) as thread, other.engine.begin() as connection:
            connection.execute(insert(ENTRIES), msgspec.structs.asdict(third))
            cutting = thread.submit(store.cut, "one")
            assert not wait([cutting], 0.5).done
            connection.commit()
            log = cutting.result()
        assert [entry.kind for entry in log] == ["said"] * 4 + ["restored"]
        assert log[3].chat == "Hi."
    finally:
        other.close()


@within(60)
async def test_a_process_goes_back_to_what_the_database_holds(tmp_path: Path) -> None:
    async with open_game(tmp_path, "new-york", 2, first=0) as (service, live):
        for seat in (0, 1):
            await service.do(live, seat, Play("k", "keep all"))
        before = live.position.state_hash
        await service.do(live, 0, Play("1", "draw deck"))
        await service.do(live, 0, Play("2", "draw deck"))
        forget(service.games.store.database, live.id, after=2)
        with pytest.raises(Problem) as refused:
            await service.do(live, 1, Play("3", "draw deck"))
        assert refused.value.code in {"conflict", "illegal_move"}
        assert live.position.state_hash == before
        assert live.recent[-1].lost_count == 2
        await service.do(live, 0, Play("4", "draw deck"))
        log = service.games.store.database.entries(live.id)
        assert [entry.number for entry in log] == [0, 1, 2, 3, 4]
        assert intact_prefix(log) == log


@within(60)
async def test_the_database_wins_over_different_entries_in_memory(tmp_path: Path) -> None:
    async with open_game(tmp_path, "new-york", 2) as (service, live):
        store = service.games.store.database
        await service.do(live, 0, Say("1", "as it was"))
        forget(store, live.id, after=0)
        entry = Entry.said(live.id, 1, 5, 1, "1.x", "as it is")
        store.append(
            [msgspec.structs.replace(entry, chain=chain_hash(store.entries(live.id)[0].chain, entry))]
        )
        await service.do(live, 0, Say("2", "and on"))
        kinds = [(entry.kind, entry.text or entry.move) for entry in store.entries(live.id)[1:]]
        assert kinds == [("said", "as it is"), ("restored", 1), ("said", "and on")]


@within(60)
async def test_a_log_with_a_gap_is_cut_back_when_the_game_is_opened(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        created = await deal(service, "new-york", 2)
        live = await service.games.open(created.game)
        for i in range(5):
            await service.do(live, 0, Say(f"{i}", f"word {i}"))
    async with open_service(tmp_path) as service:
        forget(service.games.store.database, created.game, after=2, until=3)
        live = await service.games.open(created.game)
        kinds = [entry.kind for entry in service.games.store.database.entries(created.game)]
        assert kinds == ["started", "said", "said", "restored"]
        assert live.recent[-1].lost_count == 3
        await service.do(live, 0, Say("again", "and on"))
    async with open_service(tmp_path) as service:
        forget(service.games.store.database, created.game, after=-1, until=0)
        with pytest.raises(Problem, match="start of this game is lost") as lost:
            await service.games.open(created.game)
        assert lost.value.code == "unknown_game"


@within(90)
async def test_players_are_told_about_lost_entries(tmp_path: Path) -> None:
    with GameServer() as server:
        server.wait_ready()
        game = server.new_game(first=0)
        with server.store() as store:
            async with (
                Client.connect(server.url, known(game.seats[0])) as ann,
                Client.connect(server.url, known(game.seats[1])) as ben,
            ):
                await ann.play("keep all")
                await ben.play("keep all")
                await ann.play("draw deck")
                forget(store, game.game, after=1)
                with pytest.raises(RefusedError):
                    await ann.play("draw deck")
                for client in (ann, ben):
                    await client.wait(lambda client=client: client.last == 2)
                    assert client.view is not None
                    assert client.view.to_move == [1]
                await ben.play("keep all")
                await ann.play("draw deck")
        kinds = [
            entry["kind"] for entry in server.get(f"/api/games/{game.game}/entries", game.watch)["entries"]
        ]
        assert kinds == ["started", "moved", "restored", "moved", "moved"]
        assert not any("Traceback" in line for line in server.failures())


async def until_turn_is_old(client: Client) -> None:
    """Wait until some seconds of a one-minute turn have passed."""
    while known(known(client.view).deadline) > now() + 57_000:
        await asyncio.sleep(0.05)


@pytest.mark.slow
@within(180)
async def test_after_an_outage_games_go_back_to_what_the_database_holds(
    postgres: PostgresServer, postgres_url: str, redis_url: str
) -> None:
    with GameServer(postgres_url, redis_url) as server:
        await asyncio.to_thread(server.wait_ready)
        game = server.new_game(first=0, clock=60)
        async with (
            Client.connect(server.url, known(game.seats[0])) as ann,
            Client.connect(server.url, known(game.seats[1])) as ben,
        ):
            await ann.play("keep all")
            await ben.play("keep all")
            before = await ann.play("draw deck")
            await ann.play("draw deck")
            await until_turn_is_old(ann)
            await asyncio.to_thread(postgres.kill)
            for client in (ann, ben):
                await client.wait(lambda client=client: client.statuses == ["reconnecting"])
            assert server.call("/readyz")[0] == 503
            server.pause()  # so that the process finds an older database when it resumes
            try:
                await asyncio.to_thread(postgres.start)
                with server.store() as store:
                    forget(store, game.game, after=before.n - 1)
                back = now()
            finally:
                server.resume()
            for client in (ann, ben):
                await client.wait(lambda client=client: client.statuses == ["reconnecting", "connected"])
                await client.wait(lambda client=client: client.log[-1].kind == "restored")
                assert (client.log[-1].n, client.log[-1].move) == (before.n, 2)
                assert known(client.view).to_move == [0]
                assert known(known(client.view).deadline) > back + 59_900  # the full minute of the turn
            assert (await ann.play("draw deck")).n == before.n + 1
            await ben.wait(lambda: ben.last == before.n + 1)
        assert server.call("/readyz")[0] == 200
        for path in ("", "/entries"):
            assert server.call(f"/api/games/{game.game}{path}", game.watch)[0] == 200
        with server.store() as store:
            log = store.entries(game.game)
        assert intact_prefix(log) == log
        assert not any("Traceback" in line or "a request failed" in line for line in server.failures())


# The turn timer


@within(60)
async def test_a_jump_of_the_clock_changes_no_turn_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_game(tmp_path, "new-york", 2, clock=60) as (service, live):
        left = known(live.seconds_left)
        assert 55 < left <= 60
        for jump in (3600, -3600):
            monkeypatch.setattr(entry_module.time, "time_ns", lambda jump=jump: int(2e18 + jump * 1e9))
            assert 50 < known(live.seconds_left) <= left
            await service.do(live, 0, Say(f"{jump}", "What time is it?"))
        monkeypatch.undo()
        created = live.id
    async with open_service(tmp_path) as service:  # after a restart the turn timer starts again
        assert known((await service.games.open(created)).seconds_left) > 59


@within(60)
async def test_expired_turns_are_noted_after_the_clock_was_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_service(tmp_path) as service:
        record = await service.games.open(
            (await Archive(service).bring(random_game(("new-york", 2), 4, actions=9).record())).game
        )
        wish = Branch(9, [SeatWish("here"), SeatWish("here")], Options(clock=60))
        games = [(await deal(service, "new-york", 2, clock=60)).game]
        games.append((await Archive(service).branch(record, wish)).game)
        monkeypatch.setattr(entry_module.time, "time_ns", lambda: 0)
        for game in games:
            live = await service.games.open(game)
            assert not any(
                seat_state.is_out_of_time for seat_state in live.seat_states
            )  # copied moves were not made by these players
            seat = live.position.to_move[0]
            late = decide_move(live, seat, live.position.legal_moves(seat).numbers[0], now(), None)
            await service.games.write(live, lambda late=late: late)
            assert [seat_state.is_out_of_time for seat_state in live.seat_states] == [seat == 0, seat == 1]
    async with open_service(tmp_path) as service:
        for game in games:
            assert any(
                seat_state.is_out_of_time for seat_state in (await service.games.open(game)).seat_states
            )


# Workers, and a full disk

_ROOM_FOR_THE_LOG = 20_000
"""Bytes: less than SQLite writes, more than the server logs."""


@pytest.mark.slow
def test_a_worker_that_dies_while_the_database_is_away_is_replaced(
    postgres: PostgresServer, postgres_url: str, redis_url: str
) -> None:
    with GameServer(postgres_url, redis_url, workers=2) as server:
        server.wait_ready()
        wait_until(lambda: len(workers_of(server)) == 2, "both workers serve")
        game = server.new_game(first=0)
        postgres.kill()
        victim, survivor = workers_of(server)
        send(signal.SIGKILL, [victim])
        waits = "a worker waits for the database"
        wait_until(lambda: any(line["message"] == waits for line in server.log()), waits)
        assert server.is_running
        assert survivor in workers_of(server)
        postgres.start()
        wait_until(lambda: all(server.call("/readyz")[0] == 200 for _ in range(8)), "all workers are ready")

        async def play() -> None:
            async with Client.connect(server.url, known(game.seats[0])) as ann:
                await ann.play("keep all")

        asyncio.run(play())
        assert survivor in workers_of(server)


@pytest.mark.slow
def test_a_worker_that_cannot_start_is_started_again_after_growing_pauses(
    postgres_url: str, redis_url: str, tmp_path: Path
) -> None:
    folder, elsewhere = tmp_path / "editions", tmp_path / "elsewhere"
    folder.mkdir()
    with GameServer(postgres_url, redis_url, workers=2, editions=folder) as server:
        server.wait_ready()
        wait_until(lambda: len(workers_of(server)) == 2, "both workers serve")
        victim, survivor = workers_of(server)
        folder.rename(elsewhere)
        send(signal.SIGKILL, [victim])

        def ends() -> list[tuple[datetime, float]]:
            lines = [line for line in server.log() if line["message"] == "a worker has ended and is replaced"]
            return [(datetime.fromisoformat(line["at"]), line["pause"]) for line in lines]

        wait_until(lambda: len(ends()) == 4, "a worker has failed to start three times", 180.0)
        found = ends()
        assert [pause for _, pause in found] == [0.0, 1.0, 2.0, 4.0]
        for (before, pause), (after, _) in pairwise(found):
            assert (after - before).total_seconds() > pause
        assert survivor in workers_of(server)
        elsewhere.rename(folder)
        wait_until(lambda: len(workers_of(server)) == 2, "the worker is back")
        wait_until(lambda: all(server.call("/readyz")[0] == 200 for _ in range(8)), "both workers are ready")
        assert server.is_running


@within(90)
async def test_a_full_disk_is_reported_once_and_play_continues_when_there_is_space() -> None:
    with GameServer() as server:
        server.wait_ready()
        game = server.new_game(first=0)
        pid = server.pid  # compiled rules: one process serves
        async with Client.connect(server.url, known(game.seats[0])) as ann:
            before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (_ROOM_FOR_THE_LOG, before[1]))
            waiting = asyncio.create_task(ann.play("keep all"))
            await ann.wait(lambda: ann.statuses == ["reconnecting"])
            for _ in range(30):  # long enough for several attempts to write
                await asyncio.sleep(0.1)
                assert ann.statuses == ["reconnecting"]
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
            await ann.wait(lambda: ann.statuses == ["reconnecting", "connected"])
            with pytest.raises(RefusedError, match="Nothing is lost"):
                await waiting
            await ann.play("keep all")
        [line] = [line for line in server.log() if "is unreachable" in line["message"]]
        assert line["reason"]


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    with GameServer() as server:
        server.wait_ready()
        same = tmp_path / "same.db"
        same.symlink_to(server.database.removeprefix("sqlite:///"))
        for database in (server.database, f"sqlite:///{same}"):
            command = [sys.executable, "-m", "goldenspike", "serve", "--port", "0", "--database", database]
            second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
            assert second.returncode == 1
            assert "Another server has the games in" in second.stderr
        assert server.call("/healthz")[0] == 200
