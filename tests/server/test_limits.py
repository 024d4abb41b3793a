"""A server with low limits: what exceeds them is refused or closed, and the rest goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from goldenspike.server.protocol.messages import Created, Ping, Refusal, Welcome
from goldenspike.server.socket.rate_limits import Bucket
from tests.server.people import known, sit_down
from tests.server.serving import HttpAnswer, Server, new_game, within

NARROW = {
    "message-rate": 1,
    "create-rate": 6,
    "connections": 3,
    "message-bytes": 1024,
    "record-bytes": 4096,
    "proxy": "127.0.0.1",
}
"""And a proxy, so that a test can use its own client address."""


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with low limits; no test here waits for its bots."""
    flags = [part for name, value in NARROW.items() for part in (f"--{name}", str(value))]
    running = Server(tmp_path_factory.mktemp("narrow"), *flags)
    try:
        yield running.wait_ready("/healthz")
    finally:
        running.stop()


@pytest.fixture(scope="module")
def created(narrow: Server) -> Created:
    """Deal the one game of these tests."""
    return narrow.create("new-york", "here", "here")


@pytest.mark.slow
@within(60)
async def test_too_many_messages_are_refused_by_name_and_then_taken_again(
    created: Created, narrow: Server
) -> None:
    async with sit_down(narrow, known(created.seats[0])) as person:
        for i in range(10):
            await person.client.send_text(f'{{"type": "ping", "id": "{i}"}}')
        await person.client.wait(lambda: bool(person.client.refusals))
        refusal = person.client.refusals[0]
        assert refusal.code == "too_fast"
        assert int(known(refusal.id)) >= 3
        await asyncio.sleep(known(refusal.retry_after) + 1.0)
        await person.ask(Ping("patient"))


@pytest.mark.slow
@within(60)
async def test_a_client_that_keeps_flooding_is_disconnected(created: Created, narrow: Server) -> None:
    async with sit_down(narrow, known(created.seats[0])) as person:
        for i in range(80):
            await person.client.send_text(f'{{"type": "ping", "id": "{i}"}}')
        await person.client.wait(lambda: person.client.is_closed)
        assert {refusal.code for refusal in person.client.refusals} == {"too_fast"}


def test_commands_without_a_socket_are_not_taken_faster_than_with_one(
    created: Created, narrow: Server
) -> None:
    pings = [narrow.command(created.watch, type="ping", id=f"{i}") for i in range(10)]
    assert [answer.status for answer in pings[:3]] == [200] * 3
    refused = [answer.refusal for answer in pings if answer.status != 200]
    assert {refusal.code for refusal in refused} == {"too_fast"}
    assert known(refused[-1].retry_after) <= 1.0


COSTS = {
    "/": 0.25,
    "/nothing/here": 0.25,
    "/healthz": 0.25,
    "/readyz": 1,
    "/api/bots": 1,
    "/api/editions": 0.25,
    "/api//editions/usa-mega": 0.25,
    "/api/schema/openapi.json": 25,
    "/api//schema/openapi.json": 25,
    "/api/games": 2,
    "//api/games": 2,
    "/api/games/{game}": 1,
    "/api/games/{game}/entries": 1,
    "/api/games/{game}/statistics//": 25,
    "/api/games/{game}/record/": 25,
    "/api/games/{game}/replay": 60,
    "/api/games/{game}/replay/": 60,
    "/api/games/{game}/replay?first=1": 60,
    "//api/games/{game}/replay": 60,
    "/api//games/{game}///replay": 60,
    "/api/games/{game}/%72eplay": 60,
    "/api/games/{game}%2Freplay%2F": 60,
}
"""Costs of requests, for different spellings of a path."""
BURST, PER_SECOND = 15, 5
"""Cost units that an address may use at once, and that it gets back per second, for a message rate of 1."""


@pytest.mark.parametrize("path", COSTS)
def test_every_request_is_limited_by_its_cost(path: str, created: Created, narrow: Server) -> None:
    asked, number, cost = path.format(game=created.game), list(COSTS).index(path), COSTS[path]

    def ask(address: str) -> HttpAnswer:
        return narrow.call("GET", asked, link=created.watch, headers={"X-Forwarded-For": address})

    began, granted = time.monotonic(), 0
    while (answer := ask(f"10.0.0.{number}")).status != 429:
        assert answer.status in {200, 404, 409, 503}  # a game that is not over is refused
        granted += 1
        # A request that costs more than the burst is granted once the bucket is full.
        assert granted * cost <= max(BURST, cost) + PER_SECOND * (time.monotonic() - began)
    assert granted
    assert answer.refusal.code == "too_fast"
    assert ask(f"10.0.1.{number}").status != 429  # other addresses need not wait


@pytest.mark.parametrize("host", ["evil.example", "["])
def test_a_request_for_another_host_is_charged_as_well(host: str, narrow: Server) -> None:
    headers = {"Host": host, "X-Forwarded-For": f"10.0.4.{len(host)}"}
    statuses = [narrow.call("GET", "/", headers=headers).status for _ in range(8 * BURST)]
    assert statuses[0] == 421
    assert 429 in statuses


@within(60)
async def test_a_message_that_is_too_long_ends_only_that_connection(created: Created, narrow: Server) -> None:
    async with (
        sit_down(narrow, created.watch) as watcher,
        sit_down(narrow, known(created.seats[0])) as person,
    ):
        await person.client.send_text("x" * 1025)
        await person.client.wait(lambda: person.client.is_closed)
        await watcher.ask(Ping("still here"))
    assert "Traceback" not in narrow.log


@within(60)
async def test_a_message_that_is_nested_too_deep_is_refused(server: Server) -> None:
    deep = '{"a":' + "[" * 8000
    link = server.create("new-york", "here", "here").watch
    async with sit_down(server, link) as person:
        await person.client.send_text(deep)
        await person.client.wait(lambda: bool(person.client.refusals))
        assert person.client.refusals[0].code == "malformed"
        await person.ask(Ping("still here"))
    async with connect(server.url.replace("http", "ws", 1) + "/api/socket") as line:
        await line.send(deep)
        assert msgspec.json.decode(await line.recv())["code"] == "malformed"


@within(60)
async def test_a_full_server_tells_clients_to_try_again(created: Created, narrow: Server) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(sit_down(narrow, created.watch))
        async with connect(narrow.url.replace("http", "ws", 1) + "/api/socket") as line:
            assert msgspec.json.decode(await line.recv(), type=Refusal).code == "full"
            with pytest.raises(ConnectionClosed) as closed:
                await line.recv()
            assert known(closed.value.rcvd).code == 1013
    async with sit_down(narrow, created.watch) as watcher:  # the others have disconnected
        await watcher.ask(Ping("1"))


def test_a_rate_below_one_allows_one_request() -> None:
    bucket = Bucket(rate=0.5 / 60, size=0.5)
    assert [bucket.take(at=at) for at in (0.0, 60.0, 121.0)] == [True, False, True]


def test_a_record_larger_than_the_limit_is_refused(narrow: Server) -> None:
    answer = narrow.call("POST", "/api/records/", "x" * 4097, headers={"X-Forwarded-For": "10.0.1.1"})
    assert (answer.status, answer.refusal.code) == (413, "too_large")


def test_new_games_are_rate_limited(created: Created, narrow: Server) -> None:
    maker = {"X-Forwarded-For": "10.0.3.1"}
    game = new_game("new-york", "here", "here")
    answers = [narrow.call("POST", "/api/games/", game, headers=maker) for _ in range(7)]
    refused = [answer for answer in answers if answer.status == 429]
    assert refused
    assert refused[0].refusal.code == "too_fast"
    assert 1 <= int(refused[0].headers["retry-after"]) <= 10
    assert known(refused[0].refusal.retry_after) > 0
    shown = narrow.call(
        "GET", f"/api/games/{created.game}", link=created.watch, headers={"X-Forwarded-For": "10.0.3.2"}
    )
    assert shown.read(Welcome).last == 0
