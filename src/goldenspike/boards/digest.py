"""Fingerprints of data: by one a saved game knows the board and edition it was played with."""

from __future__ import annotations

import hashlib
import json


def digest_of(value: object) -> str:
    """Return the SHA-256 of plain data (lists, mappings, texts, numbers) as hex, the same on every machine.

    >>> digest_of({"b": 1, "a": [2]}) == digest_of({"a": [2], "b": 1})
    True
    """
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
