"""What a compiled bot works with: one record of sheets, so that nothing is allocated while it thinks."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.bots.paths import PATHS, Paths
from goldenspike.engine.record import Record, record_dtype
from goldenspike.engine.state import STATE, State


class Mind(Record):
    """A compiled bot's sheets. Nothing in it may change what the bot does, only how fast."""

    paths: Annotated[Paths, PATHS]
    seen: Annotated[State, STATE]
    """What the seat sees, where a whole game is played in compiled code."""


MIND = record_dtype(Mind)


def new_minds(count: int) -> np.ndarray:
    """Return blank minds, one for each seat."""
    return np.zeros(count, MIND)
