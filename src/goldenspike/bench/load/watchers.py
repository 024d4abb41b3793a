"""Many watchers of one game: how fast they connect, their memory, and how soon a move reaches them."""

from __future__ import annotations

import asyncio
import time
from array import array
from collections.abc import Callable
from random import Random

import msgspec

from goldenspike.bench.load.client_socket import ClientSocket, Tally
from goldenspike.bench.load.meters import Spread, memory_bytes, processor_seconds
from goldenspike.bench.load.requests import Address, deal
from goldenspike.bench.load.tables import Figures, LoadGame, Pace

_AT_ONCE = 200
"""Watchers that connect at the same time."""
_PATIENCE = 60.0
"""Seconds after which a move that has not reached all watchers counts as lost."""


class CrowdOrder(msgspec.Struct):
    """What the load process should watch."""

    address: Address
    pids: list[int]
    edition: str
    seats: int
    watchers: int
    moves: int


class CrowdResult(msgspec.Struct):
    """The result of the measurement."""

    watchers: int
    connect_seconds: float
    memory_before: int
    memory_after: int
    moves: int
    reached: int
    """Updates that arrived, over all moves and watchers."""
    acknowledged: Spread
    told: Spread
    """From sending a move to each watcher's update."""
    last: Spread
    """From sending a move to the last watcher's update."""
    server_seconds: float


class Watcher(ClientSocket):
    """A watcher: notes that a message arrived, without decoding it."""

    __slots__ = ("_crowd",)

    def __init__(self, crowd: Crowd, link: str) -> None:
        super().__init__(link, crowd.tally)
        self._crowd = crowd

    def hear(self, data: bytes) -> None:
        """Handle a message of the server."""
        if data.startswith(b'{"type":"update"'):
            self._crowd.take_update()
        elif data.startswith(b'{"type":"welcome"'):
            self._crowd.take_welcome()

    def lose(self) -> None:
        """Handle the end of the connection."""
        self._crowd.lost += 1


class Crowd:
    """One game, its players, and all its watchers."""

    def __init__(self, order: CrowdOrder, say: Callable[[str], None]) -> None:
        self._order, self._say = order, say
        self.tally = Tally()
        self.lost = 0
        self._welcomed = 0
        self._updates = array("d")
        self._changed = asyncio.Event()

    def take_welcome(self) -> None:
        """Count a welcomed watcher."""
        self._welcomed += 1
        self._changed.set()

    def take_update(self) -> None:
        """Note when an update arrived."""
        self._updates.append(time.perf_counter())
        self._changed.set()

    async def run(self) -> CrowdResult:
        """Connect all watchers, then play some moves."""
        order, pace = self._order, Pace(Random(1))
        pace.is_on = True
        warm = LoadGame((await deal(order.address, order.edition, order.seats)).links, Figures(), pace)
        await warm.connect(order.address)
        warm.start()
        await warm.over
        warm.close()
        dealt = await deal(order.address, order.edition, order.seats)
        figures = Figures()
        table = LoadGame(dealt.links, figures, Pace(Random(1)))
        await table.connect(order.address)
        await asyncio.sleep(1.0)
        before = memory_bytes(order.pids)
        start = time.perf_counter()
        watchers = await self._connect(dealt.watch)
        connect_seconds = time.perf_counter() - start
        await asyncio.sleep(1.0)
        after = memory_bytes(order.pids)
        server = processor_seconds(order.pids)
        told, last, reached = await self._play(table)
        server = processor_seconds(order.pids) - server
        for client_socket in watchers:
            client_socket.close()
        table.close()
        return CrowdResult(
            order.watchers,
            connect_seconds,
            before,
            after,
            order.moves,
            reached,
            Spread.of(figures.acknowledged),
            Spread.of(told),
            Spread.of(last),
            server,
        )

    async def _connect(self, link: str) -> list[Watcher]:
        order, loop = self._order, asyncio.get_running_loop()
        self._say(f"connecting {order.watchers:,} watchers")
        gate = asyncio.Semaphore(_AT_ONCE)

        async def connect() -> Watcher:
            async with gate:
                _, client_socket = await loop.create_connection(lambda: Watcher(self, link), *order.address)
                return client_socket

        watchers = await asyncio.gather(*(connect() for _ in range(order.watchers)))
        try:
            await self._wait(lambda: self._welcomed + self.lost >= order.watchers)
        except TimeoutError:
            raise TimeoutError(
                f"In {_PATIENCE:g} seconds {self._welcomed:,} of {order.watchers:,} watchers were let in; "
                "try fewer with --watchers."
            ) from None
        if self.lost:
            raise ConnectionError(f"The server closed {self.lost:,} of {order.watchers:,} connections.")
        return watchers

    async def _wait(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(_PATIENCE):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def _play(self, table: LoadGame) -> tuple[list[float], list[float], int]:
        """Play moves one at a time, each after the last has reached all watchers."""
        order = self._order
        self._say(f"{order.moves:,} moves before {order.watchers:,} watchers")
        told: list[float] = []
        last: list[float] = []
        reached = 0
        for _ in range(order.moves):
            self._updates = array("d")
            sent = await table.move_once()
            try:
                await self._wait(lambda: len(self._updates) >= order.watchers)
            except TimeoutError:
                reached += len(self._updates)
                break
            reached += order.watchers
            told += [at - sent for at in self._updates]
            last.append(self._updates[-1] - sent)
        return told, last, reached
