"""Moves typed in the notation: completion, refusals and their reasons, nonsense, several meanings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.driver import Player

PRAIRIE = ("--edition", "usa-classic", "--seats", "me,easy", "--seed", "prairie", "--first", "me")
"""The game of the README: two yellow cards in hand, and a locomotive lies face up."""


def begin(state: Path) -> Player:
    player = Player(state, *PRAIRIE)
    player.wait_turn()
    player.type("keep bos-mia, Toronto-Miami")
    player.wait_turn()
    return player


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Player:
    """Return a game that tests share: what they type there leaves it as it is."""
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


def test_tab_lists_what_a_beginning_can_become(player: Player) -> None:
    player.child.send("draw \t")
    shown = player.wait("draw tickets")
    assert "draw deck" in shown
    player.wait("You> ")  # while the list is told, the terminal edits lines itself and would take the key
    player.child.send("\x15")  # Ctrl-U: never mind
    assert "1 black" in player.ask("hand", "1 black", "typed.")


def test_a_refused_move_has_a_reason_a_rule_and_a_way_out(tmp_path: Path) -> None:
    player = begin(tmp_path)
    assert "You have 1 black card; this takes 3. (C-2)" in player.ask("claim chi-pit with 3 black", "(C-2)")
    explained = player.ask("why", "docs/reference/rules.md")
    assert "That is rule C-2" in explained
    player.type("draw deck")
    player.wait_turn()
    assert "cannot be the second card" in player.ask("take loco", "(D-4)")
    assert "Take your second card first." in player.ask("why draw tickets", "Our ruling R-3")
    assert "Nothing" not in player.ask("why draw deck", "is possible")


def test_nonsense_loses_nothing(player: Player) -> None:
    assert "is not a move" in player.ask("fly to Boston", "typed.")
    assert "There is no 99 in the menu" in player.ask("99", "typed.")
    assert "takes nothing after it" in player.ask("board now", "alone.")
    assert "no city" in player.ask("claim Bostom-NYC", "typed.")
    assert "2 yellow" in player.ask("hand", "1 black")


def test_a_move_with_several_meanings_is_asked_about(tmp_path: Path) -> None:
    player = begin(tmp_path)
    shown = player.ask("claim atl-nas", "Which one?")
    assert "claim ATL-NAS with 1 orange" in shown
    player.ask("7", "There is no 7 in the list")
    player.type("1")
    assert "You claimed Atlanta-Nashville" in player.wait_turn()


def test_the_menu_goes_back_without_harm(player: Player) -> None:
    player.ask("8", "Which route?")
    player.ask("", "You>")
    player.ask("8", "Which route?")
    player.ask("1", "Pay how", "Enter to claim")
    player.ask("0", "You>")
    player.ask("8", "Which route?")
    assert "routes" in player.ask("score", "total")  # a list is no trap: anything can be typed there


def test_hint_asks_a_bot_and_log_tells_the_story(player: Player) -> None:
    assert "bot would play: " in player.ask("hint", "would play: ")
    told = player.ask("log", "easy kept")
    assert "You kept TOR-MIA, BOS-MIA." in told
    assert "Boston - Miami 12 points: 12 trains to go" in player.ask("tickets", "Toronto - Miami")
