"""Routes that stand out: those that others have claimed, those that matter now; and what others did last."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from goldenspike import Game
from goldenspike.server.protocol.messages import Created
from tests.server.serving import Server
from tests.web.browsing import FLAT, LAPTOP, PHONE, Browsing, Screen
from tests.web.deals import bring, hoarded, seat_of
from tests.web.player import MousePlayer
from tests.web.sight import look

_NAMES = "(routes) => routes.map((route) => route.dataset.route)"
_HALO = "(route) => getComputedStyle(route.querySelector('.halo')).stroke"


@pytest.fixture(scope="module")
def rich() -> Game:
    """Return a game for two whose hands are large; the first seat is to move."""
    return hoarded("usa-classic", 2, "mixed", 13)


@pytest.fixture
def created(rich: Game, server: Server) -> Created:
    """Have people play it, who do only what the test says."""
    return bring(server, rich, "here", "here", names=["Ann", "Ben"])


def play(server: Server, created: Created, seat: int, *moves: str | int) -> None:
    """Let a seat make some moves."""
    for move in moves:
        at = server.show(created.watch).last
        server.command(seat_of(created, seat), type="play", id=f"{at}", move=move).read(dict)


def claim_for_ben(server: Server, created: Created) -> str:
    """Let Ann draw cards and Ben claim a route; return which one."""
    play(server, created, 0, "draw deck", "draw deck")
    play(server, created, 1, "claim DAL-ELP with 3 red, 1 loco")
    return "DAL-ELP"


def names_of(routes: Locator) -> set[str]:
    """Return the names of routes."""
    return set(routes.evaluate_all(_NAMES))


def test_a_route_that_another_player_claimed_is_outlined_until_the_next_move(
    created: Created, browsing: Browsing, server: Server
) -> None:
    page = browsing.sit(seat_of(created, 0))
    MousePlayer(page).wait_turn()
    expect(page.locator("[data-new]")).to_have_count(0)
    route = claim_for_ben(server, created)
    new = page.locator("[data-new]")
    expect(new).to_have_attribute("data-route", route)
    outline = new.locator(".fresh")
    assert outline.evaluate("(line) => getComputedStyle(line).stroke") != "none"
    width = "(line) => parseFloat(getComputedStyle(line).strokeWidth)"
    assert outline.evaluate(width) > new.locator(".grasp").evaluate(width), "it is seen around the trains"
    play(server, created, 0, "draw deck")
    expect(new).to_have_count(0)
    expect(page.locator(f"[data-route='{route}']")).to_have_attribute("data-owner", "1")


def planned(page: Page) -> set[str]:
    """Point at each ticket; return all routes that the board plans for them."""
    routes: set[str] = set()
    for ticket in page.get_by_test_id("ticket").all():
        ticket.hover()
        expect(ticket).to_have_attribute("aria-pressed", "true")
        expect(page.locator("[data-route].planned").first).to_be_attached()
        routes |= names_of(page.locator("[data-route].planned"))
    page.mouse.move(2, 2)
    expect(page.locator("[data-testid=board] .city.dim")).to_have_count(0)
    return routes


def test_routes_on_the_way_of_tickets_glow_and_others_have_a_thin_line(
    created: Created, browsing: Browsing
) -> None:
    page = browsing.sit(seat_of(created, 0))
    MousePlayer(page).wait_turn()
    strong, thin = page.locator("[data-route].lit.strong"), page.locator("[data-route].lit:not(.strong)")
    expect(strong.first).to_be_attached()
    lit = set(look(page).claims)
    assert names_of(strong) == planned(page) & lit
    assert names_of(thin) == lit - names_of(strong)
    assert strong.first.evaluate(_HALO) != thin.first.evaluate(_HALO)


def test_all_routes_that_a_chosen_colour_pays_for_glow(created: Created, browsing: Browsing) -> None:
    page = browsing.sit(seat_of(created, 0))
    MousePlayer(page).wait_turn()
    page.locator("[data-testid=hand-card][data-kind=orange]").click()
    strong = page.locator("[data-route].lit.strong")
    expect(page.locator("[data-route].lit:not(.strong)")).to_have_count(0)
    assert names_of(strong) == set(look(page).claims)


@pytest.mark.parametrize("screen", [PHONE, FLAT], ids=["phone", "flat"])
def test_a_line_tells_what_another_player_did_last_on_a_phone(
    screen: Screen, created: Created, browsing: Browsing, server: Server
) -> None:
    page = browsing.sit(seat_of(created, 0), screen)
    ticker = page.get_by_test_id("ticker")
    expect(ticker).to_have_text(re.compile(r"Ben\s+drew 2 cards"))
    expect(ticker.locator(".avatar")).to_be_visible()
    claim_for_ben(server, created)
    expect(ticker).to_have_text(re.compile(r"Ben\s+claimed Dallas \u2013 El Paso"))
    line, board = ticker.bounding_box(), page.get_by_test_id("board").bounding_box()
    assert line
    assert board
    assert line["height"] < 40, "it is one line"
    assert line["y"] < board["y"] + 10, "it is above the map"


def test_what_a_player_did_last_is_never_cut_off(
    created: Created, browsing: Browsing, server: Server
) -> None:
    page = browsing.sit(seat_of(created, 0), LAPTOP)
    claim_for_ben(server, created)
    told = page.get_by_test_id("last-turn")
    expect(told).to_have_text(re.compile("claimed Dallas"))
    # Narrower than on any screen.
    page.get_by_test_id("players").evaluate("(players) => (players.style.width = '130px')")
    told.evaluate("(text) => (text.style.display = 'block')")
    is_whole = "(text) => text.scrollWidth <= text.clientWidth + 1"
    assert told.evaluate(is_whole)
    assert told.evaluate("(text) => text.getBoundingClientRect().height") > 30, "it wraps"
