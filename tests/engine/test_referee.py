"""The referee finds every fault it has a code for: a state with one fault fails only that check."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from goldenspike.editions import load_edition
from goldenspike.engine import api
from goldenspike.engine.bits import add, has, remove
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.events import LOG
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.referee import FINE, SENTENCES, compare_moves, faults, find_faults, inspect
from goldenspike.engine.state import (
    CHOOSING,
    EMPTY,
    KEEPING,
    LOCOMOTIVE,
    NO_TIE,
    NOBODY_CAN_ACT,
    NOT_LAST_ROUND,
    OVER,
    SECOND_CARD,
    SHARED,
    TURN,
    TURN_DONE,
    new_states,
)
from goldenspike.engine.tables import NO_TWIN, build_tables

SCENES: dict[str, tuple[str, int, Callable[[Any], bool]]] = {
    "setup": ("usa-classic", 3, lambda s: s.phase == CHOOSING and s.choice.max() > 0),
    "start": ("usa-classic", 3, lambda s: s.phase == TURN),
    "middle": ("usa-classic", 3, lambda s: s.phase == TURN and s.turns > 25 and s.ticket_deck_size > 2),
    "keeping": ("usa-classic", 3, lambda s: s.phase == KEEPING and s.turns > 3),
    "last round": ("usa-classic", 3, lambda s: s.turns_left == 2 and s.phase == TURN),
    "over": ("usa-classic", 3, lambda s: s.phase == OVER and s.tie_break == NO_TIE and s.completed.any()),
    "four": ("usa-classic", 4, lambda s: s.phase == TURN and s.turns > 40),
    "journey": ("first-journey", 3, lambda s: s.phase == TURN and s.completed.any(axis=1).sum() > 1),
    "journey's end": ("first-journey", 3, lambda s: s.phase == OVER),
}
"""Edition, seats, and a condition on the state."""


@cache
def find_scene(name: str) -> Any:
    """Play random games until there is a state of this kind."""
    edition, seats, is_it = SCENES[name]
    tables, logs, chances = build_tables(load_edition(edition)), np.zeros(1, LOG), np.zeros(1, CHANCE)
    for game in range(100):
        states, key = new_states(1), np.full(8, game, np.uint32)
        api.open_players(chances, key)
        api.deal(states, tables, seats, key, 0, logs)
        while not is_it(states[0]) and states[0].phase != OVER:
            seat = to_move(states[0])
            move = api.random_move(states, tables, chances, seat)
            assert api.step(states, tables, seat, move, logs) == LEGAL
        if is_it(states[0]):
            return states
    raise AssertionError(name)


def to_move(state: Any) -> int:
    if state.phase == CHOOSING:
        return next(seat for seat in range(state.seats) if state.choice[seat] == 0)
    return int(state.turn)


def scene(name: str) -> tuple[Any, Any]:
    return find_scene(name).copy(), build_tables(load_edition(SCENES[name][0]))


def routes_of(state: Any, tables: Any, seat: int) -> list[int]:
    return [route for route in range(tables.routes) if has(state.owned[seat], route)]


def free_twins(state: Any, tables: Any) -> list[int]:
    """Return the unowned twins of seat 0's routes."""
    twins = [int(tables.route_twin[route]) for route in routes_of(state, tables, 0)]
    taken = [route for seat in range(state.seats) for route in routes_of(state, tables, seat)]
    return [twin for twin in twins if twin != NO_TWIN and twin not in taken]


def tickets_of(words: Any) -> list[int]:
    return [ticket for ticket in range(96) if has(words, ticket)]


def give_route(state: Any, tables: Any, seat: int, route: int) -> None:
    add(state.owned[seat], route)
    state.pieces[seat] -= tables.route_length[route]
    state.points[seat] += tables.route_points[route]
    state.touched[seat] |= tables.route_ends[route]
    for other in range(state.seats):
        remove(state.open_to[other], route)


def put_under_deck(state: Any, ticket: int) -> None:
    state.ticket_deck[(state.ticket_top + state.ticket_deck_size) % 96] = ticket
    state.ticket_deck_size += 1


def gain_card(state: Any, _tables: Any) -> None:
    state.hands[0, 0], state.hand_size[0] = state.hands[0, 0] + 1, state.hand_size[0] + 1


def empty_slot(state: Any, _tables: Any) -> None:
    state.deck[state.row[2]] += 1
    state.deck_size += 1
    state.row[2] = EMPTY


def leave_discards(state: Any, _tables: Any) -> None:
    state.discards += state.deck
    state.discards_size += state.deck_size
    state.deck[:] = state.deck_size = 0


def lay_locomotives(state: Any, _tables: Any) -> None:
    for slot in range(3):
        if state.row[slot] != LOCOMOTIVE:
            state.deck[state.row[slot]] += 1
            state.deck[LOCOMOTIVE] -= 1
            state.row[slot] = LOCOMOTIVE


def share_route(state: Any, tables: Any) -> None:
    single = [route for route in routes_of(state, tables, 0) if tables.route_twin[route] == NO_TWIN]
    give_route(state, tables, 1, single[0])


def take_twin(seat: int) -> Callable[[Any, Any], None]:
    def take(state: Any, tables: Any) -> None:
        give_route(state, tables, seat, free_twins(state, tables)[0])

    return take


def close_route(state: Any, tables: Any) -> None:
    remove(state.open_to[0], next(r for r in range(tables.routes) if has(state.open_to[0], r)))


def reopen_twin(state: Any, tables: Any) -> None:
    add(state.open_to[0], free_twins(state, tables)[0])


def close_twin_to_all(state: Any, tables: Any) -> None:
    remove(state.open_to[1], free_twins(state, tables)[0])


def touch_another(state: Any, _tables: Any) -> None:
    city = next(city for city in range(36) if not int(state.touched[0]) >> city & 1)
    state.touched[0] |= np.uint64(1 << city)


def double_ticket(state: Any, _tables: Any) -> None:
    state.ticket_deck[state.ticket_top] = tickets_of(state.held[0])[0]


def return_tickets(state: Any, _tables: Any) -> None:
    for ticket in tickets_of(state.held[0])[1:]:
        remove(state.held[0], ticket)
        state.held_count[0] -= 1
        put_under_deck(state, ticket)


def exchange_open_tickets(state: Any, _tables: Any) -> None:
    state.offer[0, 0], state.offer[1, 0] = int(state.offer[1, 0]), int(state.offer[0, 0])


def show_early(state: Any, _tables: Any) -> None:
    add(state.completed[0], tickets_of(state.held[0])[0])
    state.completed_count[0] += 1


def overlook_completed(state: Any, _tables: Any) -> None:
    seat = next(seat for seat in range(3) if state.completed[seat].any())
    remove(state.completed[seat], tickets_of(state.completed[seat])[0])
    state.completed_count[seat] -= 1


def complete_unjoined(state: Any, _tables: Any) -> None:
    ticket = int(state.offer[0, 1])
    state.offer[0, 1] = EMPTY
    state.offer_size[0] -= 1
    remove(state.held[0], ticket)
    state.held_count[0] -= 1
    add(state.completed[0], ticket)
    state.completed_count[0] += 1


def take_back_completed(state: Any, _tables: Any) -> None:
    seat = next(seat for seat in range(3) if state.completed[seat].any())
    back, under = tickets_of(state.completed[seat])[0], int(state.offer[seat, 0])
    remove(state.completed[seat], back)
    state.completed_count[seat] -= 1
    remove(state.held[seat], under)
    put_under_deck(state, under)
    add(state.held[seat], back)
    state.offer[seat, 0] = back


def grant_coast_to_coast(state: Any, _tables: Any) -> None:
    seat = next(seat for seat in range(3) if not state.coast_to_coast[seat])
    state.coast_to_coast[seat] = 1
    state.completed_count[seat] += 1


def offer_out_of_turn(state: Any, _tables: Any) -> None:
    state.offer[0, 0] = state.ticket_deck[state.ticket_top]
    state.offer_size[0] = 1
    state.ticket_deck[state.ticket_top] = EMPTY
    state.ticket_top = (state.ticket_top + 1) % 96
    state.ticket_deck_size -= 1


def take_all_cards(state: Any, tables: Any) -> None:
    for slot in range(tables.face_up):
        state.hands[0, state.row[slot]] += 1
        state.row[slot] = EMPTY
    state.hands[0] += state.deck + state.discards
    state.hand_size[0] = state.hands[0].sum()
    state.deck[:] = state.discards[:] = 0
    state.deck_size = state.discards_size = 0
    state.phase = SECOND_CARD


def lower_a_loser(state: Any, _tables: Any) -> None:
    state.totals[next(seat for seat in range(3) if not state.winners >> seat & 1)] -= 1


def name_a_loser(state: Any, _tables: Any) -> None:
    state.winners = 1 << next(seat for seat in range(3) if not state.winners >> seat & 1)


def put(field: str, value: int, *index: int) -> Callable[[Any, Any], None]:
    """Return a corruption that sets one number."""

    def corrupt(state: Any, _tables: Any) -> None:
        if index:
            state[field][index] = value
        else:
            state[field] = value

    return corrupt


def one_more(field: str, *index: int) -> Callable[[Any, Any], None]:
    """Return a corruption that adds 1 to one number."""
    return lambda state, tables: put(field, 1 + (state[field][index] if index else state[field]), *index)(
        state, tables
    )


CASES: list[tuple[int, str, Callable[[Any, Any], None]]] = [
    (faults.NEGATIVE, "middle", put("known", -1, 0, 0)),
    (faults.NEGATIVE, "middle", put("passes", -1)),
    (faults.OUT_OF_RANGE, "middle", put("phase", TURN_DONE)),
    (faults.OUT_OF_RANGE, "middle", put("turn", 3)),
    (faults.UNKNOWN_CARD, "middle", put("row", LOCOMOTIVE + 1, 0)),
    (faults.UNKNOWN_CARD, "journey", put("row", 0, 0)),
    (faults.UNKNOWN_ROUTE, "middle", lambda state, _: add(state.owned[0], 127)),
    (faults.UNKNOWN_TICKET, "middle", lambda state, tables: add(state.held[0], tables.tickets)),
    (faults.SEAT_NOT_BLANK, "middle", put("pieces", 1, 4)),
    (faults.SEAT_NOT_BLANK, "middle", lambda state, _: add(state.open_to[3], 0)),
    (faults.CARDS_LOST, "middle", gain_card),
    (faults.HAND_MISCOUNTED, "middle", one_more("hand_size", 1)),
    (faults.DECK_MISCOUNTED, "middle", one_more("deck_size")),
    (faults.DISCARDS_MISCOUNTED, "middle", one_more("discards_size")),
    (faults.KNOWN_NOT_HELD, "middle", lambda state, _: put("known", state.hands[0, 0] + 1, 0, 0)(state, _)),
    (faults.ROW_HAS_GAP, "middle", empty_slot),
    (faults.DISCARDS_NOT_SHUFFLED, "middle", leave_discards),
    (faults.LOCOMOTIVES_NOT_WIPED, "start", lay_locomotives),
    (faults.PIECES_LOST, "middle", one_more("pieces", 0)),
    (faults.POINTS_WRONG, "middle", one_more("points", 2)),
    (faults.POINTS_WRONG, "over", one_more("points", 2)),
    (faults.ROUTE_OWNED_TWICE, "middle", share_route),
    (faults.BOTH_LANES_OWNED, "middle", take_twin(0)),
    (faults.BOTH_LANES_OWNED, "middle", take_twin(1)),
    (faults.BOTH_LANES_OWNED, "four", take_twin(0)),
    (faults.OPEN_WRONG, "middle", close_route),
    (faults.OPEN_WRONG, "middle", reopen_twin),
    (faults.OPEN_WRONG, "four", reopen_twin),
    (faults.OPEN_WRONG, "four", close_twin_to_all),
    (faults.TOUCHED_WRONG, "middle", touch_another),
    (faults.TICKET_MISPLACED, "middle", double_ticket),
    (faults.HELD_MISCOUNTED, "middle", one_more("held_count", 0)),
    (faults.OFFER_MISCOUNTED, "keeping", lambda state, _: put("offer_size", 2, int(state.turn))(state, _)),
    (faults.TICKET_DECK_MISCOUNTED, "middle", one_more("ticket_deck_size")),
    (faults.COMPLETED_MISCOUNTED, "middle", one_more("completed_count", 0)),
    (faults.HELD_NOT_BEFORE_SEAT, "journey", exchange_open_tickets),
    (faults.TOO_FEW_TICKETS, "middle", return_tickets),
    (faults.COMPLETED_WRONG, "middle", show_early),
    (faults.COMPLETED_WRONG, "over", overlook_completed),
    (faults.COMPLETED_WRONG, "journey", complete_unjoined),
    (faults.JOINED_NOT_SHOWN, "journey", take_back_completed),
    (faults.COAST_TO_COAST_WRONG, "journey", grant_coast_to_coast),
    (faults.TURN_ORDER_WRONG, "middle", lambda state, _: put("turn", (state.turn + 1) % 3)(state, _)),
    (faults.TURN_ORDER_WRONG, "over", one_more("turns")),
    (faults.CHOICE_WRONG, "setup", put("choice", 0b001, 0)),
    (faults.CHOICE_WRONG, "setup", put("choice", 0b1100, 0)),
    (faults.CHOICE_WRONG, "middle", put("choice", 0b111, 1)),
    (faults.OFFER_OUT_OF_PHASE, "middle", offer_out_of_turn),
    (faults.NO_SECOND_CARD, "middle", take_all_cards),
    (faults.NO_SECOND_CARD, "journey", put("phase", SECOND_CARD)),
    (faults.LAST_ROUND_WRONG, "middle", put("turns_left", 2)),
    (faults.LAST_ROUND_WRONG, "last round", put("turns_left", NOT_LAST_ROUND)),
    (faults.LAST_ROUND_WRONG, "journey", put("turns_left", 2)),
    (faults.PASSES_WRONG, "keeping", put("passes", 1)),
    (faults.RESULT_TOO_EARLY, "middle", put("winners", 1)),
    (faults.RESULT_TOO_EARLY, "middle", put("totals", 1, 0)),
    (faults.NOT_ENDED, "middle", put("passes", 3)),
    (faults.NOT_ENDED, "last round", put("turns_left", 0)),
    (faults.ENDING_WRONG, "over", put("ending", NOBODY_CAN_ACT)),
    (faults.ENDING_WRONG, "journey's end", put("ending", NOBODY_CAN_ACT)),
    (faults.TOTALS_WRONG, "over", lower_a_loser),
    (faults.WINNERS_WRONG, "over", name_a_loser),
    (faults.TIE_BREAK_WRONG, "over", put("tie_break", SHARED)),
]


def name_of(code: int) -> str:
    return next(name for name, value in vars(faults).items() if name.isupper() and value == code)


def find_all(states: Any, tables: Any) -> list[int]:
    found = np.zeros(faults.STATE_FAULTS, np.bool_)
    find_faults(states, tables, found)
    return [code for code in range(1, faults.STATE_FAULTS) if found[code]]


@pytest.mark.parametrize("name", SCENES)
def test_a_good_state_has_no_fault(name: str):
    states, tables = scene(name)
    assert inspect(states, tables) == FINE
    assert [compare_moves(states, tables, seat) for seat in range(states[0].seats)] == [FINE] * states[
        0
    ].seats


@pytest.mark.parametrize(
    ("code", "name", "corrupt"),
    [pytest.param(*case, id=f"{name_of(case[0])}-{case[1]}-{i}") for i, case in enumerate(CASES)],
)
def test_a_corrupted_state_fails_that_check_alone(code: int, name: str, corrupt: Callable[[Any, Any], None]):
    states, tables = scene(name)
    corrupt(states[0], tables[0])
    assert [name_of(found) for found in find_all(states, tables)] == [name_of(code)]
    assert inspect(states, tables) == code


def test_every_fault_has_a_case_and_a_sentence():
    assert {case[0] for case in CASES} == set(range(1, faults.STATE_FAULTS))
    assert sorted(SENTENCES) == list(range(faults.GAME_TOO_LONG + 1))


def test_a_move_that_is_counted_but_refused_is_found():
    """A claimed route that is still open is counted as a move, although verifying it fails."""
    states, tables = scene("four")
    state, seat = states[0], int(states[0].turn)
    state.hands[seat] = 9
    add(state.open_to[seat], routes_of(state, tables[0], (seat + 1) % 4)[0])
    assert compare_moves(states, tables, seat) == faults.COUNT_DIFFERS


def test_a_move_that_is_not_listed_is_found():
    states, tables = scene("start")
    tables, seat = tables.copy(), int(states[0].turn)
    states[0].hands[seat] = 9
    tables[0].routes -= 1
    assert compare_moves(states, tables, seat) == faults.LIST_DIFFERS


def test_a_move_that_is_numbered_but_refused_is_found():
    """Swapping two routes in the sets that a colour can pay for does not change the count."""
    states, tables = scene("start")
    tables, seat = tables.copy(), int(states[0].turn)
    table = tables[0]
    red = next(r for r in range(table.routes) if table.route_colour[r] == 0)
    length = table.route_length[red]
    blue = next(
        r for r in range(table.routes) if table.route_colour[r] == 1 and table.route_length[r] == length
    )
    for n in range(length, table.fits.shape[1]):
        remove(table.fits[0, n], red)
        add(table.fits[0, n], blue)
    states[0].hands[seat] = 0
    states[0].hands[seat, 0] = length
    assert compare_moves(states, tables, seat) == faults.NTH_DIFFERS


def test_a_mask_that_lacks_a_move_is_found():
    """The mask alone reads where the claims of the last route end."""
    states, tables = scene("start")
    tables, seat = tables.copy(), int(states[0].turn)
    states[0].hands[seat] = 9
    assert compare_moves(states, tables, seat) == FINE
    tables[0].first_claim[tables[0].routes] -= 1
    assert compare_moves(states, tables, seat) == faults.MASK_DIFFERS


def test_a_seat_without_a_move_in_its_turn_is_found():
    states, tables = scene("middle")
    take_all_cards(states[0], tables[0])
    assert compare_moves(states, tables, int(states[0].turn)) == faults.WRONG_SEAT_TO_MOVE
