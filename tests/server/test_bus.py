"""How processes hear of each other by Redis, also in bad moments."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import msgspec

from goldenspike.server.bus import Bus
from goldenspike.server.entry import Entry
from tests.server.services import RedisServer


class Listener:
    """A process that has some games open."""

    def __init__(self, *games: str) -> None:
        self.games = games
        self.heard: list[Entry] = []
        self.present: list[tuple[str, int]] = []
        self.asked: list[str] = []
        self.times_away = 0
        self.times_back = 0

    def is_open(self, game: str) -> bool:
        return game in self.games

    def hear(self, entry: Entry) -> None:
        if entry.text == "a word too much":
            raise ValueError("it cannot be taken in")
        self.heard.append(entry)

    def hear_present(self, game: str, sender: bytes, seats: int) -> None:
        assert len(sender) == 16
        self.present.append((game, seats))

    def hear_asked(self, game: str) -> None:
        self.asked.append(game)

    def go_away(self) -> None:
        self.times_away += 1

    async def come_back(self) -> None:
        self.times_back += 1

    @asynccontextmanager
    async def connect(self, url: str) -> AsyncGenerator[Bus]:
        """Connect to Redis, and wait until it is there."""
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


def said(game: str, number: int, text: str = "Hello.") -> Entry:
    return Entry(game, number, "said", 0, 0, text=text)


def test_who_has_a_game_open_hears_of_it(redis_url: str) -> None:
    async def talk() -> None:
        here, there = Listener("one", "two"), Listener("one")
        async with here.connect(redis_url) as ours, there.connect(redis_url):
            ours.publish(said("two", 1))
            ours.publish(said("one", 1))
            ours.tell_present("one", 0b101)
            ours.ask_present("one")
            await until(lambda: bool(there.asked))
            assert there.heard == [said("one", 1)]
            assert (there.present, there.asked) == ([("one", 0b101)], ["one"])
            assert (here.heard, here.present, here.asked) == ([], [], []), "nobody hears himself"

    asyncio.run(talk())


def test_what_is_no_post_is_passed_over(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        here, there = Listener("one"), Listener("one")
        async with here.connect(redis_url) as ours, there.connect(redis_url):
            broken = msgspec.msgpack.encode([[["one", {"game": 7}]], {}, []])
            with redis.client() as stranger:
                for nonsense in (b"", b"\xff\xfe", b"{}", b"\x93\x01\x02\x03", bytes(16) + broken):
                    stranger.publish("goldenspike:all", nonsense)
            ours.publish(said("one", 1, "a word too much"))
            ours.publish(said("one", 2))
            await until(lambda: there.heard == [said("one", 2)])
            assert there.times_away == 0

    asyncio.run(talk())


def test_what_is_told_while_redis_is_away_is_told_when_it_is_back(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        here, there = Listener("one"), Listener("one")
        async with here.connect(redis_url) as ours, there.connect(redis_url):
            await asyncio.to_thread(redis.kill)
            for number in range(1, 4):
                ours.publish(said("one", number))
            await asyncio.to_thread(redis.start)
            await until(lambda: here.times_back == 2 and there.times_back == 2)
            # Whichever came back first: what the one tells, or what the other reads now, has the last entry.
            ours.publish(said("one", 4))
            await until(lambda: there.heard[-1:] == [said("one", 4)])

    asyncio.run(talk())


def test_a_crowd_of_entries_is_told_in_order_in_few_posts(redis: RedisServer, redis_url: str) -> None:
    async def talk() -> None:
        games = [f"{game}" for game in range(50)]
        here, there = Listener(), Listener(*games)
        async with here.connect(redis_url) as bus, there.connect(redis_url):
            with redis.client() as client:
                client.config_resetstat()
                for number in range(40):
                    for game in games:
                        bus.publish(said(game, number))
                await until(lambda: len(there.heard) == 2000)
                assert client.info("commandstats")["cmdstat_publish"]["calls"] <= 20
                assert client.info("clients")["connected_clients"] <= 6
            for game in games:
                assert [e.number for e in there.heard if e.game == game] == list(range(40))

    asyncio.run(talk())
