"""The bot pool: worker processes for quick bots and for hard bots, each group with a fair queue."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from multiprocessing.process import BaseProcess
from typing import NamedTuple, ParamSpec, TypeVar

import msgspec
import numpy as np

from goldenspike.bots.bot import Bot, Budget, Choice
from goldenspike.bots.dice import Dice
from goldenspike.bots.registry import LEVELS, bot_names, make_bot
from goldenspike.compilation import progress
from goldenspike.editions import Edition, load_edition
from goldenspike.engine.compile import IS_INTERPRETED
from goldenspike.engine.state import STATE
from goldenspike.game.game import Game
from goldenspike.game.view import View
from goldenspike.server.metrics import THINKING_SECONDS, WAITING_QUESTIONS
from goldenspike.server.play.bot_queue import FairQueue
from goldenspike.server.protocol.problems import Problem
from goldenspike.worker import block_ctrl_c, exit_with_parent

P = ParamSpec("P")
T = TypeVar("T")
_LOGGER = logging.getLogger(__name__)
_TRIES = 2
_OVERDUE = 30.0
"""Seconds beyond its thinking time after which a bot counts as stuck."""
_LOADING = 120.0
"""Seconds that a process has to start and load its bots."""
_FAILED_FOR = 60.0
"""Seconds until bot processes are tried again after they failed."""
_STAND_IN = "medium"
"""The level that replaces the hard one when no process can run, because it answers at once."""
_HARD = frozenset({"hard", "search"})
"""The bots that use all of their thinking time; all others answer at once."""


class BotStatus(msgspec.Struct, frozen=True):
    """How well bots play on this server right now."""

    compiling: float | None
    """How much of the rules is compiled, from 0 to 1; null if nothing is being compiled."""
    is_hard_medium: bool
    """Whether the hard level plays as medium, because the rules are not compiled."""
    have_failed: bool
    """Whether quick bots play for all levels, because the processes for bots cannot run."""


class BotQuestion(NamedTuple):
    """A request for a bot's move. It holds the bytes of a view, never of a state."""

    edition: str
    seat: int
    view: bytes
    level: str
    seed: bytes
    seconds: float


def is_level(name: str) -> bool:
    """Tell whether clients may choose a bot by this name. Files are excluded, because they contain code."""
    return name in LEVELS or name in bot_names()


def is_hard(level: str) -> bool:
    """Tell whether a bot uses all of its thinking time."""
    return level in _HARD


def ask(edition: str, view: View, level: str, seed: bytes, seconds: float) -> BotQuestion:
    """Return the request for a bot's move in a view."""
    assert view.seat is not None
    return BotQuestion(edition, view.seat, bytes(view), level, seed, seconds)


class BotPool:
    """The bot processes: one for quick bots, and one or more for hard bots.

    If they cannot be started, or keep ending, the server reports it (:class:`BotStatus`) and quick bots play
    in a thread of the server, so that games go on.
    """

    def __init__(self, processes: int) -> None:
        self._thread = ThreadPoolExecutor(1, "bots")
        self._quick = _Lane("quick", 1, self._thread)
        self._hard = _Lane("hard", processes, self._thread)

    def status(self) -> BotStatus:
        """Return whether bots currently play below their level."""
        done = progress() if IS_INTERPRETED else None
        return BotStatus(done, IS_INTERPRETED, self._quick.has_failed or self._hard.has_failed)

    async def warm_up(self) -> None:
        """Make every process load its bots."""
        for lane in (self._quick, self._hard):
            lane.start()  # the processes start while this one loads the engine
        game = await asyncio.to_thread(Game.new, "usa-classic", 2, 0)
        questions = [ask("usa-classic", game.view(0), level, bytes(32), 0.01) for level in LEVELS]
        await asyncio.gather(
            *(
                self.choose(question, overdue=_LOADING)
                for question in questions
                for _ in range(self._lane(question.level).processes)
            )
        )

    async def choose(
        self,
        question: BotQuestion,
        address: str = "",
        game: str = "",
        is_wanted: Callable[[], bool] = lambda: True,
        overdue: float | None = _OVERDUE,
    ) -> Choice:
        """Return a bot's choice, once it is the turn of this address and its game.

        Cancelling this call removes a queued question, or discards the answer if a process is working on it.
        If `is_wanted` returns False when it is the question's turn, this raises a :class:`Problem`.

        A process that dies, or exceeds the thinking time by more than `overdue` seconds, is replaced, and the
        question is asked again. After the second failure the question is answered in this process.
        """
        start = time.perf_counter()
        limit = None if overdue is None else question.seconds + overdue
        choice = await self._lane(question.level).choose(question, address, game, is_wanted, limit)
        THINKING_SECONDS.labels(question.level).observe(time.perf_counter() - start)
        return choice

    def _lane(self, level: str) -> _Lane:
        return self._hard if is_hard(level) else self._quick

    def close(self) -> None:
        """Stop all processes without waiting for answers."""
        self._quick.close()
        self._hard.close()
        self._thread.shutdown(wait=False, cancel_futures=True)


class _Waiting(NamedTuple):
    question: BotQuestion
    is_wanted: Callable[[], bool]
    limit: float | None
    turn: asyncio.Future[asyncio.Task[Choice]]
    """Set to the task that answers the question, once it is the question's turn."""


class _Lane:
    """A group of bot processes, and the queue of questions for them."""

    def __init__(self, name: str, processes: int, thread: ThreadPoolExecutor) -> None:
        self.processes = processes
        self._all = [_BotProcess() for _ in range(processes)]
        self._free = list(self._all)
        self._queue: FairQueue[_Waiting] = FairQueue()
        self._thinking: set[asyncio.Task[Choice]] = set()
        self._thread = thread
        self._failed_until: float | None = None
        self._is_closed = False
        self._gauge = WAITING_QUESTIONS.labels(name)

    @property
    def has_failed(self) -> bool:
        """Whether no process can run."""
        return self._failed_until is not None

    def start(self) -> None:
        """Start the processes before the first question."""
        for process in self._all:
            process.start()

    async def choose(
        self,
        question: BotQuestion,
        address: str,
        game: str,
        is_wanted: Callable[[], bool],
        limit: float | None,
    ) -> Choice:
        """Return a bot's choice, once it is the question's turn."""
        waiting = _Waiting(question, is_wanted, limit, asyncio.get_running_loop().create_future())
        self._queue.put(address, game, waiting)
        self._take_questions()
        try:
            thinking = await waiting.turn
        finally:
            self._queue.discard(address, game, waiting)  # if this was cancelled
            self._gauge.set(len(self._queue))
        return await asyncio.shield(thinking)  # the process cannot be interrupted: it stays busy until done

    def _take_questions(self) -> None:
        """Hand questions to free processes."""
        while self._free and not self._is_closed and (taken := self._queue.take()) is not None:
            address, waiting = taken
            is_cancelled = waiting.turn.done()
            if not is_cancelled and waiting.is_wanted():
                process = self._free.pop()
                thinking = asyncio.create_task(self._think(process, waiting.question, waiting.limit))
                self._thinking.add(thinking)
                thinking.add_done_callback(partial(self._finish, process, address))
                waiting.turn.set_result(thinking)
            else:
                self._queue.done(address)
                if not is_cancelled:
                    waiting.turn.set_exception(Problem("conflict", "This bot's move is no longer needed."))
        self._gauge.set(len(self._queue))

    def _finish(self, process: _BotProcess, address: str, thinking: asyncio.Task[Choice]) -> None:
        self._thinking.discard(thinking)
        self._free.append(process)
        self._queue.done(address)
        self._take_questions()

    async def _think(self, process: _BotProcess, question: BotQuestion, limit: float | None) -> Choice:
        if self._failed_until is None or time.monotonic() > self._failed_until:
            for _ in range(_TRIES):
                choice = await process.ask(question, limit)
                if choice is not None:
                    self._failed_until = None
                    return choice
            _LOGGER.error("The bots' processes do not start, or end again; quick bots play in the server.")
            self._failed_until = time.monotonic() + _FAILED_FOR
        level = _STAND_IN if is_hard(question.level) else question.level
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, _answer, question._replace(level=level))

    def close(self) -> None:
        """End the processes."""
        self._is_closed = True
        for thinking in self._thinking:
            thinking.cancel()
        for process in self._all:
            process.close()


class _BotProcess:
    """A process that answers one question at a time; it is replaced when it dies or hangs."""

    def __init__(self) -> None:
        self._executor: ProcessPoolExecutor | None = None
        self._child: BaseProcess | None = None

    def start(self) -> None:
        """Start the process before the first question; if that fails, the first question tries again."""
        try:
            self._submit(os.getpid)
        except (OSError, RuntimeError) as error:
            self._replace(error)

    async def ask(self, question: BotQuestion, limit: float | None) -> Choice | None:
        """Return the bot's choice, or None if the process did not start, ended or got stuck."""
        try:
            answer = self._submit(_answer, question)
        except (OSError, RuntimeError) as error:  # too many processes or threads, or too little memory
            self._replace(error)
            return None
        try:
            return await asyncio.wait_for(asyncio.wrap_future(answer), limit)
        except (BrokenProcessPool, TimeoutError) as error:
            self._replace(error)
            return None

    def _replace(self, error: Exception) -> None:
        _LOGGER.warning("a bot's process is replaced", extra={"error": repr(error)})
        self._kill()
        if self._executor is not None:
            self._executor.shutdown(wait=False)
        self._executor = self._child = None

    def _submit(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function in the process; the first call starts the process."""
        before = multiprocessing.active_children() if self._child is None else []
        if self._executor is None:
            self._executor = _new_executor()
        try:
            with block_ctrl_c():
                return self._executor.submit(function, *args, **kwargs)
        finally:
            if self._child is None:
                self._child = next((p for p in multiprocessing.active_children() if p not in before), None)

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()

    def close(self) -> None:
        """Kill the process, even if it is busy."""
        self._kill()
        if self._executor is not None:
            self._executor.shutdown()


def _new_executor() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=exit_with_parent)


@lru_cache
def _bot(level: str) -> Bot:
    return make_bot(level)


@lru_cache
def _edition(source: str) -> Edition:
    return load_edition(source)


def _answer(question: BotQuestion) -> Choice:
    array = np.frombuffer(question.view, STATE).copy()
    view = View(_edition(question.edition), question.seat, array)
    return _bot(question.level).ask(view, Dice.of(question.seed), Budget(seconds=question.seconds))
