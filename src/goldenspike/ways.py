"""How far a ticket is from being made: the pieces that the shortest way still open to a seat takes."""

from __future__ import annotations

import heapq
from typing import NamedTuple

from goldenspike.boards.model import Ticket
from goldenspike.view import View, members


class Way(NamedTuple):
    """A way between two cities: the pieces still to be placed, and the routes that takes, by index."""

    pieces: int
    routes: tuple[int, ...]


def find_way(view: View, ticket: Ticket) -> Way | None:
    """Return the cheapest way that makes a ticket, over own routes and open ones; None if it is cut off.

    >>> from goldenspike import Game
    >>> game = Game.new("usa-classic", 2, seed="prairie", first=0)
    >>> game.view(0).offer[1]
    'BOS-MIA'
    >>> find_way(game.view(0), next(t for t in game.edition.tickets if t.name == "BOS-MIA")).pieces
    12
    """
    seat = view.seat
    assert seat is not None
    board, left = view.edition.board, view.pieces[seat]
    steps: dict[int, list[tuple[int, int, int]]] = {}
    owned, open_routes = set(members(view.record.owned[seat])), set(members(view.record.open_to[seat]))
    for route in board.routes:
        if route.index in owned or (route.index in open_routes and route.length <= left):
            cost = 0 if route.index in owned else route.length
            steps.setdefault(route.a, []).append((cost, route.b, route.index))
            steps.setdefault(route.b, []).append((cost, route.a, route.index))
    return _cheapest(steps, ticket.a, ticket.b)


def _cheapest(steps: dict[int, list[tuple[int, int, int]]], start: int, goal: int) -> Way | None:
    waiting: list[tuple[int, int, tuple[int, ...]]] = [(0, start, ())]
    done: set[int] = set()
    while waiting:
        cost, city, taken = heapq.heappop(waiting)
        if city == goal:
            return Way(cost, taken)
        if city in done:
            continue
        done.add(city)
        for more, other, route in steps.get(city, ()):
            if other not in done:
                heapq.heappush(waiting, (cost + more, other, (*taken, route) if more else taken))
    return None
