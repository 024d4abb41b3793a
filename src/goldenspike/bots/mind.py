"""What a compiled bot works with: one record of sheets, so that nothing is allocated while it thinks."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.cards import NEEDS, Needs
from goldenspike.bots.paper_aims import AIMS, Aims
from goldenspike.bots.paths import PATHS, Paths
from goldenspike.bots.plan import PLAN, STYLE, STYLES, Plan
from goldenspike.bots.styles import USUAL_STYLES
from goldenspike.engine.record import Record, record_dtype
from goldenspike.engine.state import STATE, State


class Mind(Record):
    """A compiled bot's sheets. But for its styles nothing in it changes what the bot does, only how fast."""

    styles: Annotated[Any, STYLE, (STYLES,)]
    """A :class:`Style` for each kind of game."""
    plan: Annotated[Plan, PLAN]
    needs: Annotated[Needs, NEEDS]
    paths: Annotated[Paths, PATHS]
    aims: Annotated[Aims, AIMS]
    seen: Annotated[State, STATE]
    """What the seat sees, where a whole game is played in compiled code."""


MIND = record_dtype(Mind)


def new_minds(count: int) -> NDArray[np.record]:
    """Return blank minds, one for each seat, with the usual styles."""
    minds = np.zeros(count, MIND)
    styles: Any = minds["styles"]
    for number, style in USUAL_STYLES.items():
        for name, weight in style.items():
            styles[name][:, number] = weight
    return minds
