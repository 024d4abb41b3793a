"""The attacker: connections from one address, repeated until a deadline, and counts of what they did."""

from __future__ import annotations

import asyncio
import gzip
import re
import socket
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from random import Random

import msgspec

from goldenspike.bench.load.client_socket import ACCEPT, END_OF_HEAD, handshake, hello
from goldenspike.bench.load.frames import Frames, frame
from goldenspike.bench.load.requests import Address, Dealt

SOURCE = "127.0.0.66"
"""The attacker's address; the honest players are at 127.0.0.1."""
BEGUN = "attacking"
"""What the attacker reports once the attack has run for :data:`RAMP` seconds."""
RAMP = 2.0
_BIND_ADDRESS_NO_PORT = 24
"""Linux: choose the port when connecting, so that ports of closed connections do not run out."""
_PAUSE = 0.01
"""Seconds to wait before connecting again after the server has refused or closed a connection."""
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
REFUSED = b'"type":"refused"'
_CLOSING = re.compile(rb"\x88[\x02-\x7d]\x03[\xe8-\xff]")
"""A closing frame from the server: its size, and a status from 1000."""
_GZIP = b"\x1f\x8b"
_READ_BYTES = 1 << 16
_PREPARATION_TRIES = 20


class AttackResult(msgspec.Struct):
    """What the attacker achieved."""

    seconds: float
    done: int
    """Frames, messages or requests sent, connections opened, or times that a bot had to think."""
    refused: int
    """Requests and messages that the server answered with an error."""
    closed: int
    """Connections that the server refused or closed."""
    connections: int
    """The most connections that were open at the same time."""


def unpack(body: bytes) -> bytes:
    """Return the body of an answer, which is compressed if it is long."""
    return gzip.decompress(body) if body.startswith(_GZIP) else body


class AttackConnection:
    """A TCP connection of the attacker, used for HTTP or as a WebSocket."""

    __slots__ = ("_frames", "_messages", "reader", "refused", "writer")

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer, self.refused = reader, writer, 0
        self._frames = Frames()
        self._messages: list[tuple[int, bytes]] = []

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a whole HTTP request; return the status and the body of the answer."""
        self.writer.write(request)
        head = await self.reader.readuntil(END_OF_HEAD)
        length = _LENGTH.search(head)
        body = await self.reader.readexactly(int(length[1])) if length else b""
        return int(head[9:12]), body

    async def receive(self) -> tuple[int, bytes]:
        """Return the kind and the content of the next WebSocket frame."""
        while not self._messages:
            data = await self.reader.read(_READ_BYTES)
            if not data:
                raise ConnectionResetError("The server closed the connection.")
            self._messages = self._frames.take(data)
        return self._messages.pop(0)

    async def discard(self) -> None:
        """Read everything until the server closes the connection; only refusals are counted."""
        while data := await self.reader.read(_READ_BYTES):
            self.refused += data.count(REFUSED)
            if _CLOSING.search(data):
                break


class Attacker:
    """One address that attacks for a number of seconds, whatever the server does about it."""

    def __init__(self, address: Address, seconds: float, say: Callable[[str], None]) -> None:
        self.address, self.random = address, Random(1)
        self.done = self.refused = self.closed = 0
        self._open = self._most_open = 0
        self._seconds, self._say = seconds, say

    async def open_socket(self) -> socket.socket:
        """Return a socket that is connected from the attacker's address."""
        opened = socket.socket()
        try:
            opened.setblocking(False)
            opened.setsockopt(socket.IPPROTO_IP, _BIND_ADDRESS_NO_PORT, 1)
            opened.bind((SOURCE, 0))
            await asyncio.get_running_loop().sock_connect(opened, self.address)
        except BaseException:
            opened.close()
            raise
        return opened

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator[AttackConnection]:
        """Open a TCP connection."""
        reader, writer = await asyncio.open_connection(sock=await self.open_socket())
        try:
            with self.count_open():
                yield AttackConnection(reader, writer)
        finally:
            writer.close()

    @contextmanager
    def count_open(self) -> Generator[None]:
        """Count a connection as open while the block runs."""
        self._open += 1
        self._most_open = max(self._most_open, self._open)
        try:
            yield
        finally:
            self._open -= 1

    @asynccontextmanager
    async def connect_websocket(
        self, link: str | None = None, last: int | None = None
    ) -> AsyncGenerator[AttackConnection]:
        """Open a WebSocket, and with a link say hello; the welcome is not read."""
        async with self.connect() as connection:
            connection.writer.write(handshake(self.address))
            head = await connection.reader.readuntil(END_OF_HEAD)
            if ACCEPT not in head:
                self.refused += 1
                raise ConnectionRefusedError("The server gave no WebSocket.")
            if link is not None:
                connection.writer.write(frame(hello(link, last)))
            yield connection

    def request(
        self, path: str, body: bytes | None = None, kind: str = "application/json", link: str | None = None
    ) -> bytes:
        """Return an HTTP request that keeps the connection open."""
        host, port = self.address
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: {host}:{port}\r\n"
        head += "Accept-Encoding: gzip\r\n"
        if link is not None:
            head += f"Authorization: Bearer {link}\r\n"
        if body is not None:
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        return head.encode() + b"\r\n" + (body or b"")

    async def ask(self, connection: AttackConnection, request: bytes) -> tuple[int, bytes]:
        """Send a request, count it, and return the status and the body of the answer."""
        status, body = await connection.ask(request)
        self.done += 1
        self.refused += status >= 400
        return status, body

    async def prepare(self, request: bytes) -> bytes:
        """Send a request that the attack needs, several times if necessary, and return the answer."""
        problem = "the server closed the connection"
        for _ in range(_PREPARATION_TRIES):
            try:
                async with self.connect() as connection:
                    status, body = await connection.ask(request)
            except (OSError, EOFError) as error:
                problem = str(error)
            else:
                if status < 400:
                    return unpack(body)
                problem = body[:300].decode(errors="replace")
            await asyncio.sleep(0.5)
        raise OSError(f"The attack cannot be prepared: {problem}")

    def new_game(
        self,
        seats: Sequence[Mapping[str, str]],
        edition: str = "usa-classic",
        options: Mapping[str, object] | None = None,
    ) -> bytes:
        """Return the request that makes a game."""
        wish = {"edition": edition, "seats": seats, "options": options or {}}
        return self.request("/api/games", msgspec.json.encode(wish))

    async def deal(self) -> list[str]:
        """Make a game of two people, and return the links to their seats."""
        answer = await self.prepare(self.new_game([{"who": "here"}] * 2))
        return msgspec.json.decode(answer, type=Dealt).links

    async def repeat(self, acts: Sequence[Callable[[], Awaitable[None]]], pause: float = _PAUSE) -> None:
        """Run these acts concurrently, each again and again, until the attack is over.

        A connection that the server refuses or closes is counted, and the act begins again after a pause.
        """

        async def keep_doing(act: Callable[[], Awaitable[None]]) -> None:
            await asyncio.sleep(self.random.random() * min(1.0, len(acts) / 1000))
            while True:
                try:
                    await act()
                    await asyncio.sleep(0)
                except (OSError, EOFError):
                    self.closed += 1
                    await asyncio.sleep(pause * self.random.uniform(0.5, 1.5))

        tasks = [asyncio.create_task(keep_doing(act)) for act in acts]
        tasks.append(asyncio.create_task(self._time()))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    async def _time(self) -> None:
        start = time.perf_counter()
        await asyncio.sleep(RAMP)
        self._say(BEGUN)
        await asyncio.sleep(self._seconds)
        self._seconds = time.perf_counter() - start

    async def pour(self, connection: AttackConnection, chunk: bytes, frames: int) -> None:
        """Send the same bytes, which hold `frames` frames, until the server closes the connection."""
        reading = asyncio.create_task(connection.discard())
        # A server that has closed the connection reads nothing more, and drain() would wait forever.
        reading.add_done_callback(lambda _: connection.writer.transport.abort())
        try:
            while not reading.done():
                connection.writer.write(chunk)
                await connection.writer.drain()
                self.done += frames
                await asyncio.sleep(0)  # drain() does not yield while the kernel accepts everything
        finally:
            reading.cancel()
            self.refused += connection.refused
        raise ConnectionResetError("The server closed the connection.")

    def result(self) -> AttackResult:
        """Return what the attacker achieved."""
        return AttackResult(self._seconds, self.done, self.refused, self.closed, self._most_open)
