"""How processes notify each other by Redis, even when connections fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import msgspec

from goldenspike.server.storage.bus import Bus
from tests.server.services import RedisServer


class BusProcess:
    """A process that has some games open."""

    def __init__(self, *games: str) -> None:
        self.games = games
        self.heard: list[tuple[str, int]] = []
        self.present: list[tuple[str, int]] = []
        self.asked: list[str] = []
        self.times_away = 0
        self.times_back = 0

    def on_entries(self, game: str, number: int) -> None:
        if game in self.games:
            self.heard.append((game, number))

    def on_presence(self, game: str, sender: bytes, seats: int) -> None:
        assert len(sender) == 16
        self.present.append((game, seats))

    def on_presence_request(self, game: str) -> None:
        self.asked.append(game)

    def go_away(self) -> None:
        self.times_away += 1

    async def come_back(self) -> None:
        self.times_back += 1

    @asynccontextmanager
    async def connect(self, url: str) -> AsyncGenerator[Bus]:
        """Connect to Redis, and wait until the connection is up."""
        bus = Bus(url, self, self.go_away, self.come_back)
        try:
            await until(lambda: self.times_back == 1)
            yield bus
        finally:
            await bus.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


def test_a_process_with_the_game_open_is_notified(redis_url: str) -> None:
    async def talk() -> None:
        here, there = BusProcess("one", "two"), BusProcess("one")
        async with here.connect(redis_url) as ours, there.connect(redis_url):
            ours.publish("two", 1)
            ours.publish("one", 1)
            ours.publish_presence("one", 0b101)
            ours.request_presence("one")
            await until(lambda: bool(there.asked))
            assert there.heard == [("one", 1)]
            assert (there.present, there.asked) == ([("one", 0b101)], ["one"])
            assert (here.heard, here.present, here.asked) == ([], [], []), "a process does not hear itself"

    asyncio.run(talk())


def test_invalid_messages_are_ignored(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        here, there = BusProcess("one"), BusProcess("one")
        async with here.connect(redis_url) as ours, there.connect(redis_url):
            broken = msgspec.msgpack.encode([{"one": "seven"}, {}, []])
            with redis.client() as stranger:
                for nonsense in (b"", b"\xff\xfe", b"{}", b"\x93\x01\x02\x03", bytes(16) + broken):
                    stranger.publish("goldenspike:all", nonsense)
            ours.publish("one", 2)
            await until(lambda: there.heard == [("one", 2)])
            assert there.times_away == 0

    asyncio.run(talk())


def test_notifications_are_sent_after_an_outage_of_redis(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        here, there = BusProcess("one"), BusProcess("one")
        async with here.connect(redis_url) as ours, there.connect(redis_url):
            await asyncio.to_thread(redis.kill)
            for number in range(1, 4):
                ours.publish("one", number)
            await asyncio.to_thread(redis.start)
            await until(lambda: here.times_back == 2 and there.times_back == 2)
            # Whichever came back first: the announcement or the new read brings the last entry.
            ours.publish("one", 4)
            await until(lambda: there.heard[-1:] == [("one", 4)])

    asyncio.run(talk())


def test_many_entries_are_sent_in_few_messages(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        games = [f"{game}" for game in range(50)]
        here, there = BusProcess(), BusProcess(*games)
        async with here.connect(redis_url) as bus, there.connect(redis_url):
            with redis.client() as client:
                client.config_resetstat()
                for number in range(40):
                    for game in games:
                        bus.publish(game, number)
                await until(lambda: {game for game, number in there.heard if number == 39} == set(games))
                assert client.info("commandstats")["cmdstat_publish"]["calls"] <= 20
                assert client.info("clients")["connected_clients"] <= 6
            for game in games:
                numbers = [number for heard, number in there.heard if heard == game]
                assert numbers == sorted(numbers)

    asyncio.run(talk())
