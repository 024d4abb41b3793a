"""A damaged record is always detected, at the line of the damage."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from goldenspike import Game
from goldenspike.errors import RecordError
from tests.game.games import random_game

RECORD = random_game(("new-york", 2), 4).record()
BYTES = RECORD.encode()
ROWS = RECORD.splitlines(keepends=True)


def found_at(text: str) -> int:
    """Return the line at which a record is refused."""
    with pytest.raises(RecordError) as caught:
        Game.from_record(text)
    assert caught.value.reason
    return caught.value.line


def line_of(offset: int) -> int:
    return BYTES.count(b"\n", 0, offset) + 1


@given(st.integers(0, len(BYTES) - 1), st.integers(1, 255))
def test_any_changed_byte_is_found_at_its_line(offset: int, flip: int) -> None:
    damaged = bytearray(BYTES)
    damaged[offset] ^= flip
    line = found_at(damaged.decode(errors="surrogateescape"))
    # Without its line break a line runs into the next one, or the file ends in it.
    assert line in ({line_of(offset), len(ROWS)} if BYTES[offset] == ord("\n") else {line_of(offset)})


@given(st.integers(1, len(BYTES) - 1))
def test_any_truncated_line_is_found(offset: int) -> None:
    assume(BYTES[offset - 1] != ord("\n"))
    assert found_at(BYTES[:offset].decode()) == line_of(offset - 1)


@given(st.integers(0, len(BYTES) - 1), st.sampled_from(["x", " ", "\n", "\x00", '"', "}", "\ud800"]))
def test_any_inserted_character_is_found(offset: int, character: str) -> None:
    line = found_at(RECORD[:offset] + character + RECORD[offset:])
    assert line in {line_of(offset), line_of(offset) + 1}


@given(st.integers(0, len(ROWS) - 2))
def test_a_missing_line_is_found(at: int) -> None:
    """Not the last line: without it the record would be a game that is over but has no end."""
    assert found_at("".join(ROWS[:at] + ROWS[at + 1 :])) == at + 1


@given(st.integers(0, len(ROWS) - 1))
def test_a_duplicated_line_is_found(at: int) -> None:
    assert found_at("".join(ROWS[: at + 1] + ROWS[at:])) == at + 2


@given(st.integers(0, len(ROWS) - 1), st.integers(0, len(ROWS) - 1))
def test_two_lines_swapped_are_found(one: int, other: int) -> None:
    assume(one < other)
    rows = ROWS.copy()
    rows[one], rows[other] = rows[other], rows[one]
    assert found_at("".join(rows)) == one + 1


@given(st.text() | st.binary().map(lambda data: data.decode(errors="surrogateescape")))
def test_no_text_raises_anything_but_a_record_error(text: str) -> None:
    found_at(text)
    found_at(RECORD + text + "x")
