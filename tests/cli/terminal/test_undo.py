"""Undo: as far as nothing hidden was revealed, past bots too, and a reason otherwise."""

from __future__ import annotations

from pathlib import Path

from tests.cli.terminal.driver import TerminalGame

CLAIMER = '''
from goldenspike.bots import Bot, Choice


class Claimer(Bot):
    """Claims the first route it can pay for."""

    name = "claimer"

    def choose(self, view, dice, budget):
        moves = view.legal_moves()
        claims = moves.of_kind("claim").numbers
        return Choice((claims or moves.numbers)[0])
'''


def test_undo_takes_back_a_claim_and_the_bot_claim_after_it(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(CLAIMER)
    seats = f"me,{bot}:Claimer"
    player = TerminalGame(
        tmp_path, "--edition", "usa-classic", "--seats", seats, "--seed", "prairie", "--first", "me"
    )
    player.wait_turn()
    player.type("keep all")
    player.wait_turn()
    player.type("claim bos-nyc/yellow")
    screen = player.wait_turn()
    assert "Claimer claimed" in screen
    undone = player.command("undo")
    assert "Undone: claim BOS-NYC/yellow with 2 yellow; claim" in undone
    assert "You 0/45/4/3" in undone
    assert "Claimer 0/45/4/" in undone
    player.ask("undo", "You have no move to undo", "You cannot undo")


def test_a_drawn_card_cannot_be_undone(tmp_path: Path) -> None:
    player = TerminalGame(
        tmp_path, "--edition", "new-york", "--seats", "me,easy", "--seed", "1", "--first", "me"
    )
    player.wait_turn()
    player.ask("undo", "You have no move to undo.")
    player.type("1")
    player.wait_turn()
    player.type("draw deck")
    player.wait_turn()
    assert "cannot undo 'draw deck', because" in player.ask("undo", "revealed hidden information")


def test_at_a_hand_over_the_previous_player_can_undo(tmp_path: Path) -> None:
    player = TerminalGame(
        tmp_path, "--edition", "new-york", "--seats", "Ann,Ben", "--seed", "1", "--first", "Ann"
    )
    player.wait("Ann, press Enter")
    player.type("")
    player.wait_turn("Ann")
    player.type("1")
    player.wait("Ann can undo the last move")
    player.wait("Ben, press Enter")
    player.type("undo")
    player.wait("Ann, press Enter")
    player.type("")
    assert "Keep at least" in player.wait_turn("Ann")


def test_at_a_hand_over_a_refused_undo_shows_no_secret(tmp_path: Path) -> None:
    player = TerminalGame(
        tmp_path, "--edition", "new-york", "--seats", "Ann,Ben", "--seed", "1", "--first", "Ann"
    )
    for name in ("Ann", "Ben"):
        player.wait(f"{name}, press Enter")
        player.type("")
        player.wait_turn(name)
        player.type("keep all")
    player.wait("Press Enter to clear")
    player.type("")
    player.wait("Ann, press Enter")
    player.type("undo")
    player.wait("Now it is Ann's turn.")
    page = " ".join(line.strip() for line in player.page)
    assert "You cannot undo 'keep tickets', because it revealed hidden information." in page
    player.type("")
    assert "Your move:" in player.wait_turn("Ann")
