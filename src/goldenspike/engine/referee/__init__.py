"""The referee: checks of a state against its tables, independent of the rules that produced it.

Each check is a small function that returns FINE or its own code; :data:`SENTENCES` explains each code. Tests
call the referee; simulations do not, so it costs them nothing.
"""

from goldenspike.engine.referee.api import compare_moves, find_faults, inspect
from goldenspike.engine.referee.faults import FINE, SENTENCES
from goldenspike.engine.referee.play import Failure, play_refereed

__all__ = ["FINE", "SENTENCES", "Failure", "compare_moves", "find_faults", "inspect", "play_refereed"]
