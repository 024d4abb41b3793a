"""Observations contain everything of the seat's view, in its place, and nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from goldenspike import load_edition
from goldenspike.engine import api
from goldenspike.env.batch import see_game
from goldenspike.env.layout import layout_of
from tests.env.looks import counts, expected, single_of
from tests.game.games import EVERY_TABLE, FEW_TABLES, TABLES, GameSetup, every_moment, moments, random_game
from tests.game.worlds import other_world


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_layout_covers_an_observation_without_gaps(table: GameSetup, graph: bool) -> None:
    layout = layout_of(load_edition(table[0]), table[1], graph)
    at = 0
    for name, part in layout.items():
        assert part.start == at
        assert part.stop - part.start == np.prod(layout.shape(name)) > 0
        at = part.stop
    assert at == layout.width == len(layout.scales)
    assert (layout.scales > 0).all()


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_every_part_agrees_with_the_view(table: GameSetup) -> None:
    for game in moments(table, 5, 12):
        single = single_of(game)
        for seat in range(game.players):
            assert counts(single, seat) == expected(game.view(seat), single.layout)


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_every_number_is_overwritten(table: GameSetup, graph: bool) -> None:
    game = random_game(table, 3, 40)
    single = single_of(game, graph)
    seen: list[tuple[bytes, bytes]] = []
    for filler in (0, 255):
        row = np.full(single.layout.width, filler, np.uint8)
        mask = np.full(single.layout.moves, filler != 0)
        features = np.full_like(single._features, filler)
        see_game(
            single._setting, single.states, single.seat, row, mask, single._kept, features, single._memories
        )
        seen.append((row.tobytes(), mask.tobytes()))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_hidden_information_does_not_change_an_observation(table: GameSetup) -> None:
    """R-12: observations of two states that differ only in hidden information are equal."""
    rng = random.Random(1)
    for game in moments(table, 8, 10):
        here = single_of(game, graph=True)
        for seat in range(game.players):
            there = single_of(game, graph=True)
            there.states = other_world(game, seat, rng)
            assert there.states.tobytes() != here.states.tobytes()
            for one, other in zip(here.observe(seat), there.observe(seat), strict=True):
                assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_visible_information_changes_an_observation(table: GameSetup) -> None:
    """The test above would pass if nothing were shown, so a card in the own hand must be visible."""
    game = random_game(table, 8, 10)
    single = single_of(game)
    before, _ = single.observe(0)
    single.states = game.states.copy()
    single.state.hands[0, 0] += 1
    assert (single.observe(0)[0] != before).any()


def check_masks(table: GameSetup, seed: int) -> int:
    checked = 0
    out = np.empty(layout_of(load_edition(table[0]), table[1]).moves, np.int16)
    for game in every_moment(table, seed, claims=0.3):
        single = single_of(game)
        for seat in range(game.players):
            legal = out[: api.list_moves(game.states, game.tables, seat, out)].tolist()
            assert np.flatnonzero(single.observe(seat)[1]).tolist() == legal
            checked += bool(legal)
    return checked


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_masks_are_the_legal_moves(table: GameSetup) -> None:
    assert check_masks(table, 1) > 15


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_masks_are_the_legal_moves_of_many_games(table: GameSetup) -> None:
    for seed in range(2, 12):
        assert check_masks(table, seed) > 15
