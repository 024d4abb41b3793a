"""Plays some moves and compares what is written of them with what is shown: run by test_pen.py."""

from __future__ import annotations

import msgspec

from goldenspike.editions import load_edition
from goldenspike.position import Position
from goldenspike.server.face import show_own, show_table
from goldenspike.server.pen.pen import pen_of

_MOVES = 40


def compare(edition_id: str, players: int) -> None:
    """Compare all views of a game, from its deal on."""
    edition = load_edition(edition_id)
    position, _ = Position.deal(edition, players, bytes(32), 0)
    for step in range(_MOVES):
        undoers = step % (1 << players)
        views = pen_of(edition).write_views(position, undoers)
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
