"""A client's WebSocket connection to a game: hello, welcome, then commands in and updates out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from goldenspike.server.metrics import COMMAND_SECONDS, CONNECTIONS, REFUSALS
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.links import split_link
from goldenspike.server.protocol.messages import (
    Ack,
    AnyCommand,
    Hello,
    Hint,
    Reply,
    ServerMessage,
    Status,
    refusal,
)
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.socket.rate_limits import Bucket, limited_address
from goldenspike.server.socket.transport import GoneError, Transport
from goldenspike.server.views.encode import encode_update, encode_welcome

_LOGGER = logging.getLogger(__name__)
_HELLO_SECONDS = 10.0
_MOST_MISSED = 400
_MOST_OFFENCES = 50
"""A connection is closed after this many messages that were too fast or malformed."""
PATH = "/api/socket"
_POLICY_VIOLATION, _TRY_AGAIN = 1008, 1013

_UNREADABLE = (msgspec.DecodeError, RecursionError)
"""Raised for a message that is not JSON, has the wrong fields, or is nested too deep."""

_encode = msgspec.json.Encoder().encode
_read_hello = msgspec.json.Decoder(Hello).decode
_read_command = msgspec.json.Decoder(AnyCommand).decode


class Connection:
    """A client connected to a game. It tracks what was sent, and sends the rest when the socket is writable.

    So a slow reader delays no other client and fills no queue: it gets several entries at once, or a full
    view.
    """

    __slots__ = (
        "_bucket",
        "_epoch",
        "_hinting",
        "_is_away",
        "_offences",
        "_seen",
        "_sending",
        "_sent",
        "_transport",
        "address",
        "key",
        "live",
        "service",
        "viewer",
    )

    def __init__(
        self,
        transport: Transport,
        service: GameService,
        live: LiveGame,
        viewer: int | None,
        address: str = "",
        key: bytes = b"",
    ) -> None:
        self._transport, self.service, self.live, self.viewer = transport, service, live, viewer
        self.address, self.key = address, key
        rate = service.settings.message_rate
        self._bucket = Bucket(rate, rate * 3)
        self._offences = 0
        self._sent = live.number
        self._seen = live.audience.version
        self._epoch = live.epoch
        self._is_away = False
        self._sending: asyncio.Task[None] | None = None
        self._hinting: asyncio.Task[None] | None = None

    def notify(self) -> None:
        """Send what is new, at once or as soon as the socket is writable."""
        if self._sending is None and self._has_news:
            if self._transport.is_ready:
                self._transport.write(*self._take_news())
            else:
                self._sending = asyncio.create_task(self._send_news_later())

    @property
    def _has_news(self) -> bool:
        return self._seen != self.live.audience.version or self._is_away != self.service.games.is_away

    def _take_news(self) -> list[bytes]:
        """Return what has not been sent yet, as encoded messages."""
        live, is_away = self.live, self.service.games.is_away
        news: list[bytes] = []
        if self._is_away != is_away:
            self._is_away = is_away
            news.append(_encode(Status("reconnecting" if is_away else "connected")))
        if self._seen != live.audience.version:
            after, self._sent, self._seen = self._sent, live.number, live.audience.version
            is_same_log, self._epoch = self._epoch == live.epoch, live.epoch
            if is_same_log and (not live.recent or after >= live.recent[0].number - 1):
                news.append(encode_update(live, self.viewer, after))
            else:
                news.append(encode_welcome(live, self.viewer, []))
        return news

    async def _send_news_later(self) -> None:
        try:
            while self._has_news:
                await self._transport.drain()
                for data in self._take_news():
                    await self._transport.send(data)
        except (GoneError, WebSocketDisconnect, RuntimeError, OSError):
            pass  # the receiving task ends the connection
        finally:
            self._sending = None

    def dismiss(self, problem: Problem) -> None:
        """Close the connection with a reason."""
        self._sending = asyncio.create_task(self._dismiss(problem))

    async def _dismiss(self, problem: Problem) -> None:
        with contextlib.suppress(GoneError, WebSocketDisconnect, RuntimeError, OSError):
            await _refuse_and_close(self._transport, problem)

    async def say(self, message: ServerMessage) -> None:
        """Send a message."""
        if self._transport.is_ready:
            self._transport.write(_encode(message))
        else:
            await self._transport.send(_encode(message))

    async def _answer(self, answer: Ack | Reply) -> None:
        """Send an answer and the resulting update in one write, because socket writes are expensive."""
        if self._transport.is_ready and self._sending is None:
            self._transport.write(_encode(answer), *self._take_news())
        else:
            await self.say(answer)

    async def refuse(self, problem: Problem, command: str | None = None) -> None:
        """Send a refusal."""
        REFUSALS.labels(problem.code).inc()
        await self.say(refusal(problem, command))

    async def listen(self) -> None:
        """Carry out commands until the connection ends or has sent too many bad messages."""
        while self._offences < _MOST_OFFENCES:
            data = await self._transport.receive()
            start = time.perf_counter()
            try:
                self._bucket.require()
                command = _read(data)
            except Problem as problem:
                self._offences += 1
                await self.refuse(problem, _id_in(data))
                continue
            try:
                self.service.players.require(self.address)
            except Problem as problem:  # no offence, because other clients at the address may have caused it
                await self.refuse(problem, command.id)
                continue
            if isinstance(command, Hint) and self._hinting is None:
                self._hinting = asyncio.create_task(self._hint(command))
                continue
            try:
                answer = await self.service.do(self.live, self.viewer, command, self.address)
            except Problem as problem:
                await self.refuse(problem, command.id)
                continue
            await self._answer(answer)
            COMMAND_SECONDS.observe(time.perf_counter() - start)
        await self._transport.close(_POLICY_VIOLATION, "Too many messages that make no sense, or too fast.")

    async def _hint(self, command: Hint) -> None:
        """Answer a hint request in the background, because it takes seconds."""
        try:
            with contextlib.suppress(GoneError, WebSocketDisconnect, OSError):
                try:
                    await self._answer(await self.service.do(self.live, self.viewer, command, self.address))
                except Problem as problem:
                    await self.refuse(problem, command.id)
        finally:
            self._hinting = None

    def end(self) -> None:
        """Cancel a running hint."""
        if self._hinting is not None:
            self._hinting.cancel()


def _read(data: str) -> AnyCommand:
    try:
        return _read_command(data)
    except _UNREADABLE as error:
        raise Problem("malformed", f"This message cannot be read: {error}.") from None


def _id_in(data: str) -> str | None:
    """Return the id of a command that cannot be read, if it has one."""
    try:
        return msgspec.json.decode(data, type=_Named).id
    except _UNREADABLE:
        return None


class _Named(msgspec.Struct):
    id: str | None = None


@websocket(PATH)
async def socket_handler(socket: WebSocket[Any, Any, Any]) -> None:
    """Serve a player or a spectator of a game."""
    with contextlib.suppress(WebSocketDisconnect):
        client = socket.client
        address = limited_address(client.host) if client else ""
        await attend(Transport(socket.scope, socket.receive, socket.send), socket.app.state.service, address)


async def attend(transport: Transport, service: GameService, address: str) -> None:
    """Serve a socket from its first message to its end."""
    transport.limit_frames(service.frames.of(address))
    await transport.accept()
    with contextlib.suppress(GoneError):
        try:
            service.sockets.add(address)
        except Problem as problem:
            await _refuse_and_close(transport, problem)
            return
        CONNECTIONS.inc()
        try:
            connection = await _open_connection(transport, service, address)
            if connection is not None:
                await _serve(connection)
        finally:
            service.sockets.remove(address)
            CONNECTIONS.dec()


async def _open_connection(transport: Transport, service: GameService, address: str) -> Connection | None:
    """Answer a hello with the current state of the game, or with a refusal."""
    try:
        hello = _read_hello(await asyncio.wait_for(transport.receive(), _HELLO_SECONDS))
        service.readers.require(address)
        live, viewer = await service.games.open_link(hello.link)
        missed = await service.missed(live, hello.last, _MOST_MISSED, address)
        service.require_bots(live, address)
    except (*_UNREADABLE, TimeoutError, Problem) as error:
        advice = 'Say hello first: {"type": "hello", "link": "GAME.SECRET"}.'
        problem = error if isinstance(error, Problem) else Problem("malformed", advice)
        await _refuse_and_close(transport, problem)
        return None
    connection = Connection(transport, service, live, viewer, address, split_link(hello.link)[1])
    live.resume()
    await transport.send(encode_welcome(live, viewer, missed))  # does not block: nothing was sent before
    return connection


async def _refuse_and_close(transport: Transport, problem: Problem) -> None:
    """Send a refusal and close the connection."""
    REFUSALS.labels(problem.code).inc()
    await transport.send(_encode(refusal(problem)))
    can_come_again = problem.code in {"full", "too_fast", "unavailable"}
    await transport.close(_TRY_AGAIN if can_come_again else _POLICY_VIOLATION, problem.code)


async def _serve(connection: Connection) -> None:
    live = connection.live
    live.audience.add(connection)
    connection.notify()
    connection.service.games.start_automation(live)
    try:
        await connection.listen()
    finally:
        live.audience.remove(connection)
        connection.end()
