"""A game over a WebSocket: a hello, a welcome, then commands one way and updates the other."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from goldenspike.server.desk import Desk
from goldenspike.server.face import encode_update, encode_welcome
from goldenspike.server.limits import Bucket
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import (
    AnyCommand,
    Hello,
    ServerMessage,
    Status,
    refusal,
)
from goldenspike.server.metrics import COMMAND_SECONDS, CONNECTIONS, REFUSALS
from goldenspike.server.problems import Problem

_LOGGER = logging.getLogger(__name__)
_HELLO_SECONDS = 20.0
_MOST_MISSED = 400
_MOST_OFFENCES = 50
"""Messages too many, or that make no sense, after which a connection is closed."""
_POLICY_VIOLATION, _TRY_AGAIN = 1008, 1013

_UNREADABLE = (msgspec.DecodeError, RecursionError)
"""What comes of a message that is no JSON, of other fields than it should have, or nested too deep."""

_encode = msgspec.json.Encoder().encode
_read_hello = msgspec.json.Decoder(Hello).decode
_read_command = msgspec.json.Decoder(AnyCommand).decode


class Connection:
    """One socket. It remembers how far it has been told, and is told the rest when it has time for it.

    So a slow reader holds up nobody and fills no queue: it gets several entries at once, or a fresh view.
    """

    __slots__ = (
        "_bucket",
        "_chat",
        "_is_away",
        "_offences",
        "_seen",
        "_sending",
        "_sent",
        "desk",
        "live",
        "socket",
        "viewer",
    )

    def __init__(
        self, socket: WebSocket[Any, Any, Any], desk: Desk, live: LiveGame, viewer: int | None
    ) -> None:
        self.socket, self.desk, self.live, self.viewer = socket, desk, live, viewer
        rate = desk.settings.message_rate
        self._bucket = Bucket(rate, rate * 3)
        self._offences = 0
        self._sent = live.number
        self._seen = live.version
        self._is_away = False
        self._sending: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Tell that there is something new to send."""
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_all())

    async def _send_all(self) -> None:
        live = self.live
        try:
            while self._seen != live.version or self._is_away != self.desk.games.is_away:
                if self._is_away != self.desk.games.is_away:
                    self._is_away = self.desk.games.is_away
                    await self.say(Status("reconnecting" if self._is_away else "connected"))
                if self._seen == live.version:
                    continue
                after, self._sent, self._seen = self._sent, live.number, live.version
                if not live.recent or after >= live.recent[0].number - 1:
                    data = encode_update(live, self.viewer, after)
                else:
                    data = encode_welcome(live, self.viewer, [])
                await self.socket.send_data(data, "text")
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # the reader's side ends the connection
        finally:
            self._sending = None

    async def say(self, message: ServerMessage) -> None:
        """Send a message."""
        await self.socket.send_data(_encode(message), "text")

    async def refuse(self, problem: Problem, command: str | None = None) -> None:
        """Say why something was not done."""
        REFUSALS.labels(problem.code).inc()
        await self.say(refusal(problem, command))

    async def listen(self) -> None:
        """Carry out commands until the connection ends, or too much nonsense came over it."""
        while self._offences < _MOST_OFFENCES:
            data = await self.socket.receive_data("text")
            start = time.perf_counter()
            try:
                self._bucket.require()
                command = _read(data)
            except Problem as problem:
                self._offences += 1
                await self.refuse(problem, _id_in(data))
                continue
            try:
                answer = await self.desk.do(self.live, self.viewer, command)
            except Problem as problem:
                await self.refuse(problem, command.id)
                continue
            await self.say(answer)
            COMMAND_SECONDS.observe(time.perf_counter() - start)
        await self.socket.close(_POLICY_VIOLATION, "Too many messages that make no sense, or too fast.")


def _read(data: str | bytes) -> AnyCommand:
    try:
        return _read_command(data)
    except _UNREADABLE as error:
        raise Problem("malformed", f"This message cannot be read: {error}.") from None


def _id_in(data: str | bytes) -> str | None:
    """Return the id of a command that is not read, if it has one."""
    try:
        return msgspec.json.decode(data, type=_Named).id
    except _UNREADABLE:
        return None


class _Named(msgspec.Struct):
    id: str | None = None


@websocket("/api/socket")
async def socket_handler(socket: WebSocket[Any, Any, Any]) -> None:
    """Let somebody take part in a game, or watch it."""
    desk: Desk = socket.app.state.desk
    await socket.accept()
    if desk.connections >= desk.settings.connections:
        await socket.close(_TRY_AGAIN, "The server is full; try again later.")
        return
    desk.connections += 1
    CONNECTIONS.inc()
    try:
        with contextlib.suppress(WebSocketDisconnect):
            await _attend(socket, desk)
    finally:
        desk.connections -= 1
        CONNECTIONS.dec()


async def _attend(socket: WebSocket[Any, Any, Any], desk: Desk) -> None:
    try:
        hello = _read_hello(await asyncio.wait_for(socket.receive_data("text"), _HELLO_SECONDS))
        live, viewer = await desk.games.open_link(hello.link)
        missed = await desk.missed(live, hello.last, _MOST_MISSED)
    except (*_UNREADABLE, TimeoutError, Problem) as error:
        advice = 'Say hello first: {"type": "hello", "link": "GAME.SECRET"}.'
        problem = error if isinstance(error, Problem) else Problem("malformed", advice)
        REFUSALS.labels(problem.code).inc()
        await socket.send_data(_encode(refusal(problem)), "text")
        await socket.close(_TRY_AGAIN if problem.code == "unavailable" else _POLICY_VIOLATION, problem.code)
        return
    connection = Connection(socket, desk, live, viewer)
    await socket.send_data(encode_welcome(live, viewer, missed), "text")
    live.add(connection)
    connection.wake()
    desk.games.see_to(live)
    try:
        await connection.listen()
    finally:
        live.remove(connection)
