"""A server with narrow limits: what goes over them is refused or closed, and the rest goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from goldenspike.server.limits import Bucket
from goldenspike.server.messages import Created, Ping, Refusal
from tests.server.people import known, sit_down
from tests.server.serving import Server, new_game, within

NARROW = {
    "message-rate": 1,
    "create-rate": 6,
    "connections": 3,
    "message-bytes": 1024,
    "record-bytes": 4096,
    "proxy": "127.0.0.1",
}
"""And a proxy, so that a test can come from an address of its own."""


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with narrow limits; nobody here waits for its bots."""
    flags = [part for name, value in NARROW.items() for part in (f"--{name}", str(value))]
    running = Server(tmp_path_factory.mktemp("narrow"), *flags)
    try:
        yield running.wait_ready("/healthz")
    finally:
        running.stop()


@pytest.fixture(scope="module")
def created(narrow: Server) -> Created:
    """Deal the one game of these tests."""
    return narrow.create("new-york", "here", "link")


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
async def test_who_does_not_stop_is_closed(created: Created, narrow: Server) -> None:
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


@pytest.mark.parametrize("path", ["", "/{game}", "/{game}/entries", "/{game}/replay"])
def test_who_only_looks_is_asked_to_wait_as_well(path: str, created: Created, narrow: Server) -> None:
    asked, address = f"/api/games{path.format(game=created.game)}", f"10.0.0.{len(path)}"
    answers = [
        narrow.call("GET", asked, link=created.watch, headers={"X-Forwarded-For": address}) for _ in range(40)
    ]
    refused = [answer.refusal for answer in answers if answer.status == 429]
    assert 15 <= len(answers) - len(refused) < 40
    assert {refusal.code for refusal in refused} == {"too_fast"}
    assert narrow.get(asked, created.watch).status != 429  # others need not wait


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
    link = server.create("new-york", "here", "link").watch
    async with sit_down(server, link) as person:
        await person.client.send_text(deep)
        await person.client.wait(lambda: bool(person.client.refusals))
        assert person.client.refusals[0].code == "malformed"
        await person.ask(Ping("still here"))
    async with connect(server.url.replace("http", "ws", 1) + "/api/socket") as line:
        await line.send(deep)
        assert msgspec.json.decode(await line.recv())["code"] == "malformed"


@within(60)
async def test_who_finds_no_place_is_told_to_come_again(created: Created, narrow: Server) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(sit_down(narrow, created.watch))
        async with connect(narrow.url.replace("http", "ws", 1) + "/api/socket") as line:
            assert msgspec.json.decode(await line.recv(), type=Refusal).code == "full"
            with pytest.raises(ConnectionClosed) as closed:
                await line.recv()
            assert known(closed.value.rcvd).code == 1013
    async with sit_down(narrow, created.watch) as watcher:  # the others have gone
        await watcher.ask(Ping("1"))


def test_who_may_do_something_less_than_once_in_its_time_may_do_it_once() -> None:
    bucket = Bucket(rate=0.5 / 60, size=0.5)
    assert [bucket.take(at=at) for at in (0.0, 60.0, 121.0)] == [True, False, True]


def test_a_record_larger_than_the_limit_is_refused(narrow: Server) -> None:
    answer = narrow.post("/api/records/", "x" * 4097)
    assert (answer.status, answer.refusal.code) == (413, "too_large")


def test_who_makes_too_many_games_is_asked_to_wait(created: Created, narrow: Server) -> None:
    answers = [narrow.post("/api/games/", new_game("new-york", "here", "link")) for _ in range(7)]
    refused = [answer for answer in answers if answer.status == 429]
    assert refused
    assert refused[0].refusal.code == "too_fast"
    assert 1 <= int(refused[0].headers["retry-after"]) <= 10
    assert known(refused[0].refusal.retry_after) > 0
    assert narrow.show(known(created.seats[0])).last == 0
    assert msgspec.to_builtins(narrow.get("/healthz").json) == {"status": "ok"}
