"""The search's tree: the moves of one seat, tried in imagined games that the planner plays to their end.

Each playout imagines a state that the view could be (:mod:`goldenspike.bots.imagine`), goes down the tree by
upper confidence bounds, adds one node, and lets planners finish the game in all seats. The tree holds the
searching seat's own moves only; what others do and draw in between differs from playout to playout, so a
node stands for "after these moves of mine", whatever else happened. A move that cannot be played in an
imagined state is passed over, and how often a move could be played is counted apart from how often it was.

The moves to choose from, those next to the root, are all tried in the same worlds, so that luck does not
decide between them (:mod:`goldenspike.bots.worlds`).
"""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.atlas import Atlas
from goldenspike.bots.candidates import CANDIDATES, Candidates, list_candidates
from goldenspike.bots.imagine import POOL, Pool, imagine
from goldenspike.bots.node import NONE
from goldenspike.bots.planner import choose_planner
from goldenspike.bots.worlds import WORLD, WORLDS, open_world, weigh_merits
from goldenspike.engine.bits import popcount
from goldenspike.engine.compile import compiled, door, inlined
from goldenspike.engine.events import LOG, Log
from goldenspike.engine.playout import seat_to_move
from goldenspike.engine.record import Ints, Record, Wide, record_dtype
from goldenspike.engine.state import OVER, STATE, State
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal

_DEPTH = 16
"""Own moves that the tree looks ahead."""
_LONG = 1_000
"""Moves after which an imagined game is taken to lead nowhere."""
_CURIOSITY = 0.7
"""How much a move that was seldom tried is favoured."""
_FEW = 256
"""Playouts after each of which merits are weighed anew; later only after every sixteenth."""
_WIN = 0.3
"""How much winning matters; the rest is by how much, which says more while the end is far."""
_POINTS, _TICKETS = 25.0, 1.5
"""A lead that makes a game nearly sure: three in four."""

Records = NDArray[np.record]


class Sheet(Record):
    """What a tree's playouts are worked out on."""

    state: Annotated[State, STATE]
    pool: Annotated[Pool, POOL]
    log: Annotated[Log, LOG]
    first: Annotated[Candidates, CANDIDATES]
    """The moves to choose from."""
    later: Annotated[Candidates, CANDIDATES]
    """The moves at one of the nodes further down."""
    path: Annotated[Ints, "i4", (_DEPTH + 1,)]
    nodes: Wide
    """Nodes of the tree so far; the first is the root."""
    worlds: Annotated[Any, WORLD, (WORLDS,)]


SHEET = record_dtype(Sheet)


@door
def grow_tree(
    views: Records,
    tables: Records,
    atlases: Records,
    minds: Records,
    dice: Records,
    sheets: Records,
    nodes: Records,
    seat: int,
    playouts: int,
) -> None:
    """Add playouts to a tree; its first node is the root."""
    view, sheet, root = views[0], sheets[0], nodes[0]
    if sheet.first.count == 0:
        list_candidates(view, tables[0], atlases[0], minds[seat], seat, sheet.first)
    for _ in range(playouts):
        first = _select(sheet, sheet.first, nodes, 0)
        number = int(nodes[first].visits) % WORLDS
        open_world(dice[0], number)
        sheet.state = view
        imagine(view, tables[0], sheet.pool, dice[0], seat, sheet.state)
        play_legal(sheet.state, tables[0], seat, int(nodes[first].move), sheet.log)
        depth = _descend(tables[0], atlases[0], minds, sheet, nodes, seat, first)
        _finish_game(tables[0], atlases[0], minds, sheet)
        worth, win = _worth_of_end(sheet.state, tables[0], seat)
        for i in range(depth + 1):
            node = nodes[int(sheet.path[i])]
            node.visits += 1
            node.total += worth
            node.wins += win
        sheet.worlds[number].total += worth
        sheet.worlds[number].tries += 1
        if root.visits < _FEW or root.visits % 16 == 0:
            weigh_merits(sheet.worlds, nodes)


@compiled
def _descend(
    tables: Tables, atlas: Atlas, minds: Records, sheet: Sheet, nodes: Records, seat: int, first: int
) -> int:
    """Go down the tree from a first move, and one node beyond it; return how deep.

    The planner moves for the others.
    """
    state = sheet.state
    at, depth = first, 1
    sheet.path[0], sheet.path[1] = 0, first
    while nodes[at].visits > 0 and state.phase != OVER and depth < _DEPTH:
        mover = seat_to_move(state)
        if mover != seat:
            move = choose_planner(state, tables, atlas, minds[mover], mover)
            play_legal(state, tables, mover, move, sheet.log)
            continue
        list_candidates(state, tables, atlas, minds[seat], seat, sheet.later)
        at = _select(sheet, sheet.later, nodes, at)
        if at == NONE:
            break
        play_legal(state, tables, seat, int(nodes[at].move), sheet.log)
        depth += 1
        sheet.path[depth] = at
    return depth


@compiled
def _select(sheet: Sheet, candidates: Candidates, nodes: Records, at: int) -> int:
    """Return the node of the candidate with the best prospects, a new one if need be.

    A move not tried yet is taken to be as good as those that were. The less trusted a move is, the more
    slowly it is tried. In a full tree only moves count that have been tried; NONE if there are none.
    """
    parent, is_full = nodes[at], sheet.nodes == len(nodes)
    usual = _usual_prospects(nodes, at)
    best, most, where = NONE, -1.0e9, 0
    for i in range(candidates.count):
        child = int(parent.child)
        while child != NONE and nodes[child].move != candidates.moves[i]:
            child = int(nodes[child].sibling)
        if child == NONE and is_full:
            continue
        prospects, visits, available = usual, 0.0, float(parent.visits)
        if child != NONE:
            node = nodes[child]
            node.available += 1
            visits, available = float(node.visits), float(node.available)
            prospects = node.merit if at == 0 else node.total / visits
        prospects += _CURIOSITY * candidates.trust[i] * math.sqrt(available + 1.0) / (1.0 + visits)
        if prospects > most:
            best, most, where = child, prospects, i
    if best == NONE and not is_full:
        return _add_node(sheet, nodes, at, int(candidates.moves[where]))
    return best


@inlined
def _usual_prospects(nodes: Records, at: int) -> float:
    """Return what the moves that were tried at a node came to on average."""
    parent = nodes[at]
    if at > 0:
        return parent.total / parent.visits
    total, child = 0.0, int(parent.child)
    while child != NONE:
        total += nodes[child].merit * nodes[child].visits
        child = int(nodes[child].sibling)
    return total / max(1, parent.visits)


@inlined
def _add_node(sheet: Sheet, nodes: Records, at: int, move: int) -> int:
    new = int(sheet.nodes)
    sheet.nodes += 1
    node = nodes[new]
    node.move, node.child = move, NONE
    node.visits, node.available = 0, nodes[at].visits + 1
    node.total, node.wins, node.merit = 0.0, 0.0, 0.0
    node.sibling = nodes[at].child
    nodes[at].child = new
    return new


@compiled
def _finish_game(tables: Tables, atlas: Atlas, minds: Records, sheet: Sheet) -> None:
    """Let planners play an imagined game to its end."""
    state = sheet.state
    for _ in range(_LONG):
        if state.phase == OVER:
            return
        seat = seat_to_move(state)
        play_legal(state, tables, seat, choose_planner(state, tables, atlas, minds[seat], seat), sheet.log)


@inlined
def _worth_of_end(state: State, tables: Tables, seat: int) -> tuple[float, float]:
    """Return what an end is worth to a seat, by winning and by how much; and its share of the victory."""
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
