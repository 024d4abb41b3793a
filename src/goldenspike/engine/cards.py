"""Train cards: drawing, turning up, discarding, shuffling anew (D-1 to D-9)."""

from __future__ import annotations

from goldenspike.engine import events
from goldenspike.engine.chance import below
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import NOBODY, Log, emit
from goldenspike.engine.state import EMPTY, KINDS, LOCOMOTIVE, State
from goldenspike.engine.tables import Tables

WIPE_AT = 3
"""Face-up locomotives that sweep the row away (D-6)."""


@inlined
def draw_top(state: State) -> int:
    """Take the top card of the deck, which must not be empty, and return its kind.

    A shuffled deck that nobody has looked into is only a number of cards of each kind: its top card is any
    of them with equal chance. So the deck is kept as counts and shuffled one card at a time.
    """
    nth = below(state.chance, int(state.deck_size))
    kind, passed = 0, 0
    for i in range(KINDS - 1):  # without a branch on chance, which no processor can foresee
        passed += int(state.deck[i])
        kind += nth >= passed
    state.deck[kind] -= 1
    state.deck_size -= 1
    return kind


@inlined
def reshuffle_if_empty(state: State, log: Log) -> None:
    """Make the discards the deck as soon as it has run out (D-7)."""
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
    """Move a face-up card, which must lie there, into a hand for all to see."""
    slot = find_in_row(state, tables, kind)
    state.row[slot] = EMPTY
    state.hands[seat, kind] += 1
    state.hand_size[seat] += 1
    state.known[seat, kind] += 1
    emit(log, events.TOOK, seat, slot, kind, 0, 0)


@inlined
def discard(state: State, seat: int, kind: int, count: int) -> None:
    """Move cards from a hand to the discards. Those the others knew of count as played first."""
    state.hands[seat, kind] -= count
    state.hand_size[seat] -= count
    state.discards[kind] += count
    state.discards_size += count
    state.known[seat, kind] = max(0, state.known[seat, kind] - count)


@compiled
def settle_cards(state: State, tables: Tables, log: Log) -> None:
    """Bring deck and row in order after any card has moved.

    Shuffles discards into an empty deck (D-7), fills face-up slots while there are cards (D-2, D-8), and
    sweeps a row with three locomotives away until it has fewer (D-6, R-1).
    """
    reshuffle_if_empty(state, log)
    while True:
        locomotives = _fill_row(state, tables, log)
        if locomotives < WIPE_AT or not _can_wipe(state, tables, locomotives):
            return
        _wipe(state, tables, log)


@inlined
def _fill_row(state: State, tables: Tables, log: Log) -> int:
    """Fill the empty slots as far as the deck goes; return how many locomotives lie face up."""
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
    """Tell whether wiping can ever help.

    Three other cards must be left (R-1), and row and deck must not be ones that would only change places,
    because there are no discards and the whole deck is the next row (R-15).
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
