"""Playing a plan on one machine: compiled games in threads, all others in processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from goldenspike.arena.hosted import play_hosted, warm_up
from goldenspike.arena.plan import Plan
from goldenspike.arena.rows import Batch
from goldenspike.arena.tables import play_quick
from goldenspike.worker import follow_parent

CHUNK = 100
"""Compiled games that are played at a time: enough to be worth it, few enough to show progress."""
_TRIES = 3
"""How often games are handed out to workers that die over them before the match gives up."""


def split_games(plan: Plan, games: Iterable[int]) -> tuple[list[list[int]], list[list[int]]]:
    """Return games in chunks as they are handed out: those for compiled code, and those for Python."""
    quick: list[int] = []
    slow: list[int] = []
    for game in games:
        (quick if plan.is_quick[game % len(plan.seatings)] else slow).append(game)
    return [quick[i : i + CHUNK] for i in range(0, len(quick), CHUNK)], [[game] for game in slow]


def play_chunk(plan: Plan, games: list[int]) -> Batch:
    """Play one chunk, in the way that its games are played."""
    is_quick = plan.is_quick[games[0] % len(plan.seatings)]
    return play_quick(plan, games) if is_quick else play_hosted(plan, games)


def play_local(plan: Plan, games: Iterable[int], jobs: int) -> Iterator[Batch]:
    """Play games of a plan, so many at a time, and yield what is done as soon as it is."""
    quick, slow = split_games(plan, games)
    if quick:
        pool = ThreadPoolExecutor(jobs)
        try:
            yield from _hand_out(lambda chunk: pool.submit(play_quick, plan, chunk), quick, 2 * jobs)
        finally:
            pool.shutdown(cancel_futures=True)
    if jobs == 1:  # here, where a debugger can follow a bot
        yield from (play_hosted(plan, chunk) for chunk in slow)
    elif slow:
        yield from _play_in_processes(plan, slow, jobs)


def _play_in_processes(plan: Plan, chunks: list[list[int]], jobs: int) -> Iterator[Batch]:
    warm_up(plan)
    left = {chunk[0]: chunk for chunk in chunks}
    tries = 0
    while left:
        others = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(
            min(jobs, len(left)), multiprocessing.get_context("spawn"), _start_worker, (plan,)
        )
        try:
            for batch in _hand_out(
                lambda chunk, pool=pool: pool.submit(_play, chunk), left.values(), 2 * jobs
            ):
                tries = 0
                for game in batch.games:
                    left.pop(int(game), None)
                yield batch
        except BrokenProcessPool:
            tries += 1
            if tries == _TRIES:
                raise ChildProcessError(
                    f"A worker process died {tries} times in a row, one of its bots with it; "
                    f"the next game to play was {next(iter(left))}."
                ) from None
        except BaseException:
            for worker in set(multiprocessing.active_children()) - others:
                worker.terminate()  # a game of slow bots may take minutes: nobody waits for it
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _hand_out(
    submit: Callable[[list[int]], Future[Batch]],
    chunks: Iterable[list[int]],
    at_once: int,
) -> Iterator[Batch]:
    """Keep the workers busy without handing out everything beforehand; yield what comes back."""
    waiting = iter(list(chunks))
    running = {submit(chunk) for chunk in islice(waiting, at_once)}
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            running |= {submit(chunk) for chunk in islice(waiting, 1)}
            yield future.result()


_worker_plan: Plan


def _start_worker(plan: Plan) -> None:
    global _worker_plan  # noqa: PLW0603  # the one thing a worker process knows
    follow_parent()
    _worker_plan = plan


def _play(games: list[int]) -> Batch:
    return play_hosted(_worker_plan, games)
