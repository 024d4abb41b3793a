"""The referee's doors: what Python calls, with arrays of one record each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine.compile import door
from goldenspike.engine.referee import inspection, moves
from goldenspike.engine.referee.inspection import Faults

Records = NDArray[np.record]


@door
def inspect(states: Records, tables: Records) -> int:
    """Check a state between two moves; return FINE, or the code of the first check that failed."""
    return inspection.inspect(states[0], tables[0])


@door
def find_faults(states: Records, tables: Records, faults: Faults) -> None:
    """Mark the code of every check of a state that fails."""
    inspection.find_faults(states[0], tables[0], faults)


@door
def compare_moves(states: Records, tables: Records, seat: int) -> int:
    """Check that counting, listing and numbering a seat's moves agree with asking for each of them."""
    return moves.compare_moves(states[0], tables[0], seat)
