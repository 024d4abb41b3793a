"""Expected observations in plain Python, and helpers to take real ones."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from goldenspike import Game, View
from goldenspike.editions import Edition
from goldenspike.env.layout import ObservationLayout
from goldenspike.env.single import SingleGame
from goldenspike.game.view import members

Numbers = dict[str, Any]


def single_of(game: Game, graph: bool = False) -> SingleGame:
    """Return an environment's single game that shares the state of a game."""
    single = SingleGame(game.edition, game.players, graph)
    single.states = game.states
    return single


def counts(single: SingleGame, seat: int) -> Numbers:
    """Return the parts of an observation as unscaled counts."""
    observation, _ = single.observe(seat)
    assert observation.min() >= 0
    assert observation.max() <= 1
    whole = np.rint(observation / single.layout.scales).astype(int)
    return {name: part.tolist() for name, part in single.layout.parts(whole).items()}


def expected(view: View, layout: ObservationLayout) -> Numbers:
    """Return the expected parts of an observation, from the view."""
    assert view.seat is not None
    edition, record, seats = view.edition, view.struct, view.seats
    order = [(view.seat + j) % seats for j in range(seats)]
    routes = edition.board.routes
    names = [ticket.name for ticket in edition.tickets]
    kinds = [*edition.board.colours, "loco"]

    def cards(words: dict[str, int]) -> list[int]:
        return [words.get(kind, 0) for kind in kinds]

    def flags(everything: list[Any], some: Any) -> list[int]:
        return [int(one in some) for one in everything]

    row = [card for card in view.row if card]
    numbers: Numbers = {
        "phase": flags(["choosing", "turn", "second card", "keeping"], [view.phase]),
        "hand": cards(view.hand),
        "row": [row.count(kind) for kind in kinds],
        "discards": cards(view.discards),
        "deck_size": [view.deck_size],
        "ticket_deck_size": [view.ticket_deck_size],
        "is_last_round": [int(view.turns_left is not None)],
        "turns_left": [view.turns_left or 0],
        "passes": [int(record.passes)],
        "first": [int(record.first == seat) for seat in order],
        "has_chosen": [int(record.choice[seat] != 0) for seat in order],
        "hand_size": [view.hand_sizes[seat] for seat in order],
        "pieces": [view.pieces[seat] for seat in order],
        "points": [view.points[seat] for seat in order],
        "ticket_count": [view.ticket_counts[seat] for seat in order],
        "completed_count": [int(record.completed_count[seat]) for seat in order],
        "coast_to_coast": [int(record.coast_to_coast[seat]) for seat in order],
        "known": [cards(view.known[seat]) for seat in order],
        "open": flags([route.index for route in routes], members(record.open_to[view.seat])),
        "owned": [[int(view.owners.get(route.name) == seat) for route in routes] for seat in order],
        "tickets": flags(names, view.tickets),
        "completed": [flags(names, view.completed_of(seat)) for seat in order],
    }
    if "offer" in layout:
        slots = layout.shape("offer")[0]
        offer = [*view.offer, *[""] * (slots - len(view.offer))]
        numbers["offer"] = [flags(names, [ticket]) for ticket in offer]
    return {name: numbers[name] for name in layout}


def distance(edition: Edition, view: View, a: int, b: int) -> int | None:
    """Return how many pieces join two cities over own and open routes, by Dijkstra's algorithm."""
    assert view.seat is not None
    owned, free = (set(members(words[view.seat])) for words in (view.struct.owned, view.struct.open_to))
    best, heap = {a: 0}, [(0, a)]
    while heap:
        so_far, city = heapq.heappop(heap)
        if city == b:
            return so_far
        for route in edition.board.routes:
            if city in {route.a, route.b} and route.index in owned | free:
                there = route.a + route.b - city
                cost = so_far + (0 if route.index in owned else route.length)
                if cost < best.get(there, 1 << 30):
                    best[there] = cost
                    heapq.heappush(heap, (cost, there))
    return None
