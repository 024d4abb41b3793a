"""Several processes of one server: what one does, the others show, and none holds up the others' games."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from goldenspike.server.client import Client
from goldenspike.server.decide import decide
from goldenspike.server.desk import Desk
from goldenspike.server.entry import Entry, now
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import Play, Say
from tests.server.inside import deal, open_desk
from tests.server.processes import GameServer

Pair = tuple[GameServer, GameServer]


def said(live: LiveGame) -> Entry:
    """Return an entry that another process might have written."""
    return decide(live, 0, Say("x", "Hello."), f"0.{live.number}", now(), 0)


@pytest.mark.slow
def test_people_at_another_process_are_here(pair: Pair) -> None:
    game = pair[0].new_game(first=0)
    links = [link or "" for link in game.seats]

    async def meet() -> None:
        async with Client.connect(pair[0].url, links[0], -1) as ann:
            assert [seat.is_here for seat in ann.seats] == [True, False]
            async with Client.connect(pair[1].url, links[1], -1) as ben:
                for client in (ann, ben):
                    await client.wait(lambda client=client: all(seat.is_here for seat in client.seats))
                async with Client.connect(pair[1].url, game.watch, -1) as watcher:
                    assert [seat.is_here for seat in watcher.seats] == [True, True]
            await ann.wait(lambda: not ann.seats[1].is_here)

    asyncio.run(meet())


def test_who_is_at_a_process_that_died_is_not_here_for_long(tmp_path: Path) -> None:
    async def look() -> None:
        async with open_desk(tmp_path) as desk:
            live = await desk.games.open((await deal(desk, "new-york", 2)).game)
            for sender, seats in ((b"one", 0b01), (b"two", 0b11)):
                desk.games.hear_present(live.id, sender, seats)
            assert [seat.is_here for seat in live.seat_infos()] == [True, True]
            desk.games.hear_present(live.id, b"two", 0)
            assert [seat.is_here for seat in live.seat_infos()] == [True, False]
            live.doubt_elsewhere(now() + 20_000)
            assert [seat.is_here for seat in live.seat_infos()] == [True, False]
            live.doubt_elsewhere(now() + 30_000)
            assert [seat.is_here for seat in live.seat_infos()] == [False, False]

    asyncio.run(look())


def test_a_game_that_is_being_written_holds_up_no_other(tmp_path: Path) -> None:
    async def hear() -> None:
        async with open_desk(tmp_path) as desk:
            one, two = [await desk.games.open((await deal(desk, "new-york", 2)).game) for _ in range(2)]
            entries = [said(one), said(two)]
            desk.games.store.append(entries)
            async with one.lock:  # as while a move is being written
                for entry in entries:
                    desk.games.hear(entry)
                assert (one.number, two.number) == (0, 1)
            async with asyncio.timeout(10):
                while one.number == 0:
                    await asyncio.sleep(0.01)

    asyncio.run(hear())


async def _play_at_other_version(desk: Desk, live: LiveGame) -> Entry:
    """Write a move as a process does whose positions are laid out in another way."""
    for seat in (0, 1):
        await desk.do(live, seat, Play("k", "keep all"))
    entry = decide(live, 0, Play("x", "draw deck"), "0.x", now(), 0)
    assert entry.state is not None
    written = msgspec.structs.replace(entry, state=b"\0\0\0\0" + entry.state[4:])
    desk.games.store.append([written])
    return written


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_move_of_another_version_is_played_again(tmp_path: Path, is_heard: bool) -> None:
    async def hear() -> None:
        async with open_desk(tmp_path) as desk:
            live = await desk.games.open((await deal(desk, "new-york", 2, first=0)).game)
            entry = await _play_at_other_version(desk, live)
            if is_heard:
                desk.games.hear(entry)
            else:
                async with live.lock:
                    await desk.games.catch_up(live)
            async with asyncio.timeout(10):
                while live.number < entry.number:
                    await asyncio.sleep(0.01)
            assert live.position.state_hash == entry.state_hash

    asyncio.run(hear())
