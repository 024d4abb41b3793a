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
from goldenspike.server.limits import Bucket
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import (
    Ack,
    AnyCommand,
    Hello,
    Reply,
    ServerMessage,
    Status,
    refusal,
)
from goldenspike.server.metrics import COMMAND_SECONDS, CONNECTIONS, REFUSALS
from goldenspike.server.problems import Problem
from goldenspike.server.wire import GoneError, Wire
from goldenspike.server.written import encode_update, encode_welcome

_LOGGER = logging.getLogger(__name__)
_HELLO_SECONDS = 20.0
_MOST_MISSED = 400
_MOST_OFFENCES = 50
"""Messages too many, or that make no sense, after which a connection is closed."""
PATH = "/api/socket"
_POLICY_VIOLATION, _TRY_AGAIN = 1008, 1013

_UNREADABLE = (msgspec.DecodeError, RecursionError)
"""What comes of a message that is no JSON, of other fields than it should have, or nested too deep."""

_encode = msgspec.json.Encoder().encode
_read_hello = msgspec.json.Decoder(Hello).decode
_read_command = msgspec.json.Decoder(AnyCommand).decode


class Connection:
    """Somebody at a game. It remembers how far they have been told, and tells the rest when they can take it.

    So a slow reader holds up nobody and fills no queue: it gets several entries at once, or a fresh view.
    """

    __slots__ = (
        "_bucket",
        "_is_away",
        "_offences",
        "_seen",
        "_sending",
        "_sent",
        "_wire",
        "desk",
        "live",
        "viewer",
    )

    def __init__(self, wire: Wire, desk: Desk, live: LiveGame, viewer: int | None) -> None:
        self._wire, self.desk, self.live, self.viewer = wire, desk, live, viewer
        rate = desk.settings.message_rate
        self._bucket = Bucket(rate, rate * 3)
        self._offences = 0
        self._sent = live.number
        self._seen = live.version
        self._is_away = False
        self._sending: asyncio.Task[None] | None = None

    def tell(self) -> None:
        """Tell what is new: at once, or as soon as the reader has taken what came before."""
        if self._sending is None and self._has_news:
            if self._wire.is_ready:
                self._wire.write(*self._take_news())
            else:
                self._sending = asyncio.create_task(self._tell_later())

    @property
    def _has_news(self) -> bool:
        return self._seen != self.live.version or self._is_away != self.desk.games.is_away

    def _take_news(self) -> list[bytes]:
        """Return what has not been told yet, as messages."""
        live, is_away = self.live, self.desk.games.is_away
        news: list[bytes] = []
        if self._is_away != is_away:
            self._is_away = is_away
            news.append(_encode(Status("reconnecting" if is_away else "connected")))
        if self._seen != live.version:
            after, self._sent, self._seen = self._sent, live.number, live.version
            if not live.recent or after >= live.recent[0].number - 1:
                news.append(encode_update(live, self.viewer, after))
            else:
                news.append(encode_welcome(live, self.viewer, []))
        return news

    async def _tell_later(self) -> None:
        try:
            while self._has_news:
                await self._wire.drain()
                for data in self._take_news():
                    await self._wire.send(data)
        except (GoneError, WebSocketDisconnect, RuntimeError, OSError):
            pass  # the reader's side ends the connection
        finally:
            self._sending = None

    async def say(self, message: ServerMessage) -> None:
        """Send a message."""
        if self._wire.is_ready:
            self._wire.write(_encode(message))
        else:
            await self._wire.send(_encode(message))

    async def _answer(self, answer: Ack | Reply) -> None:
        """Send an answer, and in the same breath what it has changed: writing to a socket costs the most."""
        if self._wire.is_ready and self._sending is None:
            self._wire.write(_encode(answer), *self._take_news())
        else:
            await self.say(answer)

    async def refuse(self, problem: Problem, command: str | None = None) -> None:
        """Say why something was not done."""
        REFUSALS.labels(problem.code).inc()
        await self.say(refusal(problem, command))

    async def listen(self) -> None:
        """Carry out commands until the connection ends, or too much nonsense came over it."""
        while self._offences < _MOST_OFFENCES:
            data = await self._wire.receive()
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
            await self._answer(answer)
            COMMAND_SECONDS.observe(time.perf_counter() - start)
        await self._wire.close(_POLICY_VIOLATION, "Too many messages that make no sense, or too fast.")


def _read(data: str) -> AnyCommand:
    try:
        return _read_command(data)
    except _UNREADABLE as error:
        raise Problem("malformed", f"This message cannot be read: {error}.") from None


def _id_in(data: str) -> str | None:
    """Return the id of a command that is not read, if it has one."""
    try:
        return msgspec.json.decode(data, type=_Named).id
    except _UNREADABLE:
        return None


class _Named(msgspec.Struct):
    id: str | None = None


@websocket(PATH)
async def socket_handler(socket: WebSocket[Any, Any, Any]) -> None:
    """Let somebody take part in a game, or watch it."""
    with contextlib.suppress(WebSocketDisconnect):
        await attend(Wire(socket.scope, socket.receive, socket.send), socket.app.state.desk)


async def attend(wire: Wire, desk: Desk) -> None:
    """Serve a socket from its first message to its end."""
    await wire.accept()
    if desk.connections >= desk.settings.connections:
        await _turn_away(wire, Problem("full", "The server is full; try again later."))
        return
    desk.connections += 1
    CONNECTIONS.inc()
    try:
        with contextlib.suppress(GoneError):
            connection = await _greet(wire, desk)
            if connection is not None:
                await _take_part(connection)
    finally:
        desk.connections -= 1
        CONNECTIONS.dec()


async def _greet(wire: Wire, desk: Desk) -> Connection | None:
    """Answer a hello with the game as it stands, or with why not."""
    try:
        hello = _read_hello(await asyncio.wait_for(wire.receive(), _HELLO_SECONDS))
        live, viewer = await desk.games.open_link(hello.link)
        missed = await desk.missed(live, hello.last, _MOST_MISSED)
    except (*_UNREADABLE, TimeoutError, Problem) as error:
        advice = 'Say hello first: {"type": "hello", "link": "GAME.SECRET"}.'
        problem = error if isinstance(error, Problem) else Problem("malformed", advice)
        await _turn_away(wire, problem)
        return None
    connection = Connection(wire, desk, live, viewer)
    await wire.send(encode_welcome(live, viewer, missed))
    return connection


async def _turn_away(wire: Wire, problem: Problem) -> None:
    """Say why somebody is not let in, and end the connection."""
    REFUSALS.labels(problem.code).inc()
    await wire.send(_encode(refusal(problem)))
    can_come_again = problem.code in {"full", "unavailable"}
    await wire.close(_TRY_AGAIN if can_come_again else _POLICY_VIOLATION, problem.code)


async def _take_part(connection: Connection) -> None:
    live = connection.live
    live.add(connection)
    connection.tell()
    connection.desk.games.see_to(live)
    try:
        await connection.listen()
    finally:
        live.remove(connection)
