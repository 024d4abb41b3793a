"""PostgreSQL or Redis is unreachable for ten seconds: players are told, nothing is lost, and games go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest

from goldenspike.server.protocol.client import Client
from goldenspike.server.protocol.messages import Say
from tests.server.players import check_game, play_all, players_of
from tests.server.process import ServerProcess
from tests.server.processes import GameServer
from tests.server.services import PostgresServer, RedisServer
from tests.server.waiting import wait_until

pytestmark = pytest.mark.slow
Pair = tuple[GameServer, GameServer]
AWAY = 10.0
"""Seconds without PostgreSQL or Redis."""
HARMS: dict[str, tuple[Callable[[ServerProcess], None], Callable[[ServerProcess], None]]] = {
    "killed": (ServerProcess.kill, ServerProcess.start),
    "paused": (ServerProcess.pause, ServerProcess.resume),
}


@pytest.fixture(params=["postgres", "redis"])
def service(request: pytest.FixtureRequest, postgres: PostgresServer, redis: RedisServer) -> ServerProcess:
    return postgres if request.param == "postgres" else redis


@pytest.mark.parametrize("harm", HARMS)
def test_no_move_is_lost_in_an_outage_of_ten_seconds(service: ServerProcess, harm: str, pair: Pair) -> None:
    games = [pair[0].new_game() for _ in range(3)]
    tables = [players_of([server.url for server in pair], game, pace=0.02) for game in games]
    players = [player for table in tables for player in table]
    go_away, come_back = HARMS[harm]

    async def interrupt() -> None:
        while not all(len(player.acks) > 5 for table in tables for player in table[:2]):
            await asyncio.sleep(0.05)
        away = time.monotonic()
        await asyncio.to_thread(go_away, service)
        try:
            while not all(player.statuses[-1:] == ["reconnecting"] for player in players):
                assert time.monotonic() < away + AWAY, [player.statuses for player in players]
                await asyncio.sleep(0.05)
            assert [server.call("/readyz")[0] for server in pair] == [503, 503]
            await asyncio.sleep(away + AWAY - time.monotonic())
        finally:
            await asyncio.to_thread(come_back, service)

    async def play() -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(play_all(players, seconds=120))
            tasks.create_task(interrupt())

    asyncio.run(play())
    with pair[0].store() as store:
        for game, table in zip(games, tables, strict=True):
            check_game(store, game, table, pair[1].record(game))
            assert all(len(player.log) == player.last + 1 for player in table), "a player missed entries"
    assert all(player.statuses == ["reconnecting", "connected"] for player in players)
    wait_until(lambda: all(server.call("/readyz")[0] == 200 for server in pair), "both are ready again")
    assert [server.failures() for server in pair] == [[], []]


@asynccontextmanager
async def speak_across(pair: Pair) -> AsyncGenerator[tuple[Client, Client]]:
    """Connect a client to one process and a spectator of the same game to the other."""
    game = pair[0].new_game()
    assert game.seats[0] is not None
    async with (
        Client.connect(pair[0].url, game.seats[0], -1) as speaker,
        Client.connect(pair[1].url, game.watch, -1) as watcher,
    ):
        yield speaker, watcher


def test_a_process_catches_up_after_a_long_outage_of_redis(pair: Pair, redis: RedisServer) -> None:
    async def talk() -> None:
        async with speak_across(pair) as (speaker, watcher):
            await asyncio.to_thread(redis.kill)
            for n in range(40):
                await speaker.send(Say(str(n), f"Does anybody hear me? {n}"))
            assert watcher.last == 0
            await asyncio.to_thread(redis.start)
            await watcher.wait(lambda: watcher.last == 40)

    asyncio.run(talk())


def test_a_short_outage_of_redis_leaves_no_gap(pair: Pair, redis: RedisServer) -> None:
    """Check that nothing is missed when Redis restarts so fast that only the messages in between are lost."""

    async def talk() -> None:
        async with speak_across(pair) as (speaker, watcher):
            for n in range(5):
                await asyncio.to_thread(redis.kill)
                await asyncio.to_thread(redis.start)
                await speaker.send(Say(str(n), "Hello?"))
                await watcher.wait(lambda n=n: watcher.last == n + 1, 4.0)

    asyncio.run(talk())


@pytest.mark.parametrize("name", ["postgres", "redis"])
def test_a_server_can_be_stopped_while_something_is_away(
    name: str, request: pytest.FixtureRequest, postgres_url: str, redis_url: str
) -> None:
    service: ServerProcess = request.getfixturevalue(name)
    with GameServer(postgres_url, redis_url) as server:
        server.wait_ready()
        game = server.new_game()

        async def watch() -> None:
            async with Client.connect(server.url, game.watch, -1) as watcher:
                await asyncio.to_thread(service.kill)
                await watcher.wait(lambda: watcher.statuses == ["reconnecting"])
                start = time.monotonic()
                await asyncio.to_thread(server.stop)
                assert time.monotonic() - start < 10
                await watcher.wait(lambda: watcher.is_closed)

        asyncio.run(watch())
        assert server.failures() == []
        assert server.log()[-1]["message"].startswith("Finished server process")
