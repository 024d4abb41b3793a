"""The planner's styles: each can be felt, and plays about as well as the balanced planner."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from goldenspike import Game, load_edition
from goldenspike.arena.columns import set_members
from goldenspike.arena.rows import read_states
from goldenspike.bots import Budget, Dice, make_bot
from goldenspike.bots.graph import build_graph
from goldenspike.bots.planner.route_plan import WEIGHTS
from goldenspike.bots.planner.weights import STYLES
from goldenspike.bots.policies import PLANNER, POLICIES, play_tables
from goldenspike.bots.workspace import new_workspaces
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.events import LOG
from goldenspike.engine.state import new_states
from goldenspike.engine.tables import build_tables
from goldenspike.game.seeds import key_words, read_seed
from goldenspike.simulation import series_seed

OTHERS = [style for style in STYLES if style != "planner"]
DEALS = 1_000


class Habits(NamedTuple):
    """What a style did in many games against the balanced planner, and what came of it."""

    wins: float
    turns: float
    """Turns of a game."""
    contested: float
    """Share of its routes that lead to a city of the rival's network."""
    hindered: float
    """Tickets that the rival failed to complete, in a game."""


@cache
def habits(style: str, edition_id: str) -> Habits:
    """Play deals in both seats against the balanced planner."""
    edition = load_edition(edition_id)
    keys = np.array([key_words(series_seed(read_seed("styles"), d)) for d in range(DEALS)], np.uint32)
    ends = np.zeros((128, len(edition.board.cities)), bool)
    for number, route in enumerate(edition.board.routes):
        ends[number, [route.a, route.b]] = True
    found: list[Habits] = []
    for own in range(2):
        policies = np.full((DEALS, 2), PLANNER, np.int16)
        policies[:, own] = POLICIES[style][0]
        states, decisions = new_states(DEALS), np.zeros(DEALS, np.int64)
        play_tables(
            build_tables(edition),
            build_graph(edition),
            policies,
            (np.arange(DEALS) % 2).astype(np.int16),
            keys,
            states,
            decisions,
            new_workspaces(2),
            np.zeros(2, CHANCE),
            np.zeros(1, LOG),
        )
        rows = read_states(edition, range(DEALS), states, decisions)
        won = rows["winners"][:, None] >> np.arange(2) & 1
        routes = set_members(rows["owned"][:, :2])
        cities = np.logical_or.reduce(routes[:, 1 - own, :, None] & ends, axis=1)
        contested = (routes[:, own] & (ends & cities[:, None]).any(axis=2)).sum() / routes[:, own].sum()
        found.append(
            Habits(
                (won / won.sum(axis=1, keepdims=True))[:, own].mean(),
                rows["turns"].mean(),
                contested,
                rows["failed"][:, 1 - own].mean(),
            )
        )
    return Habits(*np.mean(found, axis=0))


@cache
def cards_in_hand(style: str, edition_id: str) -> float:
    """Return how many cards a style holds at the beginning of a turn, on average over some games."""
    counts: list[int] = []
    for number in range(16):
        own = number % 2
        game = Game.new(edition_id, 2, seed=f"hands {number // 2}")
        bots = [make_bot(style if seat == own else "planner") for seat in range(2)]
        while not game.is_over:
            seat = game.to_move[0]
            view = game.view(seat)
            if seat == own and view.phase == "turn":
                counts.append(view.hand_sizes[own])
            game.play(bots[seat].ask(view, Dice.of(0), Budget()).move, seat)
    return float(np.mean(counts))


EDITIONS = pytest.mark.parametrize("edition", ["usa-classic", "new-york"])


@EDITIONS
@pytest.mark.parametrize("style", OTHERS)
def test_a_style_plays_about_as_well_as_the_balanced_planner(style: str, edition: str):
    assert 0.46 < habits(style, edition).wins < 0.58


@EDITIONS
def test_a_blocker_builds_where_its_rival_builds_and_hinders_it(edition: str):
    blocker, planner = habits("blocker", edition), habits("planner", edition)
    assert blocker.contested > planner.contested + 0.05
    assert blocker.hindered > 1.25 * planner.hindered
    assert blocker.contested == max(habits(style, edition).contested for style in STYLES)


@EDITIONS
def test_a_hoarder_holds_more_cards(edition: str):
    assert cards_in_hand("hoarder", edition) > 1.25 * cards_in_hand("planner", edition)
    assert cards_in_hand("hoarder", edition) == max(cards_in_hand(style, edition) for style in STYLES)


@EDITIONS
def test_a_racer_ends_the_game_earlier(edition: str):
    turns = {style: habits(style, edition).turns for style in STYLES}
    assert turns["racer"] < 0.98 * turns["planner"]
    assert turns["racer"] == min(turns.values())


def test_the_balanced_planner_and_the_styles_differ_only_in_their_weights():
    [workspace] = new_workspaces(1)
    assert workspace["weights"].shape[0] == len(STYLES)
    for number, (style, by_kind) in enumerate(STYLES.items()):
        assert POLICIES[style][0] == PLANNER + number
        for kind, weights in by_kind.items():
            assert set(weights) == set(WEIGHTS.names or ())
            assert {name: workspace["weights"][number, kind][name] for name in weights} == weights
