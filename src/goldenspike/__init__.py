"""Golden Spike: the Ticket to Ride family of board games, open.

>>> from goldenspike import Game
>>> game = Game.new("usa-classic", players=2, seed=7, first=0)
>>> game.play("keep all", seat=0)
>>> game.play("keep all", seat=1)
>>> game.to_move
[0]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from goldenspike.version import VERSION

if TYPE_CHECKING:
    from goldenspike.boards import Board, load_board
    from goldenspike.editions import Edition, edition_ids, load_edition
    from goldenspike.game import Game
    from goldenspike.view import View

__version__ = VERSION

# Loaded when first asked for: the command line answers --help before NumPy and Numba are there.
_HOMES = {
    "Board": "boards",
    "Edition": "editions",
    "Game": "game",
    "View": "view",
    "edition_ids": "editions",
    "load_board": "boards",
    "load_edition": "editions",
}

__all__ = ["Board", "Edition", "Game", "View", "edition_ids", "load_board", "load_edition"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'goldenspike' has no attribute {name!r}")
    return getattr(import_module(f"goldenspike.{_HOMES[name]}"), name)
