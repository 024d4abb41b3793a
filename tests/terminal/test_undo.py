"""Taking moves back: as far as nothing hidden was shown, past bots too, and a reason where not."""

from __future__ import annotations

from pathlib import Path

from tests.terminal.driver import Player

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


def test_a_claim_is_taken_back_past_a_bot_that_claimed(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(CLAIMER)
    seats = f"me,{bot}:Claimer"
    player = Player(
        tmp_path, "--edition", "usa-classic", "--seats", seats, "--seed", "prairie", "--first", "me"
    )
    player.wait_turn()
    player.type("keep all")
    player.wait_turn()
    player.type("claim bos-nyc/yellow")
    screen = player.wait_turn()
    assert "Claimer claimed" in screen
    player.ask("undo", "Taken back: claim BOS-NYC/yellow with 2 yellow; claim")
    undone = player.wait_turn()
    assert "You 0/45/4/3" in undone
    assert "Claimer 0/45/4/" in undone
    player.ask("undo", "There is no move of yours", "cannot be taken back")


def test_what_was_drawn_is_not_taken_back(tmp_path: Path) -> None:
    player = Player(tmp_path, "--edition", "new-york", "--seats", "me,easy", "--seed", "1", "--first", "me")
    player.wait_turn()
    player.ask("undo", "There is no move of yours to take back.")
    player.type("1")
    player.wait_turn()
    player.type("draw deck")
    player.wait_turn()
    assert "cannot be taken back: 'draw deck' showed" in player.ask("undo", "showed what was hidden")


def test_at_a_hand_over_the_one_before_can_take_back(tmp_path: Path) -> None:
    player = Player(tmp_path, "--edition", "new-york", "--seats", "Ann,Ben", "--seed", "1", "--first", "Ann")
    player.wait("Ann, press Enter")
    player.type("")
    player.wait_turn("Ann")
    player.type("1")
    player.wait("Ann can take back the last move")
    player.wait("Ben, press Enter")
    player.type("undo")
    player.wait("Ann, press Enter")
    player.type("")
    assert "Keep at least" in player.wait_turn("Ann")


def test_at_a_hand_over_a_refusal_can_be_read_and_tells_no_secret(tmp_path: Path) -> None:
    player = Player(tmp_path, "--edition", "new-york", "--seats", "Ann,Ben", "--seed", "1", "--first", "Ann")
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
    assert "It cannot be taken back: 'keep tickets' showed what was hidden." in page
    player.type("")
    assert "Your move:" in player.wait_turn("Ann")
