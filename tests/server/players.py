"""Clients that reconnect after every interruption, and resend commands that got no answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence

from websockets.exceptions import WebSocketException

from goldenspike.editions import load_edition
from goldenspike.game import Game
from goldenspike.server.protocol.client import Client, RefusedError
from goldenspike.server.protocol.messages import Ack, Created, Play, Refusal, Told
from goldenspike.server.storage.database import Database
from goldenspike.server.views.view_messages import tell_entry

PAUSE = 0.05
"""Seconds before a client retries."""
PATIENCE = 120.0
"""Seconds without an answer after which a test fails."""


class RandomPlayer:
    """A player, who plays at random whenever possible, or a spectator."""

    def __init__(self, url: str, link: str, pace: float = 0.0) -> None:
        self.url, self.link = url, link
        self.pace = pace
        """Seconds before each move."""
        self.rng = random.Random(link)
        self.seat: int | None = None
        self.last = -1
        self.log: dict[int, Told] = {}
        self.acks: dict[str, Ack] = {}
        self.refusals: list[Refusal] = []
        self._statuses: list[str] = []
        self.resent = 0
        """Moves that were sent again, because no answer arrived."""
        self.is_over = False
        self.client: Client | None = None
        """The connection, while there is one."""
        self._pending: Play | None = None

    @property
    def statuses(self) -> list[str]:
        """The status messages received on all connections."""
        return self._statuses + (self.client.statuses if self.client else [])

    async def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Play, or watch, until the game is over or a condition holds."""
        while not (self.is_over or until()):
            try:
                async with Client.connect(self.url, self.link, self.last) as self.client:
                    try:
                        await self._attend(self.client, until)
                    finally:
                        self._learn(self.client)
                        self._statuses += self.client.statuses
            except (OSError, WebSocketException):
                await asyncio.sleep(PAUSE)
            except RefusedError as error:
                if error.refusal.code != "unavailable":
                    raise
                await asyncio.sleep(PAUSE)
            finally:
                self.client = None

    async def _attend(self, client: Client, until: Callable[[], bool]) -> None:
        while not (client.is_closed or until()):
            self._learn(client)
            if client.is_over and self._pending is None:
                self.is_over = True
                return
            if self._pending is not None or (client.own is not None and client.own.legal):
                await self._move(client)
            else:
                await client.wait(
                    lambda: client.is_closed or client.is_over or bool(client.own and client.own.legal),
                    PATIENCE,
                )

    async def _move(self, client: Client) -> None:
        if self._pending is None:
            await asyncio.sleep(self.pace)
            assert client.own is not None
            name = f"{len(self.acks) + len(self.refusals)}-{self.rng.getrandbits(32):x}"
            self._pending = Play(name, self.rng.choice(client.own.legal))
        else:
            self.resent += 1
        try:
            async with asyncio.timeout(PATIENCE):
                ack = await client.send(self._pending)
        except RefusedError as error:
            if error.refusal.code == "unavailable":  # it may have been carried out: resend it
                await asyncio.sleep(PAUSE)
                return
            self.refusals.append(error.refusal)
            self._pending = None
            return
        assert isinstance(ack, Ack)
        self.acks[ack.id] = ack
        self._pending = None
        await client.wait(lambda: client.last >= ack.n or client.is_closed, PATIENCE)

    def _learn(self, client: Client) -> None:
        if client.welcome is None:
            return
        self.seat, self.last = client.seat, client.last
        for entry in client.log:
            assert self.log.setdefault(entry.n, entry) == entry, f"entry {entry.n} was told in two ways"


def players_of(urls: Sequence[str], game: Created, pace: float = 0.0) -> list[RandomPlayer]:
    """Return a player for each person's seat, spread over a server's processes, and spectators at each."""
    links = [link for link in game.seats if link is not None]
    players = [RandomPlayer(urls[i % len(urls)], link, pace) for i, link in enumerate(links)]
    return players + [RandomPlayer(url, game.watch) for url in urls]


async def play_all(players: Sequence[RandomPlayer], seconds: float = 600.0) -> None:
    """Let all play until their games are over."""
    async with asyncio.timeout(seconds), asyncio.TaskGroup() as tasks:
        for player in players:
            tasks.create_task(player.play())


def check_game(store: Database, game: Created, players: Sequence[RandomPlayer], record: str) -> int:
    """Check what must hold for a game's log after any interruption; return how many moves there are.

    Its numbers have no gaps. It has every acknowledged move once, under its number, with its hash, and no
    other moves of these players. All clients were sent the log. The record agrees with the log, and is over.
    """
    stored = store.game(game.game)
    assert stored is not None
    edition = load_edition(stored.edition)
    entries = store.entries(game.game)
    assert [entry.number for entry in entries] == list(range(len(entries)))
    kept = {entry.token: entry for entry in entries if entry.token is not None}
    acked = {f"{player.seat}.{name}": ack for player in players for name, ack in player.acks.items()}
    assert kept.keys() == acked.keys(), (kept.keys() - acked.keys(), acked.keys() - kept.keys())
    assert len(kept) == sum(entry.token is not None for entry in entries)
    for token, ack in acked.items():
        assert (kept[token].number, kept[token].state_hash) == (ack.n, ack.state_hash)
    for player in players:
        assert player.last == len(entries) - 1
        for number, told in player.log.items():
            assert told == tell_entry(edition, entries[number], player.seat)
    moves = [entry for entry in entries if entry.kind == "moved"]
    played = Game.from_record(record)
    assert played.is_over
    assert [action.state_hash for action in played.played] == [entry.state_hash for entry in moves]
    return len(moves)
