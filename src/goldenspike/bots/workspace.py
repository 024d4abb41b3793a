"""Working memory of the compiled bots, allocated once so that a decision allocates nothing."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from goldenspike.bots.papers.aims import AIMS, Aims
from goldenspike.bots.paths import PATHS, Paths
from goldenspike.bots.planner.cards import NEEDS, Needs
from goldenspike.bots.planner.route_plan import (
    GAME_KINDS,
    LONG,
    PLAN,
    RACE,
    SHORT,
    WEIGHTS,
    PlannerWeights,
    RoutePlan,
)
from goldenspike.bots.planner.weights import STYLES
from goldenspike.engine.compile import inlined
from goldenspike.engine.state import STATE, State
from goldenspike.engine.struct import Struct, Structs, struct_dtype
from goldenspike.engine.tables import Tables

_FEW_PIECES = 25


class Workspace(Struct):
    """A compiled bot's working memory. Only `weights` affects its decisions; the rest is scratch."""

    weights: Annotated[Any, WEIGHTS, (len(STYLES), GAME_KINDS)]
    """A :class:`PlannerWeights` for each style of the planner and each kind of game."""
    plan: Annotated[RoutePlan, PLAN]
    needs: Annotated[Needs, NEEDS]
    paths: Annotated[Paths, PATHS]
    aims: Annotated[Aims, AIMS]
    seen: Annotated[State, STATE]
    """The seat's view, where a whole game is played in compiled code."""


WORKSPACE = struct_dtype(Workspace)


def new_workspaces(count: int) -> Structs:
    """Return blank workspaces, one for each seat, with the weights of all styles."""
    workspaces = np.zeros(count, WORKSPACE)
    weights: Any = workspaces["weights"]
    for style, by_kind in enumerate(STYLES.values()):
        for kind, named in by_kind.items():
            for name, weight in named.items():
                weights[name][:, style, kind] = weight
    return workspaces


@inlined
def weights_of(workspace: Workspace, style: int, tables: Tables) -> PlannerWeights:
    """Return the weights of a style for this kind of game: a race for tickets, a short game or a long one."""
    kind = RACE if tables.race_tickets > 0 else SHORT if tables.pieces <= _FEW_PIECES else LONG
    return workspace.weights[style, kind]
