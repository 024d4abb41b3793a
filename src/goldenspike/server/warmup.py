"""Warming up a server process: load the engine, and tune the garbage collector and thread switching."""

from __future__ import annotations

import gc
import sys

from goldenspike.editions import load_edition
from goldenspike.engine.compile import IS_INTERPRETED
from goldenspike.game.position import Position
from goldenspike.server.views.json_writer.writer import json_writer_of
from goldenspike.server.views.view_messages import show_ending, show_own

_SWITCH = 0.001
_FEW, _SOME, _MANY = 2_000, 10, 1_000


def load_engine() -> None:
    """Play a game and encode its views, so that compiled rules are loaded; do nothing if interpreted.

    >>> load_engine()
    """
    if IS_INTERPRETED:
        return
    position, _ = Position.deal(load_edition("usa-classic"), 2, bytes(32), None)
    json_writer = json_writer_of(position.edition)
    while not position.is_over:
        seat = position.to_move[0]
        move = position.legal_moves(seat).numbers[-1]
        assert position.refusal(move, seat) is None
        position.play(move, seat)
        json_writer.write_views(position, 0)
        show_own(position, seat)
    show_ending(position, "")


def settle() -> None:
    """Change Python's defaults for a process that serves many clients.

    - Python's garbage collector stops the process while it looks for reference cycles. There are hardly any
      here (see :mod:`goldenspike.server.socket.uvicorn_websocket`), so it collects young objects in small
      steps of milliseconds. A full collection, which takes a tenth of a second with 500 games, is rare.
      Objects loaded at the start are never examined again.
    - By default a thread may wait 5 ms for the GIL. The thread that writes entries needs the GIL several
      times for each transaction, and moves wait for it, so the switch interval is shorter.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_FEW, _SOME, _MANY)
    sys.setswitchinterval(_SWITCH)
