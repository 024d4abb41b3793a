"""Getting ready: whoever plays first waits for nothing that could have been compiled before."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from goldenspike.server.migrate import upgrade
from goldenspike.server.settings import Settings
from goldenspike.server.store import open_engine
from tests.server.waiting import wait_until

CODE = """
import gc

from numba.core.dispatcher import Dispatcher

from goldenspike.editions import load_edition
from goldenspike.position import Position
from goldenspike.server.face import show_ending, show_own
from goldenspike.server.pen.pen import pen_of
from goldenspike.server.warm import load_engine


def ready():
    doors = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {door.py_func.__name__ for door in doors if door.signatures}


load_engine()
before = ready()
edition = load_edition("usa-mega")
position, _ = Position.deal(edition, 4, bytes(32), None)
while not position.is_over:
    seat = position.to_move[0]
    moves = position.legal_moves(seat).numbers
    assert position.refusal(moves[0], seat) is None
    position.play(moves[len(moves) // 2], seat)
    pen_of(edition).write_views(position, 1)
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
