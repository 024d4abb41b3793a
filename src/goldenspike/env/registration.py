"""Gymnasium ids of the editions."""

from __future__ import annotations

from typing import Any

import gymnasium

from goldenspike.editions import edition_ids

_gymnasium: Any = gymnasium


def env_id(edition: str) -> str:
    """Return the id of an edition for :func:`gymnasium.make`.

    >>> env_id("usa-classic"), env_id("usa-1910")
    ('goldenspike/UsaClassic-v0', 'goldenspike/Usa1910-v0')
    """
    return f"goldenspike/{''.join(word.capitalize() for word in edition.split('-'))}-v0"


def register_editions() -> None:
    """Register an environment for every edition."""
    for edition in edition_ids():
        if env_id(edition) not in _gymnasium.registry:
            _gymnasium.register(
                env_id(edition),
                entry_point="goldenspike.env.gymnasium:GymEnv",
                vector_entry_point="goldenspike.env.gymnasium:GymVectorEnv",
                kwargs={"edition": edition},
            )
