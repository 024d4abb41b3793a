"""Undoing a claim against bots: they wait, and the page shows for how long."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import bring, hoarded, seat_of
from tests.web.player import MousePlayer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server whose bots wait after a claim."""
    running = Server(tmp_path_factory.mktemp("undo"), "--bot-seconds", "0.02", "--undo-seconds", "6")
    try:
        yield running.wait_ready()
    finally:
        running.stop()


def test_a_claim_against_bots_can_be_undone_until_the_time_is_up(browsing: Browsing, server: Server) -> None:
    created = bring(server, hoarded("usa-classic", 2, "mixed", 13), "here", "easy")
    page = browsing.sit(seat_of(created, 0), pace="normal")
    player = MousePlayer(page)
    route = next(iter(player.wait_turn().claims))
    claimed = page.locator(f"[data-route='{route}'][data-owner='0']")
    player.claim(route)
    page.get_by_test_id("undo-toast").get_by_role("button", name="Undo").click()
    expect(claimed).to_have_count(0)
    expect(page.locator("[data-seat='0'][data-turn='true']")).to_be_visible()
    player.claim(route)
    expect(claimed).to_be_visible()
    expect(page.get_by_test_id("undo-toast")).to_be_visible()
    expect(page.get_by_test_id("undo-toast")).to_have_count(0)
    expect(page.get_by_test_id("last-turn")).to_be_visible()
    expect(claimed).to_be_visible()


def test_the_seconds_left_are_shown_without_motion_as_well(browsing: Browsing, server: Server) -> None:
    created = bring(server, hoarded("usa-classic", 2, "mixed", 13), "here", "easy")
    page = browsing.sit(seat_of(created, 0), pace="normal")
    page.emulate_media(reduced_motion="reduce")
    player = MousePlayer(page)
    player.claim(next(iter(player.wait_turn().claims)))
    left = page.get_by_test_id("undo-left")
    for seconds in (5, 4, 3):
        expect(left).to_have_text(f"{seconds} seconds left")
    expect(left).to_have_text("1 second left")
    expect(left).to_have_count(0)
