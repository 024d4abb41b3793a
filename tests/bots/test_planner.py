"""The planner: its characteristic behaviour, and its strength."""

from __future__ import annotations

import numpy as np
import pytest

from goldenspike import Game, load_edition
from goldenspike.bots import Bot, Budget, Dice, make_bot
from goldenspike.bots.graph import build_graph
from goldenspike.bots.policies import POLICIES, play_tables
from goldenspike.bots.workspace import new_workspaces
from goldenspike.engine.bits import add
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.events import LOG
from goldenspike.engine.state import new_states
from goldenspike.engine.tables import build_tables
from goldenspike.game.seeds import key_words, read_seed
from goldenspike.game.view import View
from goldenspike.simulation import series_seed
from tests.game.games import give, lay_row
from tests.rules.table import RulesTable, bare


def match(edition_id: str, names: tuple[str, ...], deals: int) -> np.ndarray:
    """Play deals with the seats rotated; return each bot's share of the wins."""
    edition, seats = load_edition(edition_id), len(names)
    bots = [POLICIES[name][0] for name in names]
    keys = np.array([key_words(series_seed(read_seed("planner"), d)) for d in range(deals)], np.uint32)
    firsts = (np.arange(deals) % seats).astype(np.int16)
    shares = np.zeros((deals, seats))
    for turned in range(seats):
        policies = np.array([np.roll(bots, turned)] * deals, np.int16)
        states, decisions = new_states(deals), np.zeros(deals, np.int64)
        seat_row_sets = new_workspaces(seats), np.zeros(seats, CHANCE), np.zeros(1, LOG)
        play_tables(
            build_tables(edition),
            build_graph(edition),
            policies,
            firsts,
            keys,
            states,
            decisions,
            *seat_row_sets,
        )
        won = states["winners"][:, None] >> np.arange(seats) & 1
        shares += np.roll(won / won.sum(axis=1, keepdims=True), -turned, axis=1) / seats
    return shares.mean(axis=0)


@pytest.mark.parametrize(
    ("edition", "rival", "least"),
    [
        ("usa-classic", "random", 0.99),
        ("usa-classic", "greedy", 0.90),
        *[("usa-classic", rival, 0.60) for rival in ("one-step", "long-route", "hungry", "path")],
        *[("new-york", rival, 0.60) for rival in ("one-step", "long-route", "hungry", "path")],
        *[("first-journey", rival, 0.55) for rival in ("one-step", "long-route", "hungry", "path")],
        *[
            pytest.param(edition, "one-step", 0.60, marks=pytest.mark.slow)
            for edition in ("usa-1910", "usa-big-cities", "usa-mega")
        ],
    ],
)
def test_it_wins_against_other_bots(edition: str, rival: str, least: float):
    assert match(edition, ("planner", rival), 500)[0] >= least


@pytest.mark.slow
@pytest.mark.parametrize("rival", ["one-step", "long-route", "hungry", "path"])
def test_it_wins_most_often_at_a_table_of_four(rival: str):
    shares = match("usa-classic", ("planner", rival, rival, rival), 200)
    assert shares[0] == max(shares)
    assert shares[0] > 0.4


def dealt(seed: int = 1) -> Game:
    """Return a two-player game after the tickets are kept, with seat 0 to move."""
    game = Game.new("usa-classic", 2, seed, first=0)
    for seat in (0, 1):
        game.play("keep all", seat)
    return game


def think(game: Game) -> str:
    seat = game.to_move[0]
    choice = make_bot("planner").ask(game.view(seat), Dice.of(1), Budget())
    return str(game.legal_moves(seat)[game.legal_moves(seat).numbers.index(choice.move)])


def planned(game: Game) -> set[str]:
    """Return the routes that the plan names."""
    reason = make_bot("planner").ask(game.view(0), Dice.of(1), Budget()).reasons[0]
    return set(reason.removeprefix("The tickets still need ").split(":")[0].split(", "))


def test_it_claims_a_planned_route_once_its_hand_is_full():
    game = dealt()
    route = next(r for r in game.edition.board.routes if r.name in planned(game) and r.colour != "grey")
    idle = [colour for colour in game.edition.board.colours if colour != route.colour]
    give(game, 0, **{route.colour: route.length})
    assert not think(game).startswith("claim"), "no rival wants it, so the hand may grow"
    give(game, 0, **{route.colour: route.length}, **dict.fromkeys(idle, 2))
    assert think(game).startswith("claim")
    assert think(game).split()[1] in planned(game)


def test_it_takes_a_face_up_card_that_the_plan_needs():
    game = dealt()
    colours = {r.colour for r in game.edition.board.routes if r.name in planned(game)} - {"grey"}
    wanted, *_ = sorted(colours)
    idle = next(c for c in game.edition.board.colours if c not in colours)
    lay_row(game, idle, idle, wanted, idle, idle)
    give(game, 0)
    assert think(game) == f"take {wanted}"


def test_a_plan_avoids_routes_of_rivals():
    game = dealt()
    before = planned(game)
    route = next(r for r in game.edition.board.routes if r.name in before and r.colour != "grey")
    game.play("draw deck")
    while game.to_move == [0]:
        game.play("draw deck")
    give(game, 1, **{route.colour: route.length})
    game.play(f"claim {route.name} with {route.length} {route.colour}")
    after = planned(game)
    assert route.name not in after
    assert after


def thoughts(scene: RulesTable, bot: Bot) -> tuple[str, ...]:
    return bot.ask(View.of(scene.edition, scene._states, 0), Dice.of(1), Budget()).reasons


def test_a_rival_claiming_the_other_lane_triggers_a_new_plan():
    """C-6: with four seats it was closed already, but now a rival is near."""
    scene, used = bare("usa-classic", 4), make_bot("planner")
    scene.set_tickets(0, "DEN-ELP")
    scene.own(0, "DAL-OKC/1")
    assert thoughts(scene, used) == ("The tickets still need DEN-OKC, ELP-OKC: 9 trains.",)
    scene.own(1, "DAL-OKC/2")
    assert thoughts(scene, used) == thoughts(scene, make_bot("planner"))
    assert thoughts(scene, used) == ("The tickets still need DEN-PHX, ELP-PHX: 8 trains.",)


def test_rivals_are_not_assumed_to_hold_a_shown_ticket():
    """J-4: a completed ticket is public, whichever seat completed it."""
    scene = bare("first-journey", 3)
    scene.set_tickets(0, "ABQ-DUL")
    scene.own(1, "ABQ-LAX/white", "ATL-CHI")
    assert thoughts(scene, make_bot("planner"))[1:] == ("Others seem to want ABQ-DEN too.",)
    ticket = [ticket.name for ticket in scene.edition.tickets].index("ABQ-CHI")
    add(scene.state.completed[2], ticket)
    assert not thoughts(scene, make_bot("planner"))[1:]


@pytest.mark.parametrize("edition", ["usa-classic", "first-journey"])
def test_the_reason_counts_the_pieces_of_its_routes(edition: str):
    scene = RulesTable(edition)
    lengths = {route.name: route.length for route in scene.edition.board.routes}
    names, pieces = (
        thoughts(scene, make_bot("planner"))[0].removeprefix("The tickets still need ").split(": ")
    )
    assert len(names.split(", ")) > 2
    assert pieces == f"{sum(lengths[name] for name in names.split(', '))} trains."


def test_it_gives_reasons():
    assert (
        "The tickets still need" in make_bot("planner").ask(dealt().view(0), Dice.of(1), Budget()).reasons[0]
    )
