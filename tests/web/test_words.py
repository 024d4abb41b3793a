"""Words that differ by edition."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.server.serving import Server
from tests.web.browsing import LAPTOP, Browsing
from tests.web.scenes import Stage, end


@pytest.mark.parametrize(("edition", "has_grey"), [("usa-classic", True), ("first-journey", False)])
def test_rules_mention_grey_routes_only_if_the_board_has_them(
    edition: str, has_grey: bool, browsing: Browsing
) -> None:
    page = browsing.open(f"rules/{edition}")
    claim = page.get_by_text("Or claim a route:")
    expect(claim).to_contain_text("A locomotive counts as any colour.")
    assert ("grey" in claim.inner_text()) == has_grey


@pytest.mark.parametrize(("edition", "word"), [("usa-classic", "locomotive"), ("new-york", "taxi card")])
def test_statistics_call_the_cards_as_the_edition_does(
    edition: str, word: str, browsing: Browsing, server: Server
) -> None:
    page = end(edition, ["Ann", "Ben"])(Stage(browsing, server, LAPTOP))
    statistics = page.get_by_test_id("statistics")
    statistics.locator("summary").click()
    statistics.locator("table").wait_for()
    other = {"locomotive": "taxi", "taxi card": "locomotive"}[word]
    text = statistics.inner_text().lower()
    for said in (f"{word}s taken", f"{word}s drawn", f"{word}s played", f"{word}s drawn blind"):
        assert said in text
    assert other not in text
