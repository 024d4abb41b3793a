"""Cities answer the pointer with their name and their tickets; on a phone, names can be read."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from goldenspike.editions import load_edition
from tests.server.serving import Server
from tests.web.browsing import FLAT, LAPTOP, PHONE, TABLET, Browsing, Screen, resize
from tests.web.deals import bring, hoarded, seat_of
from tests.web.player import STILL_MS, MousePlayer, TouchPlayer, find_route
from tests.web.scenes import Stage, all_wanted

_MIDDLE = """(dot) => {
  const box = dot.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def find_city(page: Page, code: str) -> tuple[float, float]:
    """Return where the middle of a city is."""
    x, y = page.locator(f"[data-stop='*{code}'] .dot").evaluate(_MIDDLE)
    return x, y


def tickets_of(code: str) -> set[str]:
    """Return the names of all tickets that lead to a city."""
    board = load_edition("usa-classic").board
    return {
        ticket.name
        for ticket in load_edition("usa-classic").tickets
        if code in (board.cities[ticket.a].code, board.cities[ticket.b].code)
    }


def full_table(browsing: Browsing, server: Server, screen: Screen) -> Page:
    """Sit down with every ticket in hand; the board lies still."""
    page = all_wanted("usa-classic")(Stage(browsing, server, screen))
    page.wait_for_timeout(STILL_MS)
    return page


def expect_tickets(page: Page, code: str) -> None:
    """Expect the tickets of a city to be lit, on the board and in the list."""
    names = tickets_of(code)
    assert len(names) > 1
    expect(page.get_by_test_id("caption")).to_contain_text(f"on {len(names)} of your tickets")
    lit = page.locator("[data-testid=ticket].pointed")
    expect(lit).to_have_count(len(names))
    assert set(lit.evaluate_all("(all) => all.map((one) => one.dataset.ticket)")) == names
    ends = {end for name in names for end in name.split("-")[:2]}
    shown = page.locator("[data-testid=board] .city.shown").evaluate_all(
        "(all) => all.map((one) => one.dataset.stop.slice(1))"
    )
    assert set(shown) == ends


def test_pointing_at_a_city_names_it_and_lights_its_tickets(browsing: Browsing, server: Server) -> None:
    page = full_table(browsing, server, LAPTOP)
    page.mouse.move(*find_city(page, "LAX"))
    expect(page.get_by_test_id("caption")).to_contain_text("Los Angeles")
    expect_tickets(page, "LAX")
    page.mouse.move(*find_city(page, "LAS"))
    expect(page.get_by_test_id("caption")).to_have_text("Las Vegas")
    expect(page.locator("[data-testid=board] .city.dim")).to_have_count(0)
    page.mouse.move(5, 5)
    expect(page.get_by_test_id("caption")).to_be_hidden()


def test_a_tap_on_a_city_does_the_same_until_the_next_tap(browsing: Browsing, server: Server) -> None:
    page = full_table(browsing, server, PHONE)
    page.get_by_label("Zoom in").tap()
    page.wait_for_timeout(2 * STILL_MS)
    page.touchscreen.tap(*find_city(page, "DEN"))
    expect(page.get_by_test_id("caption")).to_contain_text("Denver")
    expect_tickets(page, "DEN")
    page.touchscreen.tap(*find_city(page, "DEN"))
    expect(page.get_by_test_id("caption")).to_be_hidden()
    expect(page.locator("[data-testid=board] .city.dim")).to_have_count(0)


def test_keys_that_reach_a_city_name_it(browsing: Browsing, server: Server) -> None:
    page = full_table(browsing, server, LAPTOP)
    page.keyboard.press("b")
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.dataset.stop"):
            break
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    city = re.match("[^,;]+", name)
    assert city
    expect(page.get_by_test_id("caption")).to_contain_text(city[0])


@pytest.mark.parametrize("screen", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_cities_take_no_taps_from_routes(screen: Screen, browsing: Browsing, server: Server) -> None:
    """A tap on the outermost space of a route, next to its city, means the route."""
    game = hoarded("usa-classic", 2, "mixed", 13)
    page = browsing.sit(seat_of(bring(server, game, "here", "here"), 0), screen)
    player = TouchPlayer(page) if screen.is_phone else MousePlayer(page)
    player.wait_turn()
    legal = sorted({str(move).split()[1] for move in game.legal_moves(0).of_kind("claim")})
    for route in legal[::12]:
        if screen.is_phone:
            player.point(route)
            player.part("claim").wait_for()
            player.press(player.part("cancel-claim"))
        find_route(page, route)
        space = page.locator(f"[data-route='{route}'] .grasp ~ use").first.bounding_box()
        assert space
        x, y = space["x"] + space["width"] / 2, space["y"] + space["height"] / 2
        if screen.is_phone:
            page.touchscreen.tap(x, y)
        else:
            page.mouse.click(x, y)
        expect(player.part("claim")).to_be_visible()
        expect(page.locator(f"[data-route='{route}'] .phantom").first).to_be_attached()
        player.press(player.part("cancel-claim"))


@pytest.mark.parametrize("edition", ["usa-classic", "usa-mega", "new-york", "first-journey"])
@pytest.mark.parametrize("width", [360, 390])
def test_the_first_zoom_step_names_every_city_on_a_phone(
    edition: str, width: int, browsing: Browsing, server: Server
) -> None:
    game = hoarded(edition, 2, "names", 2)
    page = browsing.sit(
        seat_of(bring(server, game, "here", "here"), 0), Screen(width, 2 * width, is_phone=True)
    )
    TouchPlayer(page).wait_turn()
    page.wait_for_timeout(STILL_MS)
    cities = len(load_edition(edition).board.cities)
    names = page.locator("[data-testid=board] .city text")
    page.get_by_label("Zoom in").tap()
    expect(names).to_have_count(cities)
    size = "(name) => parseFloat(getComputedStyle(name).fontSize) * name.getScreenCTM().a"
    assert names.first.evaluate(size) >= 7.9


def test_names_fit_the_screen_in_the_first_picture_after_it_is_turned(
    browsing: Browsing, server: Server
) -> None:
    game = hoarded("usa-classic", 2, "names", 2)
    page = browsing.sit(seat_of(bring(server, game, "here", "here"), 0), TABLET)
    TouchPlayer(page).wait_turn()
    names, wanted = page.locator(".city text"), page.locator(".city.wanted text")
    expect(names).to_have_count(len(game.edition.board.cities))
    resize(page, FLAT)
    assert names.count() == wanted.count()
    resize(page, TABLET)
    assert names.count() == len(game.edition.board.cities)
