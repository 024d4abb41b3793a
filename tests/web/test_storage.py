"""Browser storage: shared by several tabs, blocked, full, or damaged."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import begun, bring, seat_of
from tests.web.player import MousePlayer
from tests.web.scenes import deal_for_two

_BLOCKED = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("Denied.", "SecurityError"); } });"""
_FULL = "Storage.prototype.setItem = () => { throw new DOMException('Full.', 'QuotaExceededError'); };"

_DEAF = "addEventListener('storage', (event) => event.stopImmediatePropagation());"
"""A suspended page gets no storage events of other tabs."""


def play_a_turn(page: Page) -> None:
    """Keep tickets, and draw a card."""
    player = MousePlayer(page, 9)
    sight = player.wait_turn()
    while sight.offer or not sight.hand:
        player.step(sight)
        sight = player.wait_turn()
    before = sum(sight.hand.values())
    assert sum(player.step(sight).hand.values()) == before + 1


@pytest.mark.parametrize("storage", [_BLOCKED, _FULL], ids=["blocked", "full"])
def test_without_storage_the_page_says_so_and_works(storage: str, browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script(storage)
    page = visitor.open(browsing.address(""))
    note = page.get_by_role("status").filter(has_text="does not let this page save data")
    expect(note).to_contain_text("keep the address of its page")
    note.get_by_role("button", name="Close").click()
    expect(note).to_be_hidden()
    page.get_by_role("button", name="Play now").click()
    play_a_turn(page)
    page.goto(browsing.address("guide"))
    expect(page.get_by_test_id("guide")).to_be_visible()
    page.get_by_role("button", name="End tour").click()
    expect(page.get_by_test_id("guide")).to_be_hidden()


def test_with_full_storage_two_people_at_one_device_can_play(browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script(f"localStorage['goldenspike.games'] ??= '[]'; {_FULL}")
    page = visitor.open(browsing.address(""))
    deal_for_two(page)
    MousePlayer(page).keep(1)
    expect(page.get_by_test_id("hand-over")).to_contain_text("Ben is next")


def test_two_tabs_keep_the_games_of_both(browsing: Browsing) -> None:
    visitor = browsing.visitor()
    one, two = (visitor.open(browsing.address("")) for _ in range(2))
    for page in (one, two):
        page.get_by_role("button", name="Create game").wait_for()
    deal_for_two(two)
    two.get_by_test_id("table").wait_for()
    expect(one.get_by_role("link", name="New York your turn Ann 0, Ben 0")).to_be_visible()
    one.get_by_role("button", name="Play now").click()
    one.get_by_test_id("table").wait_for()
    two.reload()
    MousePlayer(two).keep(1)
    expect(two.get_by_test_id("hand-over")).to_contain_text("Ben is next")
    two.goto(browsing.address(""))
    expect(two.get_by_role("button", name="Remove this game from the list")).to_have_count(2)
    one.goto(browsing.address(""))
    one.get_by_role("button", name="Remove this game from the list").first.click()
    expect(two.get_by_role("button", name="Remove this game from the list")).to_have_count(1)


def test_an_unnoticed_change_of_the_list_by_another_tab_is_kept(browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script(_DEAF)
    one, two = (visitor.open(browsing.address("")) for _ in range(2))
    one.get_by_role("button", name="Create game").wait_for()
    deal_for_two(two)
    two.get_by_test_id("table").wait_for()
    one.get_by_role("button", name="Play now").click()
    one.get_by_test_id("table").wait_for()
    expect(one.get_by_test_id("offer")).to_be_visible()
    kept = one.evaluate("JSON.parse(localStorage['goldenspike.games']).map((kept) => kept.edition)")
    assert sorted(kept) == ["new-york", "usa-classic"]


def test_two_tabs_keep_the_settings_of_both(browsing: Browsing) -> None:
    visitor = browsing.visitor()
    one, two = (visitor.open(browsing.address("settings")) for _ in range(2))
    for page in (one, two):
        page.get_by_role("heading", name="Settings").wait_for()
    two.get_by_label("Theme").select_option("dark")
    expect(one.get_by_label("Theme")).to_have_value("dark")
    one.get_by_label("Your name").fill("Ann")
    expect(two.get_by_label("Your name")).to_have_value("Ann")
    one.reload()
    expect(one.get_by_label("Theme")).to_have_value("dark")
    expect(one.get_by_label("Your name")).to_have_value("Ann")


def test_an_unnoticed_change_of_settings_by_another_tab_is_kept(browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script(_DEAF)
    one, two = (visitor.open(browsing.address("settings")) for _ in range(2))
    one.get_by_role("heading", name="Settings").wait_for()
    two.get_by_label("Theme").select_option("dark")
    one.get_by_label("Your name").fill("Ann")
    expect(one.get_by_label("Theme")).to_have_value("dark")
    two.reload()
    expect(two.get_by_label("Your name")).to_have_value("Ann")


GAMES = [
    "{nonsense",
    "null",
    '{"games": []}',
    '[null, 7, "game", {"game": "lost"}, {"game": "x", "edition": "usa-classic", "names": 5, "links": null}]',
]


@pytest.mark.parametrize("games", GAMES)
def test_unreadable_saved_games_are_dropped_and_reported(
    games: str, browsing: Browsing, server: Server
) -> None:
    created = bring(server, begun("new-york", 2, "kept"), "here", "here")
    visitor = browsing.visitor()
    visitor.context.add_init_script(f"localStorage['goldenspike.games'] ??= {json.dumps(games)}")
    page = visitor.open(browsing.address(""))
    note = page.get_by_role("status").filter(has_text="could not be read")
    expect(note).to_contain_text("was skipped.")
    note.get_by_role("button", name="Close").click()
    page.get_by_label("Invitation or link").fill(browsing.address(f"table/{seat_of(created, 0)}"))
    page.get_by_role("button", name="Open", exact=True).click()
    play_a_turn(page)
    page.goto(browsing.address(""))
    expect(page.get_by_role("link", name=re.compile("^New York .*Player 1 .*Player 2"))).to_be_visible()
    expect(note).to_be_hidden()
    page.reload()
    expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    expect(note).to_be_hidden()


def test_a_valid_game_beside_a_damaged_one_is_kept(browsing: Browsing, server: Server) -> None:
    created = bring(server, begun("new-york", 2, "kept"), "here", "here")
    sound = {
        "game": created.game,
        "edition": "new-york",
        "links": {0: seat_of(created, 0)},
        "watch": None,
        "invites": {},
        "names": ["Ann", "Ben"],
        "opened": 1,
        "isOver": False,
    }
    visitor = browsing.visitor()
    text = json.dumps(json.dumps([{"game": 5}, sound]))
    visitor.context.add_init_script(f"localStorage['goldenspike.games'] ??= {text}")
    page = visitor.open(browsing.address(""))
    page.get_by_role("link", name="New York Ann, Ben").click()
    play_a_turn(page)


@pytest.mark.parametrize(
    "settings",
    [
        "",
        "7",
        "null",
        '{"theme": "pink", "pace": "9", "volume": "loud", "name": 5, "language": "!!", "confirms": {}}',
    ],
)
def test_invalid_settings_are_ignored(settings: str, browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.context.add_init_script(f"localStorage['goldenspike.settings'] = {json.dumps(settings)}")
    page = visitor.open(browsing.address("settings"))
    expect(page.get_by_label("Theme")).to_have_value("system")
    expect(page.get_by_label("Your name")).to_have_value("")
    page.goto(browsing.address(""))
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_test_id("offer")).to_be_visible()
