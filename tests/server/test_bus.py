"""How processes hear of each other's entries by Redis, also in bad moments."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from goldenspike.server.bus import Bus
from goldenspike.server.entry import Entry
from tests.server.services import RedisServer


class Listener:
    """A process that follows games."""

    def __init__(self) -> None:
        self.heard: list[Entry] = []
        self.times_away = 0
        self.times_back = 0

    async def hear(self, entry: Entry) -> None:
        self.heard.append(entry)

    def go_away(self) -> None:
        self.times_away += 1

    async def come_back(self) -> None:
        self.times_back += 1

    @asynccontextmanager
    async def connect(self, url: str) -> AsyncGenerator[Bus]:
        """Connect to Redis, and wait until it is there."""
        bus = Bus(url, self.hear, self.go_away, self.come_back)
        try:
            await until(lambda: self.times_back == 1)
            yield bus
        finally:
            await bus.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


def said(game: str, number: int) -> Entry:
    return Entry(game, number, "said", 0, 0, text="Hello.")


def test_a_game_that_is_followed_is_heard(redis_url: str) -> None:
    async def talk() -> None:
        here, there = Listener(), Listener()
        async with here.connect(redis_url) as ours, there.connect(redis_url) as theirs:
            await theirs.follow("one")
            await theirs.follow("two")
            await theirs.unfollow("two")
            ours.publish(said("two", 1))
            ours.publish(said("one", 1))
            await until(lambda: there.heard == [said("one", 1)])
            assert here.heard == []

    asyncio.run(talk())


def test_what_is_no_entry_is_passed_over(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        listener = Listener()
        async with listener.connect(redis_url) as bus:
            await bus.follow("one")
            with redis.client() as stranger:
                for nonsense in (b"", b"\xff\xfe", b"{}", b"\x93\x01\x02\x03"):
                    stranger.publish("goldenspike:one", nonsense)
                    stranger.publish("goldenspike:all", nonsense)
            bus.publish(said("one", 1))
            await until(lambda: listener.heard == [said("one", 1)])
            assert listener.times_away == 0

    asyncio.run(talk())


def test_a_game_that_is_followed_while_redis_comes_back_is_heard(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        listener = Listener()
        async with listener.connect(redis_url) as bus:
            await asyncio.to_thread(redis.kill)
            await until(lambda: listener.times_away > 0)
            await bus.follow("early")
            starting = asyncio.create_task(asyncio.to_thread(redis.start))
            followed: list[str] = []
            while listener.times_back < 2:  # some of these fall into the moment of subscribing
                followed.append(f"game {len(followed)}")
                await bus.follow(followed[-1])
                await asyncio.sleep(0.0002)
            await starting
            for game in ["early", *followed]:
                bus.publish(said(game, 1))
            await until(lambda: len(listener.heard) == len(followed) + 1)

    asyncio.run(talk())


def test_what_is_told_while_redis_is_away_is_told_when_it_is_back(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        here, there = Listener(), Listener()
        async with here.connect(redis_url) as ours, there.connect(redis_url) as theirs:
            await theirs.follow("one")
            await asyncio.to_thread(redis.kill)
            for number in range(1, 4):
                ours.publish(said("one", number))
            await asyncio.to_thread(redis.start)
            await until(lambda: here.times_back == 2 and there.times_back == 2)
            # Whichever came back first: what the one tells, or what the other reads now, has the last entry.
            ours.publish(said("one", 4))
            await until(lambda: there.heard[-1:] == [said("one", 4)])

    asyncio.run(talk())


def test_a_crowd_of_entries_is_told_in_order_over_few_connections(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        here = Listener()
        async with here.connect(redis_url) as bus:
            for game in range(50):
                await bus.follow(f"{game}")
            for number in range(40):
                for game in range(50):
                    bus.publish(said(f"{game}", number))
            with redis.client() as client:
                await until(lambda: len(here.heard) == 2000)
                assert client.info("clients")["connected_clients"] <= 4
            for game in range(50):
                assert [e.number for e in here.heard if e.game == f"{game}"] == list(range(40))

    asyncio.run(talk())
