"""A match: a plan that is played, kept as it goes along, and taken up again where it was left."""

from __future__ import annotations

import os
from collections.abc import Callable

from goldenspike.arena.plan import Plan
from goldenspike.arena.rows import Batch, join_batches
from goldenspike.arena.workers import play_local


def play_match(
    plan: Plan,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    done: Batch | None = None,
    on_batch: Callable[[Batch], None] = lambda _batch: None,
) -> Batch:
    """Play all games of a plan but those already done, and return all of them.

    `on_batch` gets new games as they come, in any order. The games are the same with any number of jobs, on
    a cluster, and taken up again after an interruption.

    >>> from goldenspike.arena.plan import make_plan
    >>> batch = play_match(make_plan("new-york", ["greedy", "random"], 4), jobs=1)
    >>> batch.games.tolist(), batch.rows["outcome"].tolist(), batch.errors
    ([0, 1, 2, 3], [0, 0, 0, 0], {})
    """
    known = done or Batch()
    played = set(known.games.tolist())
    games = [game for game in range(plan.games) if game not in played]
    if cluster is None:
        batches = play_local(plan, games, jobs or os.cpu_count() or 1)
    else:
        from goldenspike.arena.cluster import play_on_cluster  # noqa: PLC0415  # only then Ray is needed

        batches = play_on_cluster(plan, games, cluster)
    parts = [known]
    for batch in batches:
        parts.append(batch)
        on_batch(batch)
    return join_batches(parts)
