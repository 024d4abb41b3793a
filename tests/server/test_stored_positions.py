"""Positions in a database that an older version wrote: games in progress continue from the same state."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import update

from goldenspike.editions import load_edition
from goldenspike.game.position import Position
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.messages import Play
from goldenspike.server.storage.database import open_engine
from goldenspike.server.storage.migrate import config_for, upgrade
from goldenspike.server.storage.schema import ENTRIES
from tests.server.in_process import open_game, open_service
from tests.server.serving import within

STORED = Path(__file__).parent / "stored_position.txt"
"""A position of New York as a server stores it, compressed, and its state hash.

The bytes begin with a hash of the layout of `State`, names of fields included. After a change of the layout a
server replays the moves of every game in progress when it opens them. If that is intended, write this file
again with `write_stored_position`.
"""


def _position() -> Position:
    position, _ = Position.deal(load_edition("new-york"), 2, b"a stored position".ljust(32), 0)
    for seat in (0, 1):
        position.play("keep all", seat)
    position.play("draw deck", 0)
    return position


def write_stored_position() -> None:
    position = _position()
    packed = base64.b85encode(zlib.compress(position.to_bytes(), 9)).decode()
    STORED.write_text(f"{position.state_hash}\n{packed}\n")


def test_a_stored_position_can_be_loaded() -> None:
    state_hash, packed = STORED.read_text().split()
    stored = zlib.decompress(base64.b85decode(packed))
    position = Position.from_bytes(load_edition("new-york"), stored)
    assert position.state_hash == state_hash
    assert position.to_bytes() == stored
    position.play("draw deck", 0)
    assert position.to_move == [1]


async def _play_some(service: GameService, live: LiveGame) -> None:
    """Play until the second seat is to draw its second card."""
    for seat in (0, 1):
        await service.do(live, seat, Play("k", "keep all"))
    for name in ("1", "2"):
        await service.do(live, 0, Play(name, "draw deck"))
    await service.do(live, 1, Play("1", "draw deck"))


@pytest.mark.parametrize("is_layout_older", [False, True])
@within(60)
async def test_a_game_in_progress_continues_after_a_migration(tmp_path: Path, is_layout_older: bool) -> None:
    async with open_game(tmp_path, "new-york", 2, first=0) as (service, live):
        await _play_some(service, live)
        game, number, before = live.id, live.number, live.position.state_hash
    engine = open_engine(f"sqlite:///{tmp_path / 'games.db'}", 1)
    command.downgrade(config_for(engine), "0001")
    if is_layout_older:  # the server recomputes the positions from the moves
        with engine.begin() as connection:
            connection.execute(update(ENTRIES).values(state=b"another layout"))
    upgrade(engine)
    engine.dispose()
    async with open_service(tmp_path) as service:
        live = await service.games.open(game)
        assert (live.number, live.position.state_hash) == (number, before)
        await service.do(live, 1, Play("2", "draw deck"))
        assert live.position.to_move == [0]
