"""``goldenspike compile``: compile everything ahead of time, on all cores."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from numba.core import event  # pyright: ignore[reportMissingTypeStubs]

from goldenspike.cli.compile_jobs import list_jobs
from goldenspike.cli.prepare import compiling_bar
from goldenspike.compilation import PARTS, is_compiled, mark_compiled, only_one
from goldenspike.exit_codes import FAILED, OK
from goldenspike.worker import exit_with_parent

_event: Any = event
_LOW_PRIORITY = 15
_TICK = 0.2
"""Seconds between two reports of progress."""
_NEARLY = 0.95
"""The largest share of an unfinished job that is counted."""
_GARBAGE = 100_000
"""Threshold of the garbage collector. With Python's 700, collections take a sixth of the time."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes (all cores)")
    parser.add_argument("--background", action="store_true", help="at low priority")
    parser.add_argument(
        "--report", action="store_true", help="print progress as numbers from 0 to 1, a line each"
    )
    parser.epilog = "example: goldenspike compile rules simulation"


def run(options: argparse.Namespace) -> int:
    """Compile, unless it is done; if another process is compiling, wait for that."""
    for part in options.parts:
        if part not in PARTS:
            raise ValueError(f"There is no part {part!r}; the parts are {', '.join(PARTS)}.")
    if options.jobs < 1:
        raise ValueError("Give at least 1 job.")
    if options.background:
        os.nice(_LOW_PRIORITY)
    parts = options.parts or PARTS
    if is_compiled(parts):
        if not options.report:
            print("Everything was compiled already.")
        return OK
    with _shown(is_reported=options.report) as show, only_one(show) as report:

        def tell(done: float) -> None:
            report(done)
            show(done)

        missing = [part for part in parts if not is_compiled([part])]
        if missing:
            compile_parts(missing, options.jobs, tell)
    if not options.report:
        print("Everything is compiled." if missing else "Everything was compiled already.")
    return OK


@contextmanager
def _shown(*, is_reported: bool) -> Generator[Callable[[float], None]]:
    if is_reported:
        threading.Thread(target=_end_with_parent, daemon=True).start()
        yield lambda done: print(f"{done:.3f}", flush=True)
        return
    with compiling_bar() as show:
        yield show


def _end_with_parent() -> None:
    """Exit when the process that reads the report ends, which closes the pipe to our standard input."""
    sys.stdin.read()
    os._exit(FAILED)


def compile_parts(parts: Sequence[str], processes: int, on_progress: Callable[[float], None]) -> None:
    """Compile parts in several processes; `on_progress` gets the progress, from 0 to 1."""
    jobs = list_jobs()
    numbers = [number for number, job in enumerate(jobs) if job.part in parts]
    spawn = multiprocessing.get_context("spawn")
    counts = spawn.Array("i", len(jobs), lock=False)
    pool = ProcessPoolExecutor(min(processes, len(numbers)), spawn, _prepare_process, (counts,))
    try:
        pending = {pool.submit(_run_job, number) for number in numbers}
        finished: set[int] = set()
        while pending:
            done, pending = wait(pending, _TICK, FIRST_COMPLETED)
            for part in _finish(numbers, finished, {future.result() for future in done}):
                mark_compiled(part)
            on_progress(_progress(numbers, finished, counts))
    except BrokenProcessPool:
        raise ValueError("A process that compiles ended early; there may be too little memory.") from None
    finally:
        for child in multiprocessing.active_children():
            child.kill()
        pool.shutdown(cancel_futures=True)


def _finish(numbers: Sequence[int], finished: set[int], more: set[int]) -> list[str]:
    """Add finished jobs, and return the parts that are complete now."""
    jobs, before = list_jobs(), set(finished)
    finished |= more

    def open_parts(done: set[int]) -> set[str]:
        return {jobs[number].part for number in numbers if number not in done}

    return sorted(open_parts(before) - open_parts(finished))


def _progress(numbers: Sequence[int], finished: set[int], counts: Sequence[int]) -> float:
    """Return the share of the work that is done; unfinished jobs count by the functions compiled so far."""
    jobs, done = list_jobs(), 0.0
    for number in numbers:
        job = jobs[number]
        share = 1.0 if number in finished else min(counts[number] / job.functions, _NEARLY)
        done += job.seconds * share
    return done / sum(jobs[number].seconds for number in numbers)


class _Counter(_event.Listener):
    """Counts the functions that this process compiles, for its current job."""

    def __init__(self, counts: Any) -> None:
        self.counts = counts
        self.job = 0

    def on_start(self, event: object) -> None:
        """Do nothing: a function is counted when it is compiled."""

    def on_end(self, event: object) -> None:  # noqa: ARG002  # Numba passes it
        self.counts[self.job] += 1


_counter: _Counter | None = None


def _prepare_process(counts: Any) -> None:
    global _counter  # noqa: PLW0603  # a process pool has no other place for what its processes keep
    exit_with_parent()
    gc.set_threshold(_GARBAGE, 20, 100)
    _counter = _Counter(counts)
    _event.register("numba:compile", _counter)


def _run_job(number: int) -> int:
    assert _counter is not None
    _counter.job = number
    list_jobs()[number].run()
    return number
