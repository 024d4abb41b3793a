"""Graph features: distances and plans against a plain search, cached ones against new ones."""

from __future__ import annotations

import numpy as np
import pytest

from goldenspike import Game, View
from goldenspike.engine import api
from goldenspike.engine.bits import has
from goldenspike.engine.tables import build_tables
from goldenspike.env import VectorEnv
from goldenspike.env.single import SingleGame
from tests.env.looks import Numbers, counts, distance, single_of
from tests.game.games import FEW_TABLES, TABLES, GameSetup, moments, touch


def check_tickets(game: Game, view: View, seen: Numbers) -> int:
    """Check the held tickets; return how many there are."""
    edition, left = game.edition, view.pieces[view.seat or 0]
    for i, (ticket, held) in enumerate(zip(edition.tickets, seen["tickets"], strict=True)):
        shown = [seen[f"ticket_{word}"][i] for word in ("remaining", "joined", "lost")]
        far = distance(edition, view, ticket.a, ticket.b)
        if not held:
            assert shown == [0, 0, 0]
        elif far is None:
            assert shown == [edition.pieces, 0, 1]
        else:
            assert shown == [min(far, edition.pieces), int(far == 0), int(far > left)]
    return sum(seen["tickets"])


def check_plan(game: Game, view: View, seen: Numbers) -> None:
    """Check that all plans together are as long as the distances, and use only open routes."""
    total = 0
    for ticket, held in zip(game.edition.tickets, seen["tickets"], strict=True):
        total += held * (distance(game.edition, view, ticket.a, ticket.b) or 0)
    routes = game.edition.board.routes
    assert sum(n * route.length for n, route in zip(seen["plan"], routes, strict=True)) == total
    assert all(is_open for n, is_open in zip(seen["plan"], seen["open"], strict=True) if n)


def check_offer(game: Game, view: View, seen: Numbers) -> None:
    edition, left = game.edition, view.pieces[view.seat or 0]
    by_name = {ticket.name: ticket for ticket in edition.tickets}
    for slot, name in enumerate(view.offer):
        far = distance(edition, view, by_name[name].a, by_name[name].b)
        shown = [seen[f"offer_{word}"][slot] for word in ("remaining", "lost")]
        if far is None:
            assert shown == [edition.pieces, 1]
        else:
            assert shown == [min(far, edition.pieces), int(far > left)]
    if "offer" in seen:
        assert not any(seen["offer_remaining"][len(view.offer) :] + seen["offer_lost"][len(view.offer) :])


def check_payment(game: Game, view: View, seen: Numbers) -> None:
    for route in game.edition.board.routes:
        best = max((n for colour, n in view.hand.items() if colour != "loco"), default=0)
        cards = best if route.colour == "grey" else view.hand.get(route.colour, 0)
        lacking = max(0, route.length - cards - view.hand.get("loco", 0))
        is_open = seen["open"][route.index]
        assert seen["missing"][route.index] == (lacking if is_open else 0)
        can_pay = is_open and not lacking and route.length <= seen["pieces"][0]
        assert seen["payable"][route.index] == int(can_pay)


@pytest.mark.slow
@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_distances_plans_and_payments(table: GameSetup) -> None:
    tickets = 0
    for game in moments(table, 6, 12):
        single = single_of(game, graph=True)
        for seat in range(game.players):
            view, seen = game.view(seat), counts(single, seat)
            tickets += check_tickets(game, view, seen)
            check_plan(game, view, seen)
            check_offer(game, view, seen)
            check_payment(game, view, seen)
    assert tickets > 20


def test_offered_tickets_out_of_reach() -> None:
    """One whose city a rival has closed in, one that needs too many pieces, and one that can be made."""
    game = Game.new("usa-classic", 2, seed=1, first=0)
    state, tables = touch(game), build_tables(game.edition)
    by_name = {ticket.name: ticket for ticket in game.edition.tickets}
    closed, near, far = sorted((by_name[name] for name in game.view(0).offer), key=lambda t: t.points)
    for route in game.edition.board.routes:
        if closed.a in (route.a, route.b) and has(state.open_to[1], route.index):
            api.take_route(game.states, tables, 1, route.index)
    state.pieces[0] = distance(game.edition, game.view(0), near.a, near.b)
    view, seen = game.view(0), counts(single_of(game, graph=True), 0)
    check_offer(game, view, seen)
    lost = [seen["offer_lost"][view.offer.index(ticket.name)] for ticket in (closed, near, far)]
    assert lost == [1, 0, 1]
    assert distance(game.edition, view, closed.a, closed.b) is None


def check_kept(table: GameSetup, games: int, steps: int) -> None:
    env = VectorEnv(*table, games=games, seed=3, graph=True)
    fresh = SingleGame(env.edition, env.players, graph=True)
    for _ in range(steps):
        for i in range(games):
            fresh.states = env._batch.states[i : i + 1]
            observation, mask = fresh.observe(fresh.seat)
            assert (env.observations[i] * env.scales == observation).all()
            assert (env.masks[i] == mask).all()
        env.step(env.random_moves())
    assert (env.numbers >= games).any() or steps < 100


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_cached_features_equal_recomputed_ones(table: GameSetup) -> None:
    check_kept(table, 6, 90)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_cached_features_equal_recomputed_ones_in_many_games(table: GameSetup) -> None:
    check_kept(table, 16, 700)


def test_graph_features_do_not_change_the_other_parts() -> None:
    plain, rich = (VectorEnv("usa-classic", 2, games=4, seed=1, graph=graph) for graph in (False, True))
    assert (rich.observations[:, : plain.layout.width] == plain.observations).all()
    assert np.array_equal(rich.masks, plain.masks)
