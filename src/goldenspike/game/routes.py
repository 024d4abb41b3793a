"""Paths over routes, for display: the cheapest path of a ticket, and the longest path of a seat."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from goldenspike.boards.model import Ticket
from goldenspike.editions import Edition
from goldenspike.engine import api
from goldenspike.engine.tables import build_tables
from goldenspike.game.thread_log import THREAD_LOG
from goldenspike.game.view import View, members

_WORD = (1 << 64) - 1


class TicketPath(NamedTuple):
    """A path between two cities: the pieces still to be placed, and the routes to claim, by index."""

    pieces: int
    routes: tuple[int, ...]


def find_path(view: View, ticket: Ticket) -> TicketPath | None:
    """Return the cheapest path that completes a ticket, over own and open routes; None if there is none.

    >>> from goldenspike import Game
    >>> game = Game.new("usa-classic", 2, seed="prairie", first=0)
    >>> game.view(0).offer[1]
    'BOS-MIA'
    >>> find_path(game.view(0), next(t for t in game.edition.tickets if t.name == "BOS-MIA")).pieces
    12
    """
    seat = view.seat
    assert seat is not None
    board, left = view.edition.board, view.pieces[seat]
    steps: dict[int, list[tuple[int, int, int]]] = {}
    owned, open_routes = set(members(view.struct.owned[seat])), set(members(view.struct.open_to[seat]))
    for route in board.routes:
        if route.index in owned or (route.index in open_routes and route.length <= left):
            cost = 0 if route.index in owned else route.length
            steps.setdefault(route.a, []).append((cost, route.b, route.index))
            steps.setdefault(route.b, []).append((cost, route.a, route.index))
    return _cheapest(steps, ticket.a, ticket.b)


def _cheapest(steps: dict[int, list[tuple[int, int, int]]], start: int, goal: int) -> TicketPath | None:
    waiting: list[tuple[int, int, tuple[int, ...]]] = [(0, start, ())]
    done: set[int] = set()
    while waiting:
        cost, city, taken = heapq.heappop(waiting)
        if city == goal:
            return TicketPath(cost, taken)
        if city in done:
            continue
        done.add(city)
        for more, other, route in steps.get(city, ()):
            if other not in done:
                heapq.heappush(waiting, (cost + more, other, (*taken, route) if more else taken))
    return None


def find_longest_path(edition: Edition, routes: Iterable[int]) -> list[int]:
    """Return the routes of one longest path over the given routes, by index (F-3); others may be as long.

    Drop, one by one, every route whose removal does not shorten the longest path. The rest is the path.

    >>> from goldenspike.editions import load_edition
    >>> usa = load_edition("usa-classic")
    >>> named = {route.name: route.index for route in usa.board.routes}
    >>> owned = [named[name] for name in ("CAL-VAN", "CAL-SEA", "CAL-WPG", "ATL-MIA")]
    >>> [usa.board.routes[route].name for route in find_longest_path(usa, owned)]
    ['CAL-SEA', 'CAL-WPG']
    """
    needed = set(routes)
    longest = _length(edition, needed)
    for route in sorted(needed):
        if _length(edition, needed - {route}) == longest:
            needed.discard(route)
    return sorted(needed)


def _length(edition: Edition, routes: set[int]) -> int:
    bits = sum(1 << route for route in routes)
    words = np.uint64(bits & _WORD), np.uint64(bits >> 64)
    return int(api.longest_trail(build_tables(edition), *words, THREAD_LOG.logs))
