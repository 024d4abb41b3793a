"""A node of the search's tree; siblings are linked in a chain."""

from __future__ import annotations

from typing import Annotated

from goldenspike.engine.record import Record, Wide, record_dtype

NONE = -1
"""Where a chain ends."""


class Node(Record):
    """A move of the searching seat, after those of the nodes above it."""

    move: Wide
    child: Wide
    sibling: Wide
    visits: Wide
    available: Wide
    total: Annotated[float, "f8"]
    """What the playouts through here came to, 0 to 1 each."""
    wins: Annotated[float, "f8"]
    merit: Annotated[float, "f8"]
    """Next to the root: what a playout through here comes to, luck apart. Only differences mean anything."""


NODE = record_dtype(Node)
