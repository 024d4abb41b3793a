"""Every screen in every room: nothing overlaps, nothing is cut off, everything can be tapped."""

from __future__ import annotations

import pytest

from tests.server.serving import Server
from tests.web.browsing import ROOMS, Browsing
from tests.web.measures import find_faults
from tests.web.scenes import FULL_BOARDS, HARD, SCREENS, TABLES, Scene, Stage

rooms = pytest.mark.parametrize("room", ROOMS)


def expect_order(scene: Scene, stage: Stage, *, has_long_names: bool = False) -> None:
    """Set a scene and measure it."""
    page = scene(stage)
    faults = find_faults(page, is_touched=stage.room.is_phone, has_long_names=has_long_names)
    assert not faults, "\n".join(faults)


@rooms
@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str, room: str, browsing: Browsing, server: Server) -> None:
    expect_order(TABLES[name], Stage(browsing, server, ROOMS[room]))


@pytest.mark.slow
@rooms
@pytest.mark.parametrize("name", SCREENS)
def test_screens(name: str, room: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCREENS[name], Stage(browsing, server, ROOMS[room]))


@pytest.mark.slow
@rooms
@pytest.mark.parametrize("name", HARD | FULL_BOARDS)
def test_hard_states(name: str, room: str, browsing: Browsing, server: Server) -> None:
    stage = Stage(browsing, server, ROOMS[room])
    expect_order((HARD | FULL_BOARDS)[name], stage, has_long_names=True)
