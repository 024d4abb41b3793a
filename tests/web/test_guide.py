"""The tour of a first game: no step covers what it is about."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.server.serving import Server
from tests.web.browsing import LAPTOP, SCREENS, Browsing, Screen
from tests.web.player import MousePlayer
from tests.web.scenes import Stage, guide, guide_claim, guide_route, tap_target
from tests.web.sight import look

_ON_TOP = """(part) => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return part.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""

_NOT_COVERED = """(part) => {
  const routes = part.querySelectorAll("use");
  return [...(routes.length && part.dataset.route ? routes : [part])].some((piece) => {
    const { x, y, width, height } = piece.getBoundingClientRect();
    return part.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}"""
_DIMS_THE_REST = """(ring) => {
  const spreads = getComputedStyle(ring).boxShadow.match(/[\\d.]+px(?= *(,|$|rgb))/g).map(parseFloat);
  return Math.max(...spreads) > Math.max(innerWidth, innerHeight);
}"""
_NOTE_NUMBERS = """() => {
  window.numbers = [];
  const note = () => {
    const number = document.querySelector("[data-testid=guide] header span")?.textContent;
    if (number && number !== window.numbers.at(-1)) window.numbers.push(number);
    requestAnimationFrame(note);
  };
  note();
}"""
GUIDED = {"laptop": LAPTOP, "phone": Screen(390, 844, is_phone=True)}


def box_of(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box is not None
    return box


def is_apart(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


@pytest.mark.parametrize("screen", SCREENS)
def test_the_tour_covers_neither_the_board_nor_the_claim_it_is_about(
    screen: str, browsing: Browsing, server: Server
) -> None:
    page = guide_claim(Stage(browsing, server, SCREENS[screen]))
    tour = box_of(page.get_by_test_id("guide"))
    for part in ("claim", "confirm-claim", "cancel-claim", "board"):
        assert is_apart(tour, box_of(page.get_by_test_id(part))), part
    assert page.get_by_test_id("confirm-claim").evaluate(_ON_TOP)
    assert page.get_by_test_id("guide").evaluate(_ON_TOP)


@pytest.mark.parametrize("screen", ["laptop", "phone"])
def test_every_step_points_at_what_is_to_be_tapped_and_a_ticket_is_completed(
    screen: str, browsing: Browsing, server: Server
) -> None:
    page = guide(Stage(browsing, server, GUIDED[screen]))
    tour, ring = page.get_by_test_id("guide"), page.get_by_test_id("guide-ring")
    number = tour.locator("header span")
    done = ("Start playing", "Next")
    page.evaluate(_NOTE_NUMBERS)
    taps = 0
    while not tour.get_by_role("button", name=done[0]).is_visible():
        ring.wait_for()
        assert ring.evaluate(_DIMS_THE_REST)
        if tour.get_by_role("button", name=done[1]).is_visible():
            step = number.inner_text()
            tour.get_by_role("button", name=done[1]).click()
            expect(number).not_to_have_text(step)
        else:
            target = page.locator(ring.get_attribute("data-target") or "").first
            assert is_apart(box_of(tour), box_of(target))
            assert target.evaluate(_NOT_COVERED)
            tap_target(page)
            taps += 1
            assert taps < 60
    page.wait_for_function("window.numbers.includes('9 of 9')")  # the note of a number is a frame late
    assert page.evaluate("window.numbers") == [f"{n} of 9" for n in range(1, 10)]
    ring.wait_for()
    expect(page.get_by_test_id("ticket").filter(has_text="completed")).to_have_count(1)
    tour.get_by_role("button", name=done[0]).click()
    expect(tour).to_be_hidden()
    expect(ring).to_be_hidden()
    page.get_by_test_id("ticket").first.click()
    expect(page.get_by_test_id("ticket").first).to_have_attribute("aria-pressed", "true")


def tap_elsewhere(page: Page) -> None:
    """Tap everything that no step of the tour is about, and press the keys that play moves."""
    player = MousePlayer(page)
    player.draw()
    player.take(0)
    for part in ("ticket-deck", "hint", "undo", "tab-chat"):
        page.get_by_test_id(part).click(force=True)
    page.get_by_label("Zoom in").click()
    for key in ("d", "1", "t", "h", "/"):
        page.keyboard.press(key)


def test_taps_elsewhere_do_nothing_while_a_step_asks_for_a_tap(browsing: Browsing, server: Server) -> None:
    page = guide_route(Stage(browsing, server, LAPTOP))
    before = look(page)
    target = page.get_by_test_id("guide-ring").get_attribute("data-target") or ""
    tap_elsewhere(page)
    MousePlayer(page).point(next(name for name in before.claims if name not in target))
    page.wait_for_timeout(500)
    assert look(page) == before
    for part in ("claim", "advice"):
        expect(page.get_by_test_id(part)).to_be_hidden()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_label("Fit map")).to_be_hidden()
    expect(page.get_by_test_id("tab-log")).to_have_attribute("aria-selected", "true")
    tap_target(page)
    page.get_by_test_id("claim").wait_for()


def test_taps_elsewhere_do_nothing_while_a_step_is_read(browsing: Browsing, server: Server) -> None:
    page = guide(Stage(browsing, server, LAPTOP))
    for _ in range(3):
        tap_target(page)
    expect(page.get_by_test_id("guide-ring")).to_have_attribute("data-target", re.compile("board"))
    before = look(page)
    tap_elsewhere(page)
    page.wait_for_timeout(500)
    assert look(page) == before
    expect(page.get_by_test_id("guide").locator("header span")).to_have_text("2 of 9")
