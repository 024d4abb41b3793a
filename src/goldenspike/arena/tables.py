"""Games among compiled bots, many at a time, without Python in between."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldenspike.arena.hosted import play_hosted
from goldenspike.arena.plan import Plan
from goldenspike.arena.rows import Batch, join_batches, read_states
from goldenspike.bots import make_bot
from goldenspike.bots.atlas import build_atlas
from goldenspike.bots.compiled import CompiledBot
from goldenspike.bots.mind import new_minds
from goldenspike.bots.policies import play_tables
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.state import new_states
from goldenspike.engine.tables import build_tables
from goldenspike.seeds import key_words


def play_quick(plan: Plan, games: Sequence[int]) -> Batch:
    """Play games of compiled bots and return their rows. It lets other threads work meanwhile."""
    by_bot = np.array([_policy(spec) for spec in plan.bots], np.int16)
    policies = by_bot[np.array([plan.seating(game) for game in games])]
    deals = [game // len(plan.seatings) for game in games]
    seeds = {deal: key_words(plan.deal_seed(deal)) for deal in set(deals)}
    states, decisions = new_states(len(games)), np.zeros(len(games), np.int64)
    play_tables(
        build_tables(plan.edition),
        build_atlas(plan.edition),
        policies,
        np.full(len(games), ANY_SEAT, np.int16),
        np.array([seeds[deal] for deal in deals], np.uint32),
        states,
        decisions,
        new_minds(plan.seats),
        np.zeros(plan.seats, CHANCE),
        np.zeros(1, LOG),
    )
    is_lawful = decisions >= 0
    lawful = [game for game, fine in zip(games, is_lawful, strict=True) if fine]
    batch = Batch(read_states(plan.edition, lawful, states[is_lawful], decisions[is_lawful]))
    # Played once more in Python, a game with an illegal move has its reason in words.
    unlawful = [game for game, fine in zip(games, is_lawful, strict=True) if not fine]
    return join_batches([batch, play_hosted(plan, unlawful)]) if unlawful else batch


def _policy(spec: str) -> int:
    bot = make_bot(spec)
    return bot.policy if isinstance(bot, CompiledBot) else -1
