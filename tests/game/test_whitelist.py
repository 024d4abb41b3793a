"""Visibility of every field of a state in a view (R-12, S-3, T-2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goldenspike import Game, View
from goldenspike.engine.state import OVER, STATE, States
from tests.game.games import FEW_TABLES, GameSetup, random_game

PUBLIC = {
    "phase",
    "seats",
    "first",
    "turn",
    "turns",
    "turns_left",
    "passes",
    "ending",
    "tie_break",
    "winners",
    "row",
    "deck_size",
    "discards",
    "discards_size",
    "ticket_deck_size",
}
"""Visible to all."""
PUBLIC_OF_SEATS = {
    "open_to",
    "owned",
    "touched",
    "completed",
    "hand_size",
    "known",
    "pieces",
    "points",
    "totals",
    "offer_size",
    "held_count",
    "completed_count",
    "coast_to_coast",
}
"""Visible to all, for the seats in play."""
OWN = {"hands", "held", "offer", "choice"}
"""Visible to the seat; `held` to all when a game without swaps is over."""
HIDDEN = {"chance", "deck", "ticket_deck", "ticket_top"}
"""Visible in no view."""

MOMENTS = (0, 1, 30, None)


def parts(states: States) -> list[tuple[str, np.ndarray, int]]:
    """Return every number in a state: its field, the flat array that contains it, and its index."""
    found: list[tuple[str, np.ndarray, int]] = []
    for name in STATE.names or ():
        whole = states[name]
        for field in [whole] if name != "chance" else [whole[inner] for inner in whole.dtype.names or ()]:
            flat = field.view(np.ndarray)[0].reshape(-1) if field.ndim > 1 else field.view(np.ndarray)
            assert np.shares_memory(flat, states)
            found += [(name, flat, i) for i in range(flat.size)]
    return found


def is_seen(game: Game, name: str, place: int, watcher: int | None) -> bool:
    if name in PUBLIC:
        return True
    if name in HIDDEN:
        return False
    width = int(np.prod(STATE[name].shape[1:]))
    owner = place // width
    if name == "held" and game.state.phase == OVER and game.edition.ticket_rules.flow == "offer":
        return owner < game.players
    if name in OWN:
        return owner == watcher
    return owner < game.players


def test_every_field_is_classified() -> None:
    """A new field of the state must be added to one of the sets here; by default no view shows it."""
    assert set(STATE.names or ()) == PUBLIC | PUBLIC_OF_SEATS | OWN | HIDDEN


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_a_changed_field_is_visible_only_to_its_audience(table: GameSetup, moment: int | None) -> None:
    game = random_game(table, 11, moment)
    states = game.states.copy()
    views = {watcher: game.view(watcher) for watcher in (None, *range(game.players))}
    for name, flat, place in parts(states):
        before = flat[place]
        if name == "choice" and not before:
            continue  # that a choice was made is public: see the next test
        flat[place] = _another(name, before)
        for watcher, view in views.items():
            changed = View.of(game.edition, states, watcher) != view
            assert changed == is_seen(game, name, place, watcher), (name, place, watcher)
        flat[place] = before
    assert states.tobytes() == game.states.tobytes()


def _another(name: str, value: Any) -> Any:
    """Return another value that keeps the state valid enough for a view."""
    if name == "seats":
        return value + 1 if value < 5 else value - 1
    if name == "choice":
        return value + 1
    if name == "phase":
        return value ^ 1
    return value ^ type(value)(1)


@pytest.mark.parametrize("players", [2, 5])
def test_other_seats_see_that_a_choice_was_made_but_not_which(players: int) -> None:
    game = Game.new("usa-classic", players, seed=1)
    blank = [game.view(watcher) for watcher in (None, *range(players))]
    game.play("keep all", 1)
    for view in blank:
        now = game.view(view.seat)
        assert now != view
        assert now.to_move == [seat for seat in range(players) if seat != 1]
        assert now.struct.choice[1] == (0b111 if view.seat == 1 else -1)
        assert now.ticket_counts == [0] * players
