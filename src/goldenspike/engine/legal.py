"""Legal moves: verify one move, count them, list them.

:func:`verify_move` tells whether a move may be played, and if not, why. :func:`count_moves`, :func:`nth_move`
and :func:`list_moves` agree with it; counting is fast because it works on whole sets of routes at a time.
"""

from __future__ import annotations

import numpy as np

from goldenspike.boards.limits import LENGTH
from goldenspike.engine.bits import has, nth_member, popcount, wide
from goldenspike.engine.cards import find_in_row
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.moves import (
    CLAIM,
    DRAW_DECK,
    DRAW_TICKETS,
    KEEP,
    PASS,
    TAKE,
    claim_move,
    move_count,
    read_claim,
)
from goldenspike.engine.state import (
    CHOOSING,
    EMPTY,
    KEEPING,
    KINDS,
    LOCOMOTIVE,
    OVER,
    SECOND_CARD,
    TURN,
    State,
)
from goldenspike.engine.struct import Ints
from goldenspike.engine.tables import GREY, Tables

(
    LEGAL,
    GAME_IS_OVER,
    NOT_YOUR_TURN,
    NO_SUCH_MOVE,
    CHOOSE_TICKETS_FIRST,
    ALREADY_CHOSEN,
    NOTHING_OFFERED,
    KEEP_MORE,
    NOT_OFFERED,
    SECOND_CARD_FIRST,
    CAN_ACT,
    DECK_EMPTY,
    NOT_FACE_UP,
    LOCOMOTIVE_SECOND,
    NO_TICKETS_LEFT,
    NO_TICKETS_TO_SWAP,
    ROUTE_TAKEN,
    TWIN_IS_OWN,
    TWIN_CLOSED,
    TOO_FEW_PIECES,
    TOO_FEW_CARDS,
    TOO_FEW_LOCOMOTIVES,
) = range(22)
"""Why a move is refused; :mod:`goldenspike.game.refusals` has the sentences and rule ids."""


@inlined
def is_to_move(state: State, seat: int) -> bool:
    """Tell whether a seat has a decision to make now."""
    if seat < 0 or seat >= state.seats:
        return False
    if state.phase == CHOOSING:
        return state.choice[seat] == 0
    return state.phase != OVER and state.turn == seat


@compiled
def verify_move(state: State, tables: Tables, seat: int, move: int) -> int:
    """Return LEGAL, or the reason why a seat may not play a move now."""
    if state.phase == OVER:
        return GAME_IS_OVER
    if move < 0 or move >= move_count(tables):
        return NO_SUCH_MOVE
    if not is_to_move(state, seat):
        return ALREADY_CHOSEN if state.phase == CHOOSING else NOT_YOUR_TURN
    if TAKE + KINDS <= move < CLAIM:
        return _verify_keep(state, tables, seat, move - KEEP)
    if state.phase in (CHOOSING, KEEPING):
        return CHOOSE_TICKETS_FIRST
    if move == DRAW_DECK:
        return LEGAL if state.deck_size > 0 else DECK_EMPTY
    if TAKE <= move < TAKE + KINDS:
        return _verify_take(state, tables, move - TAKE)
    if state.phase == SECOND_CARD:
        return SECOND_CARD_FIRST
    if move == PASS:
        return CAN_ACT if count_actions(state, tables, seat) > 0 else LEGAL
    if move == DRAW_TICKETS:
        return _verify_tickets(state, tables, seat)
    route, colour, locomotives = read_claim(tables, move)
    return verify_claim(state, tables, seat, route, colour, locomotives)


@inlined
def _verify_keep(state: State, tables: Tables, seat: int, mask: int) -> int:
    if state.phase not in (CHOOSING, KEEPING):
        return NOTHING_OFFERED
    if mask >> state.offer_size[seat]:
        return NOT_OFFERED
    return KEEP_MORE if popcount(np.uint64(mask)) < least_kept(state, tables, seat) else LEGAL


@inlined
def least_kept(state: State, tables: Tables, seat: int) -> int:
    """Return how many of its offered tickets a seat must keep (S-3, T-1, T-3)."""
    least = tables.deal_keep if state.phase == CHOOSING else tables.draw_keep
    return min(least, state.offer_size[seat])


@inlined
def _verify_take(state: State, tables: Tables, kind: int) -> int:
    if find_in_row(state, tables, kind) == EMPTY:
        return NOT_FACE_UP
    return LOCOMOTIVE_SECOND if state.phase == SECOND_CARD and kind == LOCOMOTIVE else LEGAL


@inlined
def _verify_tickets(state: State, tables: Tables, seat: int) -> int:
    if state.ticket_deck_size == 0:
        return NO_TICKETS_LEFT
    return NO_TICKETS_TO_SWAP if tables.swaps and state.offer_size[seat] == 0 else LEGAL


@inlined
def verify_route(state: State, tables: Tables, seat: int, route: int) -> int:
    """Return LEGAL, or the reason why a seat cannot claim a route whatever its cards (C-4, C-5, C-6)."""
    for other in range(state.seats):
        if has(state.owned[other], route):
            return ROUTE_TAKEN
    if not has(state.open_to[seat], route):
        return TWIN_IS_OWN if has(state.owned[seat], tables.route_twin[route]) else TWIN_CLOSED
    return TOO_FEW_PIECES if tables.route_length[route] > state.pieces[seat] else LEGAL


@inlined
def verify_claim(state: State, tables: Tables, seat: int, route: int, colour: int, locomotives: int) -> int:
    """Return LEGAL, or the reason why a seat may not claim a route with this payment."""
    reason = verify_route(state, tables, seat, route)
    if reason != LEGAL:
        return reason
    if locomotives > state.hands[seat, LOCOMOTIVE]:
        return TOO_FEW_LOCOMOTIVES
    needed = tables.route_length[route] - locomotives
    return TOO_FEW_CARDS if needed > 0 and needed > state.hands[seat, colour] else LEGAL


@inlined
def takeable_kinds(state: State, tables: Tables) -> int:
    """Return the kinds of face-up card that may be taken now, as a bit mask (D-1, D-4)."""
    kinds = 0
    for slot in range(tables.face_up):
        if state.row[slot] != EMPTY:
            kinds |= 1 << int(state.row[slot])
    return kinds & ~(1 << LOCOMOTIVE) if state.phase == SECOND_CARD else kinds


@inlined
def count_draws(state: State, tables: Tables) -> int:
    """Count the ways to draw a train card now: the deck, and each kind that may be taken face up."""
    return popcount(np.uint64(takeable_kinds(state, tables))) + (1 if state.deck_size > 0 else 0)


@compiled
def count_claims(state: State, tables: Tables, seat: int) -> int:
    """Count a seat's claims: for each colour and number of locomotives, the open routes it can pay for.

    A seat with n cards of a colour that pays k locomotives can claim grey routes and routes of that colour of
    length k + 1 to k + n.
    """
    reach = min(tables.longest, state.pieces[seat])
    locomotives = min(reach, state.hands[seat, LOCOMOTIVE])
    total = 0
    for word in range(tables.words):
        routes = state.open_to[seat, word] & tables.up_to[reach, word]
        total += popcount(routes & tables.up_to[locomotives, word])
        for k in range(min(locomotives, reach - 1) + 1):
            for colour in range(tables.colours):
                longest = min(LENGTH, k + state.hands[seat, colour])
                fitting = tables.fits[colour, longest, word] ^ tables.fits[colour, k, word]
                total += popcount(routes & fitting)
    return total


@compiled
def count_actions(state: State, tables: Tables, seat: int) -> int:
    """Count a seat's moves at the start of its turn, without the pass (R-4)."""
    tickets = 1 if _verify_tickets(state, tables, seat) == LEGAL else 0
    return count_draws(state, tables) + tickets + count_claims(state, tables, seat)


@inlined
def count_keeps(state: State, tables: Tables, seat: int) -> int:
    """Count the ways to keep tickets of the offer."""
    least = least_kept(state, tables, seat)
    total = 0
    for mask in range(1, 1 << state.offer_size[seat]):
        if popcount(np.uint64(mask)) >= least:
            total += 1
    return total


@compiled
def count_moves(state: State, tables: Tables, seat: int) -> int:
    """Count a seat's legal moves; 0 if it is not to move."""
    if not is_to_move(state, seat):
        return 0
    if state.phase == TURN:
        return max(1, count_actions(state, tables, seat))
    if state.phase == SECOND_CARD:
        return count_draws(state, tables)
    return count_keeps(state, tables, seat)


@compiled
def nth_move(state: State, tables: Tables, seat: int, n: int) -> int:
    """Return the n-th legal move, for n below :func:`count_moves`, in an unspecified order."""
    if state.phase in (CHOOSING, KEEPING):
        return _nth_keep(state, tables, seat, n)
    if state.deck_size > 0:
        if n == 0:
            return DRAW_DECK
        n -= 1
    kinds = takeable_kinds(state, tables)
    kind_count = popcount(np.uint64(kinds))
    if n < kind_count:
        return TAKE + nth_member(np.uint64(kinds), n)
    n -= kind_count
    if _verify_tickets(state, tables, seat) == LEGAL:
        if n == 0:
            return DRAW_TICKETS
        n -= 1
    return _nth_claim(state, tables, seat, n)


@inlined
def _nth_keep(state: State, tables: Tables, seat: int, n: int) -> int:
    least = least_kept(state, tables, seat)
    for mask in range(1, 1 << state.offer_size[seat]):
        if popcount(np.uint64(mask)) >= least:
            if n == 0:
                return KEEP + mask
            n -= 1
    return PASS


@inlined
def _nth_claim(state: State, tables: Tables, seat: int, n: int) -> int:
    """Return the n-th claim in the order that :func:`count_claims` counts; PASS if there are fewer."""
    reach = min(tables.longest, state.pieces[seat])
    locomotives = min(reach, state.hands[seat, LOCOMOTIVE])
    for word in range(tables.words):
        routes = state.open_to[seat, word] & tables.up_to[reach, word]
        found = routes & tables.up_to[locomotives, word]
        count = popcount(found)
        if n < count:
            route = nth_member(found, n) + 64 * word
            return claim_move(tables, route, LOCOMOTIVE, int(tables.route_length[route]))
        n -= count
        for k in range(min(locomotives, reach - 1) + 1):
            for colour in range(tables.colours):
                longest = min(LENGTH, k + state.hands[seat, colour])
                found = routes & (tables.fits[colour, longest, word] ^ tables.fits[colour, k, word])
                count = popcount(found)
                if n < count:
                    return claim_move(tables, nth_member(found, n) + 64 * word, colour, k)
                n -= count
    return PASS


@compiled
def list_moves(state: State, tables: Tables, seat: int, out: Ints) -> int:
    """Write a seat's legal moves in ascending order; return how many there are."""
    count = 0
    if not is_to_move(state, seat):
        return count
    for move in range(CLAIM):
        if verify_move(state, tables, seat, move) == LEGAL:
            out[count] = move
            count += 1
    if state.phase == TURN:
        for route in range(tables.routes):
            if verify_route(state, tables, seat, route) == LEGAL:
                count = _list_claims(state, tables, seat, route, out, count)
    return count


@inlined
def _list_claims(state: State, tables: Tables, seat: int, route: int, out: Ints, count: int) -> int:
    """Append the claims of a verified route that a seat's cards can pay for; return the new count."""
    length = wide(tables.route_length[route])
    locomotives = wide(state.hands[seat, LOCOMOTIVE])
    is_grey = tables.route_colour[route] == GREY
    for i in range(tables.colours if is_grey else 1):
        colour = i if is_grey else wide(tables.route_colour[route])
        first = claim_move(tables, route, colour, 0)
        for k in range(max(0, length - state.hands[seat, colour]), min(locomotives, length - 1) + 1):
            out[count] = first + k
            count += 1
    if locomotives >= length:
        out[count] = claim_move(tables, route, LOCOMOTIVE, length)
        count += 1
    return count
