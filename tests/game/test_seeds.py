"""Seeds: numbers, texts and bytes; the same seed is the same 32 bytes everywhere."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenspike import Game
from goldenspike.game.seeds import SEED_BYTES, commitment, key_words, read_seed


@given(st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES))
def test_bytes_their_digits_and_their_number_are_one_seed(seed: bytes) -> None:
    assert read_seed(seed) == seed
    assert read_seed(bytearray(seed)) == seed  # pyright: ignore[reportArgumentType]
    assert read_seed(seed.hex()) == seed
    assert read_seed(seed.hex().upper()) == seed
    assert read_seed(int.from_bytes(seed, "big")) == seed


def test_small_numbers() -> None:
    assert read_seed(0) == bytes(32)
    assert read_seed(258) == bytes(30) + b"\x01\x02"
    assert read_seed(2**256 - 1) == b"\xff" * 32
    assert read_seed(np.int64(258)) == read_seed(258)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "text", ["", "tuesday", "Dienstag, später", "f" * 63, "f" * 65, "g" * 64, "1", "٣" * 64]
)
def test_any_other_text_is_hashed(text: str) -> None:
    assert read_seed(text) == hashlib.sha256(text.encode()).digest()


def test_a_missing_seed_is_random() -> None:
    seeds = {read_seed(None) for _ in range(10)}
    assert len(seeds) == 10
    assert {len(seed) for seed in seeds} == {SEED_BYTES}


@pytest.mark.parametrize(
    "seed", [-1, pytest.param(2**256, id="too large"), pytest.param(10**5000, id="huge")]
)
def test_numbers_out_of_range_are_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="from 0 to"):
        read_seed(seed)


@pytest.mark.parametrize("seed", [b"", b"short", bytes(31), bytes(33)])
def test_bytes_of_another_length_are_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match=f"A seed of bytes has 32, not {len(seed)}"):
        read_seed(seed)


@pytest.mark.parametrize("seed", [1.0, [0] * 32, (1, 2), object(), {}])
def test_a_seed_of_another_type_is_a_type_error(seed: object) -> None:
    with pytest.raises(TypeError, match="A seed is a number, a text or 32 bytes"):
        read_seed(seed)  # pyright: ignore[reportArgumentType]


def test_the_commitment_is_the_seeds_sha_256() -> None:
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_the_key_is_the_seed_as_little_endian_words() -> None:
    words = key_words(bytes(range(32)))
    assert words.dtype == np.uint32
    assert words.tolist()[:2] == [0x03020100, 0x07060504]


def test_a_game_accepts_every_form_of_seed() -> None:
    games = [Game.new("usa-classic", 2, seed=seed) for seed in (5, bytes(31) + b"\x05", "0" * 63 + "5")]
    assert len({game.states.tobytes() for game in games}) == 1
    assert len({game.record() for game in games}) == 1
