"""The load process: an order as JSON on standard input; progress and the result on standard output."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import msgspec

from goldenspike.bench.attacks.catalogue import AttackOrder, run_attack
from goldenspike.bench.load.play import Club, PlayOrder
from goldenspike.bench.load.watchers import Crowd, CrowdOrder


class Order(msgspec.Struct):
    """The task: to play, to watch, or to attack."""

    play: PlayOrder | None = None
    watch: CrowdOrder | None = None
    attack: AttackOrder | None = None


def _write(line: dict[str, Any]) -> None:
    sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
    sys.stdout.flush()


async def _run(order: Order) -> object:
    def say(text: str) -> None:
        _write({"progress": text})

    if order.play is not None:
        return await Club(order.play, say).run()
    if order.attack is not None:
        return await run_attack(order.attack, say)
    assert order.watch is not None
    return await Crowd(order.watch, say).run()


def main() -> int:
    """Carry out the order on standard input."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            _write({"result": runner.run(_run(order))})
    except OSError as error:
        _write({"error": str(error)})
        return 1
    return 0


def _loop_factory() -> Any:
    try:
        import uvloop  # noqa: PLC0415  # not everywhere
    except ImportError:
        return None
    return uvloop.new_event_loop


if __name__ == "__main__":
    sys.exit(main())
