"""The start page: the game that is started has the chosen options."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.server.serving import Server
from tests.web.browsing import Browsing, Screen
from tests.web.deals import seat_of
from tests.web.measures import find_blank_quarters
from tests.web.scenes import Stage, start


def choose_who_begins(page: Page, seat: str) -> None:
    page.get_by_text("More options").click()
    page.get_by_label("First player").select_option(seat)


def test_the_first_player_stays_when_other_seats_are_removed(page: Page) -> None:
    choose_who_begins(page, "Seat 3")
    page.get_by_role("button", name="Remove Seat 1").click()
    expect(page.get_by_label("First player").locator("option:checked")).to_have_text("Seat 2")
    with page.expect_request(lambda request: request.method == "POST") as asked:
        page.get_by_role("button", name="Create game").click()
    assert json.loads(asked.value.post_data or "")["options"]["first"] == 1
    page.get_by_test_id("table").wait_for()


def test_the_first_player_is_random_when_the_chosen_seat_is_removed(page: Page) -> None:
    choose_who_begins(page, "Seat 3")
    page.get_by_role("button", name="Remove Seat 3").click()
    expect(page.get_by_label("First player").locator("option:checked")).to_have_text("Random")
    page.get_by_role("button", name="Create game").click()
    expect(page.get_by_test_id("offer")).to_be_visible()


def test_bots_are_watched_with_one_click(page: Page) -> None:
    page.get_by_role("radio", name="New York").evaluate("(radio) => radio.click()")
    page.get_by_role("button", name="Watch bots play").click()
    page.get_by_test_id("table").wait_for()
    expect(page.get_by_test_id("player")).to_have_count(4)
    expect(page.get_by_test_id("hand-card")).to_have_count(0)


def test_a_bot_has_a_name_and_a_sentence_of_character(browsing: Browsing, server: Server) -> None:
    created = server.create("usa-classic", "here", "easy", "medium")
    page = browsing.sit(seat_of(created, 0))
    for seat, name in ((1, "Otis"), (2, "Cora")):
        page.locator(f"[data-testid=player][data-seat='{seat}']").click()
        expect(page.get_by_test_id("character").filter(has_text=name)).to_be_visible()


def test_a_game_is_resumed_with_its_turn_and_score(page: Page, server: Server) -> None:
    page.get_by_label("Seat 1: Name").fill("Ann")
    page.get_by_role("button", name="Create game").click()
    page.get_by_test_id("offer").wait_for()
    page.goto(server.url)
    kept = page.get_by_test_id("kept-game")
    expect(kept).to_contain_text("your turn")
    expect(kept).to_contain_text("Ann 0, Jasper 0, Cora 0")
    kept.click()
    page.get_by_test_id("offer").wait_for()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (2560, 1440)])
def test_no_quarter_of_the_start_page_is_blank(
    width: int, height: int, browsing: Browsing, server: Server
) -> None:
    page = start(Stage(browsing, server, Screen(width, height)))
    assert not find_blank_quarters(page, 0.25)
    picker = page.get_by_role("radio", name="New York").locator("..").bounding_box()
    assert picker is not None
    assert picker["y"] + picker["height"] <= height


def test_the_page_keeps_no_cookie_and_calls_no_other_host(page: Page, server: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("ws", "http", 1)))
    page.reload()
    page.get_by_role("button", name="Play now").click()
    page.get_by_test_id("offer").wait_for()
    assert any("/api/socket" in url for url in asked)
    assert [url for url in asked if not url.startswith((server.url, "data:"))] == []
    assert page.context.cookies() == []
