"""The referee: checks of a state against its tables, independent of the rules that made it.

Each check is a small function that returns FINE or its own code; :data:`SENTENCES` says what a code means.
No simulation pays for it: it is called by tests, and by whoever doubts a state.
"""

from goldenspike.engine.referee.doors import compare_moves, find_faults, inspect
from goldenspike.engine.referee.faults import FINE, SENTENCES
from goldenspike.engine.referee.play import Failure, play_refereed

__all__ = ["FINE", "SENTENCES", "Failure", "compare_moves", "find_faults", "inspect", "play_refereed"]
