"""The few plain requests of the load: dealing games, reading figures."""

from __future__ import annotations

import asyncio
import contextlib
from typing import NamedTuple

import msgspec


class Address(NamedTuple):
    """Where a server is."""

    host: str
    port: int


class Dealt(msgspec.Struct):
    """What is needed of the answer to a new game."""

    seats: list[str]
    watch: str


async def ask(address: Address, path: str, body: bytes | None = None) -> bytes:
    """Return the answer to a request, over a connection of its own."""
    reader, writer = await asyncio.open_connection(*address)
    try:
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: {address.host}\r\n"
        head += (
            f"Connection: close\r\nContent-Type: application/json\r\nContent-Length: {len(body or b'')}\r\n"
        )
        writer.write(head.encode() + b"\r\n" + (body or b""))
        status, _, rest = (await reader.read()).partition(b"\r\n")
    finally:
        writer.close()
        with contextlib.suppress(OSError):  # the server may have been first
            await writer.wait_closed()
    answer = rest.partition(b"\r\n\r\n")[2]
    if status.split(b" ")[1][:1] != b"2":
        raise ConnectionError(f"The server answered {path} with {status.decode()}: {answer[:300].decode()}")
    return answer


async def deal(address: Address, edition: str, seats: int) -> Dealt:
    """Have a game dealt."""
    wish = {"edition": edition, "seats": [{"who": "link"}] * seats}
    answer = await ask(address, "/api/games", msgspec.json.encode(wish))
    return msgspec.json.decode(answer, type=Dealt)


async def read_figures(address: Address) -> dict[str, float]:
    """Return the server's own figures; those with labels are summed up."""
    figures: dict[str, float] = {}
    for line in (await ask(address, "/metrics")).decode().splitlines():
        if line.startswith("goldenspike_"):
            name, value = line.rsplit(" ", 1)
            name = name.partition("{")[0]
            figures[name] = figures.get(name, 0.0) + float(value)
    return figures
