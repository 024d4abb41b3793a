"""How things look: taxis where they are played, tickets with maps, gold for one thing, prints that differ."""

from __future__ import annotations

import io
import re
from itertools import combinations
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page, Route, expect

import goldenspike.server
from tests.server.serving import Server
from tests.web.browsing import DESKTOP, PHONE, Browsing, Screen
from tests.web.deals import bring, hoarded, seat_of
from tests.web.scenes import EDITIONS, Stage, end, laden_table, midgame, offer, replay, table

_PATHS = """() => [...document.querySelectorAll("svg path")].map((path) => path.getAttribute("d"))"""
_GOLD = """() => {
  const probe = document.createElement("i");
  document.body.append(probe);
  const shades = ["--gold", "--gold-bright"].map((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  const told = ["color", "backgroundColor", "borderTopColor", "borderLeftColor", "outlineColor", "boxShadow",
    "fill", "stroke"];
  return [...document.querySelectorAll("#app *")]
    .filter((part) => !part.closest("svg.card") && part.getClientRects().length)
    .flatMap((part) => told
      .filter((name) => shades.some((gold) => getComputedStyle(part)[name].includes(gold)))
      .map((name) => `${part.tagName} ${part.getAttribute("class")} ${name}`));
}"""
"""What has the colour of gold; the backs of cards show the product's mark."""
LOCOMOTIVE = "M2 5h8v4.5h4.5V6"
"""How the mark of a locomotive begins, in lib/kinds.ts."""
MOST_BYTES = 250_000
"""Bytes of the whole page, compressed, with all fonts."""
PICTURES_APART = 0.02
"""The least mean difference of two pictures, from 0 to 1."""


@pytest.fixture
def stage(browsing: Browsing, server: Server) -> Stage:
    return Stage(browsing, server, DESKTOP)


def test_the_whole_page_is_small() -> None:
    files = [path for path in Path(goldenspike.server.__file__).parent.glob("web/**/*") if path.is_file()]
    packed = {path.with_suffix("") for path in files if path.suffix == ".gz"}
    sent = [path for path in files if path.suffix != ".br" and path not in packed]
    # A reader loads at most one language besides English, and most load none.
    ours = [path for path in sent if not re.match(r"(?:[a-z]{2}|pseudo)-[\w-]{8}\.js", path.name)]
    assert 0 < len(sent) - len(ours) < 15
    assert sum(path.stat().st_size for path in ours) < MOST_BYTES


# Taxis


def test_no_locomotive_is_shown_where_taxis_are_played(browsing: Browsing, server: Server) -> None:
    hands = {
        edition: hoarded(edition, 2, "colours 1", 8 if edition == "new-york" else 16)
        for edition in ("usa-classic", "new-york")
    }
    pages = {
        edition: browsing.sit(seat_of(bring(server, game, "here", "here"), 0))
        for edition, game in hands.items()
    }
    for page in pages.values():
        page.locator("[data-testid=hand-card][data-kind=loco]").wait_for()
    body = "[data-testid=hand-card][data-kind=loco] .vehicle path"
    icon = "[data-testid=player] .numbers path"
    for part in (body, icon):
        train, taxi = (pages[edition].locator(part).first.get_attribute("d") for edition in hands)
        assert train != taxi, part
        assert train not in pages["new-york"].evaluate(_PATHS)


def test_marks_at_a_table_of_new_york_are_taxis(stage: Stage) -> None:
    """In the log, and where a hand has none."""
    for edition, is_shown in (("usa-classic", True), ("new-york", False)):
        page = table(edition)(stage)
        page.locator("[data-testid=hand] .none").first.wait_for()
        marks = {path[: len(LOCOMOTIVE)] for path in page.evaluate(_PATHS) if path}
        assert (LOCOMOTIVE in marks) == is_shown, edition


def test_the_payment_shows_taxis(browsing: Browsing, server: Server) -> None:
    game = hoarded("new-york", 2, "colours 1", 8)
    page = browsing.sit(seat_of(bring(server, game, "here", "here"), 0))
    card = page.locator("[data-testid=hand-card] .vehicle path").first
    body = card.get_attribute("d")
    route = next(str(move).split()[1] for move in game.legal_moves(0).of_kind("claim"))
    page.locator(f"[data-route='{route}']").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("claim").wait_for()
    drawn = page.get_by_test_id("claim").locator(".vehicle path:first-child")
    expect(drawn.first).to_be_attached()
    assert {path.get_attribute("d") for path in drawn.all()} == {body}


def test_a_replay_of_new_york_shows_no_locomotive(stage: Stage) -> None:
    marks: dict[str, set[str]] = {}
    for edition, players in (("usa-classic", 4), ("new-york", 2)):
        page = replay(edition, players)(stage)
        hands = page.get_by_test_id("open-hand")
        hands.first.wait_for()
        marks[edition] = {path.get_attribute("d") or "" for path in hands.locator(".cards svg path").all()}
    assert LOCOMOTIVE in {path[: len(LOCOMOTIVE)] for path in marks["usa-classic"]}
    assert LOCOMOTIVE not in {path[: len(LOCOMOTIVE)] for path in marks["new-york"]}


# Tickets


def test_a_ticket_shows_its_points_its_map_and_what_it_needs(stage: Stage) -> None:
    page = table("usa-1910")(stage)
    ticket = page.locator("[data-testid=ticket]").first
    expect(ticket.locator(".points")).to_have_text("19")
    expect(ticket.locator(".state")).to_have_text("needs 5 trains")
    expect(ticket.locator(".map circle")).to_have_count(2)
    expect(ticket.locator(".bar")).to_be_visible()
    assert_land(page, ticket)


def assert_land(page: Page, ticket: Locator) -> None:
    """Check that a small map shows the land: it refers to one, and that is drawn."""
    reference = ticket.locator(".map use").get_attribute("href")
    assert reference is not None
    box = ticket.locator(".map use").bounding_box()
    assert box is not None
    assert box["width"] > 30
    assert page.locator(f"{reference} path.land").count() == 1


def test_many_tickets_keep_what_matters(stage: Stage) -> None:
    page = laden_table(stage)
    tickets = page.get_by_test_id("ticket")
    assert tickets.count() == 12
    first = tickets.first
    expect(first.locator(".points")).to_be_visible()
    expect(first.locator(".bar")).to_be_visible()
    expect(first.locator(".mark")).to_be_visible()
    assert first.locator(".mark").inner_text().strip().isdigit()


@pytest.mark.parametrize("screen", [DESKTOP, PHONE])
def test_offered_tickets_look_like_tickets(screen: Screen, browsing: Browsing, server: Server) -> None:
    page = offer("usa-classic")(Stage(browsing, server, screen))
    offered = page.get_by_test_id("offer-ticket")
    assert offered.count() == 3
    for ticket in offered.all():
        assert ticket.get_attribute("role") == "checkbox"
        expect(ticket.locator(".points")).to_be_visible()
        assert_land(page, ticket)


# Gold


def test_gold_says_that_it_is_your_turn(browsing: Browsing, server: Server) -> None:
    created = bring(server, midgame("usa-classic"), *["here"] * 4)
    yours = browsing.sit(seat_of(created, 0))
    yours.get_by_test_id("turn").get_by_text("Your turn").wait_for()
    assert yours.evaluate(_GOLD)
    other = browsing.sit(seat_of(created, 1))
    other.get_by_test_id("ticket").first.wait_for()
    other.get_by_test_id("hand-card").first.click()
    other.keyboard.press("Tab")
    assert other.evaluate(_GOLD) == []


def test_a_counted_game_has_no_gold(stage: Stage) -> None:
    assert end("usa-classic", ["Ann", "Ben", "Cleo", "Dan"])(stage).evaluate(_GOLD) == []


# Prints


def test_every_edition_has_a_print_of_its_own(stage: Stage) -> None:
    lands: dict[str, str] = {}
    sizes: dict[str, float] = {}
    for edition in EDITIONS:
        page = table(edition)(stage)
        sheet = page.locator("[data-testid=board] .sheet path.land")
        lands[edition] = sheet.evaluate("(land) => getComputedStyle(land).fill")
        sizes[edition] = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        page.close()
    assert lands["usa-classic"] == lands["new-york"]
    assert len(set(lands.values())) == len(EDITIONS) - 1
    assert sizes["first-journey"] > 1.1 * sizes["usa-classic"]


def picture_of(part: Locator) -> NDArray[np.float64]:
    """Return what a part of the page looks like."""
    pixels: NDArray[np.float64] = matplotlib.image.imread(io.BytesIO(part.screenshot()))
    return pixels[..., :3]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pictures_of_editions_differ(theme: str, browsing: Browsing) -> None:
    page = browsing.open("", DESKTOP, theme=theme)
    labels = page.locator("label:has(input[name=edition])")
    labels.first.wait_for()
    pictures = [picture_of(label.locator("svg")) for label in labels.all()]
    assert len(pictures) == len(EDITIONS)
    height, width = (min(picture.shape[axis] for picture in pictures) for axis in (0, 1))
    for one, other in combinations(pictures, 2):
        assert np.abs(one[:height, :width] - other[:height, :width]).mean() > PICTURES_APART


def test_a_board_without_land_is_paper(browsing: Browsing, server: Server) -> None:
    def clear_land(route: Route) -> None:
        edition = route.fetch().json()
        edition["layout"]["land"] = []
        route.fulfill(json=edition)

    visitor = browsing.visitor()
    visitor.context.route("**/api/editions/usa-classic*", clear_land)
    created = server.create("usa-classic", "here", "easy")
    page = visitor.open(browsing.address(f"table/{seat_of(created, 0)}"))
    expect(page.locator("[data-testid=board] .sheet rect").first).to_have_class(re.compile("blank"))
    expect(page.locator("[data-testid=offer-ticket] .map rect").first).to_have_class(re.compile("blank"))
