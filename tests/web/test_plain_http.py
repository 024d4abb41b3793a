"""Plain HTTP by a host name, where browsers offer fewer features than over TLS."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.serving import Server
from tests.web.browsing import Browsing, start_browser
from tests.web.deals import seat_of
from tests.web.player import MousePlayer
from tests.web.scenes import NAMES, accept, play_to_end

NAME = "laptop"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run a browser that resolves a host name to this machine."""
    with start_browser(f"--host-resolver-rules=MAP {NAME} 127.0.0.1") as browser:
        yield browser


@pytest.fixture
def browsing(browser: Browser, server: Server) -> Iterator[Browsing]:
    """Open pages by the host name."""
    browsing = Browsing(browser, server.url.replace("127.0.0.1", NAME))
    yield browsing
    browsing.close()


def come(browsing: Browsing, address: str) -> Page:
    """Open a page with separate storage."""
    visitor = browsing.visitor()
    visitor.forgive("Cross-Origin-Opener-Policy header has been ignored")
    page = visitor.open(address)
    assert not page.evaluate("isSecureContext"), "the context must be insecure for this test"
    return page


def test_a_deal_is_verified(browsing: Browsing, server: Server) -> None:
    created, seat = play_to_end(server, "new-york", NAMES)
    page = come(browsing, browsing.address(f"table/{seat_of(created, seat)}"))
    page.get_by_test_id("verify-deal").click()
    expect(page.get_by_test_id("verify")).to_contain_text("Every card came from the sealed deal")


def test_a_game_is_dealt_shared_and_begun(browsing: Browsing) -> None:
    page = come(browsing, browsing.address(""))
    page.get_by_role("radio", name="New York").evaluate("(radio) => radio.click()")
    page.get_by_label("Seat 2: Player").select_option("link")
    page.get_by_role("button", name="Remove Seat 3").click()
    page.get_by_role("button", name="Create game").click()
    address = page.get_by_role("textbox", name="Invitation for Seat 2", exact=True).input_value()
    assert address.startswith(f"http://{NAME}:")
    page.get_by_role("button", name="Copy: Invitation for Seat 2").click()
    expect(page.get_by_role("button", name="Copied: Invitation for Seat 2")).to_be_focused()
    assert paste(page, address) == address
    page.get_by_role("button", name="Go to table").click()
    player = MousePlayer(page)
    player.part("waiting").wait_for()
    accept(come(browsing, address), "Ben")
    player.step(player.wait_turn())
    expect(player.part("offer-ticket")).to_have_count(0)


def paste(page: Page, address: str) -> str:
    """Paste the clipboard into a field of another page."""
    other = page.context.new_page()
    other.goto(address.partition("#")[0])
    field = other.get_by_label("Invitation or link")
    field.press("Control+V")
    text = field.input_value()
    other.close()
    return text
