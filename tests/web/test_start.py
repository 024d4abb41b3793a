"""The start page: what is chosen there is what is dealt."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect


def choose_who_begins(page: Page, seat: str) -> None:
    page.get_by_text("More choices").click()
    page.get_by_label("Who begins").select_option(seat)


def test_who_begins_stays_the_same_when_others_go(page: Page) -> None:
    choose_who_begins(page, "Seat 3")
    page.get_by_role("button", name="Remove Seat 1").click()
    expect(page.get_by_label("Who begins").locator("option:checked")).to_have_text("Seat 2")
    with page.expect_request(lambda request: request.method == "POST") as asked:
        page.get_by_role("button", name="Deal the cards").click()
    assert json.loads(asked.value.post_data or "")["options"]["first"] == 1
    page.get_by_test_id("table").wait_for()


def test_chance_decides_when_who_was_to_begin_is_gone(page: Page) -> None:
    choose_who_begins(page, "Seat 3")
    page.get_by_role("button", name="Remove Seat 3").click()
    expect(page.get_by_label("Who begins").locator("option:checked")).to_have_text("Chance decides")
    page.get_by_role("button", name="Deal the cards").click()
    expect(page.get_by_test_id("offer")).to_be_visible()
