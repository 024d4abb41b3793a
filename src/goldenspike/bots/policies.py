"""The compiled bots by number, and whole games among them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.atlas import Atlas
from goldenspike.bots.dice import SEAT_DICE
from goldenspike.bots.greedy import choose_greedy
from goldenspike.bots.mind import Mind
from goldenspike.bots.paper_hungry import choose_hungry
from goldenspike.bots.paper_one_step import choose_long_route, choose_one_step
from goldenspike.bots.paper_path import choose_path
from goldenspike.bots.planner import choose_planner
from goldenspike.engine.chance import Chance, open_stream
from goldenspike.engine.compile import compiled, door
from goldenspike.engine.deal import deal
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.observe import observe
from goldenspike.engine.playout import random_move, seat_to_move
from goldenspike.engine.record import Ints
from goldenspike.engine.state import OVER, State
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import step

RANDOM, GREEDY, PLANNER, ONE_STEP, LONG_ROUTE, HUNGRY, PATH = range(7)
POLICIES = ("random", "greedy", "planner", "one-step", "long-route", "hungry", "path")
"""Names of the compiled bots, by number."""

MOST_DECISIONS = 5_000
"""Decisions after which a game is stopped as it stands: First Journey players may swap tickets for ever."""

Records = NDArray[np.record]


@compiled
def choose(
    policy: int, view: State, tables: Tables, atlas: Atlas, mind: Mind, chance: Chance, seat: int
) -> int:
    """Return the move of a compiled bot for the seat of a view."""
    if policy == GREEDY:
        return choose_greedy(view, tables, atlas, seat)
    if policy == PLANNER:
        return choose_planner(view, tables, atlas, mind, seat)
    if policy == ONE_STEP:
        return choose_one_step(view, tables, atlas, mind, seat)
    if policy == LONG_ROUTE:
        return choose_long_route(view, tables, atlas, mind, seat)
    if policy == HUNGRY:
        return choose_hungry(view, tables, atlas, mind, seat)
    if policy == PATH:
        return choose_path(view, tables, atlas, mind, seat)
    return random_move(view, tables, chance, seat)


@door
def choose_once(
    policy: int, views: Records, tables: Records, atlases: Records, minds: Records, dice: Records, seat: int
) -> int:
    """Return the move of a compiled bot; see :func:`choose`. For Python."""
    return choose(policy, views[0], tables[0], atlases[0], minds[0], dice[0], seat)


@door
def play_tables(
    tables: Records,
    atlases: Records,
    policies: Ints,
    firsts: Ints,
    keys: NDArray[np.uint32],
    states: Records,
    decisions: NDArray[np.int64],
    minds: Records,
    dice: Records,
    logs: Records,
) -> None:
    """Play games among compiled bots to their ends; leave the final states and how many decisions each took.

    `policies` says for each game and seat who plays there, `firsts` who begins (or ANY_SEAT), `keys` are the
    seeds. The states come in blank. Each seat has its own dice, as :meth:`Dice.of` gives them. Should a bot
    name an illegal move, its game stays as it was then, and the number of that decision, from 1, is negative.
    """
    seats = policies.shape[1]
    for game in range(len(states)):
        state = states[game]
        deal(state, tables[0], seats, keys[game], int(firsts[game]), logs[0])
        for seat in range(seats):
            open_stream(dice[seat], keys[game], SEAT_DICE + seat)
        count = 0
        while state.phase != OVER and count < MOST_DECISIONS:
            seat = seat_to_move(state)
            mind = minds[seat]
            observe(state, tables[0], seat, mind.seen)
            policy = int(policies[game, seat])
            move = choose(policy, mind.seen, tables[0], atlases[0], mind, dice[seat], seat)
            if step(state, tables[0], seat, move, logs[0]) != LEGAL:
                count = -count - 1
                break
            count += 1
        decisions[game] = count
