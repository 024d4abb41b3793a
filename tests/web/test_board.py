"""Panning the board with mouse and keys, and scrolling of the log."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from goldenspike.server.protocol.messages import Created
from tests.server.serving import Server
from tests.web.browsing import PHONE, Browsing
from tests.web.deals import begun, bring, hoarded, seat_of
from tests.web.player import STILL_MS, MousePlayer, TouchPlayer

_MOVED = "(board) => board.style.transform"
_FROM_END = "(list) => Math.round(list.scrollHeight - list.scrollTop - list.clientHeight)"


@pytest.fixture
def page(browsing: Browsing, server: Server) -> Page:
    """Open a game with a long log and no other active player."""
    game = bring(server, hoarded("new-york", 2, "look around", 8), "here", "here")
    page = browsing.sit(seat_of(game, 0))
    MousePlayer(page).wait_turn()
    return page


@pytest.fixture
def board(page: Page) -> Locator:
    """Return the element that moves with the board."""
    return page.get_by_test_id("board").locator("svg[role=group]")


def test_a_drag_that_ends_outside_the_board_is_over(page: Page, board: Locator) -> None:
    box = page.get_by_test_id("board").bounding_box()
    assert box is not None
    x, y, edge = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["x"] + box["width"]
    page.mouse.move(x, y)
    page.mouse.wheel(0, -800)
    page.get_by_label("Fit map").wait_for()
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
    page.get_by_label("Fit map").wait_for()
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


def draw_quickly(server: Server, game: Created, turns: int) -> None:
    """Let all seats draw two cards in turn, faster than a page redraws."""
    seats = len(game.seats)
    at = server.show(game.watch).last
    for seat in [turn % seats for turn in range(turns) for _ in range(2)]:
        at += 1
        server.command(seat_of(game, seat), type="play", id=f"{at}", move="draw deck").read(dict)


@pytest.fixture
def busy(browsing: Browsing, server: Server) -> tuple[Created, Locator]:
    """Open a busy game; return it with the lines of its log."""
    game = bring(server, begun("usa-classic", 2, "a busy table"), "here", "here")
    page = browsing.sit(seat_of(game, 0))
    MousePlayer(page).wait_turn()
    return game, page.get_by_test_id("log").locator("ol")


def wait_at_end(lines: Locator) -> None:
    lines.page.wait_for_function(f"(list) => ({_FROM_END})(list) < 2", arg=lines.element_handle())


def test_the_log_follows_fast_events(busy: tuple[Created, Locator], server: Server) -> None:
    game, lines = busy
    before = lines.locator("li").count()
    draw_quickly(server, game, 20)
    expect(lines.locator("li")).to_have_count(before + 40)
    wait_at_end(lines)


def test_a_scrolled_log_stays_until_the_reader_scrolls_to_the_end(
    busy: tuple[Created, Locator], server: Server
) -> None:
    game, lines = busy
    before = lines.locator("li").count()
    draw_quickly(server, game, 12)
    expect(lines.locator("li")).to_have_count(before + 24)
    wait_at_end(lines)
    lines.hover()
    lines.page.mouse.wheel(0, -120)
    lines.page.wait_for_function(f"(list) => ({_FROM_END})(list) === 120", arg=lines.element_handle())
    top = lines.evaluate("(list) => list.scrollTop")
    draw_quickly(server, game, 2)
    expect(lines.locator("li")).to_have_count(before + 28)
    lines.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert lines.evaluate("(list) => list.scrollTop") == top
    lines.press("End")
    wait_at_end(lines)
    draw_quickly(server, game, 2)
    expect(lines.locator("li")).to_have_count(before + 32)
    wait_at_end(lines)


def test_the_log_stays_at_its_end_when_it_gets_smaller(busy: tuple[Created, Locator], server: Server) -> None:
    game, lines = busy
    before = lines.locator("li").count()
    draw_quickly(server, game, 12)
    expect(lines.locator("li")).to_have_count(before + 24)
    lines.page.set_viewport_size({"width": 1280, "height": 620})
    wait_at_end(lines)


def test_a_second_tap_deselects_a_ticket(browsing: Browsing, server: Server) -> None:
    game = bring(server, hoarded("usa-classic", 2, "look around", 2), "here", "here")
    page = browsing.sit(seat_of(game, 0), PHONE)
    TouchPlayer(page).wait_turn()
    one, other = page.get_by_test_id("ticket").nth(0), page.get_by_test_id("ticket").nth(1)
    dim = page.locator("[data-testid=board] .city.dim")
    expect(one).to_have_attribute("aria-pressed", "false")
    for _ in range(2):
        one.tap()
        expect(one).to_have_attribute("aria-pressed", "true")
        expect(dim.first).to_be_attached()
        one.tap()
        expect(one).to_have_attribute("aria-pressed", "false")
        expect(dim).to_have_count(0)
    one.tap()
    other.tap()
    expect(one).to_have_attribute("aria-pressed", "false")
    expect(other).to_have_attribute("aria-pressed", "true")


def test_an_offered_ticket_that_is_unticked_is_no_longer_shown(browsing: Browsing, server: Server) -> None:
    created = server.create("usa-classic", "here", "here", seed="prairie", first=0)
    page = browsing.sit(seat_of(created, 0), PHONE)
    ticket, dim = page.get_by_test_id("offer-ticket").first, page.locator("[data-testid=board] .city.dim")
    ticket.tap()
    expect(ticket).to_be_checked()
    expect(dim.first).to_be_attached()
    ticket.tap()
    expect(ticket).not_to_be_checked()
    expect(dim).to_have_count(0)
