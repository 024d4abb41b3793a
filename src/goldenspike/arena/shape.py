"""A board in plain data, as files and reports of matches keep it."""

from __future__ import annotations

from typing import Any

from goldenspike.editions import Edition


def describe_board(edition: Edition) -> dict[str, Any]:
    """Return names, places and numbers of an edition's board; routes and tickets by their numbers."""
    board = edition.board
    return {
        "edition": edition.name,
        "board": board.name,
        "size": list(board.size),
        "pieces": edition.pieces,
        "piece": edition.words.piece,
        "is_race": edition.end.when == "race",
        "cities": [{"code": c.code, "name": c.name, "x": c.x, "y": c.y} for c in board.cities],
        "routes": [
            {"name": r.name, "a": r.a, "b": r.b, "length": r.length, "colour": r.colour, "twin": r.twin}
            for r in board.routes
        ],
        "tickets": [
            {"name": t.name, "a": t.a, "b": t.b, "points": t.points, "shortest": board.shortest(t.a, t.b)}
            for t in edition.tickets
        ],
    }
