"""Attacks over WebSockets and plain TCP connections."""

from __future__ import annotations

import asyncio

from goldenspike.bench.attacks.attacker import REFUSED, Attacker
from goldenspike.bench.attacks.records import bring_record
from goldenspike.bench.load.frames import CLOSE, PING, frame

_FRAMES = 10_000
"""Frames in one write of a flood: about 60 kB."""
_BEGIN, _CONTINUE = bytes.fromhex("01 80 00 00 00 00"), bytes.fromhex("00 80 00 00 00 00")
"""The empty first frame of a fragmented message, and an empty continuation frame (RFC 6455, 5.4)."""
_SILENT = 2_000
_HALF_REQUESTS = 1_100
_SOCKETS = 16
_MOST_SOCKETS = 300
"""The default of the server's setting address_connections."""
_COMMANDS, _COMMAND_SECONDS = 5, 0.25
"""Each socket sends so many commands in this time: as many as the default of message_rate allows."""
_HELD_PAUSE = 1.0
"""Seconds before a held connection that was closed is opened again."""
_LARGE_BYTES = 8_000
"""Just below the default of the server's setting message_bytes."""
_JUNK = (
    b"",
    b"nonsense",
    b"[" * 50,
    b'{"type":"nonsense","id":"1"}',
    b'{"type":"play","id":"2","move":{"to":"the moon"}}',
    b'{"type":"say","id":"3","text":7}',
)


async def pings(attacker: Attacker) -> None:
    """Send ping frames as fast as possible over one WebSocket without a hello."""
    chunk = frame(b"", PING) * _FRAMES

    async def flood() -> None:
        async with attacker.connect_websocket() as connection:
            await attacker.pour(connection, chunk, _FRAMES)

    await attacker.repeat([flood])


async def fragments(attacker: Attacker) -> None:
    """Send a message of empty continuation frames without end over one WebSocket without a hello."""
    chunk = _CONTINUE * _FRAMES

    async def flood() -> None:
        async with attacker.connect_websocket() as connection:
            connection.writer.write(_BEGIN)
            await attacker.pour(connection, chunk, _FRAMES)

    await attacker.repeat([flood])


async def silent(attacker: Attacker) -> None:
    """Hold up to 2,000 WebSockets that never say hello."""

    async def hold() -> None:
        async with attacker.connect_websocket() as connection:
            attacker.done += 1
            await connection.discard()
        raise ConnectionResetError("The server closed the connection.")

    await attacker.repeat([hold] * _SILENT, _HELD_PAUSE)


async def half_requests(attacker: Attacker) -> None:
    """Hold 1,100 connections that have sent the first half of a request's head."""
    half = attacker.request("/api/editions")[:-10]

    async def hold() -> None:
        async with attacker.connect() as connection:
            connection.writer.write(half)
            attacker.done += 1
            await connection.discard()
        raise ConnectionResetError("The server closed the connection.")

    await attacker.repeat([hold] * _HALF_REQUESTS, _HELD_PAUSE)


async def connections(attacker: Attacker) -> None:
    """Open WebSockets with a valid hello and close them after the welcome, as fast as possible."""
    link, _ = await attacker.deal()
    end = frame(b"\x03\xe8", CLOSE)

    async def visit() -> None:
        async with attacker.connect_websocket(link) as connection:
            await connection.receive()
            attacker.done += 1
            connection.writer.write(end)

    await attacker.repeat([visit] * _SOCKETS)


async def many_sockets(attacker: Attacker) -> None:
    """Send commands over 300 WebSockets with a valid hello, none of them faster than one socket may."""
    link, _ = await attacker.deal()
    chunk = frame(b'{"type":"ways","id":"1"}') * _COMMANDS

    async def send() -> None:
        async with attacker.connect_websocket(link) as connection:
            reading = asyncio.create_task(connection.discard())
            try:
                while not reading.done():
                    connection.writer.write(chunk)
                    attacker.done += _COMMANDS
                    await asyncio.sleep(_COMMAND_SECONDS)
            finally:
                reading.cancel()
                attacker.refused += connection.refused
        raise ConnectionResetError("The server closed the connection.")

    await attacker.repeat([send] * _MOST_SOCKETS)


async def hellos(attacker: Attacker) -> None:
    """Open WebSockets with a hello that asks for all entries of a long game, as fast as possible."""
    record = await bring_record(attacker)

    async def ask() -> None:
        async with attacker.connect_websocket(record.watch, record.first_missed) as connection:
            _, message = await connection.receive()
            attacker.done += 1
            attacker.refused += REFUSED in message

    await attacker.repeat([ask] * _SOCKETS)


async def junk(attacker: Attacker) -> None:
    """Send malformed messages over WebSockets with a valid hello, as fast as possible."""
    await _flood_seat(attacker, b"".join(map(frame, _JUNK)) * 10, len(_JUNK) * 10)


async def large_messages(attacker: Attacker) -> None:
    """Send messages of nearly the largest size over WebSockets with a valid hello, as fast as possible."""
    message = frame(b'{"type":"say","id":"1","text":"%s"}' % (b"x" * _LARGE_BYTES))
    await _flood_seat(attacker, message * 8, 8)


async def _flood_seat(attacker: Attacker, chunk: bytes, frames: int) -> None:
    """Say hello for a seat, and send the same bytes until the server closes the connection."""
    link, _ = await attacker.deal()

    async def flood() -> None:
        async with attacker.connect_websocket(link) as connection:
            await connection.receive()
            await attacker.pour(connection, chunk, frames)

    await attacker.repeat([flood] * 4)
