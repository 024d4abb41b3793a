"""What a player can see on the page of a table, read from roles, labels and data attributes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import Page

from tests.web.browsing import WAIT_MS

_LOOK = """() => {
  const all = (id) => [...document.querySelectorAll(`[data-testid="${id}"]`)];
  const one = (id) => document.querySelector(`[data-testid="${id}"]`);
  const may = (part) => part !== null && part.getAttribute("aria-disabled") !== "true";
  const label = (part) =>
    part?.getAttribute("aria-label") ?? part?.querySelector(".unseen")?.textContent.trim() ?? "";
  return JSON.stringify({
    sentence: one("turn")?.textContent ?? "",
    players: all("player").map(label),
    offer: all("offer-ticket").map((ticket) => ticket.dataset.ticket),
    claims: all("route").filter((route) => label(route).endsWith("you can claim it"))
      .map((route) => [route.dataset.route, label(route)]),
    row: all("row-card").map((card) => [card.dataset.kind, may(card)]),
    deck: may(one("deck")),
    tickets: may(one("ticket-deck")),
    pass: one("pass") !== null,
    hand: all("hand-card").map((card) => [card.dataset.kind, Number(card.dataset.count)]),
    undo: may(one("undo")),
    over: one("ending") !== null,
    handed: one("hand-over") !== null,
    counts: [label(one("deck")), label(one("ticket-deck"))],
    own: [all("player").map(label).find((player) => player.includes("(you)")), all("offer-ticket").length],
  });
}"""
_SPACES = re.compile(r"(\d+) space")


class Sight(NamedTuple):
    """A snapshot of a page."""

    text: str
    """Everything that was read, to compare snapshots."""
    sentence: str
    players: list[str]
    offer: list[str]
    claims: dict[str, int]
    """Routes that can be claimed, with their lengths."""
    row: list[tuple[str, bool]]
    """The face-up cards, and whether each can be taken."""
    may_draw: bool
    may_draw_tickets: bool
    may_pass: bool
    may_undo: bool
    hand: dict[str, int]
    is_over: bool
    is_handed_over: bool
    own: list[object]
    """The part that only this seat's own moves change, except a pass or a swap."""

    @property
    def can_move(self) -> bool:
        """Whether this seat can act."""
        may_take = any(may for _, may in self.row)
        may_draw = self.may_draw or self.may_draw_tickets
        return bool(self.offer or self.claims or may_take or may_draw or self.may_pass)

    @property
    def is_second_card(self) -> bool:
        """Whether one card of two has been taken."""
        return "second card" in self.sentence


def _read(text: str) -> Sight:
    seen = json.loads(text)
    lengths = {name: _SPACES.search(label) for name, label in seen["claims"]}
    return Sight(
        text=text,
        sentence=seen["sentence"],
        players=seen["players"],
        offer=seen["offer"],
        claims={name: int(found[1]) for name, found in lengths.items() if found},
        row=[(kind, may) for kind, may in seen["row"]],
        may_draw=seen["deck"],
        may_draw_tickets=seen["tickets"],
        may_pass=seen["pass"],
        may_undo=seen["undo"],
        hand=dict(seen["hand"]),
        is_over=seen["over"],
        is_handed_over=seen["handed"],
        own=seen["own"],
    )


def look(page: Page) -> Sight:
    """Return a snapshot of the page."""
    return _read(page.evaluate(_LOOK))


def wait_for_change(page: Page, before: Sight, timeout_ms: float = WAIT_MS) -> Sight:
    """Wait until the page differs from a snapshot."""
    other = f"(before) => {{ const now = ({_LOOK})(); return now !== before && now; }}"
    return _read(page.wait_for_function(other, arg=before.text, timeout=timeout_ms, polling=20).json_value())


def wait_until(page: Page, is_met: Callable[[Sight], bool], timeout_ms: float = WAIT_MS) -> Sight:
    """Wait until a snapshot fulfils a condition; return it."""
    sight = look(page)
    while not is_met(sight):
        sight = wait_for_change(page, sight, timeout_ms)
    return sight
