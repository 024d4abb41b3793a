"""UvicornWebSocket: the same bytes as other implementations, the same behaviour over any ASGI server."""

from __future__ import annotations

import asyncio
import gc
import json
import urllib.request
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from goldenspike.server.play.bot_pool import BotPool
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.client import Client
from goldenspike.server.protocol.messages import Play, Update
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.settings import Settings
from goldenspike.server.socket.connection import Connection
from goldenspike.server.socket.uvicorn_websocket import Gate, Inbox, Outbox, UvicornWebSocket, _head
from goldenspike.server.storage.database import open_engine
from goldenspike.server.storage.migrate import upgrade
from tests.server.in_process import deal, open_service
from tests.server.serving import within


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_text_is_framed_as_the_library_frames_it(size: int) -> None:
    text = b"x" * size
    assert _head(size) + text == Frame(Opcode.TEXT, text).serialize(mask=False)


@within(10)
async def test_an_inbox_hands_over_in_order_and_survives_a_reader_who_gives_up() -> None:
    inbox = Inbox()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(inbox.get(), 0.01)
    reader = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait(1)
    inbox.put_nowait(2)
    assert (await reader, await inbox.get(), inbox.empty()) == (1, 2, True)


@within(10)
async def test_opening_a_gate_releases_all_waiters() -> None:
    gate = Gate()
    assert await gate.wait()
    gate.clear()
    waiting = [asyncio.create_task(gate.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    waiting[0].cancel()
    gate.set()
    assert await asyncio.gather(*waiting[1:]) == [True, True]


class FakeTransport(asyncio.Transport):
    """Records what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.is_gone = False

    def write(self, data: Any) -> None:
        self.written.append(data)

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return the previous protocol, which does not matter here."""
        return asyncio.BaseProtocol()

    def is_closing(self) -> bool:
        return self.is_gone

    def close(self) -> None:
        self.is_gone = True

    def pause_reading(self) -> None:
        """Ignore the pause."""

    def resume_reading(self) -> None:
        """Ignore the end of the pause."""


@within(10)
async def test_what_is_written_in_a_turn_goes_out_together_and_in_order() -> None:
    outbox = Outbox(asyncio.get_running_loop())
    one, two, gone = FakeTransport(), FakeTransport(), FakeTransport()
    outbox.write(one, b"a", b"b")
    outbox.write(two, b"c")
    outbox.write(gone, b"d")
    outbox.write(one, b"e")
    assert one.written == two.written == []
    gone.is_gone = True
    outbox.flush(two)
    outbox.write(two, b"f")
    await asyncio.sleep(0)
    assert (one.written, two.written, gone.written) == ([b"abe"], [b"c", b"f"], [])
    outbox.write(one, b"g")
    await asyncio.sleep(0)
    assert one.written == [b"abe", b"g"]


class LongWay(UvicornWebSocket):
    """The same protocol, with every byte going through the parser."""

    def _is_short_text(self, data: bytes) -> bool:  # noqa: ARG002  # as it is called
        return False


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def hear(kind: type[UvicornWebSocket], pieces: list[bytes]) -> tuple[list[Any], list[bytes]]:
    """Return the events that an application receives for bytes in pieces, and the bytes that are answered."""
    heard: list[Any] = []

    async def listen(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while not heard or heard[-1]["type"] == "websocket.receive":
            heard.append(await receive())

    config = uvicorn.Config(listen, ws=kind, ws_max_size=500, ws_per_message_deflate=False, log_config=None)
    config.load()
    socket = kind(config, ServerState(), {})
    transport = FakeTransport()
    socket.connection_made(transport)
    socket.data_received(HANDSHAKE)
    await asyncio.sleep(0.01)
    for piece in pieces:
        if not transport.is_closing():
            socket.data_received(piece)
            await asyncio.sleep(0)
    socket.connection_lost(None)
    await asyncio.sleep(0.01)
    return heard, transport.written[1:]


@pytest.mark.slow
@within(60)
async def test_the_fast_path_for_short_texts_agrees_with_the_parser() -> None:
    rng = Random(1)
    texts = [b"", b"x", b"\xc3\xa9" * 60, b"x" * 125, b"x" * 126, b"x" * 400]
    odd = [
        [Frame(Opcode.TEXT, b"one, ", fin=False), Frame(Opcode.TEXT, b"two")],
        [Frame(Opcode.TEXT, b"one, ", fin=False), Frame(Opcode.PING, b"?"), Frame(Opcode.CONT, b"two")],
        [Frame(Opcode.TEXT, b"\xff\xff")],
        [Frame(Opcode.BINARY, b"bytes")],
        [Frame(Opcode.TEXT, b"x" * 501)],
        [Frame(Opcode.CLOSE, b"\x03\xe8"), Frame(Opcode.TEXT, b"too late")],
    ]
    for _ in range(150):
        frames = [Frame(Opcode.TEXT, rng.choice(texts)) for _ in range(rng.randrange(4))]
        frames += rng.choice(odd)
        frames += [Frame(Opcode.TEXT, rng.choice(texts)) for _ in range(rng.randrange(3))]
        pieces = [frame.serialize(mask=rng.random() < 0.98) for frame in frames]
        if rng.random() < 0.1:
            pieces[0] = b"\xc1" + pieces[0][1:]  # a reserved bit
        if rng.random() < 0.5:
            whole = b"".join(pieces)
            cuts = sorted(rng.sample(range(len(whole)), min(len(whole), rng.randrange(6))))
            pieces = [whole[a:b] for a, b in pairwise([0, *cuts, len(whole)])]
        assert await hear(UvicornWebSocket, pieces) == await hear(LongWay, pieces)


@asynccontextmanager
async def serve(folder: Path, ws: Any, *, is_bare: bool = False, http: Any = "auto") -> AsyncGenerator[str]:
    """Serve within this process, with or without the checks before Litestar."""
    from goldenspike.server.app import create_app  # noqa: PLC0415  # Litestar warns of its own changes
    from goldenspike.server.asgi import RequestGuard  # noqa: PLC0415

    settings = Settings(database=f"sqlite:///{folder / 'games.db'}")
    engine = open_engine(settings.database, 1)
    upgrade(engine)
    engine.dispose()
    app = create_app(settings)
    config = uvicorn.Config(
        app if is_bare else RequestGuard(app, settings), port=0, http=http, ws=ws, log_config=None
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    await task


@pytest.fixture
def no_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load no bots, because these tests do not need them."""

    async def load_none(_: BotPool) -> None:
        pass

    monkeypatch.setattr(BotPool, "warm_up", load_none)


@pytest.mark.usefixtures("no_bots")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::litestar.exceptions.LitestarWarning")
@pytest.mark.parametrize("is_bare", [True, False])
@pytest.mark.parametrize("ws", ["websockets-sansio", UvicornWebSocket])
def test_any_transport_serves_the_same(ws: Any, is_bare: bool, tmp_path: Path) -> None:
    @within(60)
    async def play() -> None:
        async with serve(tmp_path, ws, is_bare=is_bare) as url:
            created = await asyncio.to_thread(_create, url)
            async with Client.connect(url, created[0]) as first, Client.connect(url, created[1]) as second:
                for client in (first, second):
                    await client.wait(lambda c=client: c.is_my_turn)
                    await client.play(client.own.legal[0] if client.own else 0)
                for client in (first, second):
                    await client.wait(lambda c=client: c.last == 2)
                    await client.send_text("nonsense")
                    await client.wait(lambda c=client: bool(c.refusals))

    play()


_OF_A_CONNECTION = {"UvicornWebSocket", "ServerProtocol", "HttpToolsProtocol", "H11Protocol"}


@pytest.mark.usefixtures("no_bots")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::litestar.exceptions.LitestarWarning")
@pytest.mark.parametrize("http", ["httptools", "h11"])
def test_a_connection_that_has_ended_leaves_nothing_behind(http: str, tmp_path: Path) -> None:
    @within(60)
    async def come_and_go() -> None:
        async with serve(tmp_path, UvicornWebSocket, http=http) as url:
            created = await asyncio.to_thread(_create, url)
            gc.collect()
            gc.disable()  # from here on only reference counting frees objects
            try:
                for link in created:
                    async with Client.connect(url, link) as client:
                        await client.wait(lambda c=client: c.is_my_turn)
                async with asyncio.timeout(10):
                    while _OF_A_CONNECTION & {type(thing).__name__ for thing in gc.get_objects()}:
                        await asyncio.sleep(0.05)
            finally:
                gc.enable()

    come_and_go()


def _create(url: str) -> list[str]:
    body = json.dumps({"edition": "new-york", "seats": [{"who": "here"}] * 2}).encode()
    request = urllib.request.Request(f"{url}/api/games", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["seats"]


class BlockedTransport:
    """A transport that accepts nothing until told to."""

    def __init__(self) -> None:
        self.is_ready = False
        self.gate = Gate()
        self.gate.clear()
        self.texts: list[bytes] = []

    def write(self, *texts: bytes) -> None:
        self.texts += texts

    async def drain(self) -> None:
        await self.gate.wait()

    async def send(self, data: bytes) -> None:
        await self.gate.wait()
        self.texts.append(data)


@within(60)
async def test_a_slow_reader_gets_in_one_what_others_got_one_by_one(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        live, slow, quick = await _two_readers(service)
        for seat in (0, 1):
            await service.games.command(live, seat, _keep_all(seat))
            await asyncio.sleep(0.01)
        assert [len(transport.texts) for transport in (slow, quick)] == [0, 2]
        slow.gate.set()
        await asyncio.sleep(0.01)
        [text] = slow.texts
        assert [entry.n for entry in _read(text).entries] == [1, 2]
        assert [entry.n for text in quick.texts for entry in _read(text).entries] == [1, 2]


def _read(text: bytes) -> Update:
    return msgspec.json.decode(text, type=Update)


def _keep_all(seat: int) -> Play:
    return Play(f"keep-{seat}", "keep all")


async def _two_readers(service: GameService) -> tuple[LiveGame, BlockedTransport, BlockedTransport]:
    created = await deal(service, "new-york", 2)
    live, _ = await service.games.open_link(created.watch)
    slow, quick = BlockedTransport(), BlockedTransport()
    quick.is_ready = True
    for transport in (slow, quick):
        live.audience.add(Connection(transport, service, live, None))  # type: ignore[arg-type]
    return live, slow, quick


class Spectator:
    """A listener that records when it was notified."""

    address, key = "", b""

    def __init__(self, viewer: int | None, told: list[int | None]) -> None:
        self.viewer = viewer
        self._told = told

    def notify(self) -> None:
        self._told.append(self.viewer)

    def dismiss(self, problem: Problem) -> None:
        raise AssertionError(f"unexpected problem: {problem}")


@within(60)
async def test_players_are_notified_first_and_spectators_do_not_block_the_loop(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        created = await deal(service, "new-york", 2)
        live, _ = await service.games.open_link(created.watch)
        told: list[int | None] = []
        for viewer in [None] * 1000 + [0, 1] + [None] * 1000:
            live.audience.add(Spectator(viewer, told))
        await asyncio.sleep(0.1)
        told.clear()
        live.audience.notify()
        await asyncio.sleep(0)
        assert set(told) == {0, 1}
        await asyncio.sleep(0)
        assert 2 < len(told) < 2002
        live.audience.notify()  # a change before all were notified of the first one
        await asyncio.sleep(0.1)
        assert told.count(None) > 2000
        assert not live.audience.encoded
