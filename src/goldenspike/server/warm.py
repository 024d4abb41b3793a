"""Getting a process ready: what the first player would wait for, and what would hold up everybody later."""

from __future__ import annotations

import gc
import sys

from goldenspike.editions import load_edition
from goldenspike.position import Position
from goldenspike.server.face import show_ending, show_own
from goldenspike.server.pen.pen import pen_of

_SWITCH = 0.001
_FEW, _SOME, _MANY = 2_000, 10, 1_000


def load_engine() -> None:
    """Play a game and show it, so that the rules are loaded; the first time they are compiled.

    >>> load_engine()
    """
    position, _ = Position.deal(load_edition("usa-classic"), 2, bytes(32), None)
    pen = pen_of(position.edition)
    while not position.is_over:
        seat = position.to_move[0]
        move = position.legal_moves(seat).numbers[-1]
        assert position.refusal(move, seat) is None
        position.play(move, seat)
        pen.write_views(position, 0)
        show_own(position, seat)
    show_ending(position, "")


def settle() -> None:
    """Set what a process that serves many has to have otherwise than Python's defaults.

    - Python looks for garbage that refers to itself, and everybody waits while it does. There is hardly any
      here (see :mod:`goldenspike.server.slim`). So it looks through few new objects at a time, which takes
      milliseconds, hardly ever through all, which takes a tenth of a second with 500 games, and never again
      at what was loaded at the start.
    - A thread that wants to go on may wait 5 ms for the one that runs. The thread that writes entries goes
      on several times for each transaction, and moves wait for it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_FEW, _SOME, _MANY)
    sys.setswitchinterval(_SWITCH)
