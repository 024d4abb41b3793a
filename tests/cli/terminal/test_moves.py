"""Typed moves: completion, refusals and their reasons, invalid input, ambiguous moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.terminal.driver import PAY, SURE, TerminalGame

PRAIRIE = ("--edition", "usa-classic", "--seats", "me,easy", "--seed", "prairie", "--first", "me")
"""The game of the README: two yellow cards in hand, and a face-up locomotive."""


def begin(state: Path) -> TerminalGame:
    player = TerminalGame(state, *PRAIRIE)
    player.wait_turn()
    player.type("keep bos-mia, Toronto-Miami")
    player.wait_turn()
    return player


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> TerminalGame:
    """Return a game that tests share; what they type does not change it."""
    return begin(tmp_path_factory.mktemp("state"))


def test_tab_completes_a_claim_by_city_names(tmp_path: Path) -> None:
    player = begin(tmp_path)
    player.child.send("claim boston-n\t")
    player.wait("BOS-NYC/yellow")
    player.child.send("\t")
    player.wait("with 2 yellow")
    player.type("")
    screen = player.wait_turn()
    assert "You claimed Boston-New York (yellow) with 2 yellow" in screen


def test_tab_lists_all_completions(player: TerminalGame) -> None:
    player.child.send("draw \t")
    shown = player.wait("draw tickets")
    assert "draw deck" in shown
    player.wait("You> ")  # while the list is printed, the terminal edits lines itself and would take the key
    player.child.send("\x15")  # Ctrl-U clears the line
    assert "1 black" in player.ask("hand", "1 black", "typed.")


def test_a_refused_move_shows_a_reason_a_rule_and_advice(tmp_path: Path) -> None:
    player = begin(tmp_path)
    assert "You have 1 black card; this takes 3. (C-2)" in player.ask("claim chi-pit with 3 black", "(C-2)")
    explained = player.ask("why", "docs/reference/rules.md")
    assert "That is rule C-2" in explained
    player.type("draw deck")
    player.wait_turn()
    assert "cannot be the second card" in player.ask("take loco", "(D-4)")
    assert "Take your second card first." in player.ask("why draw tickets", "Our ruling R-3")
    assert "Nothing" not in player.ask("why draw deck", "is possible")


def test_invalid_input_changes_nothing(player: TerminalGame) -> None:
    assert "is not a move" in player.command("fly to Boston")
    assert "There is no 99 in the menu" in player.command("99")
    assert "takes nothing after it" in player.command("board now")
    assert "2 yellow" in player.command("hand")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hlep", "help"),
        ("clam CHI-PIT", "claim CHI-PIT"),
        ("drw deck", "draw deck"),
        ("draw dekc", "deck"),
        ("take yelow", "yellow"),
        ("claim Bostom-NYC", "Boston"),
        ("claim bos-nyc with 2 yelow", "yellow"),
        ("way tor-mai", "TOR-MIA"),
    ],
)
def test_a_mistyped_word_gets_a_suggestion(player: TerminalGame, typed: str, meant: str) -> None:
    assert f'did you mean "{meant}"?' in player.command(typed)


def test_a_claim_without_a_route_lists_the_routes_of_the_city(player: TerminalGame) -> None:
    told = " ".join(player.command("claim bos-mia").split())
    assert "There is no route BOS-MIA. From BOS routes lead to MON and NYC." in told


def test_an_ambiguous_move_asks_for_a_choice(tmp_path: Path) -> None:
    player = begin(tmp_path)
    shown = player.ask("claim atl-nas", "Which one?")
    assert "claim ATL-NAS with 1 orange" in shown
    player.ask("7", "There is no 7 in the list")
    player.type("1")
    assert "You claimed Atlanta-Nashville" in player.wait_turn()


def test_leaving_a_menu_changes_nothing(player: TerminalGame) -> None:
    player.command("8", "Which route?")
    assert "Your move:" in player.command("")
    player.command("8", "Which route?")
    player.ask("1", PAY, SURE)
    assert "Your move:" in player.command("0")
    player.command("8", "Which route?")
    assert "total" in player.command("score")  # any command can be typed at a list


def test_hint_asks_a_bot_and_log_lists_the_events(player: TerminalGame) -> None:
    hint = " ".join(player.command("hint").split())
    assert "The hard bot would play: " in hint
    has_chance = "chance to win" in hint
    assert has_chance == (re.search(r"It wins \d+% of [\d,]+ simulated games\.", hint) is not None)
    assert has_chance != ("This is a guess: there was little time" in hint)
    assert "You kept TOR-MIA, BOS-MIA." in player.command("log")
    assert "Boston - Miami 12 points: 12 trains to go" in player.command("tickets")


def test_a_hint_that_is_a_guess_states_no_chance(tmp_path: Path) -> None:
    player = TerminalGame(tmp_path, *PRAIRIE, "--think", "0.01")
    player.wait_turn()
    hint = " ".join(player.command("hint").split())
    assert "This is a guess: there was little time" in hint
    assert "chance to win" not in hint
