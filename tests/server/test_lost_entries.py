"""After entries were lost: every process tells it once, and seats, keys and positions follow the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import delete, update

from goldenspike.server.play.entry import Entry, now, with_chains
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.client import Client
from goldenspike.server.protocol.links import split_link
from goldenspike.server.protocol.messages import Created, Join, NewGame, Options, Play, Say, SeatWish
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage.schema import KEYS, SEATS
from goldenspike.server.views.encode import encode_welcome
from tests.server.in_process import deal, open_service, play_out
from tests.server.people import known
from tests.server.processes import GameServer
from tests.server.serving import within
from tests.server.test_older_database import forget


@pytest.mark.parametrize("count", [2, 20])
@within(60)
async def test_processes_together_tell_once_how_many_entries_were_lost(tmp_path: Path, count: int) -> None:
    async with open_service(tmp_path) as one, open_service(tmp_path) as two:
        created = await deal(one, "new-york", 2)
        here = await one.games.open(created.game)
        for i in range(count):
            await one.games.command(here, 0, Say(f"{i}", "as it was"))
        there = await two.games.open(created.game)
        await one.do(here, 0, Say("last", "known to one process only"))
        forget(one.games.store.database, created.game, after=0)
        await catch_up(two, there)  # it knows one entry less than the other process
        await catch_up(one, here)
        await catch_up(two, there)
        told = [entry.lost_count for entry in one.games.store.database.entries(created.game)[1:]]
        assert told == [count, 1]
        assert (here.chain, here.number) == (there.chain, there.number) == (here.chain, 2)


@within(60)
async def test_two_processes_that_find_the_loss_at_the_same_instant_tell_it_once(tmp_path: Path) -> None:
    async with open_service(tmp_path) as one, open_service(tmp_path) as two:
        created = await deal(one, "new-york", 2)
        here = await one.games.open(created.game)
        for i in range(4):
            await one.games.command(here, 0, Say(f"{i}", "as it was"))
        there = await two.games.open(created.game)
        forget(one.games.store.database, created.game, after=2)
        await asyncio.gather(catch_up(one, here), catch_up(two, there))
        log = one.games.store.database.entries(created.game)
        assert [entry.lost_count for entry in log[3:]] == [2]
        assert here.chain == there.chain == log[-1].chain


@within(60)
async def test_players_at_every_process_see_the_notice() -> None:
    with GameServer() as server:  # and a second process in this one
        server.wait_ready()
        game = server.new_game(first=0)
        async with Client.connect(server.url, known(game.seats[0])) as ann:
            for _ in range(2):
                await ann.send(Say(f"{ann.last}", "Hello."))
                await ann.wait(lambda: ann.log[-1].kind == "said")
            with server.store() as store:
                log = store.entries(game.game)
                forget(store, game.game, after=0)
                note = Entry.restored(game.game, 1, now(), 2)
                assert store.append(with_chains([note], log[0].chain)) == [True]  # as another process does
            await ann.send(Say("next", "Is anyone here?"))
            await ann.wait(lambda: ann.last == 2)
            assert [(told.kind, told.move) for told in ann.log[-2:]] == [("restored", 2), ("said", None)]


@within(60)
async def test_a_seat_whose_join_was_lost_belongs_to_the_next_player_alone(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        wish = NewGame("new-york", [SeatWish("here"), SeatWish("open")], Options(public=True))
        created = await service.create(wish)
        live = await service.games.open(created.game)
        ben = await service.seat_access.join(created.game, Join("Ben"), "127.0.0.21")
        connection = Recorded(ben.seat, split_link(ben.link)[1])
        live.audience.add(connection)
        host = Recorded(0, split_link(known(created.seats[0]))[1])
        live.audience.add(host)
        forget(service.games.store.database, created.game, after=0)
        with service.games.store.database.engine.begin() as database:
            database.execute(delete(KEYS).where(KEYS.c.game == live.id, KEYS.c.seat == ben.seat))
            database.execute(
                update(SEATS).where(SEATS.c.game == live.id, SEATS.c.seat == 1).values(is_free=True)
            )
        await catch_up(service, live)
        assert [problem.code for problem in connection.dismissed] == ["bad_link"]
        cy = await service.seat_access.join(created.game, Join("Cy"), "127.0.0.22")
        assert cy.seat == ben.seat
        with pytest.raises(Problem, match="no longer valid"):
            await service.games.open_link(ben.link)
        assert (await service.games.open_link(cy.link))[1] == cy.seat
        assert host.dismissed == []


class Recorded:
    """A connection to a game that records its dismissal."""

    address = ""

    def __init__(self, viewer: int | None, key: bytes) -> None:
        self.viewer, self.key = viewer, key
        self.dismissed: list[Problem] = []

    def notify(self) -> None:
        """Ignore updates."""

    def dismiss(self, problem: Problem) -> None:
        """Record the reason."""
        self.dismissed.append(problem)


@pytest.mark.parametrize("is_in_memory", [False, True])
@within(60)
async def test_a_finished_game_with_a_gap_goes_on_from_its_last_good_entry(
    tmp_path: Path, is_in_memory: bool
) -> None:
    async with open_service(tmp_path) as service:
        created = await deal(service, "new-york", 2, first=0)
        live = await service.games.open(created.game)
        await play_out(service, live)
        log = service.games.store.database.entries(created.game)
        await wait_for(lambda: service.games.store.database.entries(created.game)[0].state is None)
        last = live.number - 5
        forget(service.games.store.database, created.game, after=last, until=last + 1)
        if is_in_memory:
            live.is_uncertain = True
            forget(service.games.store.database, created.game, after=live.number - 1)
            await catch_up(service, live)
            await resume_after_gap(service, created, log[last])
    async with open_service(tmp_path) as service:
        await resume_after_gap(service, created, log[last])


async def resume_after_gap(service: GameService, created: Created, last: Entry) -> None:
    """Show a game that was cut back to an entry; play a move in it, and undo it if possible."""
    live = await service.games.open(created.game)
    is_first = live.number == last.number + 1
    assert not live.position.is_over
    assert len(msgspec.json.decode(encode_welcome(live, 0, []))["seats"]) == 2
    if is_first:
        assert live.position.state_hash == last.state_hash
        assert live.recent[-1].kind == "restored"
    seat = live.position.to_move[0]
    await service.do(live, seat, Play(f"{live.number}", live.position.legal_moves(seat).numbers[0]))
    assert all(step.before != bytes(len(step.before)) for step in live.trail)


async def catch_up(service: GameService, live: LiveGame) -> None:
    """Read the log of a game again, as a process does after an outage."""
    async with live.lock:
        await service.games.loader.catch_up(live)


async def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something in the database has changed."""
    while not condition():
        await asyncio.sleep(0.01)
