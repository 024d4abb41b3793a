"""The Python interface to a game: moves, notation, views, events, records, results.

>>> from goldenspike.game import Game
>>> Game.new("new-york", players=2, seed=7, first=0).to_move
[0, 1]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldenspike.game.game import Game, load_games
    from goldenspike.game.legal_moves import LegalMoves
    from goldenspike.game.view import View

# Loaded on first access, because the command line needs only some modules that are quick to import.
_MODULES = {
    "Game": "game",
    "LegalMoves": "legal_moves",
    "View": "view",
    "load_games": "game",
}

__all__ = ["Game", "LegalMoves", "View", "load_games"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'goldenspike.game' has no attribute {name!r}")
    return getattr(import_module(f"goldenspike.game.{_MODULES[name]}"), name)
