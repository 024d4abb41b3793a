"""Players with real WebSockets who make random moves."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from goldenspike.engine.moves import CLAIM
from goldenspike.server.protocol.client import Client, RefusedError
from goldenspike.server.protocol.messages import (
    Ack,
    AnyCommand,
    Created,
    OwnView,
    Refusal,
    Replace,
    Reply,
    TableView,
    Welcome,
)
from tests.server.serving import Server

GAME_S = 120.0
"""How long a player waits for others in a game."""

T = TypeVar("T")


def known(value: T | None) -> T:
    """Return a value that must not be None."""
    assert value is not None
    return value


class Person:
    """A client with a link to a seat, which plays at random but prefers claims, or with a spectator link."""

    def __init__(self, client: Client, link: str, rng: random.Random) -> None:
        self.client = client
        self.link = link
        self.rng = rng
        self.acks: list[Ack] = []

    @property
    def view(self) -> TableView:
        return known(self.client.view)

    @property
    def own(self) -> OwnView:
        return known(self.client.own)

    @property
    def welcome(self) -> Welcome:
        return known(self.client.welcome)

    def choose(self) -> int:
        """Return a move; claims are preferred, so that games end."""
        legal = self.own.legal
        claims = [move for move in legal if move >= CLAIM]
        return self.rng.choice(claims if claims and self.rng.random() < 0.8 else legal)

    async def move(self, move: int | str | None = None, name: str | None = None) -> Ack:
        """Play a move, and wait until the update arrives."""
        ack = await self.client.play(self.choose() if move is None else move, name)
        self.acks.append(ack)
        await self.reach(ack.n)
        return ack

    async def do(self, command: AnyCommand) -> Ack:
        """Send a command that changes the game, and wait until the update arrives."""
        ack = await self.client.send(command)
        assert isinstance(ack, Ack)
        await self.reach(ack.n)
        return ack

    async def ask(self, command: AnyCommand) -> Reply:
        """Send a query."""
        reply = await self.client.send(command)
        assert isinstance(reply, Reply)
        return reply

    async def refused(self, command: AnyCommand) -> Refusal:
        """Send a command that is refused; return the refusal."""
        try:
            answer = await self.client.send(command)
        except RefusedError as error:
            return error.refusal
        raise AssertionError(f"{command} was not refused: {answer}")

    async def seat_bot(self, seat: int) -> Ack:
        """Replace an absent player, as soon as the server's waiting time has passed."""
        tries = 0
        while True:
            try:
                return await self.do(Replace(f"bot {seat} {tries}", seat))
            except RefusedError as error:
                if "a moment ago" not in error.refusal.message:
                    raise
            tries += 1
            await asyncio.sleep(0.1)

    async def reach(self, number: int) -> None:
        """Wait for an entry."""
        await self.client.wait(lambda: self.client.last >= number, GAME_S)

    async def my_turn(self) -> bool:
        """Wait until this seat is to move; return False if the game ends before."""
        await self.client.wait(lambda: self.client.is_my_turn or self.client.is_over, GAME_S)
        return not self.client.is_over

    async def play_on(self, between: Callable[[Person], Awaitable[None]] | None = None) -> None:
        """Play to the end; call `between` between moves."""
        while await self.my_turn():
            await self.move()
            if between is not None:
                await between(self)


@asynccontextmanager
async def sit_down(
    server: Server, link: str, last: int | None = None, seed: int = 0
) -> AsyncGenerator[Person]:
    """Connect a client."""
    async with Client.connect(server.url, link, last, keeps_raw=True, source=server.source) as client:
        yield Person(client, link, random.Random(f"{seed} {client.seat}"))


@asynccontextmanager
async def gather_at(
    server: Server, game: Created, seed: int = 0
) -> AsyncGenerator[tuple[list[Person], Person]]:
    """Connect a client for each link, and a spectator; wait until all see each other."""
    async with AsyncExitStack() as stack:
        links = [link for link in game.seats if link is not None]
        people = [await stack.enter_async_context(sit_down(server, link, seed=seed)) for link in links]
        watcher = await stack.enter_async_context(sit_down(server, game.watch, seed=seed))
        seats = [known(person.client.seat) for person in people]
        for person in (*people, watcher):
            client = person.client
            await client.wait(lambda client=client: all(client.seats[seat].is_here for seat in seats))
        yield people, watcher


async def play_all(
    people: list[Person], watcher: Person, between: Callable[[Person], Awaitable[None]] | None = None
) -> None:
    """Play a game to its end, and wait until all clients have received it."""
    await asyncio.gather(*(person.play_on(between) for person in people))
    await watcher.client.wait(lambda: watcher.client.is_over, GAME_S)
    last = max(person.client.last for person in (*people, watcher))
    for person in (*people, watcher):
        await person.reach(last)
