"""Make layouts, and find those that were made before."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np

from goldenspike.boards import Board
from goldenspike.boards.layout import Layout, LayoutError, find_layout, shipped_layout
from goldenspike.mapmaking.compose import compose, lay_ground
from goldenspike.mapmaking.faults import find_faults
from goldenspike.mapmaking.plan import build_plan, choose_style
from goldenspike.mapmaking.settle import settle
from goldenspike.mapmaking.sketch import Sketch

STEPS, TRIES = 450, 14
"""How a layout is made with care: about half a minute for a large board."""
HASTY_STEPS, HASTY_TRIES = 350, 3
"""How one is made in haste: a second or two, seldom more."""

_log = logging.getLogger(__name__)


def make_layout(
    board: Board,
    seed: int = 0,
    *,
    steps: int = STEPS,
    tries: int = TRIES,
    is_hasty: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> Layout:
    """Make a layout of a board: several tries, the best of which is kept. The same seed gives the same one.

    In haste, the first try without a fault is taken. `tick` is called after each of `steps` times `tries`
    steps.
    """
    plan = build_plan(board, choose_style(board))
    random = np.random.default_rng(seed)
    ranked: list[tuple[tuple[int, float, int], Sketch, Layout]] = []
    for attempt in range(tries):
        sketch, badness = settle(plan, steps, random, min(attempt, 1), tick)
        layout = compose(board, plan, sketch)
        faults = len(find_faults(layout))
        ranked.append(((faults, badness, attempt), sketch, layout))
        if is_hasty and not faults:
            break
    _, sketch, layout = min(ranked, key=lambda entry: entry[0])
    land, thanks = lay_ground(board, plan, sketch)
    return msgspec.structs.replace(layout, land=land, credits=thanks)


def layout_of(board: Board, folder: Path | None = None) -> Layout:
    """Return the layout of a board: the one that comes with it if that still fits, else one made in haste.

    The one that comes with a board of the package is beside it, that of a home-made one in `folder`, as
    `ID.layout.json`.

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
def _hasty_layout(board: Board) -> Layout:
    return make_layout(board, steps=HASTY_STEPS, tries=HASTY_TRIES, is_hasty=True)
