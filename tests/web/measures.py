"""What is wrong with a page, measured from the boxes it drew."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_MEASURE = (Path(__file__).parent / "measures.js").read_text()
_STILL = """() => {
  const board = document.querySelector("[data-testid=board] svg");
  const isMoving = (animation) => animation.playState === "running"
    && animation.effect?.getComputedTiming().iterations !== Infinity;
  return !document.getAnimations().some(isMoving) && (!board || board.style.transform !== "");
}"""

LEAST = 24
"""Pixels of the smallest thing to tap, by WCAG 2.5.8."""
LEAST_MAIN = 44
"""Pixels of what a turn is made of."""
MAIN = ", ".join(
    f"[data-testid={part}]"
    for part in (
        *("row-card", "deck", "ticket-deck", "offer-ticket", "keep", "payment"),
        *("confirm-claim", "cancel-claim", "draw-tickets", "hand-over-next", "rematch", "pass"),
    )
)


def find_faults(page: Page, *, is_touched: bool) -> list[str]:
    """Return a sentence for everything that overlaps, is cut off, or is too small to tap."""
    page.wait_for_function(_STILL)
    allows = {
        "least": LEAST if is_touched else 0,
        "leastMain": LEAST_MAIN,
        "main": MAIN,
    }
    return page.evaluate(_MEASURE, allows)
