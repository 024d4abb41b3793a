"""Two people at one keyboard: neither sees the other's private information."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenspike import Game
from tests.cli.terminal.driver import TerminalGame, plain

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Home, clear the screen, clear the scrollback."""

SEED = "two of us"


@pytest.mark.parametrize("drawing", [(), ("--plain",)], ids=["drawn", "plain"])
def test_the_other_hand_is_hidden(drawing: tuple[str, ...], tmp_path: Path) -> None:
    seats = ("--seats", "Ann,Ben,easy", "--seed", SEED, "--first", "Ann")
    player = TerminalGame(tmp_path, "--edition", "usa-classic", *seats, *drawing)
    deal = Game.new("usa-classic", 3, seed=SEED, first=0)
    ann, ben = deal.view(0), deal.view(1)
    secrets = [*ann.offer, *(f"{count} {card}" for card, count in ann.hand.items())]
    assert set(ann.offer).isdisjoint(ben.offer)

    before = player.wait("Ann, press Enter")
    assert not any(secret in before for secret in secrets)
    player.type("")
    shown = player.wait_turn("Ann")
    assert all(secret in shown for secret in secrets)
    player.type("keep all")
    player.wait("Ben, press Enter")
    assert CLEAR in player.raw
    after = plain(player.raw.rpartition(CLEAR)[2])
    assert not any(secret in after for secret in secrets)

    start = len(player.seen)
    player.type("")
    shown = player.wait_turn("Ben")
    assert CLEAR in player.raw
    assert all(ticket in shown for ticket in ben.offer)
    player.type("\x1b[A")  # the up arrow recalls what Ben typed, which is nothing yet
    assert "Keep at least" in player.wait_turn("Ben", "press Enter")
    for question in ("log all", "tickets", "score", "board", "hint"):
        player.ask(question, "Ben>")
    player.ask("help", "quit (you can keep the game)")
    told = plain(player.seen[start:])
    assert "total" in told
    assert not any(ticket in told for ticket in ann.offer)


def test_drawn_cards_are_shown_before_the_screen_is_cleared(tmp_path: Path) -> None:
    player = TerminalGame(
        tmp_path, "--edition", "first-journey", "--seats", "Ann,Ben", "--seed", SEED, "--first", "Ann"
    )
    player.ask("", "Ann, press Enter")
    player.type("")
    player.wait_turn("Ann")
    player.type("1")
    assert "Ann drew " in player.wait("Press Enter to clear the screen for Ben")
    player.ask("", "Ben, press Enter")
    player.type("")
    shown = player.wait_turn("Ben")
    assert "Ann drew 2 cards from the deck." in shown.replace("\n", " ")


def test_a_single_person_is_not_asked_to_hand_over(tmp_path: Path) -> None:
    player = TerminalGame(tmp_path, "--edition", "new-york", "--seats", "Ann,easy", "--seed", SEED)
    player.wait_turn("Ann")
    assert "press Enter" not in plain(player.seen)
    assert CLEAR not in player.seen
