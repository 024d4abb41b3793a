"""The option ``--seed``, which all commands read alike."""

from __future__ import annotations


def read_seed_option(text: str) -> int | str:
    """Return a seed as it was meant: digits are a number.

    >>> read_seed_option("7"), read_seed_option("tuesday"), read_seed_option("1" * 64) == "1" * 64
    (7, 'tuesday', True)
    """
    return int(text) if text.isdecimal() and len(text) < 64 else text
