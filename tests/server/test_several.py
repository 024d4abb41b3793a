"""Several processes of one server: all show the same games, and none delays the games of others."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

from goldenspike.server.play.commands import decide
from goldenspike.server.play.entry import Entry, now
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.client import Client
from goldenspike.server.protocol.messages import Ack, Play, Say
from tests.server.in_process import deal, open_game, open_service
from tests.server.processes import GameServer
from tests.server.services import RedisServer

Pair = tuple[GameServer, GameServer]


def said(live: LiveGame) -> Entry:
    """Return an entry that another process might have written."""
    return decide(live, 0, Say("x", "Hello."), f"0.{live.number}", now(), 0)


@pytest.mark.slow
def test_players_at_another_process_count_as_connected(pair: Pair) -> None:
    game = pair[0].new_game(first=0)
    links = [link or "" for link in game.seats]

    async def meet() -> None:
        async with Client.connect(pair[0].url, links[0], -1) as ann:
            assert [seat.is_here for seat in ann.seats] == [True, False]
            async with Client.connect(pair[1].url, links[1], -1) as ben:
                for client in (ann, ben):
                    await client.wait(lambda client=client: all(seat.is_here for seat in client.seats))
                async with Client.connect(pair[1].url, game.watch, -1) as watcher:
                    assert [seat.is_here for seat in watcher.seats] == [True, True]
            await ann.wait(lambda: not ann.seats[1].is_here)

    asyncio.run(meet())


def forge(game: str) -> list[bytes]:
    """Return what an attacker might send by Redis: entry numbers that do not exist, and entries."""
    encode = msgspec.msgpack.encode
    entry = Entry.said(game, 1, now(), 1, None, "forged")
    posts: list[object] = [[{game: number, "other": 7}, {}, []] for number in (999, 2**62, -5)]
    posts += [
        [{game: 1}, {"other": 3}, ["other"]],
        [[entry]],
        [{game: [entry]}, {}, []],
        {"entries": [entry]},
    ]
    return [bytes(16) + encode(post) for post in posts] + [encode(entry), msgspec.json.encode(entry)]


@pytest.mark.slow
@pytest.mark.parametrize("moves", [0, 2])
def test_forged_redis_messages_are_not_shown(pair: Pair, redis: RedisServer, moves: int) -> None:
    game = pair[0].new_game(first=0)
    links = [link or "" for link in game.seats]

    async def play() -> None:
        async with (
            Client.connect(pair[0].url, links[0], -1, keeps_raw=True) as ann,
            Client.connect(pair[1].url, links[1], -1, keeps_raw=True) as ben,
        ):
            for client in (ann, ben)[:moves]:
                await client.play("keep all")
            with redis.client() as stranger:
                for post in forge(game.game):
                    assert stranger.publish("goldenspike:all", post) == 2
            # The next message arrives by Redis after the forged ones.
            for client, other in ((ann, ben), (ben, ann)):
                done = await client.send(Say("1", "Hello."))
                assert isinstance(done, Ack)
                await other.wait(lambda other=other, n=done.n: other.last == n)
            if moves == 2:
                await ann.play("draw deck")
            with pair[0].store() as store:
                log = store.entries(game.game)
            for client in (ann, ben):
                await client.wait(lambda client=client: client.last == log[-1].number)
                assert [(told.n, told.kind) for told in client.log] == [(e.number, e.kind) for e in log]
                assert not any("forged" in text for text in client.raw)
                assert client.statuses == []

    asyncio.run(play())
    assert [server.failures() for server in pair] == [[], []]


def test_players_of_a_dead_process_soon_count_as_absent(tmp_path: Path) -> None:
    async def look() -> None:
        async with open_game(tmp_path, "new-york", 2) as (service, live):
            for sender, seats in ((b"one", 0b01), (b"two", 0b11)):
                service.games.on_presence(live.id, sender, seats)
            assert [seat.is_here for seat in live.seat_infos()] == [True, True]
            service.games.on_presence(live.id, b"two", 0)
            assert [seat.is_here for seat in live.seat_infos()] == [True, False]
            live.audience.expire_presence(time.monotonic() + 20)
            assert [seat.is_here for seat in live.seat_infos()] == [True, False]
            live.audience.expire_presence(time.monotonic() + 30)
            assert [seat.is_here for seat in live.seat_infos()] == [False, False]

    asyncio.run(look())


def test_a_game_that_is_being_written_delays_no_other(tmp_path: Path) -> None:
    async def hear() -> None:
        async with open_service(tmp_path) as service:
            one, two = [await service.games.open((await deal(service, "new-york", 2)).game) for _ in range(2)]
            entries = [said(one), said(two)]
            service.games.store.database.append(entries)
            async with one.lock:  # as while a move is being written
                for entry in entries:
                    service.games.on_entries(entry.game, entry.number)
                async with asyncio.timeout(10):
                    while two.number == 0:
                        await asyncio.sleep(0.01)
                assert one.number == 0
            async with asyncio.timeout(10):
                while one.number == 0:
                    await asyncio.sleep(0.01)

    asyncio.run(hear())


async def _play_at_other_version(service: GameService, live: LiveGame) -> Entry:
    """Write a move as a process with another layout of positions would."""
    for seat in (0, 1):
        await service.do(live, seat, Play("k", "keep all"))
    entry = decide(live, 0, Play("x", "draw deck"), "0.x", now(), 0)
    assert entry.state is not None
    written = msgspec.structs.replace(entry, state=b"\0\0\0\0" + entry.state[4:])
    service.games.store.database.append([written])
    return written


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_move_of_another_version_is_played_again(tmp_path: Path, is_heard: bool) -> None:
    async def hear() -> None:
        async with open_game(tmp_path, "new-york", 2, first=0) as (service, live):
            entry = await _play_at_other_version(service, live)
            if is_heard:
                service.games.on_entries(entry.game, entry.number)
            else:
                async with live.lock:
                    await service.games.loader.catch_up(live)
            async with asyncio.timeout(10):
                while live.number < entry.number:
                    await asyncio.sleep(0.01)
            assert live.position.state_hash == entry.state_hash

    asyncio.run(hear())
