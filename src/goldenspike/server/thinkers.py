"""Bots at work: in processes of their own, so that nobody else has to wait while they think."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from goldenspike.bots.bot import Bot, Budget, Choice
from goldenspike.bots.dice import Dice
from goldenspike.bots.registry import LEVELS, bot_names, make_bot
from goldenspike.editions import Edition, load_edition
from goldenspike.engine.state import STATE
from goldenspike.game import Game
from goldenspike.server.metrics import THINKING_SECONDS
from goldenspike.server.problems import Problem
from goldenspike.view import View
from goldenspike.worker import follow_parent

_LOGGER = logging.getLogger(__name__)
_TRIES = 2
_OVERDUE = 30.0
"""Seconds beyond its time after which a bot is taken to be stuck."""


class Question(NamedTuple):
    """What a bot is asked: it gets the bytes of a view, never of a state."""

    edition: str
    seat: int
    view: bytes
    level: str
    seed: bytes
    seconds: float


def is_level(name: str) -> bool:
    """Tell whether a bot can be asked for by this name. Never by a file: players run no code here."""
    return name in LEVELS or name in bot_names()


def ask(edition: str, view: View, level: str, seed: bytes, seconds: float) -> Question:
    """Return the question what a bot would play in a view."""
    assert view.seat is not None
    return Question(edition, view.seat, bytes(view), level, seed, seconds)


class Thinkers:
    """A pool of processes with bots in them."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._free = asyncio.Semaphore(processes)
        """So that no question is taken to be stuck that only waits for its turn."""
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, spawn, initializer=follow_parent)

    async def warm_up(self) -> None:
        """Have every process load what bots need; where it must be compiled first, that takes minutes."""
        game = await asyncio.to_thread(Game.new, "usa-classic", 2, 0)
        for level in LEVELS:
            question = ask("usa-classic", game.view(0), level, bytes(32), 0.01)
            await asyncio.gather(*(self.choose(question, overdue=None) for _ in range(self._processes)))

    async def choose(self, question: Question, overdue: float | None = _OVERDUE) -> Choice:
        """Return a bot's choice; a :class:`Problem` if there is none to be had.

        A process that dies, or is stuck so many seconds beyond its time, is replaced, and the question asked
        again.
        """
        start = time.perf_counter()
        limit = None if overdue is None else question.seconds + overdue
        for _ in range(_TRIES):
            async with self._free:
                pool = self._pool
                try:
                    thinking = asyncio.get_running_loop().run_in_executor(pool, _answer, question)
                    choice = await asyncio.wait_for(thinking, limit)
                except (BrokenProcessPool, TimeoutError) as error:
                    _LOGGER.warning("a bot is replaced", extra={"bot": question.level, "error": repr(error)})
                    self._replace(pool)
                else:
                    THINKING_SECONDS.labels(question.level).observe(time.perf_counter() - start)
                    return choice
        raise Problem("unavailable", "No bot can be asked right now; try again in a moment.", retry_after=1.0)

    def _replace(self, pool: ProcessPoolExecutor) -> None:
        """Put a new pool in the place of a broken one; who waits for the old one is told, and asks again."""
        if pool is self._pool:
            _end_children()
            self._pool = self._new_pool()
            pool.shutdown(wait=False)

    def close(self) -> None:
        """Stop all processes; nobody waits for what they think of."""
        _end_children()
        self._pool.shutdown()


def _end_children() -> None:
    """End the processes of bots, the only ones that a server starts by itself."""
    for process in multiprocessing.active_children():
        process.kill()


@lru_cache
def _bot(level: str) -> Bot:
    return make_bot(level)


@lru_cache
def _edition(source: str) -> Edition:
    return load_edition(source)


def _answer(question: Question) -> Choice:
    array = np.frombuffer(question.view, STATE).copy()
    view = View(_edition(question.edition), question.seat, array)
    return _bot(question.level).choose(view, Dice.of(question.seed), Budget(seconds=question.seconds))
