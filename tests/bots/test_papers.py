"""The agents of the playtesting papers: their games end, and each has its characteristic behaviour."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

import pytest

from goldenspike import Edition, Game, load_edition
from goldenspike.bots import Budget, Dice, make_bot
from goldenspike.bots.policies import MOST_DECISIONS
from goldenspike.engine.moves import CLAIM, KEEP, read_claim
from goldenspike.engine.state import NOT_LAST_ROUND
from goldenspike.game.view import View
from tests.game.games import FEW_TABLES, TABLES, every_moment
from tests.rules import words
from tests.rules.homemade import islands_points, islands_race
from tests.rules.table import RulesTable, bare

AGENTS = ("one-step", "long-route", "hungry", "path")
LINEUPS = [(agent,) for agent in AGENTS] + [AGENTS, ("path", "random", "hungry"), ("one-step", "greedy")]
DRIVER = Path(__file__).with_name("drive_bots.py")

each_agent = pytest.mark.parametrize("agent", AGENTS)


def think(agent: str, view: View) -> int:
    move = make_bot(agent).ask(view, Dice.of(1), Budget()).move
    assert isinstance(move, int)
    return move


def play_out(edition: str | Edition, players: int, lineup: tuple[str, ...], seed: int) -> Game:
    """Play a game among bots, seated in rotation. An illegal move would be refused."""
    game = Game.new(edition, players, seed)
    bots = [make_bot(name) for name in islice(cycle(lineup), players)]
    dice = [Dice.of(seed, seat) for seat in range(players)]
    while not game.is_over:
        seat = game.to_move[-1]
        game.play(bots[seat].ask(game.view(seat), dice[seat], Budget()).move, seat)
        assert len(game.played) < MOST_DECISIONS
    return game


# Whole games


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_games_end(edition: str, players: int):
    for seed, lineup in enumerate(LINEUPS):
        play_out(edition, players, lineup, seed)


@pytest.mark.parametrize("edition", [islands_race, islands_points])
def test_games_on_small_boards_end(edition: Callable[[], Edition]):
    for lineup in LINEUPS:
        for seed in range(10):
            play_out(edition(), 2, lineup, seed)


@pytest.mark.parametrize("table", FEW_TABLES)
@pytest.mark.parametrize("claims", [0.5, 0.02])
def test_moves_are_legal_at_any_moment(table: tuple[str, int], claims: float):
    """In games of random players, some of them hoarders, decks run out and tickets are cut off."""
    used = {agent: make_bot(agent) for agent in AGENTS}
    for number, game in enumerate(every_moment(table, 3, claims)):
        if number % 4 == 0 and not game.is_over:
            seat = game.to_move[0]
            view, legal = game.view(seat), game.legal_moves(seat)
            for agent in AGENTS:
                move = think(agent, view)
                assert move in legal
                assert used[agent].ask(view, Dice.of(1), Budget()).move == move, "it depends on the past"


def run_driver(mode: str) -> list[str]:
    arguments = [sys.executable, "-W", "error", str(DRIVER), ",".join(AGENTS)]
    arguments += ["new-york:999", "first-journey:80", "usa-classic:40"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": mode}
    run = subprocess.run(arguments, env=environment, capture_output=True, check=False, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.slow
def test_both_modes_play_the_same_games():
    compiled = run_driver("0")
    assert len(compiled) > 150
    assert compiled == run_driver("1")


@pytest.mark.parametrize("agent", ["long-route", "path"])
@pytest.mark.parametrize("players", [2, 4])
def test_never_draws_more_tickets(agent: str, players: int):
    for seed in range(5):
        played = play_out("usa-mega", players, (agent,), seed).played
        assert "draw tickets" not in [action.text for action in played]


@pytest.mark.parametrize(("edition", "shortest"), [("usa-classic", 3), ("usa-1910", 3), ("new-york", 2)])
def test_long_route_claims_no_short_routes(edition: str, shortest: int):
    claims = 0
    for seed in range(5):
        game = Game.new(edition, 2, seed)
        tables = game.tables[0]
        while not game.is_over and game.state.turns_left == NOT_LAST_ROUND:
            seat = game.to_move[0]
            move = think("long-route", game.view(seat))
            if move >= CLAIM and game.state.deck_size > 0:
                claims += 1
                assert tables.route_length[read_claim(tables, move)[0]] >= shortest
            game.play(move, seat)
    assert claims > 20


# One situation at a time


def scene(*tickets: str, edition: str = "usa-classic", players: int = 2) -> RulesTable:
    """Return a table where seat 0 holds these tickets and no cards, and no other seat holds a ticket."""
    table = bare(edition, players)
    table.set_tickets(0, *tickets)
    table.set_hand(0)
    return table


def offer(table: RulesTable, phase: str, *tickets: str) -> None:
    """Offer tickets to seat 0."""
    state = table.state
    state.phase = list(words.PHASES.values()).index(phase)
    state.offer[0, : len(tickets)] = [words.ticket_of(table.edition, name) for name in tickets]
    state.offer_size[0] = len(tickets)


def chosen(table: RulesTable, agent: str) -> str:
    """Return seat 0's move in words; it must be legal."""
    move = think(agent, View.of(table.edition, table._states, 0))
    if KEEP < move < CLAIM:
        text = words.keep_text(table.offer(0), move)
    else:
        text = {number: text for text, number in words.move_numbers(table.edition).items()}[move]
    assert text in table.legal(0)
    return text


def test_one_step_claims_the_first_missing_route():
    table = scene("HEL-LAX")
    table.set_hand(0, purple=2, loco=1)
    assert chosen(table, "one-step") == "claim HEL-SLC with 2 purple, 1 loco"
    table.own(0, "HEL-SLC")
    table.set_hand(0, orange=3, loco=1)
    assert chosen(table, "one-step") == "claim LAS-SLC with 3 orange"


def test_one_step_goes_another_way_when_a_route_is_taken():
    table = scene("HEL-LAX")
    table.own(1, "HEL-SLC")
    table.set_hand(0, loco=10)
    assert chosen(table, "one-step") == "claim DEN-HEL with 4 loco"


def test_one_step_draws_its_colour_then_a_locomotive_then_blind():
    table = scene("HEL-LAX")
    table.set_hand(0, purple=1)
    table.set_row("red", "loco", "purple", "blue", "blue")
    assert chosen(table, "one-step") == "take purple"
    table.set_row("red", "loco", "red", "blue", "blue")
    assert chosen(table, "one-step") == "take loco"
    table.set_row("red", "green", "red", "blue", "blue")
    assert chosen(table, "one-step") == "draw deck"


def test_one_step_takes_no_locomotive_as_second_card():
    table = scene("HEL-LAX")
    table.set_row("purple", "loco", "loco", "blue", "blue")
    table.set_deck(red=5)
    table.play(0, "take purple")
    assert table.phase == "second card"
    assert table.row == ["red", "loco", "loco", "blue", "blue"]
    assert chosen(table, "one-step") == "draw deck"
    table.set_hand(0, purple=3)
    assert chosen(table, "one-step") == "draw deck", "a claim is no second card"


def test_one_step_works_for_its_most_valuable_ticket():
    table = scene("HEL-LAX", "DEN-ELP")
    table.set_hand(0, purple=3, red=2)
    assert chosen(table, "one-step") == "claim HEL-SLC with 3 purple"
    table.set_hand(0, purple=1, red=2)
    table.set_row("red", "green", "red", "blue", "purple")
    assert chosen(table, "one-step") == "take purple"


def test_either_lane_of_a_double_route_is_claimed():
    table = scene("DEN-PIT")
    table.set_hand(0, orange=4)
    assert chosen(table, "one-step") == "claim DEN-KAN/orange with 4 orange"
    table.set_hand(0, black=4)
    assert chosen(table, "one-step") == "claim DEN-KAN/black with 4 black"


def test_for_a_grey_route_the_most_held_colour_is_collected():
    table = scene("CAL-SLC")
    table.set_hand(0, red=1, white=2)
    table.set_row("red", "green", "red", "blue", "white")
    assert chosen(table, "one-step") == "take white"
    table.set_row("red", "green", "red", "blue", "black")
    assert chosen(table, "one-step") == "draw deck"
    table.set_hand(0, red=2, white=2)
    assert chosen(table, "one-step") == "take red"


def joined(*tickets: str) -> RulesTable:
    """Return a table where seat 0 has joined Helena to Los Angeles and holds these tickets."""
    table = scene(*tickets)
    table.own(0, "HEL-SLC", "LAS-SLC", "LAS-LAX")
    return table


def test_one_step_draws_tickets_when_all_are_done_and_no_player_has_few_trains():
    assert chosen(joined("HEL-LAX"), "one-step") == "draw tickets"
    assert chosen(joined("HEL-LAX", "DEN-ELP"), "one-step") != "draw tickets"
    table = joined("HEL-LAX")
    table.set_pieces(1, 8)
    assert chosen(table, "one-step") == "draw tickets"
    table.set_pieces(1, 7)
    table.set_hand(0, loco=6)
    assert chosen(table, "one-step") == "claim CAL-WPG with 6 loco"


@pytest.mark.parametrize("agent", ["one-step", "long-route", "path"])
def test_without_an_open_ticket_it_collects_for_the_best_route(agent: str):
    table = joined("HEL-LAX")
    table.set_pieces(1, 7)
    table.set_hand(0, yellow=5, green=2, red=1)
    table.set_row("green", "blue", "yellow", "red", "red")
    assert chosen(table, agent) == "take yellow"
    table.set_hand(0, yellow=6, green=2, red=1)
    assert chosen(table, agent).endswith("with 6 yellow")


@pytest.mark.parametrize("agent", ["one-step", "hungry"])
def test_the_tickets_with_the_most_points_per_train_are_kept(agent: str):
    table = joined()
    offer(table, "keeping", "SEA-NYC", "HEL-LAX", "BOS-MIA")
    assert chosen(table, agent) == "keep HEL-LAX"
    table = scene()
    offer(table, "keeping", "CAL-SLC", "NYC-ATL", "KAN-HOU")  # 7 points for 7 trains, 6 for 6, 5 for 5
    table.own(0, "CAL-HEL")
    assert chosen(table, agent) == "keep CAL-SLC"


@pytest.mark.parametrize("agent", ["one-step", "hungry"])
def test_tickets_that_share_a_way_are_kept_together(agent: str):
    table = scene()
    offer(table, "keeping", "LAX-CHI", "LAX-NYC", "TOR-MIA")
    assert chosen(table, agent) == "keep LAX-CHI, LAX-NYC"


@each_agent
def test_an_unreachable_ticket_is_not_kept_if_there_is_another(agent: str):
    table = scene()
    table.set_pieces(0, 9)
    offer(table, "keeping", "SEA-NYC", "DEN-ELP")
    assert chosen(table, agent) == ("keep SEA-NYC, DEN-ELP" if agent == "path" else "keep DEN-ELP")


def test_long_route_plans_over_long_routes_only():
    table = scene("CHI-NOL")
    table.set_hand(0, loco=10)
    assert chosen(table, "one-step") == "claim CHI-STL/green with 2 loco"
    assert chosen(table, "long-route") == "claim CHI-PIT/black with 3 loco"


def test_long_route_keeps_the_minimum_number_of_tickets():
    table = scene(edition="usa-mega")
    offer(table, "choosing", "LAX-CHI", "LAX-NYC", "HEL-LAX", "CAL-SLC", "CAL-PHX")
    assert chosen(table, "long-route").count("-") == 3


def test_hungry_draws_tickets_while_its_network_leaves_more_than_eight_trains():
    table = scene("DEN-ELP", "HEL-LAX")  # 4 trains and 8, without a common route
    table.set_row("red", "red", "red", "red", "red")
    table.set_hand(0, white=1)
    table.set_pieces(0, 21)
    assert chosen(table, "hungry") == "draw tickets"
    table.set_pieces(0, 20)
    assert chosen(table, "hungry") == "draw deck"
    table.set_pieces(0, 45)
    table.set_ticket_deck()
    assert chosen(table, "hungry") == "draw deck"


def test_hungry_claims_any_route_of_its_plan():
    table = scene("DEN-ELP", "HEL-LAX")
    table.set_pieces(0, 20)
    table.set_hand(0, white=2)
    assert chosen(table, "hungry") == "claim DEN-SFE with 2 white"
    table.set_hand(0, orange=3)
    assert chosen(table, "hungry") == "claim LAS-SLC with 3 orange"
    table.set_hand(0, yellow=1)
    assert not chosen(table, "hungry").startswith("claim")


def test_path_keeps_every_ticket():
    table = scene()
    offer(table, "choosing", "SEA-NYC", "HEL-LAX", "BOS-MIA")
    assert chosen(table, "path") == "keep SEA-NYC, HEL-LAX, BOS-MIA"


def test_path_claims_the_payable_route_of_highest_value():
    table = scene("LAX-NYC", "DEN-ELP")
    table.set_hand(0, loco=10)
    assert chosen(table, "path") == "claim PIT-STL with 5 loco"  # 10 points, plus twice 21
    table.set_hand(0, green=5, white=3)
    assert chosen(table, "path") == "claim PIT-STL with 5 green"
    table.set_hand(0, green=1, white=2)
    table.set_row("green", "white", "white", "red", "red")
    assert chosen(table, "path") == "claim KAN-OKC/1 with 2 white"  # 2 points, plus twice 21
    table.set_hand(0, green=1)
    assert chosen(table, "path") == "take green"


# Plans that fail


@each_agent
def test_any_route_is_claimed_in_the_last_round(agent: str):
    table = scene("HEL-LAX")
    table.own(0, "LAS-LAX")
    table.set_hand(0, yellow=4)
    table.state.turns_left = 2
    assert chosen(table, agent) == "claim ATL-NOL/yellow with 4 yellow"


@each_agent
def test_any_route_is_claimed_when_there_is_no_card_to_draw(agent: str):
    table = scene("HEL-LAX")
    table.own(0, "LAS-LAX")
    table.clear_cards()
    table.set_ticket_deck()
    table.set_hand(0, yellow=4)
    table.set_deck()
    assert chosen(table, agent) == "claim ATL-NOL/yellow with 4 yellow"


@each_agent
def test_it_passes_only_without_another_legal_move(agent: str):
    table = scene("HEL-LAX")
    table.clear_cards()
    table.close_routes()
    assert chosen(table, agent) == "draw tickets"
    table.set_ticket_deck()
    assert chosen(table, agent) == "pass"
    table.set_row("red", "red")
    assert chosen(table, agent) == "take red"


@each_agent
def test_first_journey_swaps_impossible_tickets_but_not_twice_in_a_row(agent: str):
    edition = load_edition("first-journey")
    names = [ticket.name for ticket in edition.tickets[:2]]
    table = scene(*names, edition="first-journey")
    assert chosen(table, agent) == "draw deck"
    table.set_pieces(0, 1)
    assert chosen(table, agent) == "swap tickets"
    table.play(0, "swap tickets")
    table.draw_two(1)
    table.set_tickets(0, *names)
    assert chosen(table, agent) != "swap tickets"
    table.draw_two(0)
    table.draw_two(1)
    assert chosen(table, agent) == "swap tickets"
