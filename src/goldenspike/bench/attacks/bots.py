"""Attacks that make bots think."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from goldenspike.bench.attacks.attacker import Attacker, unpack
from goldenspike.bench.attacks.botgames import BotGame
from goldenspike.bench.load.frames import frame
from goldenspike.bench.load.replies import LoadWelcome, read_message
from goldenspike.bench.load.requests import Dealt

_TABLES = 60
_REFUSED_PAUSE = 1.0
_OVER = b'"phase":"over"'
_HINT = frame(b'{"type":"hint","id":"hint"}')


async def hard_bots(attacker: Attacker) -> None:
    """Play at 60 tables against four hard bots each, so that all of them have to think."""
    new = attacker.new_game([{"who": "here"}, *[{"who": "bot", "level": "hard"}] * 4])

    def count(is_thinking: bool) -> None:
        attacker.done += is_thinking

    def make_table() -> Callable[[], Awaitable[None]]:
        links: list[str] = []

        async def play() -> None:
            if not links:
                links.extend(await _make_game(attacker, new))
                return
            table = BotGame(links[0], 0.0, attacker.random, count)
            opened = await attacker.open_socket()
            transport, _ = await asyncio.get_running_loop().create_connection(lambda: table, sock=opened)
            try:
                with attacker.count_open():
                    await table.ended
            finally:
                transport.abort()
            links.clear()
            raise ConnectionResetError("The server closed the connection.")

        return play

    await attacker.repeat([make_table() for _ in range(_TABLES)], _REFUSED_PAUSE)


async def easy_bots(attacker: Attacker) -> None:
    """Watch 60 tables of five easy bots, which play as fast as the server lets them."""
    new = attacker.new_game([{"who": "bot", "level": "easy"}] * 5)

    def make_table() -> Callable[[], Awaitable[None]]:
        links: list[str] = []

        async def watch() -> None:
            if not links:
                links.extend(dealt.watch for dealt in await _deal(attacker, new))
                return
            async with attacker.connect_websocket(links[0]) as connection:
                message = b""
                while _OVER not in message:
                    _, message = await connection.receive()
                    attacker.done += 1
            links.clear()

        return watch

    await attacker.repeat([make_table() for _ in range(_TABLES)], _REFUSED_PAUSE)


async def hints(attacker: Attacker) -> None:
    """Ask for hints in 60 games, and leave without waiting for them."""
    new = attacker.new_game([{"who": "here"}] * 2)

    def make_game() -> Callable[[], Awaitable[None]]:
        links: list[str] = []

        async def ask_and_leave() -> None:
            if not links:
                links.extend(await _make_game(attacker, new))
                return
            links.reverse()
            async with attacker.connect_websocket(links[0]) as connection:
                _, message = await connection.receive()
                welcome = read_message(message)
                if isinstance(welcome, LoadWelcome) and welcome.own is not None and welcome.own.legal:
                    connection.writer.write(_HINT)
                    attacker.done += 1
                    await asyncio.sleep(0.1)  # the hint has arrived before the connection ends

        return ask_and_leave

    await attacker.repeat([make_game() for _ in range(_TABLES)])


async def _make_game(attacker: Attacker, request: bytes) -> list[str]:
    """Return the links to a new game; none if the server refuses to make one, after a pause."""
    return [link for dealt in await _deal(attacker, request) for link in dealt.links]


async def _deal(attacker: Attacker, request: bytes) -> list[Dealt]:
    """Make a game; return nothing if the server refuses, after a pause."""
    async with attacker.connect() as connection:
        status, body = await connection.ask(request)
    if status < 400:
        return [msgspec.json.decode(unpack(body), type=Dealt)]
    attacker.refused += 1
    await asyncio.sleep(_REFUSED_PAUSE)
    return []
