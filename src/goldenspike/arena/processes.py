"""Playing a plan on one machine: compiled games in threads, all others in processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from goldenspike.arena.plan import MatchPlan
from goldenspike.arena.play_compiled import play_quick
from goldenspike.arena.play_python import play_hosted, warm_up
from goldenspike.arena.rows import GameRows
from goldenspike.device import Device
from goldenspike.worker import block_ctrl_c, exit_with_parent

CHUNK = 100
"""Compiled games per call: enough to amortise the call, few enough to show progress."""
GPU_CHUNK = 1 << 17
"""The same on a GPU, which plays tens of thousands of games at the same time."""
_TRIES = 3
"""How often games are retried after worker processes died, before the match gives up."""


def split_games(
    plan: MatchPlan, games: Iterable[int], device: Device = "cpu"
) -> tuple[list[list[int]], list[list[int]]]:
    """Return games in chunks: those for compiled code, and those for Python."""
    quick: list[int] = []
    slow: list[int] = []
    for game in games:
        (quick if plan.is_quick[game % len(plan.seatings)] else slow).append(game)
    size = GPU_CHUNK if device == "cuda" else CHUNK
    return [quick[i : i + size] for i in range(0, len(quick), size)], [[game] for game in slow]


def play_chunk(plan: MatchPlan, games: list[int], device: Device = "cpu") -> GameRows:
    """Play one chunk, in compiled code or in Python."""
    is_quick = plan.is_quick[games[0] % len(plan.seatings)]
    return play_quick(plan, games, device) if is_quick else play_hosted(plan, games)


def play_local(
    plan: MatchPlan, games: Iterable[int], jobs: int, device: Device = "cpu"
) -> Iterator[GameRows]:
    """Play games of a plan with `jobs` jobs, and yield batches as they finish.

    On a GPU, games among compiled bots are played one chunk after the other.
    """
    quick, slow = split_games(plan, games, device)
    if device == "cuda":
        yield from (play_quick(plan, chunk, device) for chunk in quick)
    elif quick:
        pool = ThreadPoolExecutor(jobs)
        try:
            yield from _hand_out(lambda chunk: pool.submit(play_quick, plan, chunk), quick, 2 * jobs)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # after Ctrl-C a thread may still be compiling
    if jobs == 1:  # in this process, so that a debugger can follow a bot
        yield from (play_hosted(plan, chunk) for chunk in slow)
    elif slow:
        yield from _play_in_processes(plan, slow, jobs)


def _play_in_processes(plan: MatchPlan, chunks: list[list[int]], jobs: int) -> Iterator[GameRows]:
    warm_up(plan)
    left = {chunk[0]: chunk for chunk in chunks}
    tries = 0
    while left:
        others = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(
            min(jobs, len(left)), multiprocessing.get_context("spawn"), _start_worker, (plan,)
        )

        def submit(chunk: list[int], pool: ProcessPoolExecutor = pool) -> Future[GameRows]:
            with block_ctrl_c():  # this starts processes
                return pool.submit(_play, chunk)

        try:
            for batch in _hand_out(submit, left.values(), 2 * jobs):
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
                worker.terminate()  # without waiting: a game of slow bots may take minutes
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _hand_out(
    submit: Callable[[list[int]], Future[GameRows]],
    chunks: Iterable[list[int]],
    at_once: int,
) -> Iterator[GameRows]:
    """Keep the workers busy without submitting everything at once; yield results as they arrive."""
    waiting = iter(list(chunks))
    running = {submit(chunk) for chunk in islice(waiting, at_once)}
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            running |= {submit(chunk) for chunk in islice(waiting, 1)}
            yield future.result()


_worker_plan: MatchPlan


def _start_worker(plan: MatchPlan) -> None:
    global _worker_plan  # noqa: PLW0603  # the one thing a worker process knows
    exit_with_parent()
    _worker_plan = plan


def _play(games: list[int]) -> GameRows:
    return play_hosted(_worker_plan, games)
