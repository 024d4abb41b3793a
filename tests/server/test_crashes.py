"""What was acknowledged is kept, whatever process is killed at whatever moment."""

from __future__ import annotations

import asyncio
import random

from tests.server.players import Player, check_game, play_all, players_of
from tests.server.processes import GameServer


async def kill_often(server: GameServer, players: list[Player], times: int, moves: int) -> None:
    """Kill a server so many times, each time at a random moment after about so many moves, and restart it."""
    rng = random.Random(times)
    for _ in range(times):
        enough = sum(len(player.acks) for player in players) + rng.randrange(moves // 2, moves)
        while sum(len(player.acks) for player in players) < enough:
            await asyncio.sleep(rng.uniform(0, 0.005))
        server.kill()  # without waiting for anything: the clients are in the middle of it
        await asyncio.to_thread(server.start)


async def play_through(server: GameServer, players: list[Player], times: int, moves: int) -> None:
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(play_all(players))
        tasks.create_task(kill_often(server, players, times, moves))


def test_moves_survive_a_kill_on_sqlite() -> None:
    with GameServer() as server:
        games = [server.new_game() for _ in range(4)]
        tables = [players_of([server.url], game) for game in games]
        players = [player for table in tables for player in table]
        asyncio.run(play_through(server, players, times=1, moves=100))
        store = server.store()
        for game, table in zip(games, tables, strict=True):
            assert check_game(store, game, table, server.record(game)) > 40
        store.close()
        assert not [player.refusals for player in players if player.refusals]
        assert sum(player.resent for player in players) > 0
        assert server.failures() == []
