"""A browser that notices every error of a page, and pages opened in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect, sync_playwright

CHROMIUM = "/usr/bin/chromium-headless-shell"
"""Chromium without its own windows: a page opens several times faster."""
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
"""How long something that must come may take; it should take a moment."""

Settings = dict[str, object]
FAST: Settings = {"speed": 0, "theme": "light"}
"""What a reader has chosen: no animation, so that nobody has to wait for it."""
SOCKET = re.compile(r"/api/socket\?game=")
"""The address of a page's socket."""


class Room(NamedTuple):
    """A kind of screen."""

    width: int
    height: int
    is_phone: bool = False
    letters: int = 100
    """How large letters are for who sits there, in percent."""


PHONE = Room(360, 740, is_phone=True)
FLAT = Room(740, 360, is_phone=True)
"""A phone that lies on its side."""
ZOOMED = Room(640, 400)
"""A laptop whose browser shows everything at twice its size."""
LARGE_PRINT = Room(1920, 1080, letters=200)
LAPTOP = Room(1280, 800)
DESKTOP = Room(1920, 1080)
ROOMS = {"phone": PHONE, "flat": FLAT, "laptop": LAPTOP, "desktop": DESKTOP}


def resize(page: Page, room: Room) -> None:
    """Make a page as large as a room, and wait until it has taken note."""
    page.set_viewport_size({"width": room.width, "height": room.height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@contextmanager
def start_browser(*flags: str) -> Iterator[Browser]:
    """Run Debian's Chromium, maybe with some flags more.

    While it runs, no other event loop can: it belongs to one module of tests.
    """
    expect.set_options(timeout=EXPECT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Somebody with a device of their own: what one page keeps on it, others of the same visitor find."""

    def __init__(
        self, browser: Browser, room: Room, settings: Settings, bypasses_policy: bool = False
    ) -> None:
        self.context: BrowserContext = browser.new_context(
            viewport={"width": room.width, "height": room.height},
            has_touch=room.is_phone,
            is_mobile=room.is_phone,
            locale="en-GB",
            bypass_csp=bypasses_policy,
        )
        self.context.set_default_timeout(WAIT_MS)
        self.context.add_init_script(
            f"localStorage['goldenspike.settings'] ??= {json.dumps(json.dumps(settings))}"
        )
        if room.letters != 100:
            grow = f"document.documentElement.style.fontSize = '{room.letters}%'"
            self.context.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {grow}; }})")
        self.troubles: list[str] = []
        """Errors of pages and what they wrote to the console as an error."""
        self.forgiven: list[str] = []
        """Patterns of errors that the test brings about itself."""

    def open(self, address: str) -> Page:
        """Open a page; from now on its errors are noted."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error.stack or error.message}"))
        page.on(
            "console",
            lambda said: self.troubles.append(f"console: {said.text}") if said.type == "error" else None,
        )
        page.goto(address)
        return page

    def change(self, alter: Callable[[dict[str, Any]], None]) -> None:
        """Change what servers tell the pages that are opened from now on, on its way."""

        def join(page_end: WebSocketRoute) -> None:
            def tell(text: str | bytes) -> None:
                message = json.loads(text)
                alter(message)
                page_end.send(json.dumps(message))

            page_end.connect_to_server().on_message(tell)

        self.context.route_web_socket(SOCKET, join)

    def forgive(self, *patterns: str) -> None:
        """Expect errors in which one of these patterns is found."""
        self.forgiven += patterns

    @property
    def unforgiven(self) -> list[str]:
        """Errors that nobody expected."""
        return [said for said in self.troubles if not any(re.search(p, said) for p in self.forgiven)]


class Browsing:
    """The browser of a test: everybody in it leaves, and must have met no error, when the test is over."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self.url = url
        self.visitors: list[Visitor] = []

    def visitor(self, room: Room = LAPTOP, **settings: object) -> Visitor:
        """Let somebody come with a device of their own."""
        self.visitors.append(Visitor(self.browser, room, FAST | settings))
        return self.visitors[-1]

    def examiner(self, room: Room = LAPTOP, **settings: object) -> Visitor:
        """Let somebody come who brings tools to the page that its content policy would not let in."""
        self.visitors.append(Visitor(self.browser, room, FAST | settings, bypasses_policy=True))
        return self.visitors[-1]

    def open(self, place: str = "", room: Room = LAPTOP, **settings: object) -> Page:
        """Open a place of the page, such as ``settings``, for somebody new."""
        return self.visitor(room, **settings).open(self.address(place))

    def sit(self, link: str, room: Room = LAPTOP, **settings: object) -> Page:
        """Open a seat, or a place to watch from, for somebody new."""
        return self.open(f"table/{link}", room, **settings)

    def address(self, place: str) -> str:
        """Return where a place of the page is."""
        return f"{self.url}/#/{place}"

    def visitor_of(self, page: Page) -> Visitor:
        """Return whose page it is."""
        return next(visitor for visitor in self.visitors if visitor.context is page.context)

    def close(self) -> None:
        """Let everybody leave, and tell what they met."""
        for visitor in self.visitors:
            visitor.context.close()
        troubles = [said for visitor in self.visitors for said in visitor.unforgiven]
        assert not troubles, "\n".join(troubles)


def axe_source() -> str:
    """Return the program that looks for what keeps people from using a page."""
    folder = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core"
    return (folder / "axe.min.js").read_text()
