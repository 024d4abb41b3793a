"""The HTTP requests of the load: creating games, reading metrics."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec


class Address(NamedTuple):
    """The host and port of a server."""

    host: str
    port: int


class Dealt(msgspec.Struct):
    """The fields that the load reads of the answer to a new game."""

    seats: list[str | None]
    """A link for each seat; None for a bot."""
    watch: str

    @property
    def links(self) -> list[str]:
        """The links to the seats of people."""
        return [link for link in self.seats if link is not None]


async def ask(address: Address, path: str, body: bytes | None = None) -> bytes:
    """Return the answer to a request, over a new connection."""
    reader, writer = await asyncio.open_connection(*address)
    try:
        head = (
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: {address.host}:{address.port}\r\n"
        )
        head += (
            f"Connection: close\r\nContent-Type: application/json\r\nContent-Length: {len(body or b'')}\r\n"
        )
        writer.write(head.encode() + b"\r\n" + (body or b""))
        status, _, rest = (await reader.read()).partition(b"\r\n")
    finally:
        writer.close()
        with contextlib.suppress(OSError):  # the server may have closed it first
            await writer.wait_closed()
    if not status:
        raise ConnectionError(f"The server closed the connection instead of answering {path}.")
    answer = rest.partition(b"\r\n\r\n")[2]
    if status.split(b" ")[1][:1] != b"2":
        raise ConnectionError(f"The server answered {path} with {status.decode()}: {answer[:300].decode()}")
    return answer


async def deal(address: Address, edition: str, people: int, bots: Sequence[str] = ()) -> Dealt:
    """Create a game for people, and for bots of these levels."""
    seats = [{"who": "here"}] * people + [{"who": "bot", "level": level} for level in bots]
    wish = {"edition": edition, "seats": seats}
    answer = await ask(address, "/api/games", msgspec.json.encode(wish))
    return msgspec.json.decode(answer, type=Dealt)


async def read_figures(address: Address) -> dict[str, float]:
    """Return the server's metrics; those with labels are summed."""
    figures: dict[str, float] = {}
    for line in (await ask(address, "/metrics")).decode().splitlines():
        if line.startswith("goldenspike_"):
            name, value = line.rsplit(" ", 1)
            name = name.partition("{")[0]
            figures[name] = figures.get(name, 0.0) + float(value)
    return figures
