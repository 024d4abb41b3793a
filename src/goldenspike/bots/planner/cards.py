"""Which cards the planner needs, which it draws, and how it pays."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.bots.hand import CANNOT_PAY, count_unseen
from goldenspike.engine.bits import NO_BITS, drop_lowest, has, lowest
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.legal import nth_move, takeable_kinds
from goldenspike.engine.moves import DRAW_DECK, TAKE, claim_move
from goldenspike.engine.state import KINDS, LOCOMOTIVE, SECOND_CARD, State
from goldenspike.engine.struct import Ints, Struct, Wide, struct_dtype
from goldenspike.engine.tables import GREY, NO_TWIN, Tables

_NEEDED, _COMPLETING, _FOR_GREY, _PERHAPS_GREY, _IDLE, _WILD = 16, 5, 13, 7, 2, 20
"""Value of a card, in sixteenths of a needed card: one that a coloured route lacks; the bonus for the last
one lacking; one for grey routes in the colour held most; one for grey routes in another colour; one not
needed now; a locomotive."""


class Needs(Struct):
    """What the routes of a plan need from a hand."""

    asked: Annotated[Ints, "i2", (KINDS,)]
    """Cards that coloured routes need."""
    spare: Annotated[Ints, "i2", (KINDS,)]
    """Cards in hand beyond that."""
    worth: Annotated[Ints, "i2", (KINDS,)]
    """Value of one more card of a kind."""
    lacking: Wide
    """Cards lacking for the whole plan, not counting locomotives in hand."""


NEEDS = struct_dtype(Needs)


@inlined
def lane_to_take(view: State, tables: Tables, seat: int, route: int) -> int:
    """Return the lane of a double that the hand is closer to paying for, or the route itself."""
    twin = int(tables.route_twin[route])
    if twin == NO_TWIN or not has(view.open_to[seat], twin):
        return route
    if not has(view.open_to[seat], route):
        return twin
    colour, other = int(tables.route_colour[route]), int(tables.route_colour[twin])
    if GREY in (colour, other):
        return twin if other == GREY else route
    return twin if view.hands[seat, other] > view.hands[seat, colour] else route


@compiled
def find_needs(
    view: State, tables: Tables, needs: Needs, seat: int, routes_0: np.uint64, routes_1: np.uint64
) -> None:
    """Work out what a set of routes needs from a seat's hand."""
    for kind in range(KINDS):
        needs.asked[kind] = 0
    grey, longest_grey = 0, 0
    for word in range(2):
        rest = routes_0 if word == 0 else routes_1
        while rest != NO_BITS:
            route = lane_to_take(view, tables, seat, lowest(rest) + 64 * word)
            rest = drop_lowest(rest)
            colour, length = int(tables.route_colour[route]), int(tables.route_length[route])
            if colour == GREY:
                grey += length
                longest_grey = max(longest_grey, length)
            else:
                needs.asked[colour] += length
    needs.lacking, most = grey, 0
    for colour in range(tables.colours):
        lack = int(needs.asked[colour]) - int(view.hands[seat, colour])
        needs.lacking += max(0, lack)
        needs.spare[colour] = max(0, -lack)
        most = max(most, -lack)
        needs.worth[colour] = _NEEDED if lack > 0 else _IDLE
        if lack == 1:
            needs.worth[colour] += _COMPLETING
    if grey > 0:
        for colour in range(tables.colours):
            spare = int(needs.spare[colour])
            needs.lacking -= min(grey, spare)
            if needs.asked[colour] <= view.hands[seat, colour] and spare < max(grey, longest_grey):
                worth = _FOR_GREY + (2 if spare == most and most > 0 else 0) if spare > 0 else _PERHAPS_GREY
                needs.worth[colour] = worth
    needs.lacking = max(0, needs.lacking)
    needs.worth[LOCOMOTIVE] = _WILD if needs.lacking > 0 else _IDLE + 2


@compiled
def draw_for(view: State, tables: Tables, needs: Needs, seat: int) -> int:
    """Return the most valuable draw: a face-up card, a locomotive, or the top card."""
    kinds = takeable_kinds(view, tables)
    blind = _worth_of_deck(view, tables, needs, seat)
    best, second, kind = -1, -1, -1
    for colour in range(tables.colours):
        if kinds >> colour & 1:
            worth = int(needs.worth[colour])
            if worth > best:
                best, second, kind = worth, best, colour
            elif worth > second:
                second = worth
    is_second = view.phase == SECOND_CARD
    if not is_second and kinds >> LOCOMOTIVE & 1:
        pair = max(max(best, blind) + max(second, min(best, blind)), 2 * blind)
        if needs.worth[LOCOMOTIVE] > pair:
            return TAKE + LOCOMOTIVE
    if best > blind or (view.deck_size == 0 and best >= 0):
        return TAKE + kind
    if view.deck_size > 0:
        return DRAW_DECK
    return nth_move(view, tables, seat, 0)


@inlined
def _worth_of_deck(view: State, tables: Tables, needs: Needs, seat: int) -> int:
    """Return the expected value of the top card, from the cards that have not been seen."""
    if view.deck_size == 0:
        return -1
    total, worth = 0, 0
    for kind in range(KINDS):
        unseen = count_unseen(view, tables, seat, kind)
        total += unseen
        worth += unseen * int(needs.worth[kind])
    return worth // max(1, total)


@compiled
def pay_for(view: State, tables: Tables, needs: Needs, seat: int, route: int) -> int:
    """Return the claim of an open route that costs the plan least, or CANNOT_PAY.

    It prefers few locomotives, and for a grey route a colour that nothing else needs.
    """
    length = int(tables.route_length[route])
    if length > view.pieces[seat]:
        return CANNOT_PAY
    wild = int(view.hands[seat, LOCOMOTIVE])
    colour = int(tables.route_colour[route])
    if colour != GREY:
        locomotives = max(0, length - int(view.hands[seat, colour]))
        return CANNOT_PAY if locomotives > wild else claim_move(tables, route, colour, locomotives)
    best, least = CANNOT_PAY, 1000
    for other in range(tables.colours):
        locomotives = max(0, length - int(view.hands[seat, other]))
        if locomotives <= wild:
            taken = max(0, length - locomotives - int(needs.spare[other]))
            harm = 12 * taken + 16 * locomotives - int(needs.spare[other])
            if harm < least:
                best, least = claim_move(tables, route, other, locomotives), harm
    return best
