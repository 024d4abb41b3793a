"""A player whose page is in the background is notified of the turn; settings of the device."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import begun, bring, seat_of

BACKGROUND = """window.isHidden = false;
Object.defineProperty(Document.prototype, "hidden", { get: () => window.isHidden });
window.notified = [];
window.Notification = class extends EventTarget {
  static permission = "granted";
  static requestPermission = async () => "granted";
  constructor(title, { body }) { super(); window.notified.push(`${title}: ${body}`); }
  close() {}
};"""
"""Lets a test put the page into the background, and records its notifications."""


def test_the_title_the_icon_and_a_notification_call_a_player(browsing: Browsing, server: Server) -> None:
    game = begun("usa-classic", 2, "turn")
    created = bring(server, game, "here", "here")
    other = game.to_move[0]
    visitor = browsing.visitor(notifies=True)
    visitor.context.add_init_script(BACKGROUND)
    page = visitor.open(browsing.address(f"table/{seat_of(created, 1 - other)}"))
    page.get_by_test_id("table").wait_for()
    icon = page.locator("link[rel=icon]")
    expect(page).to_have_title("Golden Spike")
    expect(icon).to_have_attribute("href", "/icon.svg")
    page.evaluate("window.isHidden = true")
    for number in range(2):
        server.command(seat_of(created, other), type="play", id=f"{number}", move="draw deck").read(dict)
    expect(page).to_have_title(re.compile("Your turn"))
    expect(icon).to_have_attribute("href", "/icon-turn.svg")
    page.wait_for_function("window.notified.length === 1")
    assert "Your turn" in page.evaluate("window.notified[0]")


def test_text_grows_with_the_setting(browsing: Browsing) -> None:
    page = browsing.open("settings")
    size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    before = page.evaluate(size)
    page.get_by_label("Text size").select_option("130%")
    page.wait_for_function(f"({size})() > {before * 1.25}")


def test_notifications_that_the_browser_refuses_stay_off(browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script("Notification.requestPermission = async () => 'denied';")
    page = visitor.open(browsing.address("settings"))
    page.get_by_label("Notify me").click()
    expect(page.get_by_text("does not allow notifications")).to_be_visible()
    expect(page.get_by_label("Notify me")).not_to_be_checked()


def test_sounds_are_offered_once(browsing: Browsing, server: Server) -> None:
    created = bring(server, begun("usa-classic", 2, "sounds"), "here", "easy")
    game = begun("usa-classic", 2, "sounds")
    assert game.to_move == [0]
    visitor = browsing.visitor(isSoundOffered=False)
    page = visitor.open(browsing.address(f"table/{seat_of(created, 0)}"))
    page.get_by_role("button", name="Hear a sample").click()
    page.get_by_role("button", name="No, thanks").click()
    expect(page.get_by_test_id("sound-offer")).to_have_count(0)
    page.reload()
    page.get_by_test_id("hand").wait_for()
    expect(page.get_by_test_id("sound-offer")).to_have_count(0)
