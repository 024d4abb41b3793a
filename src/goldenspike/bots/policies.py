"""The compiled bots by number, and whole games among them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.dice import SEAT_DICE
from goldenspike.bots.graph import Graph
from goldenspike.bots.greedy import choose_greedy
from goldenspike.bots.papers.agents import choose_hungry, choose_long_route, choose_one_step, choose_path
from goldenspike.bots.planner.policy import choose_planner
from goldenspike.bots.workspace import Workspace, weights_of
from goldenspike.engine.chance import Chance, open_stream
from goldenspike.engine.compile import compiled, entry_point
from goldenspike.engine.deal import deal
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.observe import observe
from goldenspike.engine.playout import random_move, seat_to_move
from goldenspike.engine.state import OVER, State
from goldenspike.engine.struct import Ints, Structs
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal, step

RANDOM, GREEDY, HUNGRY, PATH, ONE_STEP, LONG_ROUTE, PLANNER = range(7)
"""Numbers of the compiled bots; the styles of the planner follow it, in the order of `STYLES`."""

POLICIES = {
    "random": (RANDOM, "plays any legal move"),
    "greedy": (GREEDY, "claims the best route it can pay for"),
    "hungry": (HUNGRY, "draws tickets while its network leaves trains"),
    "path": (PATH, "works down a list of the routes its tickets need"),
    "one-step": (ONE_STEP, "one goal at a time, for its best ticket"),
    "long-route": (LONG_ROUTE, "one goal at a time, over long routes only"),
    "planner": (PLANNER, "plans one network for all its tickets"),
    "blocker": (PLANNER + 1, "a planner that claims routes that others need"),
    "hoarder": (PLANNER + 2, "a planner that saves up a large hand"),
    "racer": (PLANNER + 3, "a planner that ends the game early"),
}
"""The compiled bots by name, weakest first: number and description. The registry, the help of the command
line and the documentation use this table."""

MOST_DECISIONS = 5_000
"""Decisions after which a game is stopped, because First Journey players may swap tickets forever."""

NOBODY_AWAITED = -1


@compiled
def choose(
    policy: int, view: State, tables: Tables, graph: Graph, workspace: Workspace, chance: Chance, seat: int
) -> int:
    """Return the move of a compiled bot for the seat of a view."""
    if policy == GREEDY:
        return choose_greedy(view, tables, graph, seat)
    if policy >= PLANNER:
        weights = weights_of(workspace, policy - PLANNER, tables)
        return choose_planner(view, tables, graph, workspace, weights, seat)
    if policy == ONE_STEP:
        return choose_one_step(view, tables, graph, workspace, seat)
    if policy == LONG_ROUTE:
        return choose_long_route(view, tables, graph, workspace, seat)
    if policy == HUNGRY:
        return choose_hungry(view, tables, graph, workspace, seat)
    if policy == PATH:
        return choose_path(view, tables, graph, workspace, seat)
    return random_move(view, tables, chance, seat)


@entry_point
def choose_once(
    policy: int,
    views: Structs,
    tables: Structs,
    graphs: Structs,
    workspaces: Structs,
    dice: Structs,
    seat: int,
) -> int:
    """Return the move of a compiled bot; see :func:`choose`. Called from Python."""
    return choose(policy, views[0], tables[0], graphs[0], workspaces[0], dice[0], seat)


@entry_point
def play_tables(
    tables: Structs,
    graphs: Structs,
    policies: Ints,
    firsts: Ints,
    keys: NDArray[np.uint32],
    states: Structs,
    decisions: NDArray[np.int64],
    workspaces: Structs,
    dice: Structs,
    logs: Structs,
) -> None:
    """Play games among compiled bots to the end; leave the final states and each game's decision count.

    `policies` has the bot of each game and seat, `firsts` the seat that begins (or ANY_SEAT), `keys` the
    seeds. The states must be blank. Each seat has its own dice, as :meth:`Dice.of` makes them. If a bot
    returns an illegal move, its game stops there, and its decision count is the negated number of that
    decision, from 1.
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
            workspace = workspaces[seat]
            observe(state, tables[0], seat, workspace.seen)
            policy = int(policies[game, seat])
            move = choose(policy, workspace.seen, tables[0], graphs[0], workspace, dice[seat], seat)
            if step(state, tables[0], seat, move, logs[0]) != LEGAL:
                count = -count - 1
                break
            count += 1
        decisions[game] = count


@entry_point
def answer_tables(
    tables: Structs,
    graphs: Structs,
    policies: Ints,
    homes: NDArray[np.int8],
    states: Structs,
    decisions: NDArray[np.int32],
    awaited: NDArray[np.int8],
    workspaces: Structs,
    dice: Structs,
    logs: Structs,
) -> None:
    """Play games on until a seat without a compiled bot is to move; leave which seat that is.

    `policies` has the bot of each seat, counted from the game's seat in `homes`; it is negative for seats
    decided by the caller. `decisions` are incremented. `awaited` is NOBODY_AWAITED if a game is over. Each
    seat of a game has its own `dice`; there is one of the `workspaces` per seat.
    """
    seats = len(policies)
    for game in range(len(states)):
        state = states[game]
        awaited[game] = NOBODY_AWAITED
        while state.phase != OVER:
            seat = seat_to_move(state)
            policy = int(policies[(seat - homes[game]) % seats])
            if policy < 0:
                awaited[game] = seat
                break
            workspace = workspaces[seat]
            observe(state, tables[0], seat, workspace.seen)
            move = choose(policy, workspace.seen, tables[0], graphs[0], workspace, dice[game, seat], seat)
            play_legal(state, tables[0], seat, move, logs[0])
            decisions[game] += 1
