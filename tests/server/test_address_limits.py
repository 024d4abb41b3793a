"""All clients at one address together are limited by cost; a school class does not notice it."""

from __future__ import annotations

import asyncio
import http.client
import re
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from goldenspike.server.protocol.client import Client, RefusedError
from goldenspike.server.protocol.messages import Created, Join, NewGame, Options, Ping, SeatWish
from goldenspike.server.storage.database import StoredGame
from tests.game.games import random_game
from tests.server.in_process import open_service
from tests.server.people import known, sit_down
from tests.server.raw import RawClient, frame
from tests.server.serving import Server, within

ATTACKER, HONEST, SCHOOL = "127.0.0.66", "127.0.0.1", "127.0.0.99"
BURST, PER_SECOND = 300, 100
"""Cost units that an address has at once, and that it gets back per second, with the default settings."""
FRAMES, FRAMES_PER_SECOND = 1500, 500
PING, TEXT = 0x9, 0x1
PUPILS = 30


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with the default limits."""
    running = Server(tmp_path_factory.mktemp("ordinary"), "--bot-seconds", "0.02")
    try:
        yield running.wait_ready()
    finally:
        running.stop()


@within(60)
async def test_the_commands_of_all_sockets_of_an_address_are_limited(ordinary: Server) -> None:
    created = ordinary.create("new-york", "here", "here")
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(Client.connect(ordinary.url, created.watch, source=ATTACKER))
            for _ in range(10)
        ]
        began = time.monotonic()
        answers = [client.send(Ping(f"{i}")) for client in clients for i in range(50)]  # each may send 60
        results = await asyncio.gather(*answers, return_exceptions=True)
        refused = [result.refusal for result in results if isinstance(result, RefusedError)]
        granted = len(results) - len(refused)
        assert BURST <= granted <= BURST + PER_SECOND * (time.monotonic() - began)
        assert {refusal.code for refusal in refused} == {"too_fast"}
        assert not any(client.is_closed for client in clients)
        async with sit_down(ordinary, known(created.seats[0])) as honest:  # at another address
            for i in range(20):
                await honest.ask(Ping(f"{i}"))


def test_the_frames_of_all_sockets_of_an_address_are_limited(ordinary: Server) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(RawClient(ordinary.url, "127.0.0.67")) for _ in range(30)]
        began = time.monotonic()
        for socket in sockets:
            assert socket.open_socket().startswith(b"HTTP/1.1 101")
            socket.send(frame(PING) * 100 + frame(TEXT, b"no hello"))  # each may send 150
        answers = [socket.receive_all() for socket in sockets]
        served = sum(b"Say hello first" in answer for answer in answers)
        assert served + sum(b"Too many frames" in answer for answer in answers) == len(sockets)
        assert 10 <= served <= (FRAMES + FRAMES_PER_SECOND * (time.monotonic() - began)) / 100
    with RawClient(ordinary.url, "127.0.0.68") as other:
        other.open_socket()
        other.send(frame(PING))
        assert other.receive().startswith(b"\x8a")


@pytest.fixture(scope="module")
def long_game(ordinary: Server) -> Created:
    """Import a game with a long log."""
    return ordinary.post("/api/records/", random_game(("usa-classic", 2), 3).record()).read(Created)


def test_old_entries_are_charged_by_their_number(ordinary: Server, long_game: Created) -> None:
    attacker = ordinary.seen_from("127.0.0.69")
    entries = f"/api/games/{long_game.game}/entries"
    count = len(attacker.get(entries, long_game.watch).json["entries"])
    assert count > 100
    began, granted = time.monotonic(), 1
    while (answer := attacker.get(entries, long_game.watch)).status == 200:
        granted += 1
        assert granted * (1 + 0.02 * count) <= BURST + PER_SECOND * (time.monotonic() - began + 1)
    assert answer.refusal.code == "too_fast"
    frugal = ordinary.seen_from("127.0.0.71")
    answers = [frugal.get(f"{entries}?count=1", long_game.watch) for _ in range(150)]
    assert all(answer.status == 200 for answer in answers)


@within(60)
async def test_hellos_that_ask_for_old_entries_are_charged_by_their_number(
    ordinary: Server, long_game: Created
) -> None:
    last, source = ordinary.show(long_game.watch).last, "127.0.0.70"
    began, granted = time.monotonic(), 0
    refused = None
    while refused is None:
        try:
            async with Client.connect(ordinary.url, long_game.watch, 0, source=source) as client:
                assert len(client.log) == last
        except RefusedError as error:
            refused = error.refusal
        else:
            granted += 1
            assert granted * (1 + 0.02 * last) <= BURST + PER_SECOND * (time.monotonic() - began + 1)
    assert refused.code == "too_fast"
    assert granted > 10


@within(60)
async def test_the_lobby_is_read_once_a_second_unless_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_service(tmp_path) as service:
        wish = NewGame("new-york", [SeatWish("here"), SeatWish("open")], Options(public=True))
        one = await service.create(wish)
        reads, read = [0], service.games.store.free_games

        async def count(limit: int) -> list[StoredGame]:
            reads[0] += 1
            return await read(limit)

        monkeypatch.setattr(service.games.store, "free_games", count)
        lists = await asyncio.gather(*(service.lobby.encoded() for _ in range(20)))
        assert reads == [1]
        assert all(one.game.encode() in encoded for encoded in lists)
        two = await service.create(wish)
        assert two.game.encode() in await service.lobby.encoded()
        await service.seat_access.join(one.game, Join("Ben"), HONEST)
        while one.game.encode() in await service.lobby.encoded():  # at the latest after a second
            await asyncio.sleep(0.05)
        assert 2 <= reads[0] <= 4


@pytest.mark.slow
@within(120)
async def test_the_bots_of_an_address_do_not_move_faster_than_its_people_may(tmp_path: Path) -> None:
    server = Server(tmp_path, "--bot-seconds", "0.02", "--message-rate", "1")  # and five moves of bots
    try:
        server.wait_ready()
        async with AsyncExitStack() as stack:
            maker = server.seen_from("127.0.0.50")  # starting has used up the requests of the usual one
            tables = [maker.create("usa-classic", *["easy"] * 5) for _ in range(3)]
            clients = [
                await stack.enter_async_context(Client.connect(server.url, table.watch, source=ATTACKER))
                for table in tables[:2]
            ]
            began = time.monotonic()
            await clients[0].wait(lambda: sum(client.last for client in clients) >= 15)
            burst = time.monotonic() - began
            await clients[0].wait(lambda: sum(client.last for client in clients) >= 45)
            assert time.monotonic() - began > 5.0  # 30 moves take 6 seconds
            assert burst < 5.0
            async with Client.connect(server.url, tables[2].watch, source="127.0.0.51") as honest:
                began = time.monotonic()
                await honest.wait(lambda: honest.last >= 15)
                assert time.monotonic() - began < 5.0
    finally:
        server.stop()


@within(120)
async def test_a_school_class_at_one_address_does_not_notice_the_limits(ordinary: Server) -> None:
    """Thirty pupils open the page within a second, and each plays or asks something twice a second."""
    school = ordinary.seen_from(SCHOOL)
    tables = [
        await asyncio.to_thread(school.create, "usa-classic", *["here"] * 3, "easy", "easy")
        for _ in range(PUPILS // 3)
    ]
    page = school.get("/").body.decode()
    paths = ["/", *re.findall(r'(?:src|href)="(/[^"]+)"', page)]
    paths += ["/api/editions", "/api/editions/usa-classic", "/api/games", "/api/bots"]

    def browse(link: str) -> list[int]:
        """Load the page and the log over one connection, and return the statuses."""
        place = urlsplit(school.url)
        browser = http.client.HTTPConnection(str(place.hostname), place.port, source_address=(SCHOOL, 0))
        statuses: list[int] = []
        for path in (*paths, f"/api/games/{link.partition('.')[0]}/entries"):
            browser.request("GET", path, headers={"Authorization": f"Bearer {link}"})
            answer = browser.getresponse()
            answer.read()
            statuses.append(answer.status)
        browser.close()
        return statuses

    async def play(link: str) -> None:
        assert set(await asyncio.to_thread(browse, link)) == {200}
        async with Client.connect(school.url, link, source=SCHOOL) as pupil:
            for i in range(6):
                if pupil.own is not None and pupil.own.legal:
                    await pupil.play(pupil.own.legal[0])
                else:
                    await pupil.send(Ping(f"{i}"))
                await asyncio.sleep(0.5)
            assert pupil.refusals == []

    await asyncio.gather(*(play(known(link)) for table in tables for link in table.seats if link))
