"""Every screen in every room: nothing overlaps, nothing is cut off, everything can be tapped."""

from __future__ import annotations

import pytest

from tests.server.serving import Server
from tests.web.browsing import DESKTOP, LAPTOP, LARGE_PRINT, ROOMS, ZOOMED, Browsing, Room
from tests.web.measures import find_faults
from tests.web.scenes import (
    EDITIONS,
    FULL_BOARDS,
    HARD,
    SCENES,
    SCREENS,
    TABLES,
    Scene,
    Stage,
    table,
)

rooms = pytest.mark.parametrize("room", ROOMS)


def expect_order(scene: Scene, stage: Stage) -> None:
    """Set a scene and measure it."""
    page = scene(stage)
    faults = find_faults(page, is_touched=stage.room.is_phone)
    assert not faults, "\n".join(faults)


@rooms
@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str, room: str, browsing: Browsing, server: Server) -> None:
    expect_order(TABLES[name], Stage(browsing, server, ROOMS[room]))


@rooms
@pytest.mark.parametrize("name", SCREENS)
def test_screens(name: str, room: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCREENS[name], Stage(browsing, server, ROOMS[room]))


@rooms
@pytest.mark.parametrize("name", HARD | FULL_BOARDS)
def test_hard_states(name: str, room: str, browsing: Browsing, server: Server) -> None:
    stage = Stage(browsing, server, ROOMS[room])
    expect_order((HARD | FULL_BOARDS)[name], stage)


LARGE = ["table-usa-classic", "start", "share", "offer", "claim", "hand-over", "end", "settings", "rules"]
"""Screens with most of the words there are."""


@pytest.mark.parametrize("name", LARGE)
def test_at_twice_the_size(name: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCENES[name], Stage(browsing, server, ZOOMED))


@pytest.mark.parametrize("name", LARGE)
def test_with_letters_of_twice_the_size(name: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCENES[name], Stage(browsing, server, LARGE_PRINT))


@pytest.mark.parametrize("room", [LAPTOP, DESKTOP], ids=["laptop", "desktop"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_board_and_hand_are_seen_together(
    edition: str, room: Room, browsing: Browsing, server: Server
) -> None:
    page = table(edition)(Stage(browsing, server, room))
    for part in ("board", "hand", "tickets", "deck", "ticket-deck", "players", "turn"):
        box = page.get_by_test_id(part).first.bounding_box()
        assert box is not None, part
        assert box["width"] > 0, part
        assert box["x"] >= 0, part
        assert box["y"] >= 0, part
        assert box["x"] + box["width"] <= room.width, part
        assert box["y"] + box["height"] <= room.height, part
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
    cards = page.get_by_test_id("hand-card").all()
    assert all(card.is_visible() for card in cards)
