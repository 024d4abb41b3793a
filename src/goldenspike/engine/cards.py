"""Train cards: drawing, turning up, discarding, reshuffling (D-1 to D-9)."""

from __future__ import annotations

from goldenspike.engine import events
from goldenspike.engine.chance import below
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import NOBODY, Log, emit
from goldenspike.engine.state import EMPTY, KINDS, LOCOMOTIVE, State
from goldenspike.engine.tables import Tables

WIPE_AT = 3
"""Number of face-up locomotives at which the row is wiped (D-6)."""


@inlined
def draw_top(state: State) -> int:
    """Take the top card of the deck, which must not be empty, and return its kind.

    The deck is stored as counts by kind, because every card of a shuffled deck is equally likely to be on
    top. It is therefore shuffled one card at a time.
    """
    nth = below(state.chance, int(state.deck_size))
    kind, passed = 0, 0
    for i in range(KINDS - 1):  # branch-free: the processor could not predict a random branch
        passed += int(state.deck[i])
        kind += nth >= passed
    state.deck[kind] -= 1
    state.deck_size -= 1
    return kind


@inlined
def reshuffle_if_empty(state: State, log: Log) -> None:
    """Turn the discards into the deck if the deck is empty (D-7)."""
    if state.deck_size == 0 and state.discards_size > 0:
        emit(log, events.RESHUFFLED, NOBODY, state.discards_size, 0, 0, 0)
        for kind in range(KINDS):
            state.deck[kind] = state.discards[kind]
            state.discards[kind] = 0
        state.deck_size = state.discards_size
        state.discards_size = 0


@compiled
def give_from_deck(state: State, seat: int, log: Log) -> None:
    """Move the top card of the deck into a hand."""
    kind = draw_top(state)
    state.hands[seat, kind] += 1
    state.hand_size[seat] += 1
    emit(log, events.DREW, seat, kind, 0, 0, 0)


@inlined
def find_in_row(state: State, tables: Tables, kind: int) -> int:
    """Return the first face-up slot with a card of this kind, or EMPTY."""
    for slot in range(tables.face_up):
        if state.row[slot] == kind:
            return slot
    return EMPTY


@inlined
def give_from_row(state: State, tables: Tables, seat: int, kind: int, log: Log) -> None:
    """Move a face-up card, which must be in the row, into a hand; all players see it."""
    slot = find_in_row(state, tables, kind)
    state.row[slot] = EMPTY
    state.hands[seat, kind] += 1
    state.hand_size[seat] += 1
    state.known[seat, kind] += 1
    emit(log, events.TOOK, seat, slot, kind, 0, 0)


@inlined
def discard(state: State, seat: int, kind: int, count: int) -> None:
    """Move cards from a hand to the discards; cards known to the other players count as played first."""
    state.hands[seat, kind] -= count
    state.hand_size[seat] -= count
    state.discards[kind] += count
    state.discards_size += count
    state.known[seat, kind] = max(0, state.known[seat, kind] - count)


@compiled
def settle_cards(state: State, tables: Tables, log: Log) -> None:
    """Apply the deck and row rules after any card has moved.

    Reshuffle the discards into an empty deck (D-7), fill face-up slots while there are cards (D-2, D-8), and
    wipe the row while it has three locomotives (D-6, R-1).
    """
    reshuffle_if_empty(state, log)
    while True:
        locomotives = _fill_row(state, tables, log)
        if locomotives < WIPE_AT or not _can_wipe(state, tables, locomotives):
            return
        _wipe(state, tables, log)


@inlined
def _fill_row(state: State, tables: Tables, log: Log) -> int:
    """Fill the empty slots while the deck lasts; return how many locomotives are face up."""
    locomotives = 0
    for slot in range(tables.face_up):
        if state.row[slot] == EMPTY and state.deck_size > 0:
            kind = draw_top(state)
            state.row[slot] = kind
            emit(log, events.TURNED_UP, NOBODY, slot, kind, 0, 0)
            reshuffle_if_empty(state, log)
        if state.row[slot] == LOCOMOTIVE:
            locomotives += 1
    return locomotives


@inlined
def _can_wipe(state: State, tables: Tables, locomotives: int) -> bool:
    """Tell whether wiping the row can leave fewer than three locomotives.

    At least three cards that are not locomotives must remain (R-1). Wiping is also useless if row and deck
    would only swap: there are no discards, and the deck is exactly the next row (R-15).
    """
    if state.discards_size == 0 and state.deck_size == tables.face_up and state.deck[LOCOMOTIVE] >= WIPE_AT:
        return False
    others = state.deck_size - state.deck[LOCOMOTIVE] + state.discards_size - state.discards[LOCOMOTIVE]
    for slot in range(tables.face_up):
        if state.row[slot] != EMPTY:
            others += 1
    return others - locomotives >= WIPE_AT


@inlined
def _wipe(state: State, tables: Tables, log: Log) -> None:
    """Discard the whole row (D-6)."""
    emit(log, events.WIPED, NOBODY, 0, 0, 0, 0)
    for slot in range(tables.face_up):
        if state.row[slot] != EMPTY:
            state.discards[state.row[slot]] += 1
            state.discards_size += 1
            state.row[slot] = EMPTY
    reshuffle_if_empty(state, log)
