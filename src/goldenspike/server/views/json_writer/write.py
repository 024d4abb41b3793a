"""Compiled functions that write views as JSON.

Everything is read from views. Only :func:`goldenspike.engine.observe.observe`, which builds them, reads the
state. Each function takes the offset in the output buffer to write at, and returns the next free offset.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import SEATS
from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, lowest, wide
from goldenspike.engine.compile import compiled, entry_point, inlined
from goldenspike.engine.legal import is_to_move, list_moves
from goldenspike.engine.moves import move_count
from goldenspike.engine.network import is_joined
from goldenspike.engine.observe import SPECTATOR, observe
from goldenspike.engine.state import CHOOSING, EMPTY, KEEPING, KINDS, NOT_LAST_ROUND, State
from goldenspike.engine.struct import Ints, Structs
from goldenspike.engine.tables import Tables
from goldenspike.game.description import PrivateView, PublicView, SeatView
from goldenspike.server.views.json_writer.encoded_names import CARD, PHASE, ROUTE, TICKET

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


def _keys(*texts: Text) -> tuple[str, ...]:
    return tuple(re.findall(r'"(\w+)":', b"".join(text.tobytes() for text in texts).decode()))


# The fields of the views in their order; a field that is added there must be added here.
_TABLE_KEYS = _keys(
    _PHASE, _TO_MOVE, _TURNS, _TURNS_LEFT, _ROW, _DECK, _DISCARDS, _TICKET_DECK, _SEATS, _CLOSED
)
assert PublicView.__struct_fields__ == _TABLE_KEYS
_SEAT_KEYS = _keys(_CARDS, _KNOWN, _TICKETS, _COMPLETED, _BONUS, _PIECES, _POINTS, _ROUTES)
assert SeatView.__struct_fields__ == _SEAT_KEYS
_OWN_KEYS = _keys(_HAND, _TICKETS, _JOINED, _OFFER, _LEGAL, _CAN_UNDO)
assert (*PrivateView.__struct_fields__, "can_undo") == _OWN_KEYS


@entry_point
def write_views(
    states: Structs,
    tables: Structs,
    views: Structs,
    words: Text,
    begins: Begins,
    undoers: int,
    buffer: Text,
    ends: Begins,
) -> None:
    """Write the public view of a game, then the private view of each seat; store where each ends in `ends`.

    The public view's object is left open after the closed routes, because the end of a game is not written by
    compiled code. `undoers` are the seats that can undo, as a bit set. `views` are blank states, one for the
    public view and one for each seat. The caller allocates them, because compiled code would free an array
    while one of its structs is still in use.
    """
    observe(states[0], tables[0], SPECTATOR, views[0])
    at = _write_table(views[0], tables[0], words, begins, buffer)
    ends[0] = at
    moves = np.empty(move_count(tables[0]), np.int16)
    for seat in range(states[0].seats):
        observe(states[0], tables[0], seat, views[seat + 1])
        can_undo = undoers >> seat & 1 != 0
        at = _write_own(views[seat + 1], tables[0], wide(seat), moves, words, begins, can_undo, buffer, at)
        ends[seat + 1] = at


@compiled
def _write_table(view: State, tables: Tables, words: Text, begins: Begins, buffer: Text) -> int:
    at = _put_word(buffer, _put(buffer, 0, _PHASE), words, begins, PHASE + wide(view.phase))
    at = _put_movers(buffer, _put(buffer, at, _TO_MOVE), view)
    at = _put_number(buffer, _put(buffer, at, _TURNS), view.turns)
    at = _put(buffer, at, _TURNS_LEFT)
    at = (
        _put(buffer, at, _NULL)
        if view.turns_left == NOT_LAST_ROUND
        else _put_number(buffer, at, view.turns_left)
    )
    at = _put_row(buffer, _put(buffer, at, _ROW), view, tables, words, begins)
    at = _put_number(buffer, _put(buffer, at, _DECK), wide(view.deck_size))
    at = _put_cards(buffer, _put(buffer, at, _DISCARDS), view.discards, words, begins)
    at = _put_number(buffer, _put(buffer, at, _TICKET_DECK), wide(view.ticket_deck_size))
    at = _put(buffer, at, _SEATS)
    for seat in range(view.seats):
        if seat:
            at = _put_mark(buffer, at, _COMMA)
        at = _write_seat(view, wide(seat), words, begins, buffer, at)
    at = _put(buffer, at, _CLOSED)
    low, high = _closed(view, tables)
    return _put_names(buffer, at, low, high, words, begins, ROUTE)


@inlined
def _put_movers(buffer: Text, at: int, view: State) -> int:
    is_first = True
    for seat in range(view.seats):
        if is_to_move(view, seat):
            if not is_first:
                at = _put_mark(buffer, at, _COMMA)
            at = _put_number(buffer, at, wide(seat))
            is_first = False
    return at


@inlined
def _put_row(buffer: Text, at: int, view: State, tables: Tables, words: Text, begins: Begins) -> int:
    for slot in range(tables.face_up):
        if slot:
            at = _put_mark(buffer, at, _COMMA)
        if view.row[slot] == EMPTY:
            at = _put(buffer, at, _NULL)
        else:
            at = _put_word(buffer, at, words, begins, CARD + wide(view.row[slot]))
    return at


@inlined
def _closed(view: State, tables: Tables) -> tuple[np.uint64, np.uint64]:
    """Return the routes that have no owner and that no seat may claim, as `View.closed` does in Python."""
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
def _write_seat(view: State, seat: int, words: Text, begins: Begins, buffer: Text, at: int) -> int:
    """Write the public view of a seat."""
    at = _put_number(buffer, _put(buffer, at, _CARDS), wide(view.hand_size[seat]))
    at = _put_cards(buffer, _put(buffer, at, _KNOWN), view.known[seat], words, begins)
    at = _put_number(buffer, _put(buffer, at, _TICKETS), wide(view.held_count[seat]))
    completed, owned = view.completed[seat], view.owned[seat]
    at = _put_names(buffer, _put(buffer, at, _COMPLETED), completed[0], completed[1], words, begins, TICKET)
    at = _put_truth(buffer, _put(buffer, at, _BONUS), view.coast_to_coast[seat] != 0)
    at = _put_number(buffer, _put(buffer, at, _PIECES), wide(view.pieces[seat]))
    at = _put_number(buffer, _put(buffer, at, _POINTS), wide(view.points[seat]))
    at = _put_names(buffer, _put(buffer, at, _ROUTES), owned[0], owned[1], words, begins, ROUTE)
    return _put_mark(buffer, at, _END)


@compiled
def _write_own(
    view: State,
    tables: Tables,
    seat: int,
    moves: Ints,
    words: Text,
    begins: Begins,
    can_undo: bool,
    buffer: Text,
    at: int,
) -> int:
    """Write the private view of a seat."""
    at = _put_cards(buffer, _put(buffer, at, _HAND), view.hands[seat], words, begins)
    low, high = view.held[seat, 0], view.held[seat, 1]
    at = _put_names(buffer, _put(buffer, at, _TICKETS), low, high, words, begins, TICKET)
    at = _put_joined(buffer, _put(buffer, at, _JOINED), view, tables, seat, words, begins)
    at = _put(buffer, at, _OFFER)
    if view.phase in (CHOOSING, KEEPING):
        for i in range(view.offer_size[seat]):
            if i:
                at = _put_mark(buffer, at, _COMMA)
            at = _put_word(buffer, at, words, begins, TICKET + wide(view.offer[seat, i]))
    at = _put(buffer, at, _LEGAL)
    for i in range(list_moves(view, tables, seat, moves)):
        if i:
            at = _put_mark(buffer, at, _COMMA)
        at = _put_number(buffer, at, wide(moves[i]))
    at = _put_truth(buffer, _put(buffer, at, _CAN_UNDO), can_undo)
    return _put_mark(buffer, at, _END)


@inlined
def _put_joined(
    buffer: Text, at: int, view: State, tables: Tables, seat: int, words: Text, begins: Begins
) -> int:
    """Write the tickets whose cities are connected by the seat's routes."""
    is_first = True
    for word in range(2):
        left = view.held[seat, word]
        while left != NO_BITS:
            ticket = lowest(left) + 64 * word
            left = drop_lowest(left)
            if is_joined(view, tables, seat, ticket):
                if not is_first:
                    at = _put_mark(buffer, at, _COMMA)
                at = _put_word(buffer, at, words, begins, TICKET + ticket)
                is_first = False
    return at


@compiled
def _put(buffer: Text, at: int, text: Text) -> int:
    for i in range(len(text)):
        buffer[at + i] = text[i]
    return at + len(text)


@inlined
def _put_mark(buffer: Text, at: int, mark: int) -> int:
    buffer[at] = mark
    return at + 1


@inlined
def _put_truth(buffer: Text, at: int, truth: bool) -> int:
    return _put(buffer, at, _TRUE) if truth else _put(buffer, at, _FALSE)


@compiled
def _put_number(buffer: Text, at: int, number: int) -> int:
    if number < 0:
        at, number = _put_mark(buffer, at, _MINUS), -number
    end, rest = at + 1, number // 10
    while rest:
        end, rest = end + 1, rest // 10
    for place in range(end - 1, at - 1, -1):
        buffer[place] = _ZERO + number % 10
        number //= 10
    return end


@inlined
def _put_word(buffer: Text, at: int, words: Text, begins: Begins, word: int) -> int:
    return _put(buffer, at, words[begins[word] : begins[word + 1]])


@compiled
def _put_names(
    buffer: Text, at: int, low: np.uint64, high: np.uint64, words: Text, begins: Begins, first: int
) -> int:
    """Write the names of a set as a list."""
    buffer[at] = _OPEN_LIST
    end = at = at + 1
    for word in range(2):
        left = low if word == 0 else high
        while left != NO_BITS:
            if at != end:
                at = _put_mark(buffer, at, _COMMA)
            at = _put_word(buffer, at, words, begins, first + lowest(left) + 64 * word)
            left = drop_lowest(left)
    return _put_mark(buffer, at, _END_LIST)


@compiled
def _put_cards(buffer: Text, at: int, counts: Ints, words: Text, begins: Begins) -> int:
    """Write the number of cards of each kind, without zeros."""
    buffer[at] = _OPEN
    end = at = at + 1
    for kind in range(KINDS):
        if counts[kind]:
            if at != end:
                at = _put_mark(buffer, at, _COMMA)
            at = _put_mark(buffer, _put_word(buffer, at, words, begins, CARD + kind), _COLON)
            at = _put_number(buffer, at, wide(counts[kind]))
    return _put_mark(buffer, at, _END)
