"""Text helpers for messages: show a value, suggest a correction, compare names loosely."""

from __future__ import annotations

import difflib
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHOWN = 40


def show(value: object) -> str:
    """Return a value for an error message: short, on one line, safe in a terminal.

    >>> show("Chicago"), show(11), show(True), show({"a": 1})
    ('"Chicago"', '11', 'true', 'a table')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        short = value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
        return f'"{short}"' if short.isprintable() else ascii(short)
    if isinstance(value, int):
        # Python refuses to print integers with thousands of digits.
        return str(value) if abs(value) < 10**15 else "an enormous number"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else "a date or time"


def suggest(word: str, known: Iterable[str]) -> str:
    """Return the known word nearest to a mistyped one as a question, or nothing when none is near.

    >>> suggest("color", ["colour", "length"]), suggest("Chi", ["CHI"]), suggest("zzz", ["CHI"])
    ('did you mean "colour"?', 'did you mean "CHI"?', '')
    """
    near = nearest(word, known)
    return f'did you mean "{near}"?' if near else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word nearest to a mistyped one, or nothing when none is near.

    >>> nearest("color", ["colour", "length"])
    'colour'
    """
    # Comparing a very long key would take minutes.
    spellings = {fold(candidate): candidate for candidate in known}
    near = difflib.get_close_matches(fold(word[:_SHOWN]), spellings, n=1, cutoff=0.5)
    return spellings[near[0]] if near else ""


def listed(words: Iterable[str], joint: str = "or") -> str:
    """Return words as a list for a sentence.

    >>> listed(["red", "blue", "green"])
    'red, blue or green'
    """
    *most, last = [*words] or ["none"]
    return f"{', '.join(most)} {joint} {last}" if most else last


def as_id(text: str) -> str:
    """Return the id nearest to a text: lowercase letters, digits and single dashes; empty if there are none.

    >>> as_id("Five Lakes"), as_id("Île-de-France"), as_id("?")
    ('five-lakes', 'ile-de-france', '')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain))


def fold(text: str) -> str:
    """Return only letters and digits, without accents and case, for loose comparison of names.

    >>> fold("Sault Ste. Marie") == fold("sault ste marie"), fold("Montréal")
    (True, 'montreal')
    """
    plain = unicodedata.normalize("NFKD", text)
    return "".join(character for character in plain if character.isalnum()).casefold()
