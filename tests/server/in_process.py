"""The server without its network, for races that depend on an exact order."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from goldenspike.server.play.bot_pool import BotPool
from goldenspike.server.play.catalogue import Catalogue
from goldenspike.server.play.games import Games
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.messages import Created, NewGame, Options, Play, SeatWish
from goldenspike.server.settings import Settings
from goldenspike.server.storage.migrate import upgrade
from goldenspike.server.storage.store import Store


@asynccontextmanager
async def open_service(
    folder: Path,
    editions: Path | None = None,
    retention_days: int | None = None,
    undo_seconds: float = 2.0,
) -> AsyncGenerator[GameService]:
    """Open a service with its own database, optionally with home-made editions from a folder."""
    database = f"sqlite:///{folder / 'games.db'}"
    settings = Settings(database=database, retention_days=retention_days, undo_seconds=undo_seconds)
    store, bot_pool = Store(settings.database), BotPool(1)
    upgrade(store.database.engine)
    games = Games(settings, store, Catalogue(editions), bot_pool)
    try:
        yield GameService(settings, games)
    finally:
        await games.close()
        bot_pool.close()
        await store.close()


async def deal(service: GameService, edition: str, people: int, **options: object) -> Created:
    """Deal a game for people only."""
    wishes = [SeatWish("here") for _ in range(people)]
    return await service.create(NewGame(edition, wishes, Options(**options)))  # type: ignore[arg-type]


@asynccontextmanager
async def open_game(
    folder: Path, edition: str, people: int, **options: object
) -> AsyncGenerator[tuple[GameService, LiveGame]]:
    """Open a service with its own database and one game for people."""
    async with open_service(folder) as service:
        created = await deal(service, edition, people, **options)
        yield service, await service.games.open(created.game)


async def play_out(service: GameService, live: LiveGame) -> None:
    """Play a game between people to its end, at random."""
    rng = random.Random(1)
    while not live.position.is_over:
        seat = live.position.to_move[0]
        move = rng.choice(live.position.legal_moves(seat).numbers)
        await service.do(live, seat, Play(f"{live.number}", move))
