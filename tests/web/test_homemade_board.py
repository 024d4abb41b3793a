"""A home-made board in the browser: offered, drawn from its data, laid out and played like the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.boards.conftest import BOARD, EDITION
from tests.server.serving import Server
from tests.web.browsing import DESKTOP, FLAT, LAPTOP, PHONE, TABLET, Browsing, resize
from tests.web.deals import seat_of
from tests.web.measures import find_faults
from tests.web.player import DOUBLE_CLICK_MS, MousePlayer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with a folder of editions."""
    folder = tmp_path_factory.mktemp("editions")
    (folder / "lakes.toml").write_text(BOARD, encoding="utf-8")
    (folder / "lakes-quick.toml").write_text(EDITION, encoding="utf-8")
    running = Server(tmp_path_factory.mktemp("server"), "--bot-seconds", "0.02", "--editions", str(folder))
    try:
        yield running.wait_ready()
    finally:
        running.stop()


@pytest.fixture
def browsing(browser: Browser, server: Server) -> Iterator[Browsing]:
    browsing = Browsing(browser, server.url)
    yield browsing
    browsing.close()


def test_it_is_offered_on_the_start_page(browsing: Browsing) -> None:
    page = browsing.open()
    page.get_by_role("radio", name="Quick Lakes").evaluate("(radio) => radio.click()")
    page.get_by_role("button", name="Create game").click()
    expect(page.get_by_test_id("offer")).to_be_visible()
    expect(page.locator("[data-testid=board] .city text")).to_have_count(4)


def test_it_is_laid_out_on_every_screen(browsing: Browsing, server: Server) -> None:
    for screens in ([PHONE, FLAT, TABLET], [LAPTOP, DESKTOP]):
        created = server.create("lakes-quick", "here", "here", first=0)
        page = browsing.sit(seat_of(created, 0), screens[0])
        MousePlayer(page).keep(2)
        page.get_by_test_id("hand").wait_for()
        for screen in screens:
            resize(page, screen)
            faults = find_faults(page, is_touched=screen.is_phone)
            assert not faults, f"{screen}:\n" + "\n".join(faults)


def test_a_route_is_claimed_on_it(browsing: Browsing, server: Server) -> None:
    created = server.create("lakes-quick", "here", "medium", seed="lakes", first=0)
    page = browsing.sit(seat_of(created, 0))
    player = MousePlayer(page)
    player.keep(2)
    sight = player.wait_turn()
    while not sight.claims:
        player.draw()
        page.wait_for_timeout(DOUBLE_CLICK_MS)
        sight = player.wait_turn()
    route = max(sight.claims, key=lambda name: sight.claims[name])
    player.claim(route)
    expect(page.locator(f"[data-route='{route}']")).to_have_attribute("data-owner", "0")
