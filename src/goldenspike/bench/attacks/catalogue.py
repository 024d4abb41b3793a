"""All attacks by name, and how the attacker's process runs one."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from goldenspike.bench.attacks import bots, requests, sockets
from goldenspike.bench.attacks.attacker import Attacker, AttackResult
from goldenspike.bench.load.requests import Address

ATTACKS: dict[str, Callable[[Attacker], Coroutine[Any, Any, None]]] = {
    "pings": sockets.pings,
    "fragments": sockets.fragments,
    "silent": sockets.silent,
    "half-requests": sockets.half_requests,
    "hard-bots": bots.hard_bots,
    "easy-bots": bots.easy_bots,
    "hints": bots.hints,
    "replays": requests.replays,
    "archive": requests.archive,
    "entries": requests.entries,
    "lobby": requests.lobby,
    "editions": requests.editions,
    "connections": sockets.connections,
    "hellos": sockets.hellos,
    "many-sockets": sockets.many_sockets,
    "junk": sockets.junk,
    "creates": requests.creates,
    "joins": requests.joins,
    "large-messages": sockets.large_messages,
    "large-bodies": requests.large_bodies,
}
ON_BOTS = frozenset({"hard-bots", "easy-bots", "hints"})
"""The attacks that keep the bots busy; for these the answers of bots are measured as well."""
_OPEN_FILES = 4_096
_NICENESS = 10
"""Niceness of the attacker's process, because a real attacker would not use the server's processor."""


class AttackOrder(msgspec.Struct):
    """Which attack to run, on which server, for how long."""

    name: str
    address: Address
    seconds: float


async def run_attack(order: AttackOrder, say: Callable[[str], None]) -> AttackResult:
    """Run an attack, in a process that does nothing else."""
    from goldenspike.bench.load.meters import raise_open_files  # noqa: PLC0415  # needs Unix

    raise_open_files(_OPEN_FILES)
    os.nice(_NICENESS)
    attacker = Attacker(order.address, order.seconds, say)
    await ATTACKS[order.name](attacker)
    return attacker.result()
