"""Golden Spike: an open implementation of the Ticket to Ride family of board games.

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
    from goldenspike.game import Game, View

__version__ = VERSION

# Loaded on first access, so that the command line can print --help without importing NumPy and Numba.
_MODULES = {
    "Board": "boards",
    "Edition": "editions",
    "Game": "game",
    "View": "game",
    "edition_ids": "editions",
    "load_board": "boards",
    "load_edition": "editions",
}

__all__ = ["Board", "Edition", "Game", "View", "edition_ids", "load_board", "load_edition"]


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'goldenspike' has no attribute {name!r}")
    return getattr(import_module(f"goldenspike.{_MODULES[name]}"), name)
