"""The server without its network, for what happens in one order only once in a million times."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from goldenspike.server.desk import Desk
from goldenspike.server.games import Games
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import Created, NewGame, Options, Play, SeatWish
from goldenspike.server.migrate import upgrade
from goldenspike.server.settings import Settings
from goldenspike.server.shelf import Shelf
from goldenspike.server.store import Store
from goldenspike.server.thinkers import Thinkers


@asynccontextmanager
async def open_desk(folder: Path, editions: Path | None = None) -> AsyncGenerator[Desk]:
    """Open a desk with a database of its own, and perhaps home-made editions from a folder."""
    settings = Settings(database=f"sqlite:///{folder / 'games.db'}")
    store, thinkers = Store(settings.database), Thinkers(1)
    upgrade(store.engine)
    games = Games(settings, store, Shelf(editions), thinkers)
    try:
        yield Desk(settings, games)
    finally:
        await games.close()
        thinkers.close()
        store.close()


async def deal(desk: Desk, edition: str, people: int, **options: object) -> Created:
    """Deal a game for people only."""
    wishes = [SeatWish("here") for _ in range(people)]
    return await desk.create(NewGame(edition, wishes, Options(**options)))  # type: ignore[arg-type]


async def play_out(desk: Desk, live: LiveGame) -> None:
    """Play a game of people to its end, at random."""
    rng = random.Random(1)
    while not live.position.is_over:
        seat = live.position.to_move[0]
        move = rng.choice(live.position.legal_moves(seat).numbers)
        await desk.do(live, seat, Play(f"{live.number}", move))
