"""Words for people: counts in the singular and the plural."""

from __future__ import annotations


def count_of(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> count_of(1, "red card"), count_of(3, "train"), count_of(0, "action")
    ('1 red card', '3 trains', '0 actions')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"
