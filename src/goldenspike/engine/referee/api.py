"""The functions of the referee that Python calls, with arrays of one struct each."""

from __future__ import annotations

from goldenspike.engine.compile import entry_point
from goldenspike.engine.referee import inspection, moves
from goldenspike.engine.referee.inspection import Faults
from goldenspike.engine.struct import Structs


@entry_point
def inspect(states: Structs, tables: Structs) -> int:
    """Check a state between two moves; return FINE, or the code of the first check that failed."""
    return inspection.inspect(states[0], tables[0])


@entry_point
def find_faults(states: Structs, tables: Structs, faults: Faults) -> None:
    """Mark the code of every check that fails."""
    inspection.find_faults(states[0], tables[0], faults)


@entry_point
def compare_moves(states: Structs, tables: Structs, seat: int) -> int:
    """Check that counting, listing, numbering and masking a seat's moves agree with verifying each move."""
    return moves.compare_moves(states[0], tables[0], seat)
