"""A client that only listens learns nothing hidden, and only the client that was given a link knows it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest

from goldenspike.editions import edition_ids
from goldenspike.server.protocol.client import RefusedError
from goldenspike.server.protocol.messages import (
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


class Eavesdropper:
    """A client that keeps everything that it was ever sent, over all its connections."""

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
        """Request everything over HTTP as well."""
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
async def listening(server: Server, created: Created) -> AsyncGenerator[list[Eavesdropper]]:
    """Connect all clients, the spectator last."""
    async with AsyncExitStack() as stack:
        eavesdroppers = [
            Eavesdropper(server, link) for link in (*created.seats, created.watch) if link is not None
        ]
        for eavesdropper in eavesdroppers:
            await eavesdropper.connect(-1)
            stack.push_async_callback(eavesdropper.close)
        yield eavesdroppers


async def play_with_everything(eavesdroppers: list[Eavesdropper], rng: random.Random) -> None:
    """Play a game to its end, with all commands that players send besides moves."""
    players, watcher = eavesdroppers[:-1], eavesdroppers[-1]
    said = 0
    while not watcher.person.client.is_over:
        ready = [eavesdropper for eavesdropper in players if eavesdropper.is_ready]
        if not ready:  # a bot is thinking, or an update is on its way
            await asyncio.sleep(0.005)
            continue
        eavesdropper = rng.choice(ready)
        person = eavesdropper.person
        if person.client.is_over:
            await watcher.person.reach(person.client.last)
            break
        await person.move()
        await be_sociable(person, [other.person for other in players if other is not eavesdropper], rng)
        if said < 4 and rng.random() < 0.1:
            said += 1
            await person.do(Say(f"word {said}", "Nobody knows what I hold."))
        if rng.random() < 0.1:
            await rng.choice(eavesdroppers).reconnect()
        if rng.random() < 0.05 and not person.client.is_over:
            rng.choice(eavesdroppers).fetch()
        for other in eavesdroppers:
            await other.person.reach(person.client.last)


async def be_sociable(person: Person, others: list[Person], rng: random.Random) -> None:
    """Sometimes send queries, forbidden commands and undos."""
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
    """Send a command, if it is allowed now."""
    with suppress(RefusedError):
        answer = await person.client.send(command)
        if isinstance(answer, Ack):
            await person.reach(answer.n)


async def listen_to(server: Server, edition: str) -> None:
    created = server.create(edition, "here", "here", "easy")
    async with listening(server, created) as eavesdroppers:
        await play_with_everything(eavesdroppers, random.Random(edition))
        path = f"/api/games/{created.game}"
        log = server.get(f"{path}/entries", created.watch).read(Entries).entries
        truth = Truth.of(server.get(f"{path}/record", created.watch).body.decode(), log)
        for eavesdropper in eavesdroppers:
            seat = eavesdropper.person.client.seat
            assert check_traffic(truth, seat, eavesdropper.heard) > 30
            check_shown(truth, seat, eavesdropper.heard)
            for link in (*created.seats, created.watch):
                assert link is None or not any(link.partition(".")[2] in text for text in eavesdropper.heard)


@within(GAME_S)
async def test_no_client_receives_hidden_information(server: Server) -> None:
    await listen_to(server, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("edition", [edition for edition in edition_ids() if edition != QUICK])
@within(GAME_S)
async def test_no_client_receives_hidden_information_in_other_editions(edition: str, server: Server) -> None:
    await listen_to(server, edition)
