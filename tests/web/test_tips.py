"""Tips of a first game: each is shown once per device."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import begun, bring, crowded, hoarded, seat_of


def meet(page: Page, seen: str = "[]") -> None:
    """Open the page on a device that has shown only these tips."""
    page.get_by_test_id("table").wait_for()
    page.evaluate("(seen) => localStorage.setItem('goldenspike.tips', seen)", seen)
    page.reload()
    page.get_by_test_id("table").wait_for()


def test_the_first_turn_has_a_tip_that_is_shown_once(browsing: Browsing, server: Server) -> None:
    page = browsing.sit(seat_of(bring(server, begun("usa-classic", 2, "tips"), "here", "here"), 0))
    tip = page.get_by_test_id("tip")
    expect(tip).to_be_hidden()
    meet(page)
    expect(tip).to_contain_text("It is your turn.")
    tip.get_by_role("button", name="Got it").click()
    expect(tip).to_be_hidden()
    page.reload()
    page.get_by_test_id("turn").get_by_text("Your turn").wait_for()
    expect(page.get_by_text("It is your turn.")).to_be_hidden()


def test_the_first_route_of_a_ticket_that_can_be_paid_for_has_a_tip(
    browsing: Browsing, server: Server
) -> None:
    page = browsing.sit(seat_of(bring(server, hoarded("usa-classic", 2, "mixed", 13), "here", "here"), 0))
    meet(page, '["turn"]')
    expect(page.get_by_test_id("tip")).to_contain_text("bright route")


def test_the_last_turn_has_a_tip(browsing: Browsing, server: Server) -> None:
    game = crowded("usa-classic", 2, 5)
    seat = game.to_move[0]
    page = browsing.sit(seat_of(bring(server, game, "here", "here"), seat))
    meet(page)
    expect(page.get_by_test_id("tip")).to_contain_text("This is your last turn.")
