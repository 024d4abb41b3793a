"""The first start, before anything is compiled: play begins at once."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from tests.code_cache import copy_code
from tests.server.processes import GameServer
from tests.server.waiting import wait_until
from tests.web.browsing import LAPTOP, PHONE, Browsing, Screen
from tests.web.player import MousePlayer

COMPILED_MS = 120_000
"""Longer than loading compiled code takes on a busy machine."""
BLINK = 2.0
"""Seconds that a request may wait during the change; after this time the page reports a lost connection."""
WATCH = """() => {
  window.troubles = [];
  const look = () => {
    const banner = document.querySelector("[data-testid=reconnecting]");
    if (banner) window.troubles.push(banner.textContent);
    if (document.body.textContent.includes("Cannot reach the server")) window.troubles.push("unreachable");
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
"""Records every notice of a lost connection, however brief."""


@pytest.fixture
def cold(tmp_path: Path) -> Iterator[GameServer]:
    """Run a server without compiled code."""
    server = GameServer()
    server.environment = {"NUMBA_CACHE_DIR": str(tmp_path)}
    with server:
        yield server


@pytest.mark.slow
@pytest.mark.parametrize("screen", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_card_is_drawn_before_anything_is_compiled(
    cold: GameServer, browser: Browser, screen: Screen
) -> None:
    browsing = Browsing(browser, cold.url)
    page = browsing.open(screen=screen)
    page.get_by_role("button", name="Play now").click()
    notice = page.get_by_test_id("bot-notice")
    expect(notice).to_have_text(re.compile(r"^Speeding up the bots: \d+%$"))
    expect(notice).to_be_in_viewport()
    for ticket in page.get_by_test_id("offer-ticket").all()[:2]:
        ticket.click()
    page.get_by_test_id("keep").click()
    expect(page.get_by_test_id("turn")).to_have_text(re.compile("Your turn"))
    page.get_by_test_id("deck").click()
    expect(page.get_by_test_id("reconnecting")).not_to_be_visible()
    assert cold.get("/api/bots")["is_hard_medium"]
    browsing.close()


class Service:
    """Sends requests continuously, each on a new connection, and records their duration."""

    def __init__(self, server: GameServer) -> None:
        self._server = server
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._ask)
        self.waits: list[float] = []
        self.failures: list[str] = []

    def __enter__(self) -> Service:
        self._server.wait_ready()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _ask(self) -> None:
        while not self._is_over.wait(0.05):
            began = time.monotonic()
            try:
                with urlopen(f"{self._server.url}/healthz", timeout=60) as answer:
                    answer.read()
            except OSError as error:
                self.failures.append(repr(error))
            self.waits.append(time.monotonic() - began)


@pytest.mark.slow
def test_the_changeover_to_compiled_rules_interrupts_only_briefly(tmp_path: Path, browser: Browser) -> None:
    server = GameServer()
    server.environment = copy_code(tmp_path) | {"HOME": str(tmp_path)}
    with server, Service(server) as service:
        browsing = Browsing(browser, server.url)
        page = browsing.open()
        page.evaluate(WATCH)
        browsing.visitor_of(page).forgive("WebSocket connection to")
        page.get_by_role("button", name="Play now").click()
        person = MousePlayer(page)
        person.step(person.wait_turn())  # tickets
        expect(page.get_by_test_id("bot-notice")).not_to_be_attached(timeout=COMPILED_MS)
        wait_until(
            lambda: not server.get("/api/bots")["is_hard_medium"], "the compiled server has taken over"
        )
        person.step(person.wait_turn())
        assert page.evaluate("() => window.troubles") == []
        assert not server.failures()
        browsing.close()
    assert service.failures == []
    assert max(service.waits) < BLINK
