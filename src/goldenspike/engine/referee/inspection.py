"""All checks of a state, one after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine.compile import compiled
from goldenspike.engine.referee import cards, routes, scores, tickets, turns, values
from goldenspike.engine.referee.faults import FINE, STATE_FAULTS
from goldenspike.engine.state import State
from goldenspike.engine.tables import Tables

Faults = NDArray[np.bool_]
"""Which checks failed, by code. The entry of FINE is meaningless."""


@compiled
def inspect(state: State, tables: Tables) -> int:
    """Check a state between two moves; return FINE, or the code of the first check that failed."""
    faults = np.zeros(STATE_FAULTS, np.bool_)
    find_faults(state, tables, faults)
    for code in range(FINE + 1, STATE_FAULTS):
        if faults[code]:
            return code
    return FINE


@compiled
def find_faults(state: State, tables: Tables, faults: Faults) -> None:
    """Mark the code of every check that fails. Stop after impossible values: other checks need valid ones."""
    faults[values.check_signs(state)] = True
    faults[values.check_ranges(state)] = True
    faults[values.check_row_cards(state, tables)] = True
    if faults[FINE + 1 :].any():
        return
    faults[values.check_route_numbers(state, tables)] = True
    faults[values.check_ticket_numbers(state, tables)] = True
    if faults[FINE + 1 :].any():
        return
    faults[values.check_blank_seats(state)] = True
    _check_cards(state, tables, faults)
    _check_routes(state, tables, faults)
    _check_tickets(state, tables, faults)
    _check_turns(state, tables, faults)
    faults[scores.check_totals(state, tables)] = True
    faults[scores.check_winners(state, tables)] = True
    faults[scores.check_tie_break(state, tables)] = True


@compiled
def _check_cards(state: State, tables: Tables, faults: Faults) -> None:
    faults[cards.check_cards(state, tables)] = True
    faults[cards.check_hand_sizes(state)] = True
    faults[cards.check_deck_size(state)] = True
    faults[cards.check_discards_size(state)] = True
    faults[cards.check_known(state)] = True
    faults[cards.check_row(state, tables)] = True
    faults[cards.check_reshuffle(state)] = True
    faults[cards.check_wipe(state, tables)] = True


@compiled
def _check_routes(state: State, tables: Tables, faults: Faults) -> None:
    faults[routes.check_pieces(state, tables)] = True
    faults[routes.check_points(state, tables)] = True
    faults[routes.check_owners(state)] = True
    faults[routes.check_doubles(state, tables)] = True
    faults[routes.check_open(state, tables)] = True
    faults[routes.check_touched(state, tables)] = True


@compiled
def _check_tickets(state: State, tables: Tables, faults: Faults) -> None:
    faults[tickets.check_places(state, tables)] = True
    faults[tickets.check_held_counts(state)] = True
    faults[tickets.check_offer_sizes(state)] = True
    faults[tickets.check_ticket_deck(state)] = True
    faults[tickets.check_completed_counts(state)] = True
    faults[tickets.check_open_tickets(state, tables)] = True
    faults[tickets.check_kept(state, tables)] = True
    faults[tickets.check_completed(state, tables)] = True
    faults[tickets.check_shown(state, tables)] = True
    faults[tickets.check_coasts(state, tables)] = True


@compiled
def _check_turns(state: State, tables: Tables, faults: Faults) -> None:
    faults[turns.check_turn_order(state)] = True
    faults[turns.check_choices(state, tables)] = True
    faults[turns.check_offers(state, tables)] = True
    faults[turns.check_second_card(state, tables)] = True
    faults[turns.check_last_round(state, tables)] = True
    faults[turns.check_passes(state)] = True
    faults[turns.check_result(state)] = True
    faults[turns.check_game_goes_on(state, tables)] = True
    faults[turns.check_ending(state, tables)] = True
