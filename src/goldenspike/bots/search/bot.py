"""The search bot: it runs thousands of playouts from sampled states before it moves."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from goldenspike.bots.bot import Bot, Budget, Choice
from goldenspike.bots.dice import Dice
from goldenspike.bots.graph import build_graph
from goldenspike.bots.search.tree import NODE, NONE, SCRATCH, grow_tree
from goldenspike.bots.workspace import new_workspaces
from goldenspike.engine.struct import Structs
from goldenspike.engine.tables import build_tables
from goldenspike.game.notation import notation_of
from goldenspike.game.view import View
from goldenspike.game.words import count_of

_CHUNK = 32
"""Playouts between two checks of the clock."""
_NODES = 50_000
_SECONDS = 1.0
"""Thinking time if the budget names none."""
_ENOUGH = 100
"""Playouts of a move needed to report its win share: 95 times in 100 it is right within 10%."""
_COMPARABLE = 30
"""Playouts of another move needed to compare it."""
_COMPARED = 2
"""Number of other moves that a choice is compared with."""


class SearchBot(Bot):
    """A tree search over states that fit the view, with the planner as prior and as playout policy.

    It can be stopped at any time; with two playouts it plays as the planner would. With `seconds` it uses all
    the time; with `playouts` it is deterministic for a given number of threads.
    """

    name = "search"

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        """Return the move with the most playouts, unless another clearly won more."""
        if view.seat is None:
            raise ValueError("A spectator has no move to choose.")
        if budget.seconds is None and budget.playouts is None:
            budget = Budget(_SECONDS, threads=budget.threads)
        legal = view.legal_moves().numbers
        if len(legal) == 1:
            return Choice(legal[0], reasons=("It is the only legal move.",))
        trees = [Tree(view, view.seat, dice) for _ in range(budget.threads)]
        if len(trees) == 1:
            trees[0].grow(budget)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                for growing in [pool.submit(tree.grow, budget) for tree in trees]:
                    growing.result()
        return _best_of(view, trees)


class Tree:
    """A search tree per thread; at the end the visits of their roots are added up."""

    def __init__(self, view: View, seat: int, dice: Dice) -> None:
        self.view = view
        self.seat = seat
        self.dice = dice.child().array
        self.nodes = np.zeros(_NODES, NODE)
        self.nodes["child"][0] = NONE
        self.scratches = np.zeros(1, SCRATCH)
        self.scratches["nodes"] = 1
        self.workspaces = new_workspaces(view.seats)

    def grow(self, budget: Budget) -> None:
        """Add playouts until the budget is used up, at least a few."""
        start, done = time.perf_counter(), 0
        tables, graph = build_tables(self.view.edition), build_graph(self.view.edition)
        most = None if budget.playouts is None else max(2, budget.playouts // budget.threads)
        while True:
            chunk = _CHUNK if most is None else min(_CHUNK, most - done)
            scratches = self.workspaces, self.dice, self.scratches, self.nodes
            grow_tree(self.view.array, tables, graph, *scratches, self.seat, chunk)
            done += chunk
            if most is not None and done >= most:
                return
            if budget.seconds is not None and time.perf_counter() - start > budget.seconds:
                return

    def children(self) -> list[Structs]:
        """Return the moves tried at the root, in the order of their first try."""
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
    trials = rank([Trial(move, visits[move], wins[move]) for move in visits])
    best = trials[0]
    chance = best.share if best.playouts >= _ENOUGH else None
    return Choice(best.move, chance, tuple(explain(view, trials)))


class Trial(NamedTuple):
    """A move, how many playouts began with it, and how many of them were won."""

    move: int
    playouts: int
    wins: float

    @property
    def share(self) -> float:
        """The share of the playouts that was won."""
        return self.wins / self.playouts

    @property
    def variance(self) -> float:
        """The variance of the share. One win and one loss are added, so that it is never 0."""
        share = (self.wins + 1) / (self.playouts + 2)
        return share * (1 - share) / self.playouts

    def is_clearly_below(self, other: Trial) -> bool:
        """Tell whether its share is lower by two standard errors and by a percentage that shows."""
        error = math.sqrt(self.variance + other.variance)
        return other.share - self.share > 2 * error and f"{self.share:.0%}" != f"{other.share:.0%}"


def rank(trials: Iterable[Trial]) -> list[Trial]:
    """Return trials with the move to play first, then the others by number of playouts.

    The move to play is the one with the most playouts, unless another one clearly won more often.
    """
    ranked = sorted(trials, key=lambda trial: -trial.playouts)
    best = ranked[0]
    for other in ranked[1:]:
        if other.playouts >= _COMPARABLE and best.is_clearly_below(other):
            best = other
    return [best, *(trial for trial in ranked if trial != best)]


def explain(view: View, trials: Sequence[Trial]) -> list[str]:
    """Return reasons for the first of ranked trials.

    The reasons never state a better win share for another move: if the playouts are too few to tell two moves
    apart, the text calls the other about as good. If they are too few to state anything, the text says so.
    """
    best, *others = trials
    if best.playouts < _ENOUGH:
        games = count_of(best.playouts, "simulated game")
        return [f"This is a guess: there was little time, and {games} are too few to compare moves."]
    notation = notation_of(view.edition)
    reasons = [f"It wins {best.share:.0%} of {best.playouts:,} simulated games."]
    for trial in [other for other in others if other.playouts >= _COMPARABLE][:_COMPARED]:
        text = notation.text_by_name(trial.move, view.offered)
        if trial.is_clearly_below(best):
            reasons.append(f"Worse: {text}, which wins {trial.share:.0%} of {trial.playouts:,}.")
        else:
            reasons.append(f"About as good: {text}.")
    return reasons
