"""Every scene on every screen size: nothing overlaps or is cut off, everything can be tapped."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.server.serving import Server
from tests.web.browsing import (
    DESKTOP,
    FLAT,
    LAPTOP,
    LARGE,
    LARGE_PRINT,
    PHONE,
    SMALL_PHONE,
    TABLET,
    TABLET_FLAT,
    TELEVISION,
    ZOOMED,
    Browsing,
    Screen,
    resize,
)
from tests.web.measures import find_blank_quarters, find_faults
from tests.web.scenes import (
    EDITIONS,
    FULL_BOARDS,
    HARD,
    SCENES,
    SCREENS,
    TABLES,
    Scene,
    Stage,
    all_wanted,
    offer,
    table,
)

DEVICES = {
    "phone": [PHONE, FLAT],
    "tablet": [TABLET, TABLET_FLAT],
    "computer": [LAPTOP, DESKTOP, LARGE, TELEVISION],
}
"""A phone is turned, and a window is made larger, with whatever is on the screen at that moment."""
devices = pytest.mark.parametrize("device", DEVICES)


def expect_order(scene: Scene, browsing: Browsing, server: Server, *screens: Screen) -> None:
    """Set up a scene on one screen, and measure it there and on the others."""
    page = scene(Stage(browsing, server, screens[0]))
    for screen in screens:
        resize(page, screen)
        faults = find_faults(page, is_touched=screen.is_phone)
        assert not faults, f"{screen}:\n" + "\n".join(faults)


@devices
@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str, device: str, browsing: Browsing, server: Server) -> None:
    expect_order(TABLES[name], browsing, server, *DEVICES[device])


@devices
@pytest.mark.parametrize("name", SCREENS)
def test_screens(name: str, device: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCREENS[name], browsing, server, *DEVICES[device])


@devices
@pytest.mark.parametrize("name", HARD | FULL_BOARDS)
def test_hard_states(name: str, device: str, browsing: Browsing, server: Server) -> None:
    expect_order((HARD | FULL_BOARDS)[name], browsing, server, *DEVICES[device])


WORDY = ["table-usa-classic", "start", "share", "offer", "claim", "hand-over", "end", "settings", "rules"]
"""Screens with most of the words there are."""


@pytest.mark.parametrize("name", WORDY)
def test_at_twice_the_size(name: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCENES[name], browsing, server, ZOOMED)


@pytest.mark.parametrize("name", WORDY)
def test_with_letters_of_twice_the_size(name: str, browsing: Browsing, server: Server) -> None:
    expect_order(SCENES[name], browsing, server, LARGE_PRINT)


@pytest.mark.parametrize("edition", EDITIONS)
def test_board_and_hand_are_seen_together(edition: str, browsing: Browsing, server: Server) -> None:
    page = table(edition)(Stage(browsing, server, LAPTOP))
    for screen in (LAPTOP, DESKTOP):
        resize(page, screen)
        for part in ("board", "hand", "tickets", "deck", "ticket-deck", "players", "turn"):
            box = page.get_by_test_id(part).first.bounding_box()
            assert box is not None, part
            assert box["width"] > 0, part
            assert box["x"] >= 0, part
            assert box["y"] >= 0, part
            assert box["x"] + box["width"] <= screen.width, part
            assert box["y"] + box["height"] <= screen.height, part
        assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
        cards = page.get_by_test_id("hand-card").all()
        assert all(card.is_visible() for card in cards)


@pytest.mark.parametrize("edition", ["usa-classic", "new-york", "first-journey"])
def test_every_city_of_a_ticket_is_named_on_a_phone(edition: str, browsing: Browsing, server: Server) -> None:
    page = all_wanted(edition)(Stage(browsing, server, PHONE))
    for screen in (PHONE, FLAT):
        resize(page, screen)
        wanted = page.locator("[data-testid=board] .city.wanted").count()
        expect(page.locator("[data-testid=board] .city.wanted text")).to_have_count(wanted)


_HIDDEN = """(tickets) => tickets.filter((ticket) => {
  const [box, list] = [ticket.getBoundingClientRect(), ticket.closest("ul").getBoundingClientRect()];
  return box.bottom > list.bottom + 1 || box.bottom > innerHeight;
}).length"""
OFFERS = [edition for edition in EDITIONS if edition != "first-journey"]
"""Editions in which tickets are offered."""


@pytest.mark.parametrize("edition", OFFERS)
def test_offered_tickets_are_seen_or_said_to_be_below(
    edition: str, browsing: Browsing, server: Server
) -> None:
    page = offer(edition)(Stage(browsing, server, PHONE))
    tickets, below = page.get_by_test_id("offer-ticket"), page.get_by_test_id("offer-below")
    for screen in (PHONE, SMALL_PHONE, FLAT):
        resize(page, screen)
        hidden = tickets.evaluate_all(_HIDDEN)
        if hidden:
            expect(below).to_have_text(f"↓ {hidden} more")
        else:
            expect(below).to_have_count(0)
        is_roomy = tickets.count() <= (2 if screen == FLAT else 3) or screen == PHONE
        assert not (hidden and is_roomy), f"{hidden} of {tickets.count()} are hidden on {screen}"
        keep = page.get_by_test_id("keep").bounding_box()
        assert keep is not None
        assert keep["y"] + keep["height"] <= screen.height
    if tickets.evaluate_all(_HIDDEN):
        tickets.last.scroll_into_view_if_needed()
        expect(below).to_have_count(0)


LOW = 0.4
"""The part of a phone's screen, from its top, that a thumb reaches badly."""


@pytest.mark.parametrize("screen", [PHONE, Screen(390, 844, is_phone=True)], ids=["360x740", "390x844"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_turn_is_made_of_is_within_reach_of_a_thumb(
    edition: str, screen: Screen, browsing: Browsing, server: Server
) -> None:
    page = table(edition)(Stage(browsing, server, screen))
    resize(page, screen)
    for part in ("row-card", "deck", "ticket-deck", "hand-card", "ticket"):
        targets = page.get_by_test_id(part)
        has_part = part != "row-card" or edition != "first-journey"  # which has no face-up row
        assert (targets.count() > 0) == has_part, part
        for target in targets.all():
            box = target.bounding_box()
            assert box is not None
            assert box["y"] >= LOW * screen.height, f"{part} begins at {box['y']:.0f} of {screen.height}"


@pytest.mark.parametrize("edition", ["usa-classic", "first-journey"])
def test_the_map_of_a_phone_takes_what_is_left_over(edition: str, browsing: Browsing, server: Server) -> None:
    """The panel below it ends with what is in it, and the board is as wide as the screen."""
    for screen in (PHONE, Screen(390, 844, is_phone=True), Screen(412, 915, is_phone=True)):
        page = table(edition)(Stage(browsing, server, screen))
        resize(page, screen)
        last = page.get_by_test_id("ticket").last.bounding_box()
        board = page.get_by_test_id("board").bounding_box()
        assert last
        assert board
        blank = screen.height - last["y"] - last["height"]
        assert blank < 30, f"{blank:.0f} pixels are blank below the tickets in {screen}"
        width = page.locator("[data-testid=board] svg[role=group]").evaluate(
            "(svg) => svg.viewBox.baseVal.width * svg.getScreenCTM().a"
        )
        assert width == pytest.approx(screen.width, abs=1)


@pytest.mark.parametrize("edition", ["usa-classic", "new-york", "first-journey"])
def test_no_quarter_of_a_table_is_blank(edition: str, browsing: Browsing, server: Server) -> None:
    for screens in ([LAPTOP, DESKTOP, LARGE, TELEVISION], [TABLET, TABLET_FLAT]):
        page = table(edition)(Stage(browsing, server, screens[0]))
        for screen in screens:
            resize(page, screen)
            faults = find_blank_quarters(page, 0.4)
            assert not faults, f"{screen}:\n" + "\n".join(faults)


def test_a_tablet_has_hand_tickets_and_log_at_once(browsing: Browsing, server: Server) -> None:
    page = table("usa-classic")(Stage(browsing, server, TABLET))
    for screen in (TABLET, TABLET_FLAT):
        resize(page, screen)
        for part in ("hand", "tickets", "log", "players", "deck", "board"):
            expect(page.get_by_test_id(part).first).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-testid=last-turn]")).to_have_count(3)


@pytest.mark.parametrize("screen", [PHONE, LAPTOP, TELEVISION], ids=["phone", "laptop", "television"])
def test_the_text_size_of_the_settings_applies_to_a_table(
    screen: Screen, browsing: Browsing, server: Server
) -> None:
    sizes: list[list[float]] = []
    for text_size in (1, 1.3):
        page = table("usa-classic")(Stage(browsing, server, screen, textSize=text_size))
        parts = [page.get_by_test_id(part).first for part in ("turn", "tab-log", "ticket")]
        sizes.append(
            [part.evaluate("(part) => parseFloat(getComputedStyle(part).fontSize)") for part in parts]
        )
        faults = find_faults(page, is_touched=screen.is_phone)
        assert not faults, f"at {text_size}:\n" + "\n".join(faults)
    for small, large in zip(*sizes, strict=True):
        assert large == pytest.approx(1.3 * small, rel=0.01)
