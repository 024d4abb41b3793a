"""Looking at a game again: every moment has an address, and every address shows its moment."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.server.serving import Server
from tests.web.browsing import Browsing, Visitor
from tests.web.deals import show
from tests.web.scenes import finished

_COUNT = """window.written = 0;
const write = history.replaceState.bind(history);
history.replaceState = (...to) => { window.written += 1; write(...to); };"""
_REFUSE = """history.replaceState = () => {
  throw new DOMException("More than 100 times per 30 seconds.", "SecurityError");
};"""
_COPY = """const writeText = async (text) => { window.copied = text; };
Object.defineProperty(navigator, "clipboard", { value: { writeText } });"""
_DRAG = """async (slider) => {
  for (let i = 0; i < 130; i++) {
    slider.value = i % Number(slider.max);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
  return Number(slider.value);
}"""


@pytest.fixture(scope="module")
def link(server: Server) -> str:
    """Return the link to look at a finished game."""
    return show(server, finished("new-york", 2))


def open_replay(visitor: Visitor, browsing: Browsing, link: str) -> Page:
    page = visitor.open(browsing.address(f"replay/{link}/0"))
    page.locator("[data-route]").first.wait_for()
    return page


def test_the_address_is_written_once_a_moment_has_rested(link: str, browsing: Browsing) -> None:
    """Safari lets nobody write it more than a hundred times in half a minute."""
    visitor = browsing.visitor()
    visitor.context.add_init_script(_COUNT)
    page = open_replay(visitor, browsing, link)
    at = page.get_by_label("Moment of the game").evaluate(_DRAG)
    expect(page).to_have_url(re.compile(rf"/{at}$"))
    assert page.evaluate("window.written") < 20


def test_an_address_that_the_browser_will_not_write_stops_nothing(link: str, browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script(_REFUSE)
    page = open_replay(visitor, browsing, link)
    at = page.get_by_label("Moment of the game").evaluate(_DRAG)
    page.wait_for_timeout(500)
    expect(page.get_by_test_id("moment")).to_contain_text(f"Action {at} of ")


def test_the_link_to_a_moment_is_copied_before_the_address_shows_it(link: str, browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script(_COPY)
    visitor.context.add_init_script(_REFUSE)
    page = open_replay(visitor, browsing, link)
    page.get_by_role("button", name="One action on").click()
    page.get_by_role("button", name="Copy the link to this moment").click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    assert page.evaluate("window.copied") == browsing.address(f"replay/{link}/1")


def test_an_address_of_another_moment_shows_that_moment(link: str, browsing: Browsing) -> None:
    page = open_replay(browsing.visitor(), browsing, link)
    page.evaluate("(link) => { location.hash = `#/replay/${link}/20`; }", link)
    expect(page.get_by_test_id("moment")).to_contain_text("Action 20 of ")
    page.get_by_role("button", name="One action back").click()
    expect(page.get_by_test_id("moment")).to_contain_text("Action 19 of ")
    expect(page).to_have_url(re.compile("/19$"))
    expect(page.get_by_test_id("moment")).to_contain_text("Action 19 of ")
