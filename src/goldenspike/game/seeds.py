"""Seeds: the 256 bits from which all randomness of a game is derived."""

from __future__ import annotations

import hashlib
import operator
import re
import secrets
from typing import SupportsIndex

import numpy as np

from goldenspike.engine.struct import Words32

Seed = bytes | int | str
SEED_BYTES = 32


def read_seed(seed: Seed | None) -> bytes:
    """Return the 32 bytes of a seed: random for None, otherwise the same for the same seed.

    A number is encoded as big-endian bytes, 64 hexadecimal digits are decoded, and any other text is hashed
    with SHA-256.

    >>> read_seed(1).hex()[-4:], read_seed("f" * 64).hex()[:4], read_seed("tuesday").hex()[:4]
    ('0001', 'ffff', 'd78d')
    """
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    if isinstance(seed, SupportsIndex):
        seed = operator.index(seed)
        if not 0 <= seed < 1 << 8 * SEED_BYTES:
            raise ValueError("A seed number is from 0 to 2**256 - 1.")
        return seed.to_bytes(SEED_BYTES, "big")
    if isinstance(seed, str):
        if re.fullmatch(r"[0-9a-fA-F]{64}", seed):
            return bytes.fromhex(seed)
        return hashlib.sha256(seed.encode()).digest()
    try:
        raw = bytes(memoryview(seed))
    except TypeError:
        raise TypeError(f"A seed is a number, a text or {SEED_BYTES} bytes, not {seed!r}.") from None
    if len(raw) != SEED_BYTES:
        raise ValueError(f"A seed of bytes has {SEED_BYTES}, not {len(raw)}.")
    return raw


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed, which can be published before a game to prove its seed afterwards."""
    return hashlib.sha256(seed).hexdigest()


def key_words(seed: bytes) -> Words32:
    """Return a seed as the key that the engine takes."""
    return np.frombuffer(seed, "<u4").astype(np.uint32)


def read_seed_option(text: str) -> int | str:
    """Return the seed that a command-line option means: digits are a number.

    >>> read_seed_option("7"), read_seed_option("tuesday"), read_seed_option("1" * 64) == "1" * 64
    (7, 'tuesday', True)
    """
    return int(text) if text.isdecimal() and len(text) < 64 else text
