"""How long bots think: measured in games that are played in Python, sampled for those that are not."""

from __future__ import annotations

import time
from collections.abc import Iterator

from goldenspike.arena.hosted import play_hosted
from goldenspike.arena.plan import Plan
from goldenspike.arena.rows import Batch, join_batches

_GAMES = 24
_SECONDS = 2.0


def sample_clock(plan: Plan) -> Batch:
    """Play a few of the games that were played in compiled code once more in Python, to take their time."""
    return join_batches(_some_games(plan))


def _some_games(plan: Plan) -> Iterator[Batch]:
    quick = [seating for seating, is_quick in enumerate(plan.is_quick) if is_quick]
    if not quick:
        return
    step = max(1, len(quick) // _GAMES)  # of many seatings some of all, not the first ones only
    numbers = (i % plan.deals * len(plan.seatings) + quick[i * step % len(quick)] for i in range(_GAMES))
    games = list(dict.fromkeys(numbers))
    end = time.perf_counter() + _SECONDS
    for game in games:
        yield play_hosted(plan, [game])
        if time.perf_counter() > end:
            break
