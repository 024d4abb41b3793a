"""``goldenspike bench attack``: how long honest players wait while one address attacks the server."""

from __future__ import annotations

import argparse
import asyncio
import gc
import resource
import shlex
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import msgspec

from goldenspike.bench.attacks.attacker import BEGUN, AttackResult
from goldenspike.bench.attacks.catalogue import ATTACKS, ON_BOTS, AttackOrder
from goldenspike.bench.attacks.honest import Answers, Honest, HonestResult
from goldenspike.bench.figures import Figure
from goldenspike.bench.load.meters import memory_bytes
from goldenspike.bench.load.processes import PROGRAM, LoadServer, run_load, start_server
from goldenspike.bench.load.report import Row

_QUIET, _QUIET_WITH_BOTS = "none", "none, with bots"
_WARM_UP = 2.0
"""Seconds of play before anything is measured."""
_MARGIN = 1.0
"""Seconds that an attack goes on after the measurement."""
_PATIENCE = 60.0
_OPEN_FILES = 1_024
"""The limit of open files that the server starts with: the default of most systems."""
_LOG_BYTES = 3_000
_HEADINGS = (
    "p50/p99/worst in ms",
    "moves",
    "connects",
    "GETs",
    "medium bot",
    "hard bot",
    "unanswered",
    "server MB",
    "attacker/s",
    "refused/s",
    "closed/s",
    "open",
)


class AttackRun(msgspec.Struct):
    """The result of one attack."""

    name: str
    honest: HonestResult
    memory: int
    """The server's memory at the end, in bytes; 0 if it has ended."""
    attacker: AttackResult | None = None


class AttackResults(msgspec.Struct):
    """All attacks, and the same measurement without one first."""

    seconds: float
    runs: list[AttackRun]


def measure_attacks(options: argparse.Namespace) -> AttackResults:
    """Measure the attacks that the options name, each on a new server; report progress on stderr."""
    names = options.attack or list(ATTACKS)
    if unknown := [name for name in names if name not in ATTACKS]:
        raise ValueError(f"There is no attack called {unknown[0]!r}: choose from {', '.join(ATTACKS)}.")
    program = shlex.split(options.program) if options.program else PROGRAM
    plan = [_QUIET] if any(name not in ON_BOTS for name in names) else []
    plan += [_QUIET_WITH_BOTS] if any(name in ON_BOTS for name in names) else []
    results = AttackResults(options.seconds, [])
    for name in [*plan, *names]:
        _say(f"attack: {name} ...")
        with _start_server(program) as server:
            results.runs.append(asyncio.run(_measure(name, server, options.seconds)))
    return results


@contextmanager
def _start_server(program: Sequence[str]) -> Generator[LoadServer]:
    """Run a server with the default limits; its error output is shown only if it does not start."""
    with TemporaryDirectory(prefix="goldenspike-bench-") as folder, TemporaryFile() as log:
        try:
            with (
                _open_files(_OPEN_FILES),
                start_server(
                    f"sqlite:///{Path(folder) / 'games.db'}",
                    program=program,
                    errors=log,
                    create_rate=None,
                    message_rate=None,
                    address_connections=None,
                    metrics=None,
                ) as server,
            ):
                yield server
        except OSError:
            log.seek(0)
            _say(log.read()[-_LOG_BYTES:].decode(errors="replace"))
            raise


async def _measure(name: str, server: LoadServer, seconds: float) -> AttackRun:
    with_bots = name in ON_BOTS or name == _QUIET_WITH_BOTS
    async with Honest(server.address, with_bots=with_bots) as honest:
        await asyncio.sleep(_WARM_UP)
        attacking = None
        if name in ATTACKS:
            attacking = await _start_attack(AttackOrder(name, server.address, seconds + _MARGIN))
        gc.collect()
        gc.disable()  # because a pause of this process would look like one of the server
        try:
            honest.clear()
            await asyncio.sleep(seconds)
            run = AttackRun(name, honest.read(), _memory(server))
        finally:
            gc.enable()
        if attacking is not None:
            run.attacker = await attacking
        return run


async def _start_attack(order: AttackOrder) -> asyncio.Task[AttackResult]:
    """Start the attacker's process, and return once the attack is under way."""
    loop, begun = asyncio.get_running_loop(), asyncio.Event()

    def hear(text: str) -> None:
        if text == BEGUN:
            loop.call_soon_threadsafe(begun.set)

    attacking = asyncio.create_task(asyncio.to_thread(run_load, {"attack": order}, AttackResult, hear))
    waiting = asyncio.create_task(begun.wait())
    await asyncio.wait({attacking, waiting}, timeout=_PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if attacking.done():
        await attacking  # raises why it ended
    if not begun.is_set():
        raise OSError(f"The attack {order.name!r} did not begin within {_PATIENCE:g} seconds.")
    return attacking


def _memory(server: LoadServer) -> int:
    try:
        return memory_bytes(server.pids)
    except OSError:
        return 0


@contextmanager
def _open_files(count: int) -> Generator[None]:
    """Limit the open files of processes started in the block, unless they raise the limit themselves."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, soft), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def tabulate_attacks(results: AttackResults) -> Iterator[tuple[Row, Iterable[Row]]]:
    """Yield the table of all attacks: its headings and its rows."""
    yield _HEADINGS, [_row(run) for run in results.runs]


def _row(run: AttackRun) -> Row:
    honest, attacker = run.honest, run.attacker
    answers = [honest.moves, honest.connects, honest.gets]
    bots = [honest.bots.get("medium"), honest.bots.get("hard")]
    unanswered = sum(kind.unanswered for kind in (*answers, *bots) if kind is not None)
    did: Row = ("", "", "", "")
    if attacker is not None:
        counts = (attacker.done, attacker.refused, attacker.closed)
        did = (*(Figure.show(count / attacker.seconds) for count in counts), f"{attacker.connections:,}")
    return (
        run.name,
        *map(_cell, (*answers, *bots)),
        str(unanswered),
        Figure.show(run.memory / 1e6),
        *did,
    )


def _cell(answers: Answers | None) -> str:
    if answers is None:
        return ""
    return "/".join(f"{value * 1e3:.0f}" for value in (answers.half, answers.most, answers.worst))
