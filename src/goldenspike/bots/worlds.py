"""Telling a move's merit from the luck of the worlds it was tried in.

All moves that a search chooses from are tried in the same imagined worlds, in the same order. A world is kind
or cruel to whatever is played in it, and that alone is a good third of the difference between two playouts.
So what a try came to is read as the move's merit, the world's luck and a rest, and merits and lucks are those
that leave the least squares of the rest. Where all moves have been tried equally often a merit is simply the
move's mean; where they have not, a move is not blamed for having met only the first few, cruel worlds.

The least squares are not solved: each time, one step is made towards them from where the last one ended.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.node import NONE
from goldenspike.engine.chance import Chance, reopen_stream
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.record import Record, Wide, record_dtype

WORLDS = 4_096
"""How many there are; a move that has been tried in all of them begins again with the first."""
_FIRST_STREAM = 1 << 16
"""The stream of the dice from which the first world comes; those below are for games."""


class World(Record):
    """An imagined world, next to the others in an array."""

    total: Annotated[float, "f8"]
    """What all tries in it came to."""
    tries: Wide
    luck: Annotated[float, "f8"]
    """The luck of this world and all before it, as long as it takes to weigh merits."""


WORLD = record_dtype(World)


@inlined
def open_world(dice: Chance, number: int) -> None:
    """Let the dice fall as whenever this world is imagined."""
    reopen_stream(dice, _FIRST_STREAM + number)


@compiled
def weigh_merits(worlds: NDArray[np.record], nodes: NDArray[np.record]) -> None:
    """Make one step towards the merits of the moves next to the root."""
    used, merits = 0, 0.0
    child = int(nodes[0].child)
    while child != NONE:
        node = nodes[child]
        rounds, rest = divmod(int(node.visits), WORLDS)
        for number in range(used, WORLDS if rounds > 0 else rest):
            worlds[number].luck = 0.0
        used = max(used, WORLDS if rounds > 0 else rest)
        merits += rounds * node.merit
        if rest > 0:
            worlds[rest - 1].luck += node.merit
        child = int(node.sibling)
    for number in range(used - 1, -1, -1):
        world = worlds[number]
        merits += world.luck  # now those of all moves that were tried in this world
        world.luck = (world.total - merits) / world.tries
    for number in range(1, used):
        worlds[number].luck += worlds[number - 1].luck
    child = int(nodes[0].child)
    while child != NONE:
        node = nodes[child]
        rounds, rest = divmod(int(node.visits), WORLDS)
        luck = rounds * worlds[WORLDS - 1].luck
        if rest > 0:
            luck += worlds[rest - 1].luck
        node.merit = (node.total - luck) / node.visits
        child = int(node.sibling)
