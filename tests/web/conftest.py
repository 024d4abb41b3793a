"""A server, and a browser that fails a test if the page had an error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.server.serving import Server
from tests.web.browsing import Browsing, start_browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with short thinking time for bots and high limits per address."""
    flags = [
        "--bot-seconds",
        "0.02",
        "--undo-seconds",
        "0",
        "--create-rate",
        "100000",
        "--message-rate",
        "10000",
        "--address-connections",
        "100000",
    ]
    running = Server(tmp_path_factory.mktemp("server"), *flags)
    try:
        yield running.wait_ready()
    finally:
        running.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run a browser for the tests of a module."""
    with start_browser() as browser:
        yield browser


@pytest.fixture
def browsing(browser: Browser, server: Server) -> Iterator[Browsing]:
    """Open pages of the server, each visitor with separate storage."""
    browsing = Browsing(browser, server.url)
    yield browsing
    browsing.close()


@pytest.fixture
def page(browsing: Browsing) -> Page:
    """Open the start page on a laptop."""
    return browsing.open()
