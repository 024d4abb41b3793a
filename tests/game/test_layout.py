"""A state has no padding, so that copies, hashes and views can be compared as bytes."""

from __future__ import annotations

import numpy as np
import pytest

from goldenspike import Game
from goldenspike.engine.state import STATE, new_states
from goldenspike.game.position import Position


def gaps(dtype: np.dtype, start: int = 0) -> list[int]:
    """Return the offsets of bytes that belong to no field."""
    if dtype.subdtype is not None:
        dtype = dtype.subdtype[0]
    if dtype.fields is None:
        return []
    covered: set[int] = set()
    found: list[int] = []
    for field in dtype.fields.values():
        kind, offset = field[0], field[1]
        covered |= set(range(offset, offset + kind.itemsize))
        found += gaps(kind, start + offset)
    return found + [start + i for i in range(dtype.itemsize) if i not in covered]


def test_a_state_has_no_gaps() -> None:
    """NumPy does not initialise padding in a copy, so hashes and comparisons would be random."""
    assert gaps(STATE) == []


def test_a_copy_has_the_same_bytes() -> None:
    game = Game.new("usa-classic", 2, seed=1)
    for filler in range(0, 256, 5):
        junk = np.full((4, STATE.itemsize), filler, np.uint8)
        del junk
        assert game.copy().states.tobytes() == game.states.tobytes()
        assert game.copy().state_hash == game.state_hash


def test_a_blank_state_is_all_zero() -> None:
    assert not any(new_states(1).tobytes())


def test_position_bytes_of_another_layout_are_refused() -> None:
    """A server's database may have games that were written before a field was added."""
    game = Game.new("usa-classic", 2, seed=1)
    data = game.position.to_bytes()
    assert Position.from_bytes(game.edition, data).state_hash == game.state_hash
    other_layout = bytes(byte ^ 1 for byte in data[:4]) + data[4:]
    for other in (other_layout, data[:-1], data + b"\0", data[4:], b""):
        with pytest.raises(ValueError, match="another version"):
            Position.from_bytes(game.edition, other)
