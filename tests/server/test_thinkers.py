"""The processes of bots: what happens to questions while they die or are stuck."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal

import pytest

from goldenspike.game import Game
from goldenspike.server.thinkers import Question, Thinkers, ask
from tests.server.family import are_dead, send
from tests.server.waiting import wait_until


@pytest.fixture(scope="module")
def question() -> Question:
    return ask("new-york", Game.new("new-york", 2, seed=1).view(0), "easy", bytes(32), 0.01)


@pytest.mark.slow
def test_a_bot_that_is_stuck_is_replaced_and_nobody_is_forgotten(question: Question) -> None:
    async def hold_and_ask() -> None:
        thinkers = Thinkers(1)
        first = await thinkers.choose(question, overdue=None)
        held = [process.pid for process in multiprocessing.active_children() if process.pid is not None]
        send(signal.SIGSTOP, held)
        answers = await asyncio.gather(*(thinkers.choose(question, overdue=12.0) for _ in range(3)))
        assert answers == [first] * 3
        wait_until(lambda: are_dead(held), "the one that was stuck is dead")
        thinkers.close()

    asyncio.run(hold_and_ask())


def test_all_processes_end_when_they_are_told_to(question: Question) -> None:
    async def start_and_close() -> list[int]:
        thinkers = Thinkers(1)
        asking = asyncio.create_task(thinkers.choose(question))
        await asyncio.sleep(0)  # it is asked, and waits for a process that has just begun
        started = [process.pid for process in multiprocessing.active_children() if process.pid is not None]
        asking.cancel()
        thinkers.close()
        return started

    started = asyncio.run(start_and_close())
    assert len(started) == 1
    assert are_dead(started)
