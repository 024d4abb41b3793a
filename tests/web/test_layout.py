"""Every screen in every room: nothing overlaps, nothing is cut off, everything can be tapped."""

from __future__ import annotations

import pytest

from tests.server.serving import Server
from tests.web.browsing import DESKTOP, FLAT, LAPTOP, LARGE_PRINT, PHONE, ZOOMED, Browsing, Room, resize
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

DEVICES = {"phone": [PHONE, FLAT], "computer": [LAPTOP, DESKTOP]}
"""A phone is turned, and a window is made larger, with whatever is on the screen at that moment."""
devices = pytest.mark.parametrize("device", DEVICES)


def expect_order(scene: Scene, browsing: Browsing, server: Server, *rooms: Room) -> None:
    """Set a scene in one room, and measure it there and in the others."""
    page = scene(Stage(browsing, server, rooms[0]))
    for room in rooms:
        resize(page, room)
        faults = find_faults(page, is_touched=room.is_phone)
        assert not faults, f"{room}:\n" + "\n".join(faults)


@devices
@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str, device: str, browsing: Browsing, server: Server) -> None:
    expect_order(TABLES[name], browsing, server, *DEVICES[device])


@devices
@pytest.mark.parametrize("name", SCREENS)
def test_screens(name: str, device: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCREENS[name], browsing, server, *DEVICES[device])


@devices
@pytest.mark.parametrize("name", HARD | FULL_BOARDS)
def test_hard_states(name: str, device: str, browsing: Browsing, server: Server) -> None:
    expect_order((HARD | FULL_BOARDS)[name], browsing, server, *DEVICES[device])


LARGE = ["table-usa-classic", "start", "share", "offer", "claim", "hand-over", "end", "settings", "rules"]
"""Screens with most of the words there are."""


@pytest.mark.parametrize("name", LARGE)
def test_at_twice_the_size(name: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCENES[name], browsing, server, ZOOMED)


@pytest.mark.parametrize("name", LARGE)
def test_with_letters_of_twice_the_size(name: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCENES[name], browsing, server, LARGE_PRINT)


@pytest.mark.parametrize("edition", EDITIONS)
def test_board_and_hand_are_seen_together(edition: str, browsing: Browsing, server: Server) -> None:
    page = table(edition)(Stage(browsing, server, LAPTOP))
    for room in (LAPTOP, DESKTOP):
        resize(page, room)
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
