"""Warm-up: the first player waits for nothing that could have been compiled or loaded before."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from goldenspike.server.settings import Settings
from goldenspike.server.storage.database import open_engine
from goldenspike.server.storage.migrate import upgrade
from tests.server.waiting import wait_until

CODE = """
import gc

from numba.core.dispatcher import Dispatcher

from goldenspike.editions import load_edition
from goldenspike.game.position import Position
from goldenspike.server.views.view_messages import show_ending, show_own
from goldenspike.server.views.json_writer.writer import json_writer_of
from goldenspike.server.warmup import load_engine


def ready():
    compiled = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {function.py_func.__name__ for function in compiled if function.signatures}


load_engine()
before = ready()
edition = load_edition("usa-mega")
position, _ = Position.deal(edition, 4, bytes(32), None)
while not position.is_over:
    seat = position.to_move[0]
    moves = position.legal_moves(seat).numbers
    assert position.refusal(moves[0], seat) is None
    position.play(moves[len(moves) // 2], seat)
    json_writer_of(edition).write_views(position, 1)
    show_own(position, seat)
show_ending(position, "")
assert before
print(*sorted(ready() - before))
"""


def test_nothing_is_compiled_once_a_server_is_ready() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], check=True, capture_output=True, text=True)
    assert done.stdout == "\n"


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
def test_a_server_that_cannot_get_ready_says_why(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from goldenspike.server.app import create_app  # noqa: PLC0415  # Litestar warns of its own changes

    settings = Settings(database=f"sqlite:///{tmp_path}/games.db")
    engine = open_engine(settings.database, 1)
    upgrade(engine)
    engine.dispose()

    def fail() -> None:
        raise RuntimeError("No room.")

    async def start() -> None:
        app = create_app(settings, on_ready=fail)
        async with app.lifespan():
            await asyncio.to_thread(
                wait_until, lambda: "games cannot be played here" in caplog.text, "it says so"
            )
            assert not app.state.is_ready

    asyncio.run(start())
    assert "RuntimeError: No room." in caplog.text
