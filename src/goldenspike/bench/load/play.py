"""Playing many games for a while, and measuring the server meanwhile, in the load process."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from random import Random

import msgspec

from goldenspike.bench.load.meters import Spread, memory_bytes, processor_seconds
from goldenspike.bench.load.requests import Address, deal, read_figures
from goldenspike.bench.load.tables import Figures, LoadGame, Pace

_AT_ONCE = 50
"""Games that connect at the same time."""
_RAMP = 2.0
"""Seconds of play before measuring, and after a change of pace."""
_PATIENCE = 10.0


class PlayOrder(msgspec.Struct):
    """What the load process should play."""

    address: Address
    metrics: Address
    pids: list[int]
    edition: str
    games: list[list[str]]
    """The links to the seats of each game."""
    rates: list[float]
    """For each run, the moves per second to offer; 0 for as many as possible."""
    seconds: float


class PlayRun(msgspec.Struct):
    """The result of one run at one pace."""

    offered: float
    seconds: float
    moves: int
    acknowledged: Spread
    told: Spread
    server_seconds: float
    load_seconds: float
    bytes_down: int
    bytes_up: int
    commits: int
    entries: int
    commit_seconds: float
    ended: int


class PlayResult(msgspec.Struct):
    """The result of a whole order."""

    runs: list[PlayRun]
    games: int
    memory_before: int
    """Of the server without games, after one was played to warm it up."""
    memory_after: int
    """With all games loaded and all seats connected, before any move."""
    memory_played: int
    live_games: int
    """Games in the server's memory after all runs, including those that have just ended."""
    connect_seconds: float
    refused: dict[str, int]
    lost: int

    @property
    def game_bytes(self) -> float:
        """Memory of a live game with all its seats connected."""
        return (self.memory_after - self.memory_before) / self.games

    @property
    def played_game_bytes(self) -> float:
        """Memory of a game that has been played for a while."""
        return (self.memory_played - self.memory_before) / self.live_games


class Club:
    """All games of a load process; a game that ends is replaced, so that their number is constant."""

    def __init__(self, order: PlayOrder, say: Callable[[str], None]) -> None:
        self._order, self._say = order, say
        self._figures = Figures()
        self._pace = Pace(Random(1))
        self._tables: set[LoadGame] = set()
        self._keepers: list[asyncio.Task[None]] = []

    async def run(self) -> PlayResult:
        """Carry out the whole order."""
        order = self._order
        await self._warm_up()
        before = memory_bytes(order.pids)
        start = time.perf_counter()
        await self._connect_all()
        connect_seconds = time.perf_counter() - start
        await asyncio.sleep(1.0)  # for the last presence updates
        after = memory_bytes(order.pids)
        self._keepers = [asyncio.create_task(self._keep(table)) for table in tuple(self._tables)]
        gc.collect()
        gc.disable()  # because a pause of the load would look like one of the server
        runs = [await self._play(rate) for rate in order.rates]
        figures = await read_figures(order.metrics)
        played = memory_bytes(order.pids)
        self._pace.is_on = False
        for keeper in self._keepers:
            keeper.cancel()
        for table in self._tables:
            table.close()
        return PlayResult(
            runs,
            len(order.games),
            before,
            after,
            played,
            int(figures["goldenspike_live_games"]),
            connect_seconds,
            self._figures.refused,
            self._figures.lost,
        )

    async def _warm_up(self) -> None:
        """Play one game to its end, so that everything a game needs is loaded."""
        self._say("one game to warm up")
        table = await self._deal()
        self._pace.is_on = True
        table.start()
        await table.over
        self._pace.is_on = False
        table.close()

    async def _deal(self) -> LoadGame:
        order = self._order
        dealt = await deal(order.address, order.edition, len(order.games[0]))
        table = LoadGame(dealt.links, self._figures, self._pace)
        await table.connect(order.address)
        return table

    async def _connect_all(self) -> None:
        order = self._order
        self._say(f"connecting {len(order.games):,} games of {len(order.games[0])} seats")
        gate = asyncio.Semaphore(_AT_ONCE)

        async def connect(links: list[str]) -> None:
            async with gate:
                table = LoadGame(links, self._figures, self._pace)
                await table.connect(order.address)
                self._tables.add(table)

        await asyncio.gather(*(connect(links) for links in order.games))

    async def _keep(self, table: LoadGame) -> None:
        """Play one game after the other."""
        while True:
            await table.over
            self._figures.ended += 1
            self._tables.discard(table)
            table.close()
            table = await self._deal()
            self._tables.add(table)
            table.start()

    async def _play(self, rate: float) -> PlayRun:
        order, figures = self._order, self._figures
        pace_text = f"at {rate:,.0f} moves/s" if rate else "as fast as it goes"
        self._say(f"playing {order.seconds:g} s {pace_text}")
        await self._start(rate)
        await asyncio.sleep(_RAMP)
        counts = await read_figures(order.metrics)
        figures.clear()
        start, server, load = time.perf_counter(), processor_seconds(order.pids), time.process_time()
        await asyncio.sleep(order.seconds)
        seconds = time.perf_counter() - start
        server = processor_seconds(order.pids) - server
        load = time.process_time() - load
        acknowledged, told = figures.acknowledged[:], figures.told[:]
        tally, ended = figures.tally, figures.ended
        down, up = tally.received, tally.sent
        after = await read_figures(order.metrics)

        def grown(name: str) -> float:
            return after[f"goldenspike_{name}"] - counts[f"goldenspike_{name}"]

        return PlayRun(
            rate,
            seconds,
            len(acknowledged),
            Spread.of(acknowledged),
            Spread.of(told),
            server,
            load,
            down,
            up,
            int(grown("batch_size_count")),
            int(grown("batch_size_sum")),
            grown("batch_seconds_sum"),
            ended,
        )

    async def _start(self, rate: float) -> None:
        """Change the pace once moves in flight have arrived, so that no run begins with another's queue."""
        if self._pace.is_on:
            self._pace.is_on = False
            await asyncio.sleep(min(_PATIENCE, 1.0 + 2 * self._pace.interval))
        self._pace.interval = len(self._order.games) / rate if rate else 0.0
        self._pace.is_on = True
        for table in tuple(self._tables):
            table.start()
