"""Verifying a deal: committed before a game, checked after it, marked if the seed was chosen."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.server.people import known
from tests.server.serving import Server
from tests.web.browsing import FLAT, LAPTOP, PHONE, Browsing, Screen
from tests.web.deals import seat_of
from tests.web.player import MousePlayer, TouchPlayer
from tests.web.scenes import NAMES, play_to_end

GOOD = re.compile(r"Every card came from the sealed deal: [1-9]\d+ draws checked\.")
CHOSEN = "The player who created this game chose its seed"


def verify(page: Page) -> None:
    page.get_by_test_id("verify-deal").click()


def test_a_game_played_to_its_end_is_verified_against_the_seal_of_its_start(
    browsing: Browsing, server: Server
) -> None:
    created = server.create("first-journey", "here", "easy")
    page = browsing.sit(seat_of(created, 0))
    page.get_by_test_id("menu").click()
    sealed = page.get_by_test_id("sealed")
    expect(sealed).to_contain_text(f"This deal is sealed: {created.commitment[:12]}")
    expect(sealed).to_have_attribute("title", created.commitment)
    page.get_by_role("button", name="Back to game").click()
    MousePlayer(page, 1).play_on()
    expect(page.get_by_test_id("chosen-deal")).to_be_hidden()
    verify(page)
    expect(page.get_by_test_id("verify")).to_contain_text(GOOD)
    expect(page.get_by_test_id("verify")).not_to_contain_text("only after its end")


@pytest.mark.parametrize("edition", ["usa-classic", "new-york"])
def test_a_client_without_the_stored_fingerprint_is_told_so(
    edition: str, browsing: Browsing, server: Server
) -> None:
    created, seat = play_to_end(server, edition, NAMES)
    page = browsing.sit(seat_of(created, seat))
    verify(page)
    expect(page.get_by_test_id("verify")).to_contain_text(GOOD)
    expect(page.get_by_test_id("verify")).to_contain_text("This browser first saw the game after its end")


def test_a_seed_that_does_not_match_the_fingerprint_is_reported(browsing: Browsing, server: Server) -> None:
    created, seat = play_to_end(server, "new-york", NAMES)
    page = browsing.sit(seat_of(created, seat))
    page.get_by_test_id("rematch").wait_for()
    page.evaluate(
        """() => {
          const games = JSON.parse(localStorage.getItem("goldenspike.games"));
          games[0].commitment = "0".repeat(64);
          localStorage.setItem("goldenspike.games", JSON.stringify(games));
        }"""
    )
    page.reload()
    verify(page)
    expect(page.get_by_test_id("verify").get_by_role("alert")).to_have_text(
        "Verification failed: the seed is not the one that was sealed before the game."
    )


def test_a_card_that_does_not_match_the_seed_is_reported(browsing: Browsing, server: Server) -> None:
    created, seat = play_to_end(server, "new-york", NAMES)
    page = browsing.sit(seat_of(created, seat))

    def forge(route: Route) -> None:
        record = route.fetch().text()
        drawn = known(re.search(r'"drew seat=\d card=(\w+)"', record))
        other = "green" if drawn[1] == "blue" else "blue"
        route.fulfill(body=record.replace(drawn[0], drawn[0].replace(drawn[1], other), 1))

    page.route("**/record", forge)
    verify(page)
    alert = page.get_by_test_id("verify").get_by_role("alert")
    expect(alert).to_contain_text(
        re.compile(r"in move \d+, the seed gives \w+, but the saved game says (blue|green)\.")
    )


@pytest.mark.parametrize("screen", [LAPTOP, PHONE, FLAT], ids=["laptop", "phone", "flat"])
def test_a_chosen_deal_is_marked_at_the_table_and_at_the_end(
    screen: Screen, browsing: Browsing, server: Server
) -> None:
    page = browsing.sit(seat_of(server.create("new-york", "here", "easy", seed="known to me"), 0), screen)
    expect(page.get_by_test_id("chosen-deal")).to_be_visible()
    expect(page.get_by_test_id("chosen-deal")).to_contain_text(CHOSEN)
    player = TouchPlayer(page) if screen.is_phone else MousePlayer(page)
    player.press(page.get_by_test_id("menu"))
    expect(page.get_by_role("dialog")).to_contain_text(CHOSEN)
    created, seat = play_to_end(server, "new-york", NAMES)
    ended = browsing.sit(seat_of(created, seat), screen)
    expect(ended.get_by_test_id("verify")).to_contain_text(CHOSEN)


def test_a_public_game_has_no_chosen_deal(page: Page) -> None:
    page.get_by_text("More options").click()
    page.get_by_label("Seed (optional)").fill("known to me")
    page.get_by_label("Seat 2: Player").select_option("open")
    expect(page.get_by_label("Seed (optional)")).to_be_hidden()
    expect(page.get_by_text("gets a random seed that no player knows")).to_be_visible()
    with page.expect_request("**/api/games/") as sent:
        page.get_by_role("button", name="Create game").click()
    assert json.loads(known(sent.value.post_data))["options"]["seed"] is None
    page.get_by_test_id("waiting").wait_for()
