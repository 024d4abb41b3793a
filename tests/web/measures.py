"""Layout faults of a page, measured from the boxes of its elements."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_MEASURE = (Path(__file__).parent / "measures.js").read_text()
_STILL = """() => {
  const board = document.querySelector("[data-testid=board] svg");
  const isMoving = (animation) => animation.playState === "running"
    && animation.effect?.getComputedTiming().iterations !== Infinity;
  const isDrawn = !board || board.style.transform !== "";
  return document.fonts.status === "loaded" && isDrawn && !document.getAnimations().some(isMoving);
}"""

LEAST = 44
"""Pixels of the smallest thing to tap, by the guidelines of phones and tablets."""
LEAST_CLICKED = 24
"""Pixels of the smallest thing to click, by WCAG 2.5.8."""
LEAST_TEXT = 14
"""Pixels of the smallest text on a table of 1920 by 1080 or larger."""

_COVERED = """([left, top, width, height]) => {
  const kinds = "h1, h2, h3, p, svg, button, .button, label, select, input, figure, li";
  const boxes = [...document.querySelectorAll(kinds)].map((part) => {
    if (!part.matches("svg[role=group]")) return part.getBoundingClientRect();
    // A board is as large as what is drawn of it, and not as its frame.
    const { x, y, width, height } = part.viewBox.baseVal;
    const [a, b] = [[x, y], [x + width, y + height]].map(([px, py]) =>
      new DOMPoint(px, py).matrixTransform(part.getScreenCTM()));
    return { left: a.x, top: a.y, right: b.x, bottom: b.y };
  });
  let covered = 0;
  for (let i = 0; i < 20; i++)
    for (let j = 0; j < 20; j++) {
      const [x, y] = [left + ((i + 0.5) * width) / 20, top + ((j + 0.5) * height) / 20];
      covered += boxes.some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
    }
  return covered / 400;
}"""
"""The share of a part of the screen that texts, pictures and controls cover."""


def find_blank_quarters(page: Page, least: float) -> list[str]:
    """Return a sentence for every quarter of the screen of which less than this share is covered."""
    page.wait_for_function(_STILL)
    size = page.viewport_size
    assert size is not None
    width, height = size["width"] / 2, size["height"] / 2
    faults: list[str] = []
    for left in (0, width):
        for top in (0, height):
            share = page.evaluate(_COVERED, [left, top, width, height])
            if share < least:
                faults.append(f"of the quarter at {left:.0f}, {top:.0f} only {share:.0%} is covered")
    return faults


def find_faults(page: Page, *, is_touched: bool) -> list[str]:
    """Return a sentence for everything that overlaps, is cut off, or is too small to tap or to read."""
    page.wait_for_function(_STILL)
    allows = {"least": LEAST if is_touched else LEAST_CLICKED, "leastText": LEAST_TEXT}
    return page.evaluate(_MEASURE, allows)
