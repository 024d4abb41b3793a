"""Observations: what a seat sees, as a row of bytes. Written from views only, never from states.

:mod:`goldenspike.env.layout` defines the position of each part.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.state import CHOOSING, EMPTY, KEEPING, LOCOMOTIVE, NOT_LAST_ROUND, State
from goldenspike.engine.tables import Tables
from goldenspike.env.flags import write_set
from goldenspike.env.layout import ABSENT, HIGHEST, Parts

Row = NDArray[np.uint8]
"""One observation."""

PHASES = 4


@compiled
def write_features(view: State, tables: Tables, parts: Parts, seat: int, out: Row) -> None:
    """Write a seat's observation; every byte of the row is overwritten."""
    _write_table(view, tables, parts, seat, out)
    for j in range(view.seats):
        _write_seat(view, tables, parts, seat, j, out)
    write_set(view.open_to[seat], tables.routes, out, parts.open)
    write_set(view.held[seat], tables.tickets, out, parts.tickets)
    if parts.offer != ABSENT:
        _write_offer(view, tables, parts, seat, out)


@inlined
def byte(number: int) -> int:
    """Return a count, clipped to a byte."""
    return min(HIGHEST, number)


@inlined
def _write_cards(counts: NDArray[np.int16], kinds: int, out: Row, at: int) -> None:
    """Write counts by kind, the board's colours first, then the locomotives."""
    for kind in range(kinds - 1):
        out[at + kind] = byte(counts[kind])
    out[at + kinds - 1] = byte(counts[LOCOMOTIVE])


@inlined
def _write_table(view: State, tables: Tables, parts: Parts, seat: int, out: Row) -> None:
    for phase in range(PHASES):
        out[parts.phase + phase] = 1 if view.phase == phase else 0
    _write_cards(view.hands[seat], parts.kinds, out, parts.hand)
    _write_cards(view.discards, parts.kinds, out, parts.discards)
    if parts.row != ABSENT:
        for kind in range(parts.kinds):
            out[parts.row + kind] = 0
        for slot in range(tables.face_up):
            kind = int(view.row[slot])
            if kind != EMPTY:
                out[parts.row + min(kind, parts.kinds - 1)] += 1
    out[parts.deck_size] = byte(view.deck_size)
    out[parts.ticket_deck_size] = byte(view.ticket_deck_size)
    if parts.turns_left != ABSENT:
        is_last = view.turns_left != NOT_LAST_ROUND
        out[parts.is_last_round] = 1 if is_last else 0
        out[parts.turns_left] = view.turns_left if is_last else 0
    out[parts.passes] = byte(view.passes)


@inlined
def _write_seat(view: State, tables: Tables, parts: Parts, seat: int, j: int, out: Row) -> None:
    """Write the public part of the seat that plays j places after this one."""
    other = (seat + j) % view.seats
    out[parts.hand_size + j] = byte(view.hand_size[other])
    out[parts.pieces + j] = byte(view.pieces[other])
    out[parts.ticket_count + j] = byte(view.held_count[other])
    if parts.points != ABSENT:
        out[parts.points + j] = byte(view.points[other])
    if parts.first != ABSENT:
        out[parts.first + j] = 1 if view.first == other else 0
        out[parts.has_chosen + j] = 1 if view.choice[other] != 0 else 0
    if parts.known != ABSENT:
        _write_cards(view.known[other], parts.kinds, out, parts.known + j * parts.kinds)
    write_set(view.owned[other], tables.routes, out, parts.owned + j * tables.routes)
    if parts.completed != ABSENT:
        out[parts.completed_count + j] = byte(view.completed_count[other])
        out[parts.coast_to_coast + j] = byte(view.coast_to_coast[other])
        write_set(view.completed[other], tables.tickets, out, parts.completed + j * tables.tickets)


@inlined
def _write_offer(view: State, tables: Tables, parts: Parts, seat: int, out: Row) -> None:
    """Write which ticket is in which slot of the offer, because moves that keep tickets name the slots."""
    out[parts.offer : parts.offer + parts.slots * tables.tickets] = 0
    if view.phase in (CHOOSING, KEEPING):
        for slot in range(view.offer_size[seat]):
            if view.offer[seat, slot] != EMPTY:
                out[parts.offer + slot * tables.tickets + view.offer[seat, slot]] = 1
