"""Compares the JSON writer's output with the view messages for some moves; run by test_json_writer.py."""

from __future__ import annotations

import msgspec

from goldenspike.editions import load_edition
from goldenspike.game.position import Position
from goldenspike.server.views.json_writer.writer import json_writer_of
from goldenspike.server.views.view_messages import show_own, show_table

_MOVES = 40


def compare(edition_id: str, players: int) -> None:
    """Compare all views of a game, from its deal on."""
    edition = load_edition(edition_id)
    position, _ = Position.deal(edition, players, bytes(32), 0)
    for step in range(_MOVES):
        undoers = step % (1 << players)
        views = json_writer_of(edition).write_views(position, undoers)
        assert msgspec.json.encode(show_table(position, "")).startswith(views.table)
        for seat, own in enumerate(views.own):
            shown = show_own(position, seat, can_undo=bool(undoers >> seat & 1))
            assert msgspec.json.encode(shown) == own
        mover = position.to_move[0]
        moves = position.legal_moves(mover).numbers
        position.play(moves[step % len(moves)], mover)


if __name__ == "__main__":
    compare("usa-classic", 3)
    compare("new-york", 2)
