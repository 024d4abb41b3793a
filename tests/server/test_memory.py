"""Games in memory: which are kept there, and which are forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from goldenspike.server.desk import Desk
from goldenspike.server.games import Games
from goldenspike.server.messages import NewGame, SeatWish
from goldenspike.server.migrate import upgrade
from goldenspike.server.settings import Settings
from goldenspike.server.shelf import Shelf
from goldenspike.server.store import Store
from goldenspike.server.thinkers import Thinkers


@asynccontextmanager
async def make_desk(folder: Path, **settings: float) -> AsyncGenerator[Desk]:
    """Make a desk of this process, without sockets."""
    chosen = Settings(database=f"sqlite:///{folder}/games.db", **settings)  # pyright: ignore[reportArgumentType]
    store, thinkers = Store(chosen.database), Thinkers(1)
    upgrade(store.engine)
    games = Games(chosen, store, Shelf(), thinkers)
    try:
        yield Desk(chosen, games)
    finally:
        await games.close()
        thinkers.close()
        store.close()


PEOPLE = NewGame("new-york", [SeatWish("here"), SeatWish("here")])


def test_a_game_is_not_forgotten_while_somebody_sits_down(tmp_path: Path) -> None:
    async def sit_down() -> None:
        async with make_desk(tmp_path, idle_seconds=5.0) as desk:
            made = await desk.create(PEOPLE)
            live = await desk.games.open(made.game)
            live.changed -= 60_000  # nobody has moved for a minute
            assert await desk.games.open(made.game) is live
            await desk.games.sweep()
            assert await desk.games.open(made.game) is live

    asyncio.run(sit_down())


def test_a_game_that_nobody_needs_is_forgotten_and_comes_back(tmp_path: Path) -> None:
    async def go_away() -> None:
        async with make_desk(tmp_path, idle_seconds=5.0) as desk:
            made = await desk.create(PEOPLE)
            live = await desk.games.open(made.game)
            live.changed -= 60_000
            live.opened -= 60_000
            await desk.games.sweep()
            again = await desk.games.open(made.game)
            assert again is not live
            assert again.position.state_hash == live.position.state_hash

    asyncio.run(go_away())
