"""The search tree: the moves of one seat, tried in simulated games that the planner plays to their end.

Each playout samples a state that fits the view (:mod:`goldenspike.bots.search.determinize`), descends the
tree by upper confidence bounds, adds one node, and lets planners finish the game in all seats. The tree
contains only the searching seat's own moves. What others do and draw in between differs from playout to
playout, so a node means "after these moves of mine", whatever else happened. A move that is illegal in a
sampled state is skipped; how often a move was legal is counted separately from its visits.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from goldenspike.bots.graph import Graph
from goldenspike.bots.hand import CANNOT_PAY
from goldenspike.bots.planner.cards import find_needs, lane_to_take, pay_for
from goldenspike.bots.planner.policy import choose_planner
from goldenspike.bots.planner.route_plan import make_plan
from goldenspike.bots.planner.weights import BALANCED
from goldenspike.bots.search.determinize import HIDDEN_POOL, HiddenPool, determinize
from goldenspike.bots.workspace import Workspace, weights_of
from goldenspike.engine.bits import has, popcount
from goldenspike.engine.compile import compiled, entry_point, inlined
from goldenspike.engine.events import LOG, Log
from goldenspike.engine.legal import LEGAL, least_kept, takeable_kinds, verify_move
from goldenspike.engine.moves import DRAW_DECK, DRAW_TICKETS, KEEP, TAKE
from goldenspike.engine.playout import seat_to_move
from goldenspike.engine.state import CHOOSING, KEEPING, KINDS, OVER, STATE, TURN, State
from goldenspike.engine.struct import Ints, Struct, Structs, Wide, struct_dtype
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal

_MOST_MOVES = 64
_DEPTH = 16
"""Depth of the tree, in own moves."""
_LONG = 1_000
"""Moves after which a playout is stopped."""
_CURIOSITY = 0.7
"""Exploration constant."""
_TRUST = 0.5
"""Prior of the planner's own move; the other moves share the rest."""
_WIN = 0.3
"""Weight of winning in a playout's value; the rest is the margin, which says more while the end is far."""
_POINTS, _TICKETS = 25.0, 1.5
"""The lead, in points or in tickets, whose margin value is about 3/4."""
NONE = -1


class Node(Struct):
    """A move of the searching seat, after those of the nodes above it."""

    move: Wide
    child: Wide
    sibling: Wide
    visits: Wide
    available: Wide
    total: Annotated[float, "f8"]
    """Sum of the values of the playouts through this node, 0 to 1 each."""
    wins: Annotated[float, "f8"]


NODE = struct_dtype(Node)


class Scratch(Struct):
    """Working memory of a playout."""

    state: Annotated[State, STATE]
    pool: Annotated[HiddenPool, HIDDEN_POOL]
    log: Annotated[Log, LOG]
    moves: Annotated[Ints, "i2", (_MOST_MOVES,)]
    path: Annotated[Ints, "i4", (_DEPTH + 1,)]
    nodes: Wide
    """Number of nodes so far; the first is the root."""


SCRATCH = struct_dtype(Scratch)


@entry_point
def grow_tree(
    views: Structs,
    tables: Structs,
    graphs: Structs,
    workspaces: Structs,
    dice: Structs,
    scratches: Structs,
    nodes: Structs,
    seat: int,
    playouts: int,
) -> None:
    """Add playouts to a tree; its first node is the root."""
    scratch = scratches[0]
    for _ in range(playouts):
        scratch.state = views[0]
        determinize(views[0], tables[0], scratch.pool, dice[0], seat, scratch.state)
        depth = _descend(tables[0], graphs[0], workspaces, scratch, nodes, seat)
        _finish_game(tables[0], graphs[0], workspaces, scratch)
        worth, win = _worth_of_end(scratch.state, tables[0], seat)
        for i in range(depth + 1):
            node = nodes[int(scratch.path[i])]
            node.visits += 1
            node.total += worth
            node.wins += win


@inlined
def _descend(
    tables: Tables, graph: Graph, workspaces: Structs, scratch: Scratch, nodes: Structs, seat: int
) -> int:
    """Descend the tree and one node beyond it; return the depth. The planner moves for the others."""
    state = scratch.state
    at, depth = 0, 0
    scratch.path[0] = 0
    while state.phase != OVER and depth < _DEPTH:
        mover = seat_to_move(state)
        if mover != seat:
            weights = weights_of(workspaces[mover], BALANCED, tables)
            move = choose_planner(state, tables, graph, workspaces[mover], weights, mover)
            play_legal(state, tables, mover, move, scratch.log)
            continue
        count = list_candidates(state, tables, graph, workspaces[seat], seat, scratch.moves)
        child, is_new = _select(scratch, nodes, at, count)
        if child == NONE:
            break
        play_legal(state, tables, seat, int(nodes[child].move), scratch.log)
        depth += 1
        scratch.path[depth] = child
        at = child
        if is_new:
            break
    return depth


@inlined
def _select(scratch: Scratch, nodes: Structs, at: int, count: int) -> tuple[int, bool]:
    """Return the child with the highest upper bound, and whether it is new; NONE if the tree is full.

    An untried move is assumed to be as good as the tried ones. The planner's own move has half of the prior,
    the others share the rest; the lower the prior, the more slowly a move is tried.
    """
    parent = nodes[at]
    usual = parent.total / parent.visits if parent.visits > 0 else 0.5
    best, most, where = NONE, -1.0e9, 0
    for i in range(count):
        child = int(parent.child)
        while child != NONE and nodes[child].move != scratch.moves[i]:
            child = int(nodes[child].sibling)
        prospects, visits, available = usual, 0.0, float(parent.visits)
        if child != NONE:
            node = nodes[child]
            node.available += 1
            visits, available = float(node.visits), float(node.available)
            prospects = node.total / visits
        trust = _TRUST if i == 0 else (1.0 - _TRUST) / (count - 1)
        prospects += _CURIOSITY * trust * math.sqrt(available + 1.0) / (1.0 + visits)
        if prospects > most:
            best, most, where = child, prospects, i
    if best != NONE:
        return best, False
    if scratch.nodes == len(nodes):
        return NONE, True
    return _add_node(scratch, nodes, at, int(scratch.moves[where])), True


@inlined
def _add_node(scratch: Scratch, nodes: Structs, at: int, move: int) -> int:
    new = int(scratch.nodes)
    scratch.nodes += 1
    node = nodes[new]
    node.move, node.child = move, NONE
    node.visits, node.available = 0, 1
    node.total, node.wins = 0.0, 0.0
    node.sibling = nodes[at].child
    nodes[at].child = new
    return new


@compiled
def _finish_game(tables: Tables, graph: Graph, workspaces: Structs, scratch: Scratch) -> None:
    """Let planners play a sampled game to its end."""
    state = scratch.state
    for _ in range(_LONG):
        if state.phase == OVER:
            return
        seat = seat_to_move(state)
        weights = weights_of(workspaces[seat], BALANCED, tables)
        move = choose_planner(state, tables, graph, workspaces[seat], weights, seat)
        play_legal(state, tables, seat, move, scratch.log)


@inlined
def _worth_of_end(state: State, tables: Tables, seat: int) -> tuple[float, float]:
    """Return the value of a final state for a seat, by winning and by margin; and its share of the win."""
    if state.phase != OVER:
        return 0.5 / state.seats, 0.5 / state.seats
    win = 0.0
    if state.winners >> seat & 1:
        win = 1.0 / popcount(np.uint64(state.winners))
    best = -1000
    for other in range(state.seats):
        if other != seat:
            best = max(best, int(state.totals[other]))
    lead = (int(state.totals[seat]) - best) / (_TICKETS if tables.race_tickets > 0 else _POINTS)
    return _WIN * win + (1.0 - _WIN) / (1.0 + math.exp(-lead)), win


@compiled
def list_candidates(
    state: State, tables: Tables, graph: Graph, workspace: Workspace, seat: int, out: Ints
) -> int:
    """Write the moves worth trying, the planner's own first; return how many there are."""
    weights = weights_of(workspace, BALANCED, tables)
    out[0] = choose_planner(state, tables, graph, workspace, weights, seat)
    count = 1
    if state.phase in (CHOOSING, KEEPING):
        return _list_keeps(state, tables, seat, out)
    kinds = takeable_kinds(state, tables)
    for kind in range(KINDS):
        if kinds >> kind & 1:
            count = _add_move(out, count, TAKE + kind)
    if state.deck_size > 0:
        count = _add_move(out, count, DRAW_DECK)
    if state.phase != TURN:
        return count
    if verify_move(state, tables, seat, DRAW_TICKETS) == LEGAL:
        count = _add_move(out, count, DRAW_TICKETS)
    make_plan(state, tables, graph, weights, workspace.plan, seat)
    find_needs(state, tables, workspace.needs, seat, workspace.plan.routes[0], workspace.plan.routes[1])
    for route in range(tables.routes):
        if not has(state.open_to[seat], route) or lane_to_take(state, tables, seat, route) != route:
            continue
        move = pay_for(state, tables, workspace.needs, seat, route)
        if move != CANNOT_PAY and count < _MOST_MOVES:
            count = _add_move(out, count, move)
    return count


@inlined
def _list_keeps(state: State, tables: Tables, seat: int, out: Ints) -> int:
    count = 1
    least = least_kept(state, tables, seat)
    for mask in range(1, 1 << state.offer_size[seat]):
        if popcount(np.uint64(mask)) >= least and count < _MOST_MOVES:
            count = _add_move(out, count, KEEP + mask)
    return count


@inlined
def _add_move(out: Ints, count: int, move: int) -> int:
    """Add a move unless it is the first, which the planner chose."""
    if out[0] == move:
        return count
    out[count] = move
    return count + 1
