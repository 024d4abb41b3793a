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
from goldenspike.view import View

_LOGGER = logging.getLogger(__name__)
_TRIES = 2
_OVERDUE = 30.0
"""Seconds beyond its time after which a bot is taken to be stuck."""
_FIRST_TIME = 1800.0
"""The same while bots are loaded: the first time they are compiled, which takes minutes on a busy machine."""


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
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._processes, multiprocessing.get_context("spawn"))

    async def warm_up(self) -> None:
        """Have every process load what bots need, which takes a while the first time."""
        view = Game.new("usa-classic", 2, seed=0).view(0)
        for level in LEVELS:
            question = ask("usa-classic", view, level, bytes(32), 0.01)
            await asyncio.gather(*(self.choose(question, _FIRST_TIME) for _ in range(self._processes)))

    async def choose(self, question: Question, overdue: float = _OVERDUE) -> Choice:
        """Return a bot's choice. A process that dies is replaced, and the question asked again."""
        loop = asyncio.get_running_loop()
        start = time.perf_counter()
        for tries_left in reversed(range(_TRIES)):
            pool = self._pool
            try:
                thinking = loop.run_in_executor(pool, _answer, question)
                choice = await asyncio.wait_for(thinking, question.seconds + overdue)
            except (BrokenProcessPool, TimeoutError):
                _LOGGER.exception("a bot's process ended or was stuck", extra={"level": question.level})
                if pool is self._pool:
                    self._pool = self._new_pool()
                    pool.shutdown(wait=False, cancel_futures=True)
                if not tries_left:
                    raise
            else:
                THINKING_SECONDS.labels(question.level).observe(time.perf_counter() - start)
                return choice
        raise AssertionError

    def close(self) -> None:
        """Stop all processes."""
        self._pool.shutdown(cancel_futures=True)


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
