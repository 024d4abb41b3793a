"""Hints: reasons in words, figures on request, consistent with each other and with announcements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.serving import Server
from tests.web.browsing import PHONE, Browsing
from tests.web.deals import begun, bring, seat_of
from tests.web.scenes import midgame

LITTLE_TIME = "This is a guess: there was little time"
_CODES = re.compile(r"\b[A-Z]{3}-[A-Z]{3}\b")


def ask(page: Page) -> list[str]:
    """Ask for a hint; return its reasons as they are shown."""
    page.get_by_test_id("hint").click()
    page.get_by_test_id("advice").wait_for()
    return page.get_by_test_id("advice").locator("> ul li").all_inner_texts()


def open_details(page: Page) -> list[str]:
    """Open the details of a hint; return its figures."""
    details = page.get_by_test_id("advice-details")
    details.locator("summary").click()
    details.locator("li").first.wait_for()
    return details.locator("li").all_inner_texts()


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server whose bots think for seconds, enough for hundreds of simulated games."""
    running = Server(tmp_path_factory.mktemp("patient"), "--bot-seconds", "3")
    try:
        yield running.wait_ready()
    finally:
        running.stop()


def test_a_hint_with_little_time_says_that_it_is_a_guess(browsing: Browsing, server: Server) -> None:
    link = seat_of(bring(server, midgame("usa-classic"), "here", *["here"] * 3), 0)
    page = browsing.sit(link, PHONE)
    *_, reason = ask(page)
    assert reason.startswith(LITTLE_TIME)
    expect(page.get_by_test_id("advice-details")).to_have_count(0)
    assert "%" not in page.get_by_test_id("advice").inner_text()
    expect(page.get_by_role("log")).to_contain_text(LITTLE_TIME)


def test_a_hint_is_never_worse_by_its_own_figures(browsing: Browsing, patient: Server) -> None:
    link = seat_of(bring(patient, midgame("new-york"), "here", *["here"] * 2), 0)
    page = Browsing.open(browsing, screen=PHONE)
    page.goto(f"{patient.url}/#/table/{link}")
    reasons = ask(page)
    assert reasons
    assert not any("%" in reason or _CODES.search(reason) for reason in reasons)
    expect(page.get_by_role("log")).to_contain_text(reasons[0])
    first, *others = open_details(page)
    share = re.match(r"It wins (\d+)% of [\d,]+ simulated games\.$", first)
    assert share, first
    assert others
    for other in others:
        assert other.startswith(("Worse: ", "About as good: "))
        assert not _CODES.search(other)
        assert all(int(stated) < int(share[1]) for stated in re.findall(r"(\d+)%", other))


def test_a_hint_highlights_the_path_of_the_ticket_it_names(browsing: Browsing, server: Server) -> None:
    game = begun("usa-classic", 2, "a way")
    taken = {"number": 0}

    def advise(message: dict[str, Any]) -> None:
        if message.get("hint_move") is not None:
            message["hint_move"] = taken["number"]

    visitor = browsing.visitor()
    visitor.change(advise)
    page = visitor.open(browsing.address(f"table/{seat_of(bring(server, game, 'here', 'here'), 0)}"))
    way = page.locator("[data-route].planned, [data-route].path")
    named = 0
    legal = game.legal_moves(0)
    for number, move in zip(legal.numbers, legal, strict=True):
        if not str(move).startswith("take "):
            continue
        taken["number"] = number
        is_named = any("helps complete your ticket" in reason for reason in ask(page))
        named += is_named
        assert is_named == (way.count() > 0), move
        page.get_by_test_id("advice").get_by_role("button", name="Close").click()
        expect(way).to_have_count(0)
    assert named
