"""Replays: every position has an address, and the address shows that position."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Response, expect

from goldenspike.server.protocol.messages import Created
from tests.server.serving import Server
from tests.web.browsing import Browsing, Visitor
from tests.web.deals import seat_of, show
from tests.web.scenes import NAMES, finished, play_to_end

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
_WRITTEN = """() => document.documentElement.outerHTML
  + [...document.querySelectorAll("input")].map((input) => input.value).join(" ")"""
"""The whole content of the page, visible or not."""


@pytest.fixture(scope="module")
def link(server: Server) -> str:
    """Return the link to a replay of a finished game."""
    return show(server, finished("new-york", 2))


def game_of(link: str) -> str:
    return link.partition(".")[0]


def secrets_of(created: Created) -> list[str]:
    return [link.partition(".")[2] for link in (*created.seats, created.watch) if link is not None]


def open_replay(visitor: Visitor, browsing: Browsing, link: str) -> Page:
    page = visitor.open(browsing.address(f"replay/{link}/0"))
    page.locator("[data-route]").first.wait_for()
    return page


def test_the_address_is_written_once_a_moment_has_rested(link: str, browsing: Browsing) -> None:
    """Safari allows a hundred changes of the address in half a minute."""
    visitor = browsing.visitor()
    visitor.context.add_init_script(_COUNT)
    page = open_replay(visitor, browsing, link)
    at = page.get_by_label("Position in the game").evaluate(_DRAG)
    expect(page).to_have_url(re.compile(rf"/{at}$"))
    assert page.evaluate("window.written") < 20


def test_an_address_that_the_browser_will_not_write_stops_nothing(link: str, browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script(_REFUSE)
    page = open_replay(visitor, browsing, link)
    at = page.get_by_label("Position in the game").evaluate(_DRAG)
    page.wait_for_timeout(500)
    expect(page.get_by_test_id("moment")).to_contain_text(f"Move {at} of ")


def test_the_link_to_a_moment_is_copied_before_the_address_shows_it(link: str, browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script(_COPY)
    visitor.context.add_init_script(_REFUSE)
    page = open_replay(visitor, browsing, link)
    page.get_by_role("button", name="Next move").click()
    page.get_by_role("button", name="Copy link to this move").click()
    expect(page.get_by_role("status").filter(has_text="Link copied")).to_be_visible()
    assert page.evaluate("window.copied") == browsing.address(f"replay/{game_of(link)}/1")


def test_an_address_of_another_moment_shows_that_moment(link: str, browsing: Browsing) -> None:
    page = open_replay(browsing.visitor(), browsing, link)
    page.evaluate("(link) => { location.hash = `#/replay/${link}/20`; }", link)
    expect(page.get_by_test_id("moment")).to_contain_text("Move 20 of ")
    page.get_by_role("button", name="Previous move").click()
    expect(page.get_by_test_id("moment")).to_contain_text("Move 19 of ")
    expect(page).to_have_url(re.compile("/19$"))
    expect(page.get_by_test_id("moment")).to_contain_text("Move 19 of ")


def test_a_stranger_with_the_link_to_a_replay_gets_the_replay_and_no_seat(
    browsing: Browsing, server: Server
) -> None:
    """The secrets of seats also open the rematch, so a shared link must contain none of them."""
    created, seat = play_to_end(server, "new-york", NAMES)
    owner = browsing.visitor()
    owner.context.add_init_script(_COPY)
    own = owner.open(browsing.address(f"table/{seat_of(created, seat)}"))
    own.get_by_test_id("replay").click()
    own.locator("[data-route]").first.wait_for()
    own.get_by_role("button", name="Next move").click()
    own.get_by_role("button", name="Copy link to this move").click()
    expect(own.get_by_role("status").filter(has_text="Link copied")).to_be_visible()
    copied = own.evaluate("window.copied")
    own.go_back()
    own.get_by_test_id("rematch").click()
    expect(own.get_by_test_id("offer-ticket")).not_to_have_count(0)
    rematch = own.url.partition("#/table/")[2].partition(".")[0]
    assert rematch != created.game

    stranger = browsing.visitor()
    page = stranger.context.new_page()
    responses: list[Response] = []

    def note(response: Response) -> None:
        responses.append(response)

    page.on("response", note)
    page.goto(copied)
    expect(page.get_by_test_id("moment")).to_contain_text("Move 1 of ")
    expect(page.get_by_text(NAMES[seat]).first).to_be_visible()
    told = "".join(response.text() for response in responses if "/api/games" in response.url)
    assert created.game in copied
    assert "Ann" in told
    for secret in (*secrets_of(created), rematch):
        assert secret not in copied + told + page.evaluate(_WRITTEN)
    key = copied.partition("#/replay/")[2].partition("/")[0]
    for place in (key, rematch, f"{rematch}.{key.partition('.')[2]}", f"{rematch}.{key}"):
        page.goto(browsing.address(f"table/{place}"))
        page.reload()
        expect(page.get_by_test_id("refused")).to_be_visible()


def test_no_page_of_a_seat_holds_its_secret_in_what_can_be_copied(browsing: Browsing, server: Server) -> None:
    created, seat = play_to_end(server, "new-york", NAMES)
    page = browsing.sit(seat_of(created, seat))
    page.get_by_test_id("rematch").wait_for()
    secret = seat_of(created, seat).partition(".")[2]
    assert secret in page.url  # the player's own tab
    assert secret not in page.evaluate(_WRITTEN)
    page.get_by_test_id("menu").click()
    page.get_by_role("dialog").wait_for()
    assert secret not in page.evaluate(_WRITTEN)
    page.keyboard.press("Escape")
    page.get_by_test_id("replay").click()
    page.locator("[data-route]").first.wait_for()
    assert secret not in page.url + page.evaluate(_WRITTEN)


def test_an_older_address_of_a_replay_is_shown_and_loses_its_secret(link: str, browsing: Browsing) -> None:
    page = open_replay(browsing.visitor(), browsing, link)
    expect(page).to_have_url(browsing.address(f"replay/{game_of(link)}/0"))


def test_the_address_of_a_replay_can_be_pasted_on_the_start_page(link: str, browsing: Browsing) -> None:
    page = browsing.open()
    page.get_by_label("Invitation or link").fill(browsing.address(f"replay/{game_of(link)}/7"))
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_test_id("moment")).to_contain_text("Move 7 of ")


def test_moves_are_told_in_words_and_hands_have_coloured_cards(browsing: Browsing, server: Server) -> None:
    game = finished("usa-classic", 2)
    page = browsing.open(f"replay/{show(server, game)}/0")
    page.locator("[data-route]").first.wait_for()
    moment = page.get_by_test_id("moment")
    kinds = {"take": r"took \d", "draw deck": r"drew 1 .* from the deck", "claim": r"claimed .+ with \d"}
    for kind, words in kinds.items():
        at = next(i for i, each in enumerate(game.played) if str(each.text).startswith(kind)) + 1
        page.get_by_label("Position in the game").fill(str(at))
        expect(moment).to_have_text(re.compile(rf"Move {at} of {len(game.played)}\s+Seat \d {words}"))
        expect(moment.locator(".pile")).not_to_have_count(0)
        assert game.played[at - 1].text not in moment.inner_text()
    colours = (
        page.get_by_test_id("open-hand")
        .locator(".pile")
        .evaluate_all("(piles) => piles.map((pile) => getComputedStyle(pile).backgroundColor)")
    )
    assert len(set(colours)) > 3
