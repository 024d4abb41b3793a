"""Reinforcement learning environments: a NumPy vector environment, Gymnasium, PettingZoo, OpenSpiel.

If Gymnasium is installed, importing this package registers ``goldenspike/UsaClassic-v0`` and the other
editions.

>>> from goldenspike.env import VectorEnv
>>> VectorEnv("new-york", players=3, games=4, seed=1)
VectorEnv('new-york', players=3, games=4)
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldenspike.env.pettingzoo import aec
    from goldenspike.env.vector import VectorEnv

# Imported on first use, because the vector environment needs neither PettingZoo nor Gymnasium.
_MODULES = {"VectorEnv": "vector", "aec": "pettingzoo"}

__all__ = ["VectorEnv", "aec"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'goldenspike.env' has no attribute {name!r}")
    return getattr(import_module(f"goldenspike.env.{_MODULES[name]}"), name)


if find_spec("gymnasium") is not None:
    import_module("goldenspike.env.registration").register_editions()
