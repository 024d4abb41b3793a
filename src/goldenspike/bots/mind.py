"""What a compiled bot works with: one record of sheets, so that nothing is allocated while it thinks."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.cards import NEEDS, Needs
from goldenspike.bots.paper_aims import AIMS, Aims
from goldenspike.bots.paths import PATHS, Paths
from goldenspike.bots.plan import PLAN, STYLE, Plan, Style
from goldenspike.engine.record import Record, record_dtype
from goldenspike.engine.state import STATE, State


class Mind(Record):
    """A compiled bot's sheets. But for its style nothing in it changes what the bot does, only how fast."""

    style: Annotated[Style, STYLE]
    plan: Annotated[Plan, PLAN]
    needs: Annotated[Needs, NEEDS]
    paths: Annotated[Paths, PATHS]
    aims: Annotated[Aims, AIMS]
    seen: Annotated[State, STATE]
    """What the seat sees, where a whole game is played in compiled code."""


MIND = record_dtype(Mind)

USUAL_STYLE = {
    "per_piece": 4,
    "per_claim": 12,
    "per_point": 8,
    "contested": 1,
    "per_weight": 24,
    "per_ticket": 0,
    "late": 8,
    "crowded": 8,
    "margin": 8,
    "more_pieces": 22,
    "more_rivals": 12,
    "hoard": 16,
    "path": 4,
    "wary": 8,
    "block": 8,
    "windfall": 15,
}


def new_minds(count: int, **style: int) -> NDArray[np.record]:
    """Return blank minds, one for each seat, in the usual style but for what is named."""
    minds = np.zeros(count, MIND)
    record: Any = minds["style"]
    for name, weight in (USUAL_STYLE | style).items():
        record[name] = weight
    return minds
