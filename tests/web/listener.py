"""A screen reader user: finds everything by role and name, and knows only what is announced."""

from __future__ import annotations

import re
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as LateError

from tests.web.browsing import EXPECT_MS

_HEAR = """() => {
  window.heard = [];
  const live = "[aria-live=polite], [aria-live=assertive], [role=log], [role=status], [role=alert]";
  const read = (node) => {
    const element = node instanceof Element ? node : node.parentElement;
    const region = element && element.closest(live);
    const text = region && node.textContent.trim();
    if (text && !element.closest("[aria-hidden=true]")) window.heard.push(text);
  };
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "characterData") read(change.target);
      else for (const node of change.addedNodes) read(node);
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
_FIND = "([pattern, after]) => heard.slice(after).find((said) => new RegExp(pattern).test(said))"
_FOCUS = """() => {
  const focus = document.activeElement;
  return focus === null || focus === document.body ? "" : focus.tagName;
}"""
_ROUTE = re.compile(r"^(.+) to (.+), (\w+), (\d+) spaces?, (.+)$")


class SpokenRoute(NamedTuple):
    """A route, parsed from its accessible name."""

    name: str
    a: str
    b: str
    colour: str
    length: int
    state: str


class ScreenReaderUser:
    """A player who uses the page with a screen reader."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.mark = 0
        """The number of announcements at the last :meth:`note`."""
        page.evaluate(_HEAR)

    # Announcements

    @property
    def heard(self) -> list[str]:
        """All announcements, in order."""
        return self.page.evaluate("window.heard")

    def wait_to_hear(self, pattern: str, after: int = 0) -> str:
        """Wait for an announcement that matches, not counting the first `after`; return it."""
        try:
            said = self.page.wait_for_function(_FIND, arg=[pattern, after], timeout=EXPECT_MS, polling=20)
        except LateError:
            raise AssertionError(f"{pattern} was not heard, only {self.heard[after:]}.") from None
        return said.json_value()

    def note(self) -> None:
        """Set the mark to the announcements up to now."""
        self.mark = len(self.heard)

    # Elements by name

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Return a button."""
        return self.page.get_by_role("button", name=name)

    def routes(self) -> list[SpokenRoute]:
        """Return all routes of the board, by accessible name."""
        board = self.page.get_by_role("group", name=re.compile("^Board: "))
        found = re.findall(r'- button "(.+? spaces?, .+?)"', board.aria_snapshot())
        found = [match for name in found if (match := _ROUTE.match(name))]
        return [SpokenRoute(m[0], m[1], m[2], m[3], int(m[4]), m[5]) for m in found]

    def hand(self) -> dict[str, int]:
        """Return the number of cards of each kind in hand, by the names of the stacks."""
        region = self.page.get_by_role("region", name=re.compile(r"^Your hand: \d+ cards?$"))
        stacks = [stack.inner_text() for stack in region.get_by_role("button").all()]
        found = [re.match(r"(\w+), (\d+) cards?", stack) for stack in stacks]
        assert all(found), stacks
        return {match[1]: int(match[2]) for match in found if match}

    # Actions

    def press(self, button: Locator) -> None:
        """Focus a button and press it, as a screen reader does; the focus must not be lost."""
        button.focus()
        expect(button).to_be_focused()
        self.page.keyboard.press("Enter")

    def expect_focus(self) -> None:
        """Check that some element has the focus."""
        assert self.page.evaluate(_FOCUS), "The focus is lost."
