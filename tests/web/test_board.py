"""Looking around a table: the board follows the mouse and the keys that are meant for it, and no others."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import bring, hoarded, seat_of
from tests.web.player import STILL_MS, MousePlayer

_MOVED = "(board) => board.style.transform"


@pytest.fixture
def page(browsing: Browsing, server: Server) -> Page:
    """Sit down in a game with a long log, which nobody else plays."""
    game = bring(server, hoarded("new-york", 2, "look around", 8), "link", "link")
    page = browsing.sit(seat_of(game, 0))
    MousePlayer(page).wait_turn()
    return page


@pytest.fixture
def board(page: Page) -> Locator:
    """Return what moves when the board does."""
    return page.get_by_test_id("board").locator("svg[role=group]")


def test_the_board_lets_go_of_a_mouse_that_left_it_quickly(page: Page, board: Locator) -> None:
    box = page.get_by_test_id("board").bounding_box()
    assert box is not None
    x, y, edge = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["x"] + box["width"]
    page.mouse.move(x, y)
    page.mouse.wheel(0, -800)
    page.get_by_label("Show the whole board").wait_for()
    page.mouse.move(edge - 30, y)
    page.mouse.down()
    page.mouse.move(edge + 100, y)
    page.mouse.up()
    page.wait_for_timeout(STILL_MS)
    before = board.evaluate(_MOVED)
    page.mouse.move(x, y)
    page.mouse.move(x - 120, y - 60, steps=4)
    page.wait_for_timeout(STILL_MS)
    assert board.evaluate(_MOVED) == before
    page.mouse.down()
    page.mouse.move(x - 60, y - 30, steps=4)
    page.mouse.up()
    page.wait_for_timeout(STILL_MS)
    assert board.evaluate(_MOVED) != before


def test_arrows_scroll_the_log_that_has_the_focus(page: Page, board: Locator) -> None:
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.get_by_label("Show the whole board").wait_for()
    page.wait_for_timeout(STILL_MS)
    log = page.get_by_test_id("log").locator("ol")
    log.focus()
    before, top = board.evaluate(_MOVED), log.evaluate("(log) => log.scrollTop")
    assert top > 0
    page.keyboard.press("ArrowUp")
    page.wait_for_function("([log, top]) => log.scrollTop < top", arg=[log.element_handle(), top])
    assert board.evaluate(_MOVED) == before
    log.blur()
    page.keyboard.press("ArrowLeft")
    expect(board).not_to_have_attribute("style", before)
    page.wait_for_timeout(STILL_MS)
    assert board.evaluate(_MOVED) != before
