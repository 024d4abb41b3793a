"""At home, over plain HTTP and by a machine's name, where browsers offer pages less than over TLS."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.serving import Server
from tests.web.browsing import Browsing, start_browser
from tests.web.player import MousePlayer

NAME = "laptop.home"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run a browser that knows a machine at home, which is this one."""
    with start_browser(f"--host-resolver-rules=MAP {NAME} 127.0.0.1") as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """Open the start page by the machine's name."""
    browsing = Browsing(browser, server.url.replace("127.0.0.1", NAME))
    visitor = browsing.visitor()
    visitor.forgive("Cross-Origin-Opener-Policy header has been ignored")
    page = visitor.open(browsing.address(""))
    assert not page.evaluate("isSecureContext"), "this browser makes no difference"
    yield page
    browsing.close()


def test_a_game_is_dealt_shared_and_begun(page: Page) -> None:
    page.get_by_role("radio", name="New York").check(force=True)
    page.get_by_label("Seat 2: Who sits here").select_option("link")
    page.get_by_role("button", name="Remove Seat 3").click()
    page.get_by_role("button", name="Deal the cards").click()
    address = page.get_by_role("textbox", name="Seat 2", exact=True).input_value()
    assert address.startswith(f"http://{NAME}:")
    page.get_by_role("button", name="Copy: Seat 2").click()
    expect(page.get_by_role("button", name="Copied: Seat 2")).to_be_focused()
    assert paste(page, address) == address
    page.get_by_role("button", name="To the table").click()
    player = MousePlayer(page)
    player.step(player.wait_turn())
    expect(player.part("offer-ticket")).to_have_count(0)


def paste(page: Page, address: str) -> str:
    """Put what was copied into a field of another page."""
    other = page.context.new_page()
    other.goto(address.partition("#")[0])
    field = other.get_by_label("A link somebody sent you")
    field.press("Control+V")
    text = field.input_value()
    other.close()
    return text
