"""People and bots at a table: colours that people choose, faces, and characters of bots."""

from __future__ import annotations

import json

from playwright.sync_api import Locator, Page, expect

from goldenspike.server.protocol.messages import Created
from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import bring, seat_of
from tests.web.player import MousePlayer
from tests.web.scenes import accept, deal_for_two, finished

FILLS = {"blue": "#1f4e9e", "red": "#c0241c", "green": "#1a7d5c", "yellow": "#e0a800", "black": "#22262a"}
"""The colours of pieces on the screen."""


def fills(place: Locator) -> set[str]:
    """Return the colours of the seats whose marks are in a place."""
    marks = place.locator("rect.edge").evaluate_all("marks => marks.map((mark) => mark.getAttribute('fill'))")
    return {colour for colour, fill in FILLS.items() if fill in marks}


def piece_fill(page: Page, seat: int) -> str:
    """Return the colour of a seat's pieces on the board."""
    fill = page.locator(f"#train-{seat} .edge").first.get_attribute("fill")
    return next(colour for colour, each in FILLS.items() if each == fill)


def player(page: Page, seat: int) -> Locator:
    return page.locator(f"[data-testid=player][data-seat='{seat}']")


def test_a_colour_that_is_chosen_is_seen_on_every_screen_and_kept_for_the_next_game(
    page: Page, browsing: Browsing, server: Server
) -> None:
    page.get_by_label("Seat 1: Name").fill("Ann")
    page.get_by_label("Seat 1: Colour").select_option("Black")
    page.get_by_label("Seat 2: Colour").select_option("Blue")
    with page.expect_request(lambda request: request.method == "POST") as asked:
        page.get_by_role("button", name="Create game").click()
    seats = json.loads(asked.value.post_data or "")["seats"]
    assert [seat["colour"] for seat in seats] == ["black", "blue", "green"]
    page.get_by_test_id("table").wait_for()
    assert [piece_fill(page, seat) for seat in range(3)] == ["black", "blue", "green"]
    assert [fills(player(page, seat)) for seat in range(3)] == [{"black"}, {"blue"}, {"green"}]
    page.goto(server.url)
    expect(page.get_by_label("Seat 1: Colour")).to_have_value("black")
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_label("Your colour")).to_have_value("black")


def test_the_log_the_ending_and_the_replay_show_the_colours(browsing: Browsing, server: Server) -> None:
    game = finished("new-york", 2)
    last = game.played[-1]
    seats = ["here", "here"]
    created = bring(
        server, game, *seats, names=["Ann", "Ben"], colours=["yellow", "black"], after=len(game.played) - 1
    )
    page = browsing.sit(seat_of(created, last.seat))
    page.get_by_test_id("tab-log").click()
    expect(page.get_by_test_id("log").locator("li").first).to_be_visible()
    assert fills(page.get_by_test_id("log")) <= {"yellow", "black"}
    assert fills(page.get_by_test_id("log"))
    server.command(seat_of(created, last.seat), type="play", id="last", move=last.number).read(dict)
    page.get_by_test_id("rematch").wait_for()
    assert fills(page.get_by_test_id("ending")) == {"yellow", "black"}
    assert fills(page.get_by_test_id("scores")) == {"yellow", "black"}
    assert [piece_fill(page, seat) for seat in range(2)] == ["yellow", "black"]
    replay = browsing.open(f"replay/{created.game}/{len(game.played) // 2}")
    replay.locator("[data-route][data-owner]").first.wait_for()
    assert [piece_fill(replay, seat) for seat in range(2)] == ["yellow", "black"]
    assert [fills(hand) for hand in replay.get_by_test_id("open-hand").all()] == [{"yellow"}, {"black"}]


def test_the_next_player_at_the_device_is_announced_in_their_colour(
    browsing: Browsing, server: Server
) -> None:
    page = browsing.open()
    page.get_by_label("Seat 2: Colour").select_option("Black")
    deal_for_two(page)
    MousePlayer(page).keep(1)
    page.get_by_test_id("hand-over").wait_for()
    assert fills(page.get_by_test_id("hand-over")) == {"black"}


def test_a_guest_chooses_a_colour_that_the_host_does_not_have(browsing: Browsing, server: Server) -> None:
    seats = [{"who": "here", "name": "Ann", "colour": "red"}, {"who": "link", "name": "Ben"}]
    for wanted, given in (("Black", "black"), ("Red", "green")):
        created = server.post("/api/games/", {"edition": "new-york", "seats": seats}).read(Created)
        guest = browsing.visitor().open(browsing.address(f"invite/{created.invitations[1]}"))
        guest.get_by_label("Your colour").select_option(wanted)
        accept(guest, "Ben")
        assert [piece_fill(guest, seat) for seat in range(2)] == ["red", given]


def test_a_bot_is_chosen_by_its_character_and_has_it_at_the_table(page: Page) -> None:
    sentences = page.get_by_test_id("seat-character")
    expect(sentences.first).to_contain_text("Jasper builds where the others build")
    page.get_by_label("Seat 2: Bot").select_option("Felix")
    expect(sentences.first).to_contain_text("Felix lays trains fast")
    page.get_by_label("Seat 3: Player").select_option("Hard bot")
    expect(sentences.nth(1)).to_contain_text("simulates thousands of games")
    page.get_by_label("Seat 3: Player").select_option("Medium bot")
    faces = page.locator(".avatar")
    expect(faces).to_have_count(3)
    page.get_by_role("button", name="Create game").click()
    page.get_by_test_id("table").wait_for()
    for _ in range(2):
        for seat, sentence in ((1, "Felix lays trains fast"), (2, "Cora saves up a large hand")):
            player(page, seat).click()
            expect(page.get_by_test_id("character").filter(has_text=sentence)).to_be_visible()
        page.reload()
        page.get_by_test_id("table").wait_for()
