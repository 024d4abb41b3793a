"""Playing a match: all games of a plan, or those that are left, and a sample of them for thinking times."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

from goldenspike.arena.plan import MatchPlan
from goldenspike.arena.play_python import play_hosted
from goldenspike.arena.processes import play_local
from goldenspike.arena.rows import GameRows, join_batches
from goldenspike.bots.policies import POLICIES
from goldenspike.device import Device, DeviceError

_SAMPLED_GAMES = 24
_SAMPLED_SECONDS = 2.0


def play_match(
    plan: MatchPlan,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    device: Device = "cpu",
    done: GameRows | None = None,
    on_batch: Callable[[GameRows], None] = lambda _batch: None,
) -> GameRows:
    """Play all games of a plan except those already done, and return all of them.

    `on_batch` gets new games as they finish, in any order. The games are the same for any number of jobs, on
    a cluster, on a GPU, and after an interruption.

    >>> from goldenspike.arena.plan import make_plan
    >>> batch = play_match(make_plan("new-york", ["greedy", "random"], 4), jobs=1)
    >>> batch.games.tolist(), batch.rows["outcome"].tolist(), batch.errors
    ([0, 1, 2, 3], [0, 0, 0, 0], {})
    """
    if device == "cuda" and not any(plan.is_quick):
        raise DeviceError(
            f"A GPU plays only games among compiled bots ({', '.join(POLICIES)}), and keeps no records."
        )
    known = done or GameRows()
    played = set(known.games.tolist())
    games = [game for game in range(plan.games) if game not in played]
    if cluster is None:
        batches = play_local(plan, games, jobs or os.cpu_count() or 1, device)
    else:
        from goldenspike.arena.ray import play_on_cluster  # noqa: PLC0415  # only then Ray is needed

        batches = play_on_cluster(plan, games, cluster, device)
    parts = [known]
    for batch in batches:
        parts.append(batch)
        on_batch(batch)
    return join_batches(parts)


def sample_clock(plan: MatchPlan) -> GameRows:
    """Play some of the compiled games again in Python, to measure the bots' thinking time."""
    return join_batches(_some_games(plan))


def _some_games(plan: MatchPlan) -> Iterator[GameRows]:
    quick = [seating for seating, is_quick in enumerate(plan.is_quick) if is_quick]
    if not quick:
        return
    step = max(1, len(quick) // _SAMPLED_GAMES)  # spread over the seatings, not only the first ones
    numbers = (
        i % plan.deals * len(plan.seatings) + quick[i * step % len(quick)] for i in range(_SAMPLED_GAMES)
    )
    games = list(dict.fromkeys(numbers))
    end = time.perf_counter() + _SAMPLED_SECONDS
    for game in games:
        yield play_hosted(plan, [game])
        if time.perf_counter() > end:
            break
