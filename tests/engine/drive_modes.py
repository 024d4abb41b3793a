"""Play random games and write a line for every step; test_modes.py runs it compiled and interpreted.

Arguments are edition:seats:decisions; decisions is a limit. A line names the game, the step, the seat and the
move, then gives digests of the legal moves, of the events of the move played, and of the state after it.
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np

from goldenspike.editions import load_edition
from goldenspike.engine import api
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.moves import CLAIM
from goldenspike.engine.playout import game_key
from goldenspike.engine.state import CHOOSING, OVER, new_states, portable_bytes
from goldenspike.engine.tables import CLAIMS, build_tables

BASE = np.frombuffer(b"The same source in the two modes", "<u4").astype(np.uint32)


def play(edition: str, seats: int, limit: int) -> None:
    tables, states, logs = build_tables(load_edition(edition)), new_states(1), np.zeros(1, LOG)
    key, out = np.zeros(8, np.uint32), np.zeros(CLAIMS, np.int16)
    game_key(BASE, seats, key)
    api.deal(states, tables, seats, key, ANY_SEAT, logs)
    step = 0
    while states[0]["phase"] != OVER and step < limit:
        seat = to_move(states[0])
        legal = out[: api.list_moves(states, tables, seat, out)].tolist()
        move = choose(legal, f"{edition} {seats} {step}", is_hoarding=seats > 2)
        assert api.step(states, tables, seat, move, logs) == LEGAL
        events = logs["rows"][0, : logs["count"][0]].tolist()  # those that fit in the log
        digests = (digest(str(legal).encode()), digest(str(events).encode()), digest(portable_bytes(states)))
        sys.stdout.write(" ".join(map(str, (edition, seats, step, seat, move, *digests))) + "\n")
        step += 1


def to_move(state: Any) -> int:
    if state["phase"] == CHOOSING:
        return next(seat for seat in range(state["seats"]) if state["choice"][seat] == 0)
    return int(state["turn"])


def choose(legal: list[int], label: str, *, is_hoarding: bool) -> int:
    """Choose a move by a hash of the label. Hoarders rarely claim, so that deck, row and tickets run out."""
    chance = int(digest(label.encode()), 16)
    others = [move for move in legal if move < CLAIM]
    choices = others if is_hoarding and others and chance % 16 else legal
    return choices[(chance >> 8) % len(choices)]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def main() -> None:
    for word in sys.argv[1:]:
        edition, seats, limit = word.split(":")
        play(edition, int(seats), int(limit))


if __name__ == "__main__":
    main()
