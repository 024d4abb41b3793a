"""Make layouts, and load existing ones."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np

from goldenspike.boards import Board
from goldenspike.boards.layout import BoardLayout, LayoutError, find_layout, shipped_layout
from goldenspike.mapmaking.compose import compose, lay_ground
from goldenspike.mapmaking.faults import find_faults
from goldenspike.mapmaking.plan import build_plan, choose_style
from goldenspike.mapmaking.settle import settle

STEPS, TRIES = 450, 14
"""Steps and tries of a careful layout: about half a minute for a large board."""
HASTY_STEPS, HASTY_TRIES = 350, 3
"""Steps and tries of a quick layout: usually a second or two."""

_log = logging.getLogger(__name__)


def make_layout(
    board: Board,
    seed: int = 0,
    *,
    steps: int = STEPS,
    tries: int = TRIES,
    is_hasty: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> BoardLayout:
    """Make a layout of a board in several tries and return the best. The same seed gives the same layout.

    If `is_hasty`, return the first try without a fault. `tick` is called after every step of every try.
    """
    plan = build_plan(board, choose_style(board))
    random = np.random.default_rng(seed)
    ranked: list[tuple[tuple[int, float, int], BoardLayout]] = []
    for attempt in range(tries):
        sketch, badness = settle(plan, steps, random, min(attempt, 1), tick)
        layout = compose(board, plan, sketch)
        faults = len(find_faults(layout))
        ranked.append(((faults, badness, attempt), layout))
        if is_hasty and not faults:
            break
    _, layout = min(ranked, key=lambda entry: entry[0])
    return lay_ground(board, plan, layout)


def renew_land(board: Board, layout: BoardLayout) -> BoardLayout:
    """Return a layout with its land drawn again, and everything else where it was.

    >>> from goldenspike.boards import load_board
    >>> board = load_board("new-york")
    >>> old = layout_of(board)
    >>> renew_land(board, old).routes == old.routes
    True
    """
    return lay_ground(board, build_plan(board, choose_style(board)), layout)


def layout_of(board: Board, folder: Path | None = None) -> BoardLayout:
    """Return the layout of a board: the existing one if it still fits, else a quickly made one.

    The layout of a packaged board is next to it; that of a custom board is `ID.layout.json` in `folder`.

    >>> from goldenspike.boards import load_board
    >>> layout_of(load_board("first-journey")).board
    'first-journey'
    """
    if layout := shipped_layout(board):
        return layout
    try:
        if folder and (layout := find_layout(board, folder)):
            return layout
    except LayoutError as error:
        _log.warning("%s", error)
    return _hasty_layout(board)


@lru_cache(maxsize=64)
def _hasty_layout(board: Board) -> BoardLayout:
    return make_layout(board, steps=HASTY_STEPS, tries=HASTY_TRIES, is_hasty=True)
