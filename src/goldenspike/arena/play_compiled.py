"""Games among compiled bots, many per call, without Python in between."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldenspike.arena.plan import MatchPlan
from goldenspike.arena.play_python import play_hosted
from goldenspike.arena.rows import GameRows, join_batches, read_states
from goldenspike.bots import make_bot
from goldenspike.bots.compiled_bot import CompiledBot
from goldenspike.bots.graph import build_graph
from goldenspike.bots.policies import play_tables
from goldenspike.bots.workspace import new_workspaces
from goldenspike.device import Device
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.state import new_states
from goldenspike.engine.tables import build_tables
from goldenspike.simulation import series_keys


def play_quick(plan: MatchPlan, games: Sequence[int], device: Device = "cpu") -> GameRows:
    """Play games of compiled bots and return their rows. It releases the GIL."""
    numbers = np.asarray(games, np.int64)
    by_bot = np.array([_policy(spec) for spec in plan.bots], np.int16)
    policies = by_bot[np.array(plan.seatings)[numbers % len(plan.seatings)]]
    keys = series_keys(plan.seed, numbers // len(plan.seatings))
    if device == "cuda":
        from goldenspike.bots.kernels import play_tables_on_gpu  # noqa: PLC0415  # needs the extra

        states, decisions = play_tables_on_gpu(plan.edition, policies, keys)
    else:
        states, decisions = new_states(len(games)), np.zeros(len(games), np.int64)
        play_tables(
            build_tables(plan.edition),
            build_graph(plan.edition),
            policies,
            np.full(len(games), ANY_SEAT, np.int16),
            keys,
            states,
            decisions,
            new_workspaces(plan.seats),
            np.zeros(plan.seats, CHANCE),
            np.zeros(1, LOG),
        )
    is_lawful = decisions >= 0
    lawful = [game for game, fine in zip(games, is_lawful, strict=True) if fine]
    batch = GameRows(read_states(plan.edition, lawful, states[is_lawful], decisions[is_lawful]))
    # Replay a game with an illegal move in Python, to get the reason in words.
    unlawful = [game for game, fine in zip(games, is_lawful, strict=True) if not fine]
    return join_batches([batch, play_hosted(plan, unlawful)]) if unlawful else batch


def _policy(spec: str) -> int:
    bot = make_bot(spec)
    return bot.policy if isinstance(bot, CompiledBot) else -1
