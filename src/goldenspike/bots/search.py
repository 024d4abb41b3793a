"""The search bot: it plays thousands of imagined games from here before it moves."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.atlas import build_atlas
from goldenspike.bots.bot import Bot, Budget, Choice
from goldenspike.bots.dice import Dice
from goldenspike.bots.mind import new_minds
from goldenspike.bots.tree import NODE, NONE, SHEET, grow_tree
from goldenspike.engine.tables import build_tables
from goldenspike.notation import notation_of
from goldenspike.view import View

_CHUNK = 32
"""Playouts between two looks at the clock."""
_NODES = 50_000
_SECONDS = 1.0
"""How long it thinks if nobody says."""


class SearchBot(Bot):
    """A tree search over what the view could be, with the planner as adviser and to finish games.

    It can be stopped at any time; with two playouts it plays as the planner would. With `seconds` it spends
    them; with `playouts` it is the same on every machine, for the same number of threads.
    """

    name = "search"

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        """Return the move that was tried most often in imagined games."""
        if view.seat is None:
            raise ValueError("A spectator has no move to choose.")
        if budget.seconds is None and budget.playouts is None:
            budget = Budget(_SECONDS, threads=budget.threads)
        legal = view.legal_moves().numbers
        if len(legal) == 1:
            return Choice(legal[0])
        trees = [Tree(view, view.seat, dice) for _ in range(budget.threads)]
        if len(trees) == 1:
            trees[0].grow(budget)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                for growing in [pool.submit(tree.grow, budget) for tree in trees]:
                    growing.result()
        return _best_of(view, trees)


class Tree:
    """A tree of its own for each thread; at the end the visits of their roots are added up."""

    def __init__(self, view: View, seat: int, dice: Dice) -> None:
        self.view = view
        self.seat = seat
        self.dice = dice.child().array
        self.nodes = np.zeros(_NODES, NODE)
        self.nodes["child"][0] = NONE
        self.sheets = np.zeros(1, SHEET)
        self.sheets["nodes"] = 1
        self.minds = new_minds(view.seats)

    def grow(self, budget: Budget) -> None:
        """Add playouts until the budget is spent, at least a few."""
        start, done = time.perf_counter(), 0
        tables, atlas = build_tables(self.view.edition), build_atlas(self.view.edition)
        most = None if budget.playouts is None else max(2, budget.playouts // budget.threads)
        while True:
            chunk = _CHUNK if most is None else min(_CHUNK, most - done)
            sheets = self.minds, self.dice, self.sheets, self.nodes
            grow_tree(self.view.array, tables, atlas, *sheets, self.seat, chunk)
            done += chunk
            if most is not None and done >= most:
                return
            if budget.seconds is not None and time.perf_counter() - start > budget.seconds:
                return

    def children(self) -> list[NDArray[np.record]]:
        """Return the moves tried at the root, in the order in which they were tried first."""
        found: list[Any] = []
        at = int(self.nodes["child"][0])
        while at != NONE:
            found.append(self.nodes[at])
            at = int(self.nodes["sibling"][at])
        return found[::-1]


def _best_of(view: View, trees: list[Tree]) -> Choice:
    visits: dict[int, int] = {}
    wins: dict[int, float] = {}
    for tree in trees:
        for node in tree.children():
            move = int(node["move"])
            visits[move] = visits.get(move, 0) + int(node["visits"])
            wins[move] = wins.get(move, 0.0) + float(node["wins"])
    ranked = sorted(visits, key=lambda move: -visits[move])
    best = ranked[0]
    notation = notation_of(view.edition)
    reasons = [
        f"{notation.value(move, view.offered)}: won {wins[move] / visits[move]:.0%} of {visits[move]:,} "
        "imagined games."
        for move in ranked[:3]
    ]
    return Choice(best, wins[best] / visits[best], tuple(reasons))
