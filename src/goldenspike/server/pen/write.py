"""Write what a seat may see as JSON, compiled.

Everything is read from views, which :func:`goldenspike.engine.observe.observe` builds up from nothing; only
that one looks at the state. What writes is told where the page is free, and returns where it is free then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import SEATS
from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, lowest, wide
from goldenspike.engine.compile import compiled, door, inlined
from goldenspike.engine.doors import Records
from goldenspike.engine.legal import is_to_move, list_moves
from goldenspike.engine.moves import move_count
from goldenspike.engine.network import is_joined
from goldenspike.engine.observe import SPECTATOR, observe
from goldenspike.engine.record import Ints
from goldenspike.engine.state import CHOOSING, EMPTY, KEEPING, KINDS, NOT_LAST_ROUND, State
from goldenspike.engine.tables import Tables
from goldenspike.server.pen.words import CARD, PHASE, ROUTE, TICKET

Text = NDArray[np.uint8]
Begins = NDArray[np.int32]


def _text(text: str) -> Text:
    return np.frombuffer(text.encode(), np.uint8)


_PHASE, _TO_MOVE = _text('{"phase":'), _text(',"to_move":[')
_TURNS, _TURNS_LEFT, _ROW = _text('],"turns":'), _text(',"turns_left":'), _text(',"row":[')
_DECK, _DISCARDS, _TICKET_DECK = _text('],"deck":'), _text(',"discards":'), _text(',"ticket_deck":')
_SEATS, _CLOSED = _text(',"seats":['), _text('],"closed":')
_CARDS, _KNOWN, _TICKETS = _text('{"cards":'), _text(',"known":'), _text(',"tickets":')
_COMPLETED, _BONUS = _text(',"completed":'), _text(',"has_bonus_ticket":')
_PIECES, _POINTS, _ROUTES = _text(',"pieces":'), _text(',"points":'), _text(',"routes":')
_HAND, _JOINED, _OFFER = _text('{"hand":'), _text(',"joined":['), _text('],"offer":[')
_LEGAL, _CAN_UNDO = _text('],"legal":['), _text('],"can_undo":')
_NULL, _TRUE, _FALSE = _text("null"), _text("true"), _text("false")
_COMMA, _COLON, _END = ord(","), ord(":"), ord("}")
_OPEN_LIST, _END_LIST, _OPEN, _ZERO, _MINUS = ord("["), ord("]"), ord("{"), ord("0"), ord("-")


@door
def write_views(
    states: Records,
    tables: Records,
    views: Records,
    words: Text,
    begins: Begins,
    undoers: int,
    page: Text,
    ends: Begins,
) -> None:
    """Write what all see of a game, and then what each seat alone does; note where each of these ends.

    What all see is left open after the closed routes: how a game ended is not for compiled code. `undoers`
    are the seats that can take something back, a bit each. `views` are blank, one for all and one for each
    seat. They are not made here: compiled code lets go of an array while a record of it is still being read.
    """
    observe(states[0], tables[0], SPECTATOR, views[0])
    at = _write_table(views[0], tables[0], words, begins, page)
    ends[0] = at
    moves = np.empty(move_count(tables[0]), np.int16)
    for seat in range(states[0].seats):
        observe(states[0], tables[0], seat, views[seat + 1])
        can_undo = undoers >> seat & 1 != 0
        at = _write_own(views[seat + 1], tables[0], wide(seat), moves, words, begins, can_undo, page, at)
        ends[seat + 1] = at


@compiled
def _write_table(view: State, tables: Tables, words: Text, begins: Begins, page: Text) -> int:
    at = _put_word(page, _put(page, 0, _PHASE), words, begins, PHASE + wide(view.phase))
    at = _put_movers(page, _put(page, at, _TO_MOVE), view)
    at = _put_number(page, _put(page, at, _TURNS), view.turns)
    at = _put(page, at, _TURNS_LEFT)
    at = (
        _put(page, at, _NULL) if view.turns_left == NOT_LAST_ROUND else _put_number(page, at, view.turns_left)
    )
    at = _put_row(page, _put(page, at, _ROW), view, tables, words, begins)
    at = _put_number(page, _put(page, at, _DECK), wide(view.deck_size))
    at = _put_cards(page, _put(page, at, _DISCARDS), view.discards, words, begins)
    at = _put_number(page, _put(page, at, _TICKET_DECK), wide(view.ticket_deck_size))
    at = _put(page, at, _SEATS)
    for seat in range(view.seats):
        if seat:
            at = _put_mark(page, at, _COMMA)
        at = _write_seat(view, wide(seat), words, begins, page, at)
    at = _put(page, at, _CLOSED)
    low, high = _closed(view, tables)
    return _put_names(page, at, low, high, words, begins, ROUTE)


@inlined
def _put_movers(page: Text, at: int, view: State) -> int:
    is_first = True
    for seat in range(view.seats):
        if is_to_move(view, seat):
            if not is_first:
                at = _put_mark(page, at, _COMMA)
            at = _put_number(page, at, wide(seat))
            is_first = False
    return at


@inlined
def _put_row(page: Text, at: int, view: State, tables: Tables, words: Text, begins: Begins) -> int:
    for slot in range(tables.face_up):
        if slot:
            at = _put_mark(page, at, _COMMA)
        if view.row[slot] == EMPTY:
            at = _put(page, at, _NULL)
        else:
            at = _put_word(page, at, words, begins, CARD + wide(view.row[slot]))
    return at


@inlined
def _closed(view: State, tables: Tables) -> tuple[np.uint64, np.uint64]:
    """Return the routes that nobody owns and nobody may claim."""
    low, high = NO_BITS, NO_BITS
    for route in range(tables.routes):
        if route < 64:
            low |= bit(route)
        else:
            high |= bit(route)
    for seat in range(SEATS):
        low &= ~(view.owned[seat, 0] | view.open_to[seat, 0])
        high &= ~(view.owned[seat, 1] | view.open_to[seat, 1])
    return low, high


@compiled
def _write_seat(view: State, seat: int, words: Text, begins: Begins, page: Text, at: int) -> int:
    """Write what all can see of a seat."""
    at = _put_number(page, _put(page, at, _CARDS), wide(view.hand_size[seat]))
    at = _put_cards(page, _put(page, at, _KNOWN), view.known[seat], words, begins)
    at = _put_number(page, _put(page, at, _TICKETS), wide(view.held_count[seat]))
    completed, owned = view.completed[seat], view.owned[seat]
    at = _put_names(page, _put(page, at, _COMPLETED), completed[0], completed[1], words, begins, TICKET)
    at = _put_truth(page, _put(page, at, _BONUS), view.coast_to_coast[seat] != 0)
    at = _put_number(page, _put(page, at, _PIECES), wide(view.pieces[seat]))
    at = _put_number(page, _put(page, at, _POINTS), wide(view.points[seat]))
    at = _put_names(page, _put(page, at, _ROUTES), owned[0], owned[1], words, begins, ROUTE)
    return _put_mark(page, at, _END)


@compiled
def _write_own(
    view: State,
    tables: Tables,
    seat: int,
    moves: Ints,
    words: Text,
    begins: Begins,
    can_undo: bool,
    page: Text,
    at: int,
) -> int:
    """Write what only one seat can see."""
    at = _put_cards(page, _put(page, at, _HAND), view.hands[seat], words, begins)
    low, high = view.held[seat, 0], view.held[seat, 1]
    at = _put_names(page, _put(page, at, _TICKETS), low, high, words, begins, TICKET)
    at = _put_joined(page, _put(page, at, _JOINED), view, tables, seat, words, begins)
    at = _put(page, at, _OFFER)
    if view.phase in (CHOOSING, KEEPING):
        for i in range(view.offer_size[seat]):
            if i:
                at = _put_mark(page, at, _COMMA)
            at = _put_word(page, at, words, begins, TICKET + wide(view.offer[seat, i]))
    at = _put(page, at, _LEGAL)
    for i in range(list_moves(view, tables, seat, moves)):
        if i:
            at = _put_mark(page, at, _COMMA)
        at = _put_number(page, at, wide(moves[i]))
    at = _put_truth(page, _put(page, at, _CAN_UNDO), can_undo)
    return _put_mark(page, at, _END)


@inlined
def _put_joined(
    page: Text, at: int, view: State, tables: Tables, seat: int, words: Text, begins: Begins
) -> int:
    """Write those of a seat's tickets whose cities its routes join."""
    is_first = True
    for word in range(2):
        left = view.held[seat, word]
        while left != NO_BITS:
            ticket = lowest(left) + 64 * word
            left = drop_lowest(left)
            if is_joined(view, tables, seat, ticket):
                if not is_first:
                    at = _put_mark(page, at, _COMMA)
                at = _put_word(page, at, words, begins, TICKET + ticket)
                is_first = False
    return at


@compiled
def _put(page: Text, at: int, text: Text) -> int:
    for i in range(len(text)):
        page[at + i] = text[i]
    return at + len(text)


@inlined
def _put_mark(page: Text, at: int, mark: int) -> int:
    page[at] = mark
    return at + 1


@inlined
def _put_truth(page: Text, at: int, truth: bool) -> int:
    return _put(page, at, _TRUE) if truth else _put(page, at, _FALSE)


@compiled
def _put_number(page: Text, at: int, number: int) -> int:
    if number < 0:
        at, number = _put_mark(page, at, _MINUS), -number
    end, rest = at + 1, number // 10
    while rest:
        end, rest = end + 1, rest // 10
    for place in range(end - 1, at - 1, -1):
        page[place] = _ZERO + number % 10
        number //= 10
    return end


@inlined
def _put_word(page: Text, at: int, words: Text, begins: Begins, word: int) -> int:
    return _put(page, at, words[begins[word] : begins[word + 1]])


@compiled
def _put_names(
    page: Text, at: int, low: np.uint64, high: np.uint64, words: Text, begins: Begins, first: int
) -> int:
    """Write the names of a set as a list."""
    page[at] = _OPEN_LIST
    end = at = at + 1
    for word in range(2):
        left = low if word == 0 else high
        while left != NO_BITS:
            if at != end:
                at = _put_mark(page, at, _COMMA)
            at = _put_word(page, at, words, begins, first + lowest(left) + 64 * word)
            left = drop_lowest(left)
    return _put_mark(page, at, _END_LIST)


@compiled
def _put_cards(page: Text, at: int, counts: Ints, words: Text, begins: Begins) -> int:
    """Write how many cards of each kind there are, without those there are none of."""
    page[at] = _OPEN
    end = at = at + 1
    for kind in range(KINDS):
        if counts[kind]:
            if at != end:
                at = _put_mark(page, at, _COMMA)
            at = _put_mark(page, _put_word(page, at, words, begins, CARD + kind), _COLON)
            at = _put_number(page, at, wide(counts[kind]))
    return _put_mark(page, at, _END)
