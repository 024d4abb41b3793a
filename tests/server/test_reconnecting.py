"""Connections that break, lag and resend: nothing is missed, nothing is done twice."""

from __future__ import annotations

import asyncio
import socket
import time
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from goldenspike.server.protocol.client import RefusedError
from goldenspike.server.protocol.messages import (
    Ack,
    AnyServerMessage,
    Created,
    Entries,
    Hello,
    Leave,
    Play,
    Return,
    Told,
    Update,
    Welcome,
)
from tests.server.people import Person, gather_at, known, sit_down
from tests.server.serving import Server, within

MOST_MISSED = 400
"""Missed entries that a returning client is sent; a client that missed more gets only a full view."""


def told(server: Server, link: str) -> list[Told]:
    """Return the entries that the holder of a link is sent over HTTP."""
    path = f"/api/games/{link.partition('.')[0]}/entries"
    entries = server.get(path, link).read(Entries)
    return entries.entries


async def come_and_go(person: Person, times: int) -> None:
    """Add entries to a log that do not change the position."""
    for i in range(times):
        await person.client.send(Leave(f"leave {i}"))
        await person.client.send(Return(f"return {i}"))


# Missed entries


@pytest.fixture(scope="module")
def long_game(server: Server) -> Created:
    """Deal a game that waits for a player, with more entries than a client is sent at once."""

    @within(60)
    async def fill() -> None:
        async with sit_down(server, known(created.seats[0])) as person:
            await come_and_go(person, MOST_MISSED // 2 + 5)

    created = server.create("new-york", "here", "open", public=True)
    fill()
    return created


@pytest.mark.parametrize("missed", [0, 1, 11, 12, 13, 200, MOST_MISSED])
@within(60)
async def test_a_reconnecting_client_gets_exactly_the_missed_entries(
    missed: int, long_game: Created, server: Server
) -> None:
    for link in (known(long_game.seats[0]), long_game.watch):
        everything = told(server, link)
        last = everything[-1].n
        async with sit_down(server, link, last - missed) as person:
            assert person.welcome.last == last
            assert person.welcome.entries == everything[last + 1 - missed :]


@pytest.mark.parametrize("last", [-1, 0, 5, None, 1_000_000])
@within(60)
async def test_a_client_too_far_behind_or_ahead_gets_a_fresh_view(
    last: int | None, long_game: Created, server: Server
) -> None:
    async with sit_down(server, known(long_game.seats[0]), last) as person:
        assert person.welcome.entries == []
        fresh = server.show(person.link)
        assert (person.welcome.last, person.view, person.own) == (fresh.last, fresh.view, fresh.own)


@within(120)
async def test_a_game_played_over_many_connections_is_seen_without_gaps(server: Server) -> None:
    created = server.create("new-york", "here", "here", "easy", first=0)
    one, other = known(created.seats[0]), known(created.seats[1])
    seen: list[Told] = []
    last, lines = -1, 0

    async def play_in_pieces() -> None:
        nonlocal last, lines
        is_over = False
        while not is_over:
            async with sit_down(server, one, last, seed=lines) as person:
                for _ in range(3):
                    if await person.my_turn():
                        await person.move()
                seen.extend(person.client.log)
                last, lines, is_over = person.client.last, lines + 1, person.client.is_over

    async with sit_down(server, other) as partner:
        await asyncio.gather(play_in_pieces(), partner.play_on())
    assert lines > 5
    assert seen == told(server, one)


@pytest.mark.slow
@within(90)
async def test_a_game_that_was_forgotten_is_read_again(server: Server) -> None:
    created = server.create("usa-classic", "here", "here", first=0)
    link = known(created.seats[0])
    async with sit_down(server, link) as person:
        await person.move("keep all")
        before = person.view, person.own
        last = person.client.last
    deadline = time.monotonic() + 60
    while "goldenspike_live_games 0.0" not in server.metrics():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.3)
    async with gather_at(server, created) as ([one, other], watcher):
        assert (one.view, one.own) == before
        ack = await other.move("keep all")
        assert ack.n == last + 1
        for person in (one, watcher):
            await person.reach(ack.n)
            assert person.view.phase == "turn"


# Repeated commands


async def send_again(person: Person, server: Server, command: Play) -> set[tuple[int, str | None]]:
    """Send a command twice on a WebSocket, once on a new one and once over HTTP; return all answers."""
    answers = [await person.client.send(command), await person.client.send(command)]
    async with sit_down(server, person.link, person.client.last) as again:
        answers.append(await again.client.send(command))
    answers.append(server.command(person.link, **msgspec.to_builtins(command)).read(Ack))
    assert all(isinstance(answer, Ack) and answer.id == command.id for answer in answers)
    return {(answer.n, answer.state_hash) for answer in answers if isinstance(answer, Ack)}


@pytest.mark.parametrize("move", ["keep all", "in words"])
@within(60)
async def test_a_move_sent_again_is_applied_once(move: str, server: Server) -> None:
    created = server.create("usa-classic", "here", "here", first=0, seed="again")
    async with gather_at(server, created) as ([one, other], _):
        choice = move if move == "keep all" else f"keep {', '.join(one.own.offer)}"
        keep = Play("the first", choice)
        first = await send_again(one, server, keep)
        assert len(first) == 1
        await other.move("keep all")
        # Much later, other entries have pushed it out of memory, and the same text is no longer a legal move.
        draw = Play("the second", "draw deck")
        assert await one.my_turn()
        second = await send_again(one, server, draw)
        assert len(second) == 1
        await come_and_go(other, 10)
        for command, known_answer in ((keep, first), (draw, second)):
            assert await send_again(one, server, command) == known_answer
        mine = [entry for entry in told(server, one.link) if entry.kind == "moved" and entry.seat == 0]
        assert [entry.text for entry in mine] == [mine[0].text, "draw deck"]


@within(60)
async def test_a_move_that_would_be_legal_again_is_still_done_once(server: Server) -> None:
    created = server.create("usa-classic", "here", "here", first=0)
    async with gather_at(server, created) as ([one, other], _):
        for person in (one, other):
            await person.move("keep all")
        first = await one.move("draw deck", "same name")
        again = await one.client.play("draw deck", "same name")  # drawing a second card would be legal
        assert again == first
        second = await one.move("draw deck", "new name")
        assert second.n == first.n + 1


@within(60)
async def test_the_same_id_from_another_seat_is_another_command(server: Server) -> None:
    created = server.create("usa-classic", "here", "here")
    async with gather_at(server, created) as ([one, other], _):
        first = await one.move("keep all", "1")
        assert (await other.move("keep all", "1")).n == first.n + 1


@within(60)
async def test_a_move_sent_over_two_lines_at_once_is_applied_once(server: Server) -> None:
    for _ in range(10):
        created = server.create("new-york", "here", "here")
        link = known(created.seats[0])
        async with sit_down(server, link) as one, sit_down(server, link) as two:
            play = Play("at once", "keep all")
            http = asyncio.to_thread(server.command, link, **msgspec.to_builtins(play))
            acks = await asyncio.gather(one.client.send(play), two.client.send(play), http)
            assert acks[0] == acks[1] == acks[2].read(Ack)
            assert [entry.kind for entry in told(server, link)] == ["started", "moved"]


# Slow readers


async def connect_lazily(server: Server, link: str) -> ClientConnection:
    """Connect with little buffering: small windows, small segments, a short queue."""
    address = urlsplit(server.url)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    line.connect((address.hostname, address.port))
    line.setblocking(False)
    reader = await connect(
        f"ws://{address.netloc}/api/socket", sock=line, max_queue=1, compression=None, max_size=None
    )
    await reader.send(msgspec.json.encode(Hello(link)).decode())
    return reader


@within(120)
async def test_a_client_that_does_not_read_delays_no_other(server: Server) -> None:
    created = server.create("usa-classic", "here", "here", "open", public=True)
    async with gather_at(server, created) as ([one, other], watcher):
        lazy = await connect_lazily(server, created.watch)
        await come_and_go(one, 160)
        ack = await one.do(Leave("the end"))
        assert ack.n == 321
        for person in (other, watcher):
            await person.reach(ack.n)
            assert [entry.n for entry in person.client.log] == list(range(1, ack.n + 1))

        # Then it reads: several entries at once, or a full view, and it has caught up with the others.
        messages, last, is_whole = 0, -1, True
        while last < ack.n:
            message = msgspec.json.decode(await lazy.recv(), type=AnyServerMessage)
            messages += 1
            if isinstance(message, Welcome):
                is_whole = is_whole and message.last - last <= 1
                last = message.last
            else:
                assert isinstance(message, Update)
                assert not message.entries or message.entries[0].n == last + 1
                last = message.entries[-1].n if message.entries else last
            if last == ack.n:
                assert message.view == watcher.view
        assert messages < 300, "the line was never full: this tested nothing"
        assert not is_whole
        await lazy.close()


@within(60)
async def test_a_client_closed_for_invalid_messages_can_reconnect(server: Server) -> None:
    created = server.create("new-york", "here", "here")
    link = known(created.seats[0])
    async with sit_down(server, link) as person:
        for _ in range(60):
            if person.client.is_closed:
                break
            await person.client.send_text("nonsense")
        await person.client.wait(lambda: person.client.is_closed)
        assert 50 <= len(person.client.refusals) <= 60
        assert {refusal.code for refusal in person.client.refusals} == {"malformed"}
    async with sit_down(server, link, 0) as person:
        await person.move("keep all")


@pytest.mark.parametrize(
    "hello", ['{"type":"hello","link":"nobody.knows"}', "hello", '{"type":"ping","id":"1"}']
)
@within(60)
async def test_an_invalid_hello_is_refused_with_the_reason(hello: str, server: Server) -> None:
    async with connect(server.url.replace("http", "ws", 1) + "/api/socket") as line:
        await line.send(hello)
        refusal = msgspec.json.decode(await line.recv())
        assert refusal["type"] == "refused"
        assert refusal["message"].endswith(".")
        await line.wait_closed()
        assert line.close_code == 1008


@within(60)
async def test_a_link_that_opens_nothing_is_refused(server: Server) -> None:
    created = server.create("new-york", "here", "here")
    for link in (f"{created.game}.wrong", f"{created.game}.", created.game, "." + created.watch):
        with pytest.raises(RefusedError) as refused:
            async with sit_down(server, link):
                pass
        assert refused.value.refusal.code in {"bad_link", "unknown_game"}
