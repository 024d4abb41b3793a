"""Acknowledged moves are kept, whichever process is killed at whatever moment."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from goldenspike.server.protocol.messages import Created
from tests.server.players import RandomPlayer, check_game, play_all, players_of
from tests.server.process_tree import are_dead, send
from tests.server.processes import PEOPLE, GameServer
from tests.server.services import PostgresServer
from tests.server.waiting import wait_until

BOTS = [{"who": "bot", "level": "easy"}, {"who": "bot", "level": "medium"}]


class Evening:
    """Some games on one server, played at random and interrupted."""

    def __init__(self, server: GameServer, games: int, edition: str, seats: int = 2) -> None:
        self.server = server
        self.games: list[Created] = [server.new_game(edition, PEOPLE[:1] * seats) for _ in range(games)]
        self.tables = [players_of([server.url], game) for game in self.games]
        self.players = [player for table in self.tables for player in table]

    @property
    def acks(self) -> int:
        """How many moves were acknowledged."""
        return sum(len(player.acks) for player in self.players)

    def play(self, interrupt: Callable[[], None], times: int, moves: int) -> None:
        """Play all games with `times` interruptions, each at a random moment after about `moves` moves."""

        async def interrupt_often() -> None:
            rng = random.Random(times)
            for _ in range(times):
                enough = self.acks + rng.randrange(moves // 2, moves)
                while self.acks < enough:
                    await asyncio.sleep(rng.uniform(0, 0.005))
                await asyncio.to_thread(interrupt)

        async def play() -> None:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play_all(self.players))
                tasks.create_task(interrupt_often())

        asyncio.run(play())

    def check(self) -> int:
        """Check that nothing was lost, duplicated or refused; return how many moves there are."""
        with self.server.store() as store:
            moves = 0
            for game, table in zip(self.games, self.tables, strict=True):
                moves += check_game(store, game, table, self.server.record(game))
        assert moves == self.acks
        assert not [player.refusals for player in self.players if player.refusals]
        assert sum(player.resent for player in self.players) > 0, "no player was interrupted in a move"
        return moves


def restart_after(end: Callable[[], None], server: GameServer) -> Callable[[], None]:
    """Return a function that ends a server and starts it again."""

    def restart() -> None:
        end()
        server.start()

    return restart


@pytest.mark.slow
def test_moves_survive_a_kill() -> None:
    with GameServer() as server:
        evening = Evening(server, 4, "new-york")
        evening.play(restart_after(server.kill, server), times=1, moves=100)
        assert evening.check() > 160
        assert server.failures() == []


@pytest.mark.slow
def test_thousands_of_moves_survive_many_kills() -> None:
    with GameServer() as server:
        evening = Evening(server, 10, "usa-classic", seats=3)
        evening.play(restart_after(server.kill, server), times=4, moves=400)
        assert evening.check() > 2000
        assert server.failures() == []


@pytest.mark.slow
def test_thousands_of_moves_survive_many_kills_with_postgres(postgres_url: str) -> None:
    with GameServer(postgres_url) as server:
        evening = Evening(server, 10, "usa-classic", seats=3)
        evening.play(restart_after(server.kill, server), times=4, moves=400)
        assert evening.check() > 2000
        assert server.failures() == []


@pytest.mark.slow
def test_thousands_of_moves_survive_many_kills_of_postgres(
    postgres: PostgresServer, postgres_url: str
) -> None:
    def restart() -> None:
        postgres.kill()
        postgres.start()

    with GameServer(postgres_url) as server:
        evening = Evening(server, 10, "usa-classic", seats=3)
        evening.play(restart, times=6, moves=300)
        assert evening.check() > 2000
        assert server.failures() == []


@pytest.mark.slow
def test_a_clean_stop_loses_nothing() -> None:
    with GameServer() as server:
        evening = Evening(server, 6, "new-york")
        evening.play(restart_after(server.stop, server), times=3, moves=80)
        assert evening.check() > 240
        assert server.failures() == []
        said = [line["message"] for line in server.log()]
        assert said.count("stopped") == 3


# The bot processes


def bot_processes_of(server: GameServer) -> list[int]:
    """Return a server's bot processes."""
    return [pid for pid in server.children() if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def watch_bots(server: GameServer, disturb: Callable[[], None], times: int) -> None:
    """Watch a game of bots to its end, and disturb it `times` times, each after some moves."""
    game = server.new_game(seats=BOTS)
    watcher = RandomPlayer(server.url, game.watch)

    async def watch() -> None:
        watching = asyncio.create_task(watcher.play())
        for n in range(1, times + 1):
            while watcher.client is None or watcher.client.last < 8 * n:
                await asyncio.sleep(0.005)
            disturb()
        async with asyncio.timeout(120):
            await watching

    asyncio.run(watch())
    with server.store() as store:
        assert check_game(store, game, [watcher], server.record(game)) > 8 * times


@pytest.mark.slow
def test_bots_that_are_killed_are_replaced() -> None:
    with GameServer() as server:
        server.wait_ready()
        watch_bots(server, lambda: send(signal.SIGKILL, bot_processes_of(server)), times=3)
        assert server.failures() == []


@pytest.mark.slow
def test_bots_end_with_a_server_that_is_killed() -> None:
    with GameServer() as server:
        server.wait_ready()
        bots = bot_processes_of(server)
        assert bots
        server.kill()
        wait_until(lambda: are_dead(bots), "the processes of the bots are dead", 10)


@pytest.mark.slow
def test_an_interrupt_from_the_keyboard_is_a_clean_stop() -> None:
    with GameServer() as server:
        server.wait_ready()
        pids = [server.pid, *server.children()]
        send(signal.SIGINT, pids)
        wait_until(lambda: are_dead(pids), "all its processes have ended", 10)
        assert server.failures() == []
