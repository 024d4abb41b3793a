"""A load of many connections that send garbage, with counts of the outcomes."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import struct
from collections import Counter
from contextlib import suppress
from typing import get_args

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.frames import Frame, Opcode

from goldenspike.server.protocol.messages import Created
from goldenspike.server.protocol.problems import Code
from tests.server import nonsense
from tests.server.processes import GameServer

CODES = frozenset(get_args(Code))
PATIENCE = 60.0
_RESET = struct.pack("ii", 1, 0)
"""For SO_LINGER: reset the connection instead of closing it."""


class GarbageLoad:
    """Attackers of one server. In `game`, `link` opens a seat that is not to move."""

    def __init__(self, server: GameServer, game: Created, link: str, seed: int) -> None:
        self.server, self.game, self.link = server, game, link
        self.rng = random.Random(seed)
        self.sent: Counter[str] = Counter()
        """How many garbage messages were sent, by kind."""
        self.refused: Counter[str] = Counter()
        """How many were refused, by code."""
        self.closed: Counter[int] = Counter()
        """The close codes of connections."""

    @property
    def total(self) -> int:
        """How many messages were sent."""
        return self.sent.total()

    async def last(self, messages: int, attackers: int = 16) -> None:
        """Attack until `messages` messages were sent."""

        async def attack() -> None:
            while self.total < messages:
                assault = self.rng.choices(
                    [
                        self.talk,
                        self.force_entry,
                        self.break_frames,
                        self.break_http,
                        self.flood,
                        self.vanish,
                    ],
                    [30, 60, 5, 5, 2, 5],
                )[0]
                async with asyncio.timeout(PATIENCE):
                    await assault()

        async with asyncio.TaskGroup() as tasks:
            idlers = [tasks.create_task(self.hang_around(is_let_in=n % 2 == 0)) for n in range(40)]
            await asyncio.gather(*(attack() for _ in range(attackers)))
            for idler in idlers:
                idler.cancel()

    def _connect(self) -> connect:
        """Connect from any address, because the limits of one would stop the load."""
        address = self.server.url.replace("http", "ws") + "/api/socket"
        source = f"127.0.{self.rng.randrange(1, 250)}.{self.rng.randrange(1, 250)}"
        return connect(
            address,
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
            ping_interval=None,
            local_addr=(source, 0),
        )

    async def _greet(self, attacker: ClientConnection) -> None:
        link = self.rng.choice([self.link, self.game.watch])
        await attacker.send(json.dumps({"type": "hello", "link": link}))
        assert json.loads(await attacker.recv())["type"] == "welcome"

    def _take_refusal(self, data: str | bytes) -> bool:
        """Count a refusal; return whether it was one."""
        answer = json.loads(data)
        if answer["type"] != "refused":
            assert answer["type"] in {"update", "status"}, answer
            return False
        assert answer["code"] in CODES - {"unavailable", "full"}, answer
        assert answer["message"], answer
        self.refused[answer["code"]] += 1
        return True

    async def talk(self) -> None:
        """Join, then send unreadable or impossible commands, until the server closes the connection."""
        expected: list[str | None] = []
        async with self._connect() as attacker:
            await self._greet(attacker)
            for _ in range(90):
                if self.rng.random() < 0.4:
                    kind, text = nonsense.unreadable(self.rng)
                    name = None
                else:
                    kind, text, name = nonsense.impossible(self.rng)
                if name is None and self.rng.random() < 0.1:
                    kind, text = "binary", text.encode()
                self.sent[kind] += 1
                expected.append(name)
                await attacker.send(text)
            answered = 0
            try:
                while answered < len(expected):
                    data = await attacker.recv()
                    if self._take_refusal(data):
                        name = expected[answered]
                        assert name is None or json.loads(data)["id"] == name
                        answered += 1
            except ConnectionClosed:  # the fiftieth offence
                self._note_close(attacker)
                assert answered >= 50

    async def force_entry(self) -> None:
        """Send a first message that is not a valid hello: one refusal, and the connection closes."""
        async with self._connect() as attacker:
            kind, text = nonsense.first_words(self.rng, self.game.game)
            self.sent[kind] += 1
            await attacker.send(text)
            assert self._take_refusal(await attacker.recv())
            await attacker.wait_closed()
            self._note_close(attacker)
            assert attacker.close_code == 1008

    async def break_frames(self) -> None:
        """Send frames that are too large, not text, or not frames: the connection is closed."""
        async with self._connect() as attacker:
            await self._greet(attacker)
            kind, data = self.rng.choice(
                [
                    ("too large", _frame(Opcode.TEXT, b"x" * 8193)),
                    ("far too large", _frame(Opcode.TEXT, b"{" * 300_000)),
                    ("no utf-8", _frame(Opcode.TEXT, b'{"type": "say", "text": "\xff\xfe"}')),
                    ("half a character", _frame(Opcode.TEXT, "é".encode()[:1])),
                    ("not masked", Frame(Opcode.TEXT, b"{}").serialize(mask=False)),
                    ("continued, but not begun", _frame(Opcode.CONT, b"{}")),
                    ("a long ping", b"\x89\xfe\x00\xff" + bytes(4 + 255)),
                    ("reserved bits", b"\xf1\x80" + bytes(4)),
                    ("an unknown opcode", b"\x83\x80" + bytes(4)),
                ]
            )
            self.sent[kind] += 1
            attacker.transport.write(data)
            try:
                while True:
                    await attacker.recv()
            except ConnectionClosed:
                self._note_close(attacker)
                assert attacker.close_code in {1002, 1007, 1009}, (kind, attacker.close_code)

    async def break_http(self) -> None:
        """Send bytes that are not HTTP, wait for an answer or the end, and disconnect."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        self.sent["raw bytes"] += 1
        try:
            writer.write(nonsense.raw_bytes(self.rng))
            await writer.drain()
            async with asyncio.timeout(0.2):
                answer = await reader.read(100)
                assert b" 5" not in answer[:12], answer
        except (TimeoutError, ConnectionError):
            pass
        finally:
            writer.close()

    async def flood(self) -> None:
        """Send as fast as possible without reading, and disconnect."""
        async with self._connect() as attacker:
            await self._greet(attacker)
            try:
                for _ in range(200):
                    self.sent["flood"] += 1
                    await attacker.send(nonsense.impossible(self.rng)[1])
            except WebSocketException:
                pass
            self._reset(attacker)

    async def hang_around(self, *, is_let_in: bool) -> None:
        """Connect and send nothing more; without a hello, the server refuses and closes the connection."""
        async with self._connect() as idler:
            self.sent["nothing at all"] += 1
            if is_let_in:
                await self._greet(idler)
                await idler.wait_closed()
                raise AssertionError("a client that had done nothing wrong was disconnected")
            assert self._take_refusal(await idler.recv())
            await idler.wait_closed()
            assert idler.close_code == 1008

    async def vanish(self) -> None:
        """Reset the connection in the middle of a message."""
        async with self._connect() as attacker:
            if self.rng.random() < 0.7:
                await self._greet(attacker)
            self.sent["half a message"] += 1
            attacker.transport.write(
                _frame(Opcode.TEXT, b'{"type": "ping", "id": "1"}')[: self.rng.randrange(30)]
            )
            await asyncio.sleep(0)
            self._reset(attacker)

    @staticmethod
    def _reset(attacker: ClientConnection) -> None:
        with suppress(OSError):  # the server may have closed it already
            attacker.transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, _RESET
            )
        attacker.transport.abort()

    def _note_close(self, attacker: ClientConnection) -> None:
        assert attacker.close_code is not None
        self.closed[attacker.close_code] += 1


def _frame(opcode: Opcode, data: bytes) -> bytes:
    return Frame(opcode, data).serialize(mask=True)
