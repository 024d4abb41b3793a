"""Attacks over HTTP, on connections that are kept open."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count, cycle

import msgspec

from goldenspike.bench.attacks.attacker import Attacker, unpack
from goldenspike.bench.attacks.records import (
    LARGE,
    SMALL,
    bring_record,
    bring_records,
    import_request,
    make_records,
)

_CONNECTIONS = 16
_GAMES = 3
_FRAMES = 400
"""The most positions in one answer of the server."""
_STARTS = 50
"""Replays begin at so many different actions."""
_PUBLIC_GAMES = 55
"""Fewer than the default of the server's setting create_rate."""
_RECORD_BYTES = 2_000_000
"""The default of the server's setting record_bytes."""


class _AttackSeat(msgspec.Struct):
    who: str


class _Listed(msgspec.Struct):
    game: str
    seats: list[_AttackSeat]


class _Lobby(msgspec.Struct):
    games: list[_Listed]


async def replays(attacker: Attacker) -> None:
    """Ask for replays of finished games, as fast as the server answers; no two requests are the same."""
    records = await bring_records(attacker, *LARGE, _GAMES) + await bring_records(attacker, *SMALL, _GAMES)

    def list_requests() -> Iterator[bytes]:
        for number in count():
            record, nth = records[number % len(records)], number // len(records)
            frames = max(1, _FRAMES - nth // _STARTS)
            path = f"/api/games/{record.game}/replay?first={nth % _STARTS}&count={frames}"
            yield attacker.request(path, link=record.watch)  # older versions need the link

    await _send_all(attacker, list_requests(), 2 * _CONNECTIONS)


async def archive(attacker: Attacker) -> None:
    """Ask for statistics and records of finished games, as fast as the server answers."""
    records = await bring_records(attacker, *LARGE, _GAMES)
    requests = [
        attacker.request(f"/api/games/{record.game}/{part}", link=record.watch)
        for record in records
        for part in ("statistics", "record")
    ]
    await _send_all(attacker, cycle(requests))


async def entries(attacker: Attacker) -> None:
    """Ask for all entries of a long game, as fast as the server answers."""
    record = await bring_record(attacker)
    path = f"/api/games/{record.game}/entries"
    await _send_all(attacker, cycle([attacker.request(path, link=record.watch)]))


async def lobby(attacker: Attacker) -> None:
    """Ask for the list of public games, after creating as many as possible, as fast as the server answers."""
    new = attacker.new_game([{"who": "here"}, *[{"who": "open"}] * 4], options={"public": True})
    for _ in range(_PUBLIC_GAMES):
        await attacker.prepare(new)
    await _ask_all(attacker, ["/api/games"])


async def editions(attacker: Attacker) -> None:
    """Ask for editions, the API's description and the metrics, as fast as the server answers."""
    await _ask_all(
        attacker, ["/api/editions", f"/api/editions/{LARGE[0]}", "/api/schema/openapi.json", "/metrics"]
    )


async def creates(attacker: Attacker) -> None:
    """Create games, as fast as the server answers."""
    edition, players = LARGE
    await _send_all(attacker, cycle([attacker.new_game([{"who": "here"}] * players, edition)]))


async def joins(attacker: Attacker) -> None:
    """Take every free seat in the lobby, and create public games when there is none."""
    lobby = attacker.request("/api/games")
    new = attacker.new_game([{"who": "here"}, *[{"who": "open"}] * 4], options={"public": True})

    async def join() -> None:
        async with attacker.connect() as connection:
            while True:
                status, body = await attacker.ask(connection, lobby)
                listed = msgspec.json.decode(unpack(body), type=_Lobby).games if status == 200 else []
                free = [game.game for game in listed if any(seat.who == "free" for seat in game.seats)]
                for game in free:
                    join = attacker.request(f"/api/games/{game}/join", b'{"name":"Mallory"}')
                    await attacker.ask(connection, join)
                if not free:
                    await attacker.ask(connection, new)

    await attacker.repeat([join] * 4)


async def large_bodies(attacker: Attacker) -> None:
    """Import files of the largest size with many records in each, as fast as the server answers."""
    [text] = await asyncio.to_thread(make_records, *LARGE, 1)
    await _send_all(attacker, cycle([import_request(attacker, text * (_RECORD_BYTES // len(text)))]), 4)


async def _ask_all(attacker: Attacker, paths: list[str]) -> None:
    await _send_all(attacker, cycle([attacker.request(path) for path in paths]))


async def _send_all(attacker: Attacker, requests: Iterator[bytes], connections: int = _CONNECTIONS) -> None:
    """Send requests in turn over several connections, the next as soon as the last is answered."""

    async def send() -> None:
        async with attacker.connect() as connection:
            while True:
                await attacker.ask(connection, next(requests))

    await attacker.repeat([send] * connections)
