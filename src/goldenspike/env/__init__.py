"""Environments to learn in: PettingZoo, a vector environment in flat arrays, OpenSpiel.

>>> from goldenspike.env import VectorEnv
>>> VectorEnv("new-york", players=3, games=4, seed=1)
VectorEnv('new-york', players=3, games=4)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldenspike.env.vector import VectorEnv
    from goldenspike.env.zoo import aec

# Loaded when first asked for: the vector environment needs neither PettingZoo nor Gymnasium.
_HOMES = {"VectorEnv": "vector", "aec": "zoo"}

__all__ = ["VectorEnv", "aec"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'goldenspike.env' has no attribute {name!r}")
    return getattr(import_module(f"goldenspike.env.{_HOMES[name]}"), name)
