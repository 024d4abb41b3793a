"""Whole games in a terminal, by menu numbers alone, in every edition."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenspike.editions import edition_ids, load_edition
from tests.cli.terminal.driver import TerminalGame, move_by_number

END = "What next?"


@pytest.mark.parametrize("edition", edition_ids())
def test_a_whole_game_by_numbers(edition: str, tmp_path: Path) -> None:
    player = TerminalGame(
        tmp_path, "--edition", edition, "--seats", "me,easy", "--seed", "7", "--think", "0.05"
    )
    screen = player.wait_turn("You", END)
    for _ in range(400):
        if END in screen:
            break
        screen = move_by_number(player, screen, "You", END)
    assert "The game is over:" in screen
    assert "total" in screen or "completed tickets" in screen
    assert "Winner: " in screen or "Shared victory: " in screen
    assert load_edition(edition).words.piece in player.seen
    assert player.ask("q", "Goodbye.")
    player.end()
    assert player.child.exitstatus == 0
    assert list((tmp_path / "goldenspike").iterdir()) == []
