"""A server whose rules are not compiled yet serves at once, and switches to compiled rules during games."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from tests.server.players import RandomPlayer, check_game, players_of
from tests.server.process_tree import are_dead, send
from tests.server.processes import GameServer
from tests.server.waiting import wait_until

SEATS = [
    {"who": "here", "name": "Ann"},
    {"who": "here", "name": "Ben"},
    {"who": "bot", "level": "medium"},
    {"who": "bot", "level": "hard"},
]
AT_ONCE = 20.0
"""Seconds within which an interpreted server must be ready even on a busy machine; compiling takes longer."""
LOWER = 15
"""How much lower the compiler's priority is than the server's."""


class ColdServer(GameServer):
    """A server on a machine with an empty compilation cache."""

    def __init__(self, cache: Path) -> None:
        super().__init__()
        self.environment = {"NUMBA_CACHE_DIR": str(cache), "HOME": str(cache)}


async def play_through_the_change(server: GameServer, players: list[RandomPlayer]) -> list[float]:
    """Play until the compiled server has taken over, and some moves more; return the reported progress."""
    seen: list[float] = []

    def is_compiled() -> bool:
        status = server.get("/api/bots")
        if status["compiling"] is not None:
            seen.append(status["compiling"])
        return not status["is_hard_medium"]

    async def watch() -> None:
        while not await asyncio.to_thread(is_compiled):
            await asyncio.sleep(0.2)

    playing = [asyncio.create_task(player.play()) for player in players]
    await watch()
    for player in players:
        player.pace = 0.0
    await asyncio.gather(*playing)
    return seen


@pytest.mark.slow
def test_games_go_on_while_the_server_changes_to_compiled_rules(tmp_path: Path) -> None:
    start = time.monotonic()
    with ColdServer(tmp_path) as server:
        server.wait_ready()
        assert time.monotonic() - start < AT_ONCE
        assert server.get("/api/bots")["is_hard_medium"]
        game = server.new_game("usa-classic", SEATS)
        players = players_of([server.url], game, pace=2.0)
        seen = asyncio.run(play_through_the_change(server, players))
        assert seen == sorted(seen)
        assert max(seen) > 0.1
        assert not server.failures()
        assert any("taken over" in line["message"] for line in server.log())
        with server.store() as store:
            check_game(store, game, players, server.record(game))
        assert all(not player.refusals for player in players)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_server_that_is_stopped_while_it_compiles_leaves_nothing_running(
    tmp_path: Path, number: signal.Signals
) -> None:
    with ColdServer(tmp_path) as server:
        server.wait_ready()
        wait_until(lambda: server.get("/api/bots")["compiling"] is not None, "it compiles")
        children = server.children()
        assert len(children) >= 2
        send(number, [server.pid])
        wait_until(lambda: not server.is_running and are_dead(children), "all its processes have ended")
        assert not server.failures()
        server._forget()


@pytest.mark.slow
def test_a_server_that_cannot_compile_says_so_and_plays_on(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    with ColdServer(cache) as server:
        server.wait_ready()
        wait_until(
            lambda: any("compile" in " ".join(_command(pid)) for pid in server.children()), "it compiles"
        )
        compiler = next(pid for pid in server.children() if "compile" in _command(pid))
        wait_until(
            lambda: _priority(compiler) == min(_priority(server.pid) + LOWER, 19), "it lets others go first"
        )
        send(signal.SIGKILL, [compiler])
        wait_until(lambda: bool(server.failures()), "it says that it could not compile")
        assert "The rules could not be compiled" in server.failures()[0]
        assert server.get("/api/bots") == {"compiling": None, "is_hard_medium": True, "have_failed": False}
        game = server.new_game("new-york", SEATS)
        asyncio.run(_play(players_of([server.url], game)))


def _priority(pid: int) -> int:
    """Return the niceness of a process: the larger, the later its turn on a busy machine."""
    return os.getpriority(os.PRIO_PROCESS, pid)


def _command(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")
    except OSError:
        return []


async def _play(players: list[RandomPlayer]) -> None:
    await asyncio.gather(*(player.play() for player in players))
