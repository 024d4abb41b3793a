"""Bot processes: what happens to questions when processes die or hang."""

from __future__ import annotations

import asyncio
import errno
import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing import spawn, util
from pathlib import Path

import pytest

from goldenspike.game import Game
from goldenspike.server.play import bot_pool as bot_pool_module
from goldenspike.server.play.bot_pool import BotPool, BotQuestion, ask
from tests.server.process_tree import are_dead, send
from tests.server.waiting import wait_until

SENTENCE = "The bots' processes do not start, or end again; quick bots play in the server."


@pytest.fixture(scope="module")
def question() -> BotQuestion:
    return ask("new-york", Game.new("new-york", 2, seed=1).view(0), "easy", bytes(32), 0.01)


@pytest.mark.slow
def test_a_stuck_bot_process_is_replaced_and_all_questions_are_answered(question: BotQuestion) -> None:
    async def hold_and_ask() -> None:
        bot_pool = BotPool(1)
        first = await bot_pool.choose(question, overdue=None)
        held = [process.pid for process in multiprocessing.active_children() if process.pid is not None]
        send(signal.SIGSTOP, held)
        answers = await asyncio.gather(*(bot_pool.choose(question, overdue=12.0) for _ in range(3)))
        assert answers == [first] * 3
        wait_until(lambda: are_dead(held), "the one that was stuck is dead")
        bot_pool.close()

    asyncio.run(hold_and_ask())


def test_all_processes_end_on_close(question: BotQuestion) -> None:
    async def start_and_close() -> list[int]:
        bot_pool = BotPool(1)
        asking = asyncio.create_task(bot_pool.choose(question))
        while not multiprocessing.active_children():
            await asyncio.sleep(0)
        started = [process.pid for process in multiprocessing.active_children() if process.pid is not None]
        asking.cancel()
        bot_pool.close()
        return started

    started = asyncio.run(start_and_close())
    assert len(started) == 1
    assert are_dead(started)


def test_games_continue_when_no_bot_process_can_start(
    question: BotQuestion, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def ask_without_processes() -> None:
        bot_pool = BotPool(1)
        expected = await bot_pool.choose(question)
        assert not bot_pool.status().have_failed
        bot_pool.close()

        monkeypatch.setattr(spawn, "_python_exe", b"/bin/false")
        bot_pool = BotPool(1)
        answers = await asyncio.gather(*(bot_pool.choose(question) for _ in range(3)))
        assert answers == [expected] * 3
        assert bot_pool.status().have_failed
        said = [record.message for record in caplog.records if record.levelname == "ERROR"]
        assert set(said) == {SENTENCE}
        assert await bot_pool.choose(question._replace(level="hard"))  # a quick bot replaces it
        monkeypatch.undo()

        bot_pool._quick._failed_until = 0.0  # retry now
        bot_pool._hard._failed_until = None
        assert await bot_pool.choose(question) == expected
        assert not bot_pool.status().have_failed
        bot_pool.close()

    asyncio.run(ask_without_processes())


def refuse_to_start(monkeypatch: pytest.MonkeyPatch, _folder: Path) -> None:
    """Make the system refuse new processes, as it does at the limit of tasks."""

    def refuse(*_: object) -> int:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(util, "spawnv_passfds", refuse)


def refuse_queues(monkeypatch: pytest.MonkeyPatch, _folder: Path) -> None:
    """Make the system refuse a process pool's queues, as it does when too many files are open."""

    def refuse() -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(bot_pool_module, "_new_executor", refuse)


def hang_at_start(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make new processes hang."""
    stuck = folder / "stuck"
    stuck.write_text("#!/bin/sh\nexec sleep 1000\n", encoding="utf-8")
    stuck.chmod(0o755)
    monkeypatch.setattr(spawn, "_python_exe", os.fsencode(stuck))
    monkeypatch.setattr(bot_pool_module, "_LOADING", 0.5)


@pytest.mark.parametrize("harm", [refuse_to_start, refuse_queues, hang_at_start])
def test_a_server_gets_ready_although_no_process_for_bots_starts(
    harm: Callable[[pytest.MonkeyPatch, Path], None],
    question: BotQuestion,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def warm_up() -> None:
        bot_pool = BotPool(2)
        try:
            async with asyncio.timeout(60):
                await bot_pool.warm_up()
            assert bot_pool.status().have_failed
            assert await bot_pool.choose(question)
        finally:
            bot_pool.close()

    harm(monkeypatch, tmp_path)
    asyncio.run(warm_up())
    assert {record.message for record in caplog.records if record.levelname == "ERROR"} == {SENTENCE}
    assert not multiprocessing.active_children()
