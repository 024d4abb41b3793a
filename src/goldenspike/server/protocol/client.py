"""A small client for scripts, tests and benchmarks: one socket, one seat.

async with Client.connect("http://127.0.0.1:8000", link) as client:
    while not client.is_over:
        await client.play(choose(client.own.legal))
        await client.wait(lambda: client.is_my_turn or client.is_over)
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import urllib.error
import urllib.request
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from goldenspike.server.protocol.links import game_of
from goldenspike.server.protocol.messages import (
    Accept,
    Ack,
    AnyCommand,
    AnyServerMessage,
    Hello,
    Joined,
    OwnView,
    Play,
    Refusal,
    Reply,
    SeatInfo,
    Status,
    TableView,
    Told,
    Update,
    Welcome,
)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(AnyServerMessage).decode


class RefusedError(Exception):
    """The server refused a command."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


async def accept_invitation(url: str, invitation: str, name: str | None = None) -> str:
    """Accept an invitation, which works once; return the link to the seat for this device."""

    def post() -> bytes:
        headers = {"Authorization": f"Bearer {invitation}", "Content-Type": "application/json"}
        address = f"{url.rstrip('/')}/api/games/{game_of(invitation)}/accept"
        request = urllib.request.Request(address, _encode(Accept(name)), headers)
        try:
            with urllib.request.urlopen(request) as response:
                return response.read()
        except urllib.error.HTTPError as error:
            raise RefusedError(msgspec.json.decode(error.read(), type=Refusal)) from None

    return msgspec.json.decode(await asyncio.to_thread(post), type=Joined).link


class Client:
    """A client of one game, as a player or a spectator. Its state is what the server has sent."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._waiting: dict[str, asyncio.Future[Ack | Reply]] = {}
        self._changed = asyncio.Condition()
        self.welcome: Welcome | None = None
        self.view: TableView | None = None
        self.own: OwnView | None = None
        self.seats: list[SeatInfo] = []
        self.asked: int | None = None
        self.last = -1
        """The number of the last received entry; entries arrive without gaps."""
        self.log: list[Told] = []
        self.statuses: list[str] = []
        self.refusals: list[Refusal] = []
        """Refusals that do not belong to a waiting command."""
        self.raw: list[str] = []
        """All received messages as text, if `keeps_raw` is set."""
        self.keeps_raw = False
        self.is_closed = False

    @classmethod
    @asynccontextmanager
    async def connect(
        cls,
        url: str,
        link: str,
        last: int | None = None,
        *,
        keeps_raw: bool = False,
        source: str | None = None,
    ) -> AsyncGenerator[Client]:
        """Connect to a game by the server's URL and a link; `source` is the local address to use."""
        address = f"{url.replace('http', 'ws', 1).rstrip('/')}/api/socket?game={game_of(link)}"
        local = None if source is None else (source, 0)
        async with connect(address, compression=None, max_size=None, local_addr=local) as socket:
            client = cls(socket)
            client.keeps_raw = keeps_raw
            await socket.send(_encode(Hello(link, last)).decode())
            reader = asyncio.create_task(client._read())
            try:
                await client.wait(lambda: client.welcome is not None or client.is_closed)
                if client.refusals:
                    raise RefusedError(client.refusals[-1])
                if client.welcome is None:
                    raise ConnectionError("The connection was closed before the server greeted us.")
                yield client
            finally:
                reader.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await reader

    @property
    def seat(self) -> int | None:
        """This client's seat; None for a spectator."""
        return None if self.welcome is None else self.welcome.you

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.view is not None and self.view.ending is not None

    @property
    def is_my_turn(self) -> bool:
        """Whether this seat has a decision to make."""
        return self.view is not None and self.seat in self.view.to_move

    async def play(self, move: int | str, name: str | None = None) -> Ack:
        """Play a move, and return once the server has acknowledged it."""
        answer = await self.send(Play(name or secrets.token_hex(8), move))
        assert isinstance(answer, Ack)
        return answer

    async def send(self, command: AnyCommand) -> Ack | Reply:
        """Send a command and return the answer; raise :class:`RefusedError` if it is refused."""
        answer: asyncio.Future[Ack | Reply] = asyncio.get_running_loop().create_future()
        self._waiting[command.id] = answer
        try:
            await self._socket.send(_encode(command).decode())
            return await answer
        finally:
            self._waiting.pop(command.id, None)

    async def send_text(self, text: str | bytes) -> None:
        """Send any text or bytes."""
        await self._socket.send(text)

    async def wait(self, condition: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait until a condition holds; it is checked after every message, and when the connection closes."""
        async with asyncio.timeout(seconds), self._changed:
            await self._changed.wait_for(lambda: condition() or self.is_closed)
        if not condition():
            raise ConnectionError("The connection was closed.")

    async def _read(self) -> None:
        try:
            async for data in self._socket:
                if self.keeps_raw:
                    self.raw.append(data if isinstance(data, str) else data.decode())
                self._take(_decode(data))
                async with self._changed:
                    self._changed.notify_all()
        except ConnectionClosed:
            pass
        finally:
            self.is_closed = True
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(ConnectionError("The connection was closed."))
            async with self._changed:
                self._changed.notify_all()

    def _take(self, message: AnyServerMessage) -> None:
        match message:
            case Welcome():
                self.welcome, self.last = message, message.last
                self._look(message)
            case Update():
                for entry in message.entries:
                    assert entry.n == self.last + 1, f"entry {entry.n} after {self.last}"
                    self.last = entry.n
                self._look(message)
            case Ack() | Reply():
                if (answer := self._waiting.get(message.id)) is not None and not answer.done():
                    answer.set_result(message)
            case Refusal():
                answer = self._waiting.get(message.id or "")
                if answer is None or answer.done():
                    self.refusals.append(message)
                else:
                    answer.set_exception(RefusedError(message))
            case Status():
                self.statuses.append(message.status)

    def _look(self, message: Welcome | Update) -> None:
        self.log += message.entries
        self.view, self.own = message.view, message.own
        self.seats, self.asked = message.seats, message.asked
