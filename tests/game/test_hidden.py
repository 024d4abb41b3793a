"""No information leaks: games that differ only in what is hidden from a seat look the same to it (R-12)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from goldenspike import Game, View
from goldenspike.engine import api
from goldenspike.engine import events as kinds
from goldenspike.engine.events import LOG
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.state import CHOOSING, States
from goldenspike.engine.tables import build_tables
from goldenspike.game.events import Rows, redact
from goldenspike.game.view import PHASES
from tests.game.games import FEW_TABLES, TABLES, GameSetup, every_moment, moments
from tests.game.worlds import other_world

OPENING = {kinds.TURNED_UP, kinds.WIPED, kinds.COMPLETED, kinds.REVEALED, kinds.SCORED, kinds.ENDED}
"""Kinds of event that may reveal hidden information, so that two worlds may differ from there on. Whether a
row is wiped depends on what is left in the deck (R-1)."""


def watchers(game: Game) -> list[int | None]:
    return [None, *range(game.players)]


def step(game: Game, states: States, seat: int, move: int) -> Rows | None:
    """Play a move on a bare state; return its events, or None if it is not legal there."""
    logs = np.zeros(1, LOG)
    if api.step(states, build_tables(game.edition), seat, move, logs) != LEGAL:
        return None
    assert logs[0].count <= len(logs[0].rows)
    return logs[0].rows[: logs[0].count].copy()


def count_closed(rows: Rows) -> int:
    """Count the events before the first that reveals hidden information."""
    return next((i for i, row in enumerate(rows) if int(row[0]) in OPENING), len(rows))


def check_view(game: Game, rng: random.Random) -> None:
    for watcher in watchers(game):
        other = other_world(game, watcher, rng)
        assert other.tobytes() != game.states.tobytes()
        assert View.of(game.edition, other, watcher) == game.view(watcher), watcher


def check_events(game: Game, rng: random.Random) -> int:
    """Play one move in two worlds; return the number of pairs in which all events could be compared."""
    compared = 0
    actor = rng.choice(game.to_move)
    move = rng.choice(game.legal_moves(actor).numbers)
    here = game.states.copy()
    rows = step(game, here, actor, move)
    assert rows is not None
    for watcher in watchers(game):
        there = other_world(game, watcher, rng, same_choices=True)
        rows_there = None if watcher == actor else step(game, there, actor, move)
        if rows_there is None:
            continue
        seen, seen_there = redact(rows, watcher), redact(rows_there, watcher)
        closed = min(count_closed(seen), count_closed(seen_there))
        assert seen[:closed].tobytes() == seen_there[:closed].tobytes(), (watcher, seen, seen_there)
        if closed == len(seen) == len(seen_there):
            compared += 1
            assert View.of(game.edition, here, watcher) == View.of(game.edition, there, watcher)
    return compared


@pytest.mark.parametrize("seed", range(2))
def test_two_worlds_give_the_same_view(table: GameSetup, seed: int) -> None:
    rng = random.Random(seed)
    for game in moments(table, seed, 12):
        check_view(game, rng)


def test_two_worlds_give_the_same_events_of_the_next_action(table: GameSetup) -> None:
    rng = random.Random(5)
    compared = sum(check_events(game, rng) for game in moments(table, 5, 25) if not game.is_over)
    assert compared >= 5


def test_the_moments_cover_every_phase() -> None:
    """The sampled games include partial setup choices, each phase of a turn, and finished games."""
    phases: set[str] = set()
    half_chosen = False
    for game in every_moment(("usa-classic", 3), 0):
        phases.add(PHASES[game.state.phase])
        half_chosen |= game.state.phase == CHOOSING and 0 < len(game.to_move) < 3
    assert phases == set(PHASES)
    assert half_chosen


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_setup_choices_are_hidden_one_by_one(table: GameSetup) -> None:
    """S-3: while others still choose, a choice, and even its size, is hidden."""
    rng = random.Random(2)
    game = Game.new(*table, seed=2)
    while game.state.phase == CHOOSING:
        check_view(game, rng)
        seat = rng.choice(game.to_move)
        game.play(rng.choice(game.legal_moves(seat).numbers), seat)
    check_view(game, rng)


def test_the_two_worlds_differ() -> None:
    """The other world really differs: seats that see the hidden part see a difference."""
    rng = random.Random(3)
    game = next(g for g in moments(("usa-classic", 3), 4, 40) if not g.is_over and len(g.played) > 20)
    other = other_world(game, 0, rng)
    assert View.of(game.edition, other, 0) == game.view(0)
    assert View.of(game.edition, other, 1) != game.view(1)
    assert View.of(game.edition, other, 2) != game.view(2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 101))
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_two_worlds_give_the_same_view_at_every_moment(table: GameSetup, seed: int) -> None:
    rng = random.Random(seed)
    for game in every_moment(table, seed):
        check_view(game, rng)
        if not game.is_over:
            check_events(game, rng)
