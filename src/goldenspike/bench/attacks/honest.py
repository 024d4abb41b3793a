"""Honest players during an attack: what they wait for, and how long."""

from __future__ import annotations

import asyncio
import time
from array import array
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from random import Random
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from goldenspike.bench.attacks.botgames import BotGame
from goldenspike.bench.load.client_socket import ClientSocket, Tally
from goldenspike.bench.load.meters import Spread
from goldenspike.bench.load.replies import LoadWelcome, read_message
from goldenspike.bench.load.requests import Address, ask, deal
from goldenspike.bench.load.tables import Figures, LoadGame, Pace

T = TypeVar("T")

_EDITION = "usa-classic"
_GAMES = 8
_MOVES = 10.0
"""Moves a second in all games together."""
_PROBE_SECONDS = 0.5
"""Seconds between two new connections, and between two requests."""
_BOT_LEVELS = ("medium", "hard")
_THINKING_PAUSE = 0.3
"""Seconds that the person in a game with a bot takes for a move."""
_RETRY = 0.5
_PATIENCE = 30.0


class Answers(msgspec.Struct):
    """How long honest players waited for one kind of answer, in seconds."""

    half: float
    most: float
    """The 99th percentile."""
    worst: float
    count: int
    unanswered: int
    """Those of them that failed, or that were still waiting at the end for longer than any answered one."""

    @classmethod
    def of(cls, answered: Iterable[float], waiting: Iterable[float], failed: Iterable[float] = ()) -> Answers:
        """Summarise the times of answers; missing ones count with the time waited so far.

        A request that has waited for less than the slowest answer is left out, because it may still be
        answered.

        >>> Answers.of([0.01, 0.02], waiting=[0.015, 3.0], failed=[0.5])
        Answers(half=0.02, most=3.0, worst=3.0, count=4, unanswered=2)
        """
        answered = list(answered)
        worst = max(answered, default=0.0)
        missing = [*failed, *(seconds for seconds in waiting if seconds > worst)]
        times = [*answered, *missing]
        return cls(*Spread.of(times), len(times), len(missing))


class HonestResult(msgspec.Struct):
    """What honest players experienced."""

    moves: Answers
    """From sending a move to its acknowledgement."""
    connects: Answers
    """From opening a connection to the welcome."""
    gets: Answers
    """From opening a connection to the answer of GET /api/editions."""
    bots: dict[str, Answers]
    """From the end of the person's turn to a bot's move, by level."""
    lost: int
    """Connections of players that the server closed."""


class Waits:
    """The times of one kind of answer."""

    def __init__(self) -> None:
        self._waiting: dict[object, float] = {}
        self._failed: list[float] = []
        self._answered = array("d")

    def clear(self) -> None:
        """Forget what has been answered or has failed; pending requests stay."""
        self._answered, self._failed = array("d"), []

    def begin(self, key: object) -> None:
        """Note that an answer is awaited, unless it already is."""
        self._waiting.setdefault(key, time.perf_counter())

    def end(self, key: object) -> None:
        """Note that the answer has arrived."""
        if key in self._waiting:
            self._answered.append(time.perf_counter() - self._waiting.pop(key))

    def fail(self, key: object) -> None:
        """Note that the answer will not come."""
        if key in self._waiting:
            self._failed.append(self._waiting.pop(key))

    def read(self) -> Answers:
        """Return a summary of all times."""
        now = time.perf_counter()
        waiting = [now - begun for begun in self._waiting.values()]
        return Answers.of(self._answered, waiting, [now - begun for begun in self._failed])


class _Visitor(ClientSocket):
    """A connection that is opened to time its welcome."""

    __slots__ = ("welcomed",)

    def __init__(self, link: str) -> None:
        super().__init__(link, Tally())
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(self, data: bytes) -> None:
        if not self.welcomed.done() and isinstance(read_message(data), LoadWelcome):
            self.welcomed.set_result(None)

    def lose(self) -> None:
        if not self.welcomed.done():
            self.welcomed.set_exception(ConnectionError("The server closed the connection."))


class Honest:
    """A few people at 127.0.0.1 who play, connect and send requests at human pace while the block runs."""

    def __init__(self, address: Address, *, with_bots: bool) -> None:
        self._address = address
        self._figures, self._pace = Figures(), Pace(Random(1))
        self._pace.interval = _GAMES / _MOVES
        self._tables: set[LoadGame] = set()
        self._connects, self._gets = Waits(), Waits()
        self._bots = {level: Waits() for level in _BOT_LEVELS} if with_bots else {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Honest:
        """Create the games, and begin to play in them."""
        async with asyncio.timeout(_PATIENCE):
            for _ in range(_GAMES):
                self._tables.add(await self._deal())
            watch = (await deal(self._address, _EDITION, 2)).watch
        self._pace.is_on = True
        for table in tuple(self._tables):
            table.start()
            self._start(self._keep(table))
        self._start(self._probe(self._connects, lambda: self._visit(watch)))
        self._start(self._probe(self._gets, self._get))
        for level, waits in self._bots.items():
            self._start(self._play_bot(level, waits))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        self._pace.is_on = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for table in self._tables:
            table.abort()
        await asyncio.sleep(0)  # until the connections are closed

    def clear(self) -> None:
        """Begin to measure."""
        self._figures.clear()
        self._figures.lost = 0
        for waits in (self._connects, self._gets, *self._bots.values()):
            waits.clear()

    def read(self) -> HonestResult:
        """Return what was measured since :meth:`clear`."""
        now, seats = time.perf_counter(), [seat for table in self._tables for seat in table.seats]
        waiting = [now - seat.waits_since for seat in seats if seat.waits_since is not None]
        return HonestResult(
            Answers.of(self._figures.acknowledged, waiting),
            self._connects.read(),
            self._gets.read(),
            {level: waits.read() for level, waits in self._bots.items()},
            self._figures.lost,
        )

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deal(self) -> LoadGame:
        dealt = await deal(self._address, _EDITION, 2)
        table = LoadGame(dealt.links, self._figures, self._pace)
        try:
            await table.connect(self._address)
        except BaseException:
            table.abort()
            raise
        return table

    async def _keep(self, table: LoadGame) -> None:
        """Play one game after the other; a game with a lost connection is left as well."""
        while True:
            while not (table.over.done() or any(seat.closed for seat in table.seats)):
                await asyncio.sleep(0.1)
            following = await self._retry(self._deal)
            self._tables.discard(table)
            table.abort()
            table = following
            self._tables.add(table)
            table.start()

    async def _retry(self, act: Callable[[], Awaitable[T]]) -> T:
        while True:
            try:
                return await act()
            except (OSError, EOFError):
                await asyncio.sleep(_RETRY)

    async def _probe(self, waits: Waits, act: Callable[[], Awaitable[object]]) -> None:
        """Do something at fixed times, even if earlier ones have not been answered."""
        while True:
            self._start(self._time(waits, act))
            await asyncio.sleep(_PROBE_SECONDS)

    async def _time(self, waits: Waits, act: Callable[[], Awaitable[object]]) -> None:
        """Time an answer."""
        key = object()
        waits.begin(key)
        try:
            await act()
        except (OSError, EOFError):
            waits.fail(key)
        else:
            waits.end(key)

    async def _visit(self, link: str) -> None:
        loop = asyncio.get_running_loop()
        transport, visitor = await loop.create_connection(lambda: _Visitor(link), *self._address)
        try:
            await visitor.welcomed
            visitor.close()
        finally:
            transport.abort()

    async def _get(self) -> None:
        await ask(self._address, "/api/editions")

    async def _play_bot(self, level: str, waits: Waits) -> None:
        """Play against a bot, one game after the other."""

        def time_bot(is_thinking: bool) -> None:
            (waits.begin if is_thinking else waits.end)(level)

        loop, random = asyncio.get_running_loop(), Random(level)
        while True:
            dealt = await self._retry(lambda: deal(self._address, _EDITION, 1, [level]))
            game = BotGame(dealt.links[0], _THINKING_PAUSE, random, time_bot)
            await self._retry(lambda g=game: loop.create_connection(lambda: g, *self._address))
            try:
                await game.ended
            finally:
                game.abort()
            waits.fail(level)  # if the connection was lost while the bot was thinking
