"""The search's tree: the moves of one seat, tried in imagined games that the planner plays to their end.

Each playout imagines a state that the view could be (:mod:`goldenspike.bots.imagine`), goes down the tree by
upper confidence bounds, adds one node, and lets planners finish the game in all seats. The tree holds the
searching seat's own moves only; what others do and draw in between differs from playout to playout, so a
node stands for "after these moves of mine", whatever else happened. A move that cannot be played in an
imagined state is passed over, and how often a move could be played is counted apart from how often it was.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.atlas import Atlas
from goldenspike.bots.cards import find_needs, lane_to_take, pay_for
from goldenspike.bots.hand import CANNOT_PAY
from goldenspike.bots.imagine import POOL, Pool, imagine
from goldenspike.bots.mind import Mind
from goldenspike.bots.plan import make_plan, style_of
from goldenspike.bots.planner import choose_planner
from goldenspike.engine.bits import has, popcount
from goldenspike.engine.compile import compiled, door, inlined
from goldenspike.engine.events import LOG, Log
from goldenspike.engine.legal import LEGAL, faces_to_take, least_kept, verify_move
from goldenspike.engine.moves import DRAW_DECK, DRAW_TICKETS, KEEP, TAKE
from goldenspike.engine.playout import seat_to_move
from goldenspike.engine.record import Ints, Record, Wide, record_dtype
from goldenspike.engine.state import CHOOSING, KEEPING, KINDS, OVER, STATE, TURN, State
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal

_MOST_MOVES = 64
_DEPTH = 16
"""Own moves that the tree looks ahead."""
_LONG = 1_000
"""Moves after which an imagined game is taken to lead nowhere."""
_CURIOSITY = 0.7
"""How much a move that was seldom tried is favoured."""
_TRUST = 0.5
"""The part of the trust that the planner's own move has; the others share the rest."""
_WIN = 0.3
"""How much winning matters; the rest is by how much, which says more while the end is far."""
_POINTS, _TICKETS = 25.0, 1.5
"""A lead that makes a game nearly sure: three in four."""
NONE = -1

Records = NDArray[np.record]


class Node(Record):
    """A move of the searching seat, after those of the nodes above it."""

    move: Wide
    child: Wide
    sibling: Wide
    visits: Wide
    available: Wide
    total: Annotated[float, "f8"]
    """What the playouts through here came to, 0 to 1 each."""
    wins: Annotated[float, "f8"]


NODE = record_dtype(Node)


class Sheet(Record):
    """What a playout is worked out on."""

    state: Annotated[State, STATE]
    pool: Annotated[Pool, POOL]
    log: Annotated[Log, LOG]
    moves: Annotated[Ints, "i2", (_MOST_MOVES,)]
    path: Annotated[Ints, "i4", (_DEPTH + 1,)]
    nodes: Wide
    """Nodes of the tree so far; the first is the root."""


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
    sheet = sheets[0]
    for _ in range(playouts):
        sheet.state = views[0]
        imagine(views[0], tables[0], sheet.pool, dice[0], seat, sheet.state)
        depth = _descend(tables[0], atlases[0], minds, sheet, nodes, seat)
        _finish_game(tables[0], atlases[0], minds, sheet)
        worth, win = _worth_of_end(sheet.state, tables[0], seat)
        for i in range(depth + 1):
            node = nodes[int(sheet.path[i])]
            node.visits += 1
            node.total += worth
            node.wins += win


@inlined
def _descend(tables: Tables, atlas: Atlas, minds: Records, sheet: Sheet, nodes: Records, seat: int) -> int:
    """Go down the tree and one node beyond it; return how deep. The planner moves for the others."""
    state = sheet.state
    at, depth = 0, 0
    sheet.path[0] = 0
    while state.phase != OVER and depth < _DEPTH:
        mover = seat_to_move(state)
        if mover != seat:
            move = choose_planner(state, tables, atlas, minds[mover], mover)
            play_legal(state, tables, mover, move, sheet.log)
            continue
        count = list_candidates(state, tables, atlas, minds[seat], seat, sheet.moves)
        child, is_new = _select(sheet, nodes, at, count)
        if child == NONE:
            break
        play_legal(state, tables, seat, int(nodes[child].move), sheet.log)
        depth += 1
        sheet.path[depth] = child
        at = child
        if is_new:
            break
    return depth


@inlined
def _select(sheet: Sheet, nodes: Records, at: int, count: int) -> tuple[int, bool]:
    """Return the child to go to, the one with the best prospects, and whether it is new; NONE in a full tree.

    A move not tried yet is taken to be as good as those that were. The planner's own move has half of the
    trust, the others share the rest; the less trusted a move is, the more slowly it is tried.
    """
    parent = nodes[at]
    usual = parent.total / parent.visits if parent.visits > 0 else 0.5
    best, most, where = NONE, -1.0e9, 0
    for i in range(count):
        child = int(parent.child)
        while child != NONE and nodes[child].move != sheet.moves[i]:
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
    if sheet.nodes == len(nodes):
        return NONE, True
    return _add_node(sheet, nodes, at, int(sheet.moves[where])), True


@inlined
def _add_node(sheet: Sheet, nodes: Records, at: int, move: int) -> int:
    new = int(sheet.nodes)
    sheet.nodes += 1
    node = nodes[new]
    node.move, node.child = move, NONE
    node.visits, node.available = 0, 1
    node.total, node.wins = 0.0, 0.0
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


@compiled
def list_candidates(state: State, tables: Tables, atlas: Atlas, mind: Mind, seat: int, out: Ints) -> int:
    """Write the moves worth trying, the planner's own first; return how many there are."""
    out[0] = choose_planner(state, tables, atlas, mind, seat)
    count = 1
    if state.phase in (CHOOSING, KEEPING):
        return _list_keeps(state, tables, seat, out)
    faces = faces_to_take(state, tables)
    for kind in range(KINDS):
        if faces >> kind & 1:
            count = _add_move(out, count, TAKE + kind)
    if state.deck_size > 0:
        count = _add_move(out, count, DRAW_DECK)
    if state.phase != TURN:
        return count
    if verify_move(state, tables, seat, DRAW_TICKETS) == LEGAL:
        count = _add_move(out, count, DRAW_TICKETS)
    make_plan(state, tables, atlas, mind.styles[style_of(tables)], mind.plan, seat)
    find_needs(state, tables, mind.needs, seat, mind.plan.routes[0], mind.plan.routes[1])
    for route in range(tables.routes):
        if not has(state.open_to[seat], route) or lane_to_take(state, tables, seat, route) != route:
            continue
        move = pay_for(state, tables, mind.needs, seat, route)
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
