"""The end of a game: all players' totals, the same on every part of the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.server.people import known
from tests.server.serving import Server
from tests.web.browsing import FLAT, PHONE, Browsing, Screen
from tests.web.deals import seat_of
from tests.web.scenes import NAMES, play_to_end


def numbers(cells: Locator) -> list[str]:
    return [text.strip() for text in cells.all_inner_texts()]


@pytest.mark.parametrize("screen", [PHONE, FLAT], ids=["phone", "flat"])
def test_the_players_on_a_phone_have_their_final_totals(
    screen: Screen, browsing: Browsing, server: Server
) -> None:
    created, seat = play_to_end(server, "new-york", NAMES)
    link = seat_of(created, seat)
    page = browsing.sit(link, screen)
    page.get_by_test_id("rematch").wait_for()
    shown = server.show(link)
    totals = [str(total) for total in known(shown.view.ending).totals]
    assert totals != [str(view.points) for view in shown.view.seats]
    assert numbers(page.get_by_test_id("scores").locator("tfoot td")) == totals
    assert numbers(page.get_by_test_id("player").locator(".points")) == totals
    for player, total in zip(page.get_by_test_id("player").all(), totals, strict=True):
        expect(player).to_have_accessible_name(re.compile(f": {total} points,"))
