"""A client that only listens learns nothing hidden, and a link is known to nobody but who was given it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest

from goldenspike.editions import edition_ids
from goldenspike.server.client import RefusedError
from goldenspike.server.messages import (
    Ack,
    Answer,
    AnyCommand,
    Created,
    Entries,
    Hint,
    Play,
    Say,
    Undo,
    Ways,
    Why,
)
from tests.server.eavesdropping import Truth, check_shown, check_traffic
from tests.server.people import GAME_S, Person, sit_down
from tests.server.serving import Server, within

QUICK = "new-york"


class Ear:
    """Somebody with a link who keeps everything that was ever sent to it, over all its connections."""

    def __init__(self, server: Server, link: str) -> None:
        self._server = server
        self._link = link
        self._line = AsyncExitStack()
        self._heard: list[str] = []
        self.person: Person

    async def connect(self, last: int) -> None:
        self.person = await self._line.enter_async_context(sit_down(self._server, self._link, last))

    async def close(self) -> None:
        await self._line.aclose()
        self._heard = self.heard
        self.person.client.raw = []

    async def reconnect(self) -> None:
        await self.close()
        await self.connect(self.person.client.last)

    def fetch(self) -> None:
        """Ask for everything there is over HTTP as well."""
        path = f"/api/games/{self._link.partition('.')[0]}"
        for more in ("", "/entries"):
            got = self._server.get(path + more, self._link).json
            self.person.client.raw.append(json.dumps(got | {"type": "fetched"}))
        opened = [self._server.get(path + more, self._link).status for more in ("/record", "/replay")]
        assert 200 not in opened or self._server.show(self._link).view.ending is not None

    @property
    def heard(self) -> list[str]:
        return self._heard + self.person.client.raw

    @property
    def is_ready(self) -> bool:
        return self.person.client.is_my_turn or self.person.client.is_over


@asynccontextmanager
async def listening(server: Server, created: Created) -> AsyncGenerator[list[Ear]]:
    """Connect everybody, the watcher last."""
    async with AsyncExitStack() as stack:
        ears = [Ear(server, link) for link in (*created.seats, created.watch) if link is not None]
        for ear in ears:
            await ear.connect(-1)
            stack.push_async_callback(ear.close)
        yield ears


async def play_with_everything(ears: list[Ear], rng: random.Random) -> None:
    """Play a game to its end, with all that people do beside moving."""
    players, watcher = ears[:-1], ears[-1]
    said = 0
    while not watcher.person.client.is_over:
        ready = [ear for ear in players if ear.is_ready]
        if not ready:  # a bot thinks, or the news is on its way
            await asyncio.sleep(0.005)
            continue
        ear = rng.choice(ready)
        person = ear.person
        if person.client.is_over:
            await watcher.person.reach(person.client.last)
            break
        await person.move()
        await be_sociable(person, [other.person for other in players if other is not ear], rng)
        if said < 4 and rng.random() < 0.1:
            said += 1
            await person.do(Say(f"word {said}", "Nobody knows what I hold."))
        if rng.random() < 0.1:
            await rng.choice(ears).reconnect()
        if rng.random() < 0.05 and not person.client.is_over:
            rng.choice(ears).fetch()
        for other in ears:
            await other.person.reach(person.client.last)


async def be_sociable(person: Person, others: list[Person], rng: random.Random) -> None:
    """Ask, try what is not allowed, and take back, now and then."""
    for other in others:
        if rng.random() < 0.1:
            for command in (Why("why", "keep all"), Ways("ways"), Play("early", "keep all"), Hint("hint")):
                await attempt(other, command)
    if person.client.is_over or not person.own.can_undo or rng.random() < 0.6:
        return
    await attempt(person, Undo(f"back {person.client.last}"))
    for other in others:
        await attempt(other, Answer(f"answer {person.client.last}", agree=rng.random() < 0.8))
    await person.client.wait(lambda: person.client.asked is None)


async def attempt(person: Person, command: AnyCommand) -> None:
    """Do something, if it is allowed just now."""
    with suppress(RefusedError):
        answer = await person.client.send(command)
        if isinstance(answer, Ack):
            await person.reach(answer.n)


async def listen_to(server: Server, edition: str) -> None:
    created = server.create(edition, "here", "link", "easy")
    async with listening(server, created) as ears:
        await play_with_everything(ears, random.Random(edition))
        path = f"/api/games/{created.game}"
        log = server.get(f"{path}/entries", created.watch).read(Entries).entries
        truth = Truth.of(server.get(f"{path}/record", created.watch).body.decode(), log)
        for ear in ears:
            seat = ear.person.client.seat
            assert check_traffic(truth, seat, ear.heard) > 30
            check_shown(truth, seat, ear.heard)
            for link in (*created.seats, created.watch):
                assert link is None or not any(link.partition(".")[2] in text for text in ear.heard)


@within(GAME_S)
async def test_nobody_is_told_what_is_hidden_from_them(server: Server) -> None:
    await listen_to(server, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("edition", [edition for edition in edition_ids() if edition != QUICK])
@within(GAME_S)
async def test_nobody_is_told_what_is_hidden_from_them_in_other_editions(
    edition: str, server: Server
) -> None:
    await listen_to(server, edition)
