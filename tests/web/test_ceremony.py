"""The final scoring: what is counted is visible on the board, and adds up."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from goldenspike import Game
from goldenspike.game.words import count_of
from goldenspike.server.protocol.messages import Ending
from tests.server.people import known
from tests.server.serving import Server
from tests.web.browsing import EXPECT_MS, FLAT, LAPTOP, PHONE, SCREENS, Browsing, Screen
from tests.web.deals import bring, played, seat_of
from tests.web.player import spread
from tests.web.scenes import NAMES, Stage, finished, play_to_end, podium

COPY = """const writeText = async (text) => { window.copied = text; };
Object.defineProperty(navigator, "clipboard", { value: { writeText } });"""
_NOTE = """window.told = [];
window.traced = [];
const note = () => {
  const step = document.querySelector("[data-testid=counted]");
  const track = [...document.querySelectorAll("[data-testid=score-track] li")];
  const [seat, what, points] = step?.innerText.split("\\n").filter(Boolean) ?? [];
  const totals = track.map((line) => Number(line.dataset.total));
  const board = document.querySelector("[data-testid=board]")?.getBoundingClientRect();
  const now = JSON.stringify({ seat, what, points, totals, width: board?.width });
  if (step && window.told.at(-1) !== now) window.told.push(now);
  requestAnimationFrame(note);
};
requestAnimationFrame(note);
new MutationObserver((changes) => {
  for (const { target, oldValue } of changes) {
    const isLit = target.dataset?.route && target.classList.contains("path");
    const isNew = isLit && !/\\bpath\\b/.test(oldValue) && window.traced.at(-1) !== target.dataset.route;
    if (isNew) window.traced.push(target.dataset.route);
  }
}).observe(document, { subtree: true, attributeFilter: ["class"], attributeOldValue: true });"""
"""Writes down what is counted, with the totals beside it, and the routes in the order they are lit in."""

_IS_SEEN = """() => {
  const frame = document.querySelector("[data-testid=board]").getBoundingClientRect();
  const shown = [...document.querySelectorAll(".city.shown .dot, [data-route].path use")];
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const isIn = ([x, y]) => x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
  return shown.length > 0 && shown.every((part) => isIn(middle(part.getBoundingClientRect())));
}"""
"""Whether all cities and spaces that the scoring shows are in view."""


def finish_zoomed_in(browsing: Browsing, server: Server, screen: Screen) -> Page:
    """Zoom in on a corner of the board, with animations, while the game ends."""
    game = finished("new-york", 2)
    created = bring(server, game, "here", "here", names=["Ann", "Ben"], after=len(game.played) - 1)
    link = seat_of(created, game.played[-1].seat)
    page = browsing.sit(link, screen, pace="normal")
    frame = page.get_by_test_id("board").bounding_box()
    assert frame is not None
    spread(page, frame["x"] + frame["width"] * 0.75, frame["y"] + frame["height"] * 0.15, 3)
    page.get_by_label("Fit map").wait_for()
    server.command(link, type="play", id="last", move=game.played[-1].number).read(dict)
    page.get_by_test_id("skip").wait_for()
    return page


def watch_counting(
    browsing: Browsing,
    server: Server,
    screen: Screen,
    motion: Any = "no-preference",
    *,
    is_near: bool = False,
) -> tuple[Page, Ending, list[dict[str, Any]]]:
    """Watch the counting to its end; return the page, the result, and what was told step by step."""
    created, seat = play_to_end(server, "usa-classic", NAMES)
    visitor = browsing.visitor(screen, pace="quick")
    visitor.context.add_init_script(_NOTE)
    page = visitor.context.new_page()
    page.emulate_media(reduced_motion=motion)
    page.goto(browsing.address(f"table/{seat_of(created, seat)}"))
    page.get_by_test_id("counted").wait_for()
    if is_near:
        page.get_by_label("Zoom in").click(click_count=4)
        page.wait_for_function(_IS_SEEN)
    page.get_by_test_id("podium").wait_for()
    told = page.evaluate("window.told.map((each) => JSON.parse(each))")
    return page, known(server.show(seat_of(created, seat)).view.ending), told


def verify_counting(page: Page, ending: Ending, told: list[dict[str, Any]]) -> None:
    """Verify that the totals always are what has been told, and that nothing is left out."""
    totals = [points[ending.terms.index("routes")] for points in ending.points]
    for step in told:
        totals[NAMES.index(step["seat"])] += int(step["points"])
        assert step["totals"] == totals
    assert totals == ending.totals
    tickets = sum(map(len, ending.tickets))
    holders = [
        seat for seat, points in enumerate(ending.points) if points[ending.terms.index("longest path")]
    ]
    assert len(told) == tickets + len(holders)
    assert holders
    for _ in holders:
        assert "Longest path" in told.pop()["what"]
    verify_order(ending.longest[holders[-1]], page.evaluate("window.traced"))


def verify_order(path: list[str], lit: list[str]) -> None:
    """Verify that a path was lit route by route, each next to the one before."""
    ends = {route.name: {route.a, route.b} for route in finished("usa-classic", 2).edition.board.routes}
    runs = [lit[i : i + len(path)] for i in range(len(lit))]
    traces = [run for run in runs if sorted(run) == sorted(path)]
    assert traces, "the path was not lit route by route"
    assert any(all(ends[a] & ends[b] for a, b in pairwise(trace)) for trace in traces), traces


@pytest.mark.parametrize("screen", SCREENS)
def test_the_whole_counting_is_told_on_a_stage_of_full_width(
    screen: str, browsing: Browsing, server: Server
) -> None:
    page, ending, told = watch_counting(browsing, server, SCREENS[screen])
    assert {step["width"] for step in told} == {SCREENS[screen].width}
    verify_counting(page, ending, told)
    for part in ("board", "ending"):
        box = page.get_by_test_id(part).bounding_box()
        assert box is not None
        assert box["width"] == SCREENS[screen].width, part
        assert box["y"] + box["height"] <= SCREENS[screen].height, part


def test_readers_who_want_no_motion_see_the_same_counting(browsing: Browsing, server: Server) -> None:
    verify_counting(*watch_counting(browsing, server, LAPTOP, "reduce"))


def test_the_counting_follows_readers_who_have_zoomed_in(browsing: Browsing, server: Server) -> None:
    verify_counting(*watch_counting(browsing, server, LAPTOP, is_near=True))


def test_skipping_leads_to_the_podium_and_on_to_the_results(browsing: Browsing, server: Server) -> None:
    page = podium(Stage(browsing, server, PHONE))
    expect(page.get_by_test_id("winner")).to_have_text(re.compile(r"\w+ wins?$"))
    expect(page.get_by_test_id("place")).to_have_text(
        re.compile(r"^You (won|finished \d\w\w, \d+ points? behind \w+)")
    )
    expect(page.get_by_test_id("podium").locator(".step .name")).to_have_count(3)
    page.get_by_test_id("results").click()
    for part in ("scores", "moments", "statistics", "rematch", "share-result"):
        expect(page.get_by_test_id(part)).to_be_visible()
    expect(page.get_by_test_id("place")).to_be_visible()


@pytest.mark.parametrize("screen", [PHONE, LAPTOP], ids=["tap", "click"])
def test_a_moment_lights_its_route_on_the_map(screen: Screen, browsing: Browsing, server: Server) -> None:
    created, seat = play_to_end(server, "usa-classic", NAMES)
    page = browsing.sit(seat_of(created, seat), screen)
    moment = page.get_by_test_id("moments").get_by_role("button").first
    expect(page.locator("[data-route].path")).to_have_count(0)
    (moment.tap if screen.is_phone else moment.click)()
    expect(page.locator("[data-route].path")).to_have_count(1)
    if screen.is_phone:
        moment.tap()
        expect(page.locator("[data-route].path")).to_have_count(0)


def test_the_result_is_shared_with_the_replay_and_no_secret(browsing: Browsing, server: Server) -> None:
    created, seat = play_to_end(server, "usa-classic", NAMES)
    visitor = browsing.visitor()
    visitor.context.add_init_script(COPY)
    own = visitor.open(browsing.address(f"table/{seat_of(created, seat)}"))
    own.get_by_test_id("share-result").click()
    expect(own.get_by_text("Anyone with the link can watch the replay")).to_be_visible()
    text, _, address = own.evaluate("window.copied").rpartition(" ")
    assert re.fullmatch(r"I (won a game of USA with 2 players|finished 2nd of 2 in a game of USA)\.", text)
    stranger = browsing.open()
    stranger.goto(address)
    expect(stranger.get_by_test_id("moment")).to_contain_text("Start of the game")
    expect(stranger.get_by_test_id("open-hand")).to_have_count(2)
    page = stranger.evaluate("document.documentElement.outerHTML")
    for link in (*created.seats, created.watch):
        assert (link or "").partition(".")[2] not in text + address + page


def test_a_device_that_can_share_is_asked_to(browsing: Browsing, server: Server) -> None:
    created, seat = play_to_end(server, "usa-classic", NAMES)
    visitor = browsing.visitor()
    visitor.context.add_init_script("navigator.share = async (shared) => { window.shared = shared; };")
    page = visitor.open(browsing.address(f"table/{seat_of(created, seat)}"))
    page.get_by_test_id("share-result").click()
    shared = page.evaluate("window.shared")
    assert shared["url"] == browsing.address(f"replay/{created.game}/0")
    assert shared["text"].startswith("I ")


@pytest.mark.parametrize("screen", [PHONE, FLAT], ids=["upright", "flat"])
def test_scored_tickets_are_scrolled_into_view(screen: Screen, browsing: Browsing, server: Server) -> None:
    page = finish_zoomed_in(browsing, server, screen)
    page.wait_for_function(_IS_SEEN, timeout=EXPECT_MS)
    step = page.get_by_test_id("counted").inner_text()
    frame = page.get_by_test_id("board").bounding_box()
    assert frame is not None
    spread(page, frame["x"] + frame["width"] * 0.6, frame["y"] + frame["height"] * 0.9, 6)
    expect(page.get_by_test_id("counted")).not_to_have_text(step, use_inner_text=True)
    page.wait_for_function(_IS_SEEN, timeout=EXPECT_MS)


def test_the_end_shows_the_whole_board(browsing: Browsing, server: Server) -> None:
    page = finish_zoomed_in(browsing, server, PHONE)
    expect(page.get_by_label("Fit map")).to_be_hidden()


def race_with_bonus() -> Game:
    """Return a finished race in which a seat has joined the coasts."""
    for seed in range(30):
        game = played("first-journey", 3, f"coasts {seed}", lambda _: False)
        if any(game.view(None).array["coast_to_coast"][0]):
            return game
    raise AssertionError("No seat has joined the coasts in any of these games.")


@pytest.mark.rule("J-5")
def test_completed_tickets_are_as_many_as_are_listed(browsing: Browsing, server: Server) -> None:
    game = race_with_bonus()
    names, last = ["Ann", "Ben", "Cleo"], game.played[-1]
    created = bring(server, game, *["here"] * 3, names=names, after=len(game.played) - 1)
    link = seat_of(created, last.seat)
    server.command(link, type="play", id="last", move=last.number).read(dict)
    page = browsing.sit(link, LAPTOP)
    page.get_by_test_id("rematch").wait_for()
    totals = game.scores().totals
    bonuses = game.view(None).array["coast_to_coast"][0]
    for seat, name in enumerate(names):
        tickets = page.locator("details", has_text=f"{name}: ")
        expect(page.get_by_test_id("scores").locator("tfoot td").nth(seat)).to_have_text(str(totals[seat]))
        if totals[seat]:
            completed = count_of(totals[seat], "completed ticket")
            expect(tickets.locator("summary")).to_have_text(f"{name}: {completed}")
            expect(tickets.locator("li button:not(.bad)")).to_have_count(totals[seat])
        expect(tickets.get_by_text("Coast to coast")).to_have_count(int(bonuses[seat]))
