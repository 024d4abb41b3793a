"""A browser that records every error of a page, and helpers to open pages in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect, sync_playwright

CHROMIUM = "/usr/bin/chromium-headless-shell"
"""Headless Chromium: a page opens several times faster."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
WAIT_MS = 60_000
"""Longer than any wait on a busy machine."""

EXPECT_MS = 20_000
"""How long an expected change may take; usually it takes a moment."""

Settings = dict[str, object]
FAST: Settings = {"pace": "instant", "theme": "light", "isSoundOffered": True}
"""Settings of the device: no animation, so that tests need not wait for it."""
SEEN_TIPS = '["last", "turn", "claim"]'
"""The first-game tips, which would cover part of the board; marked as seen."""
SOCKET = re.compile(r"/api/socket\?game=")
"""The address of a page's socket."""


class Screen(NamedTuple):
    """The size of a screen, and whether it is a phone's."""

    width: int
    height: int
    is_phone: bool = False
    """Whether it is touched: a phone or a tablet."""
    letters: int = 100
    """The font size of the browser, in percent."""


PHONE = Screen(360, 740, is_phone=True)
SMALL_PHONE = Screen(360, 640, is_phone=True)
FLAT = Screen(740, 360, is_phone=True)
"""A phone in landscape."""
ZOOMED = Screen(640, 400)
"""A laptop with the browser zoomed to 200 %."""
LARGE_PRINT = Screen(1920, 1080, letters=200)
LAPTOP = Screen(1280, 800)
DESKTOP = Screen(1920, 1080)
TABLET = Screen(820, 1180, is_phone=True)
TABLET_FLAT = Screen(1180, 820, is_phone=True)
LARGE = Screen(2560, 1440)
TELEVISION = Screen(3840, 2160)
SCREENS = {
    "phone": PHONE,
    "flat": FLAT,
    "tablet": TABLET,
    "laptop": LAPTOP,
    "desktop": DESKTOP,
    "television": TELEVISION,
}


def resize(page: Page, screen: Screen) -> None:
    """Resize a page to a screen, and wait until it has reacted."""
    page.set_viewport_size({"width": screen.width, "height": screen.height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@contextmanager
def start_browser(*flags: str) -> Iterator[Browser]:
    """Run Debian's Chromium, with additional flags.

    No other event loop can run at the same time, so each test module has its own browser.
    """
    expect.set_options(timeout=EXPECT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """A visitor with a separate device: all pages of a visitor share its storage."""

    def __init__(
        self, browser: Browser, screen: Screen, settings: Settings, bypasses_policy: bool = False
    ) -> None:
        self.context: BrowserContext = browser.new_context(
            viewport={"width": screen.width, "height": screen.height},
            has_touch=screen.is_phone,
            is_mobile=screen.is_phone,
            locale="en-GB",
            bypass_csp=bypasses_policy,
        )
        self.context.set_default_timeout(WAIT_MS)
        self.context.add_init_script(
            f"localStorage['goldenspike.settings'] ??= {json.dumps(json.dumps(settings))}"
        )
        self.context.add_init_script(f"localStorage['goldenspike.tips'] ??= {json.dumps(SEEN_TIPS)}")
        if screen.letters != 100:
            grow = f"document.documentElement.style.fontSize = '{screen.letters}%'"
            self.context.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {grow}; }})")
        self.troubles: list[str] = []
        """Errors of pages, including those written to the console."""
        self.forgiven: list[str] = []
        """Patterns of errors that the test causes on purpose."""

    def open(self, address: str) -> Page:
        """Open a page and record its errors from now on."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error.stack or error.message}"))
        page.on(
            "console",
            lambda said: self.troubles.append(f"console: {said.text}") if said.type == "error" else None,
        )
        page.goto(address)
        return page

    def change(self, alter: Callable[[dict[str, Any]], None]) -> None:
        """Change messages of servers on their way to pages opened from now on."""

        def join(page_end: WebSocketRoute) -> None:
            def tell(text: str | bytes) -> None:
                message = json.loads(text)
                alter(message)
                page_end.send(json.dumps(message))

            page_end.connect_to_server().on_message(tell)

        self.context.route_web_socket(SOCKET, join)

    def forgive(self, *patterns: str) -> None:
        """Expect errors that match one of these patterns."""
        self.forgiven += patterns

    @property
    def unforgiven(self) -> list[str]:
        """Unexpected errors."""
        return [said for said in self.troubles if not any(re.search(p, said) for p in self.forgiven)]


class Browsing:
    """The browser of a test. At the end all visitors leave, and no page may have had an error."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self.url = url
        self.visitors: list[Visitor] = []

    def visitor(self, screen: Screen = LAPTOP, **settings: object) -> Visitor:
        """Open a browser context with its own storage."""
        self.visitors.append(Visitor(self.browser, screen, FAST | settings))
        return self.visitors[-1]

    def examiner(self, screen: Screen = LAPTOP, **settings: object) -> Visitor:
        """Open a context that may add scripts to the page despite its content security policy."""
        self.visitors.append(Visitor(self.browser, screen, FAST | settings, bypasses_policy=True))
        return self.visitors[-1]

    def open(self, place: str = "", screen: Screen = LAPTOP, **settings: object) -> Page:
        """Open a screen of the page, such as ``settings``, as a new visitor."""
        return self.visitor(screen, **settings).open(self.address(place))

    def sit(self, link: str, screen: Screen = LAPTOP, **settings: object) -> Page:
        """Open a seat or a spectator link as a new visitor."""
        return self.open(f"table/{link}", screen, **settings)

    def address(self, place: str) -> str:
        """Return the address of a screen of the page."""
        return f"{self.url}/#/{place}"

    def visitor_of(self, page: Page) -> Visitor:
        """Return the visitor of a page."""
        return next(visitor for visitor in self.visitors if visitor.context is page.context)

    def close(self) -> None:
        """Close all visitors, and report their unexpected errors."""
        for visitor in self.visitors:
            visitor.context.close()
        troubles = [said for visitor in self.visitors for said in visitor.unforgiven]
        assert not troubles, "\n".join(troubles)


def axe_source() -> str:
    """Return the source of axe-core."""
    folder = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core"
    return (folder / "axe.min.js").read_text()
