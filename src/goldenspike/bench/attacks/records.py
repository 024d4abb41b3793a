"""Records of finished games, which attacks import into the server."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import msgspec

from goldenspike.bench.attacks.attacker import Attacker

LARGE = ("usa-mega", 5)
"""The largest board, because its replays and records are the largest as well; and the number of players."""
SMALL = ("usa-classic", 2)
_MOST_MISSED = 400
"""The most entries that the server sends with a welcome."""


class _Made(msgspec.Struct):
    game: str
    watch: str


class ImportedRecord(NamedTuple):
    """A finished game on the server."""

    game: str
    watch: str
    """The spectator link."""
    first_missed: int
    """The entry to name in a hello, so that the welcome has as many entries as possible."""


def make_records(edition: str, players: int, games: int) -> list[str]:
    """Return records of finished games."""
    from goldenspike.editions import load_edition  # noqa: PLC0415  # the other attacks start sooner without
    from goldenspike.game.seeds import read_seed  # noqa: PLC0415
    from goldenspike.simulation import random_games  # noqa: PLC0415

    played = random_games(load_edition(edition), players, games, read_seed("bench attack"))
    return [game.record() for game in played]


def import_request(attacker: Attacker, text: str) -> bytes:
    """Return the request that imports a record."""
    return attacker.request("/api/records", text.encode(), "text/plain")


async def bring_records(attacker: Attacker, edition: str, players: int, games: int) -> list[ImportedRecord]:
    """Import records of finished games."""
    brought: list[ImportedRecord] = []
    for text in await asyncio.to_thread(make_records, edition, players, games):
        made = msgspec.json.decode(await attacker.prepare(import_request(attacker, text)), type=_Made)
        shown = await attacker.prepare(attacker.request(f"/api/games/{made.game}", link=made.watch))
        last = msgspec.json.decode(shown, type=_Shown).last
        brought.append(ImportedRecord(made.game, made.watch, max(0, last - _MOST_MISSED)))
    return brought


async def bring_record(attacker: Attacker) -> ImportedRecord:
    """Import the record of a long game."""
    [record] = await bring_records(attacker, *LARGE, 1)
    return record


class _Shown(msgspec.Struct):
    last: int
