"""Read typed values from a parsed file, and note every problem.

Each reader returns a value of the declared type. If the file has something else, the reader notes a problem
and returns a placeholder, so that reading continues and the author sees all problems at once. Placeholders
are never used, because a report with problems ends in an error.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, TypeGuard, TypeVar, cast

from goldenspike.datafiles.words import as_id, fold, listed, show, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from goldenspike.datafiles.lines import Place
    from goldenspike.datafiles.problems import Report

_Word = TypeVar("_Word", bound=str)

_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_CODE: Final = re.compile(r"[A-Z]{3}")
FORMAT: Final = 1
"""The format of board and edition files that this version reads."""

_LONGEST_ID: Final = 40
_LONGEST_TEXT: Final = 300
_MISSING: Final = object()


def is_id(text: str) -> bool:
    """Say whether a text is a valid id: at most 40 lowercase letters, digits and single dashes.

    >>> is_id("usa-1910"), is_id("USA 1910")
    (True, False)
    """
    return len(text) <= _LONGEST_ID and _ID.fullmatch(text) is not None


def is_code(text: str) -> bool:
    """Say whether a text is the code of a city: three capital letters.

    >>> is_code("BOS"), is_code("bos")
    (True, False)
    """
    return _CODE.fullmatch(text) is not None


def explain_code(text: str) -> tuple[str, str]:
    """Return what is wrong with a code that is not three capital letters, and what to write instead.

    >>> explain_code("bos")
    ('code "bos" is not three capital letters', 'write "BOS"')
    """
    letters = re.sub(r"[^A-Z]", "", fold(text).upper())[:3]
    fix = f'such as "{letters if is_code(letters) else "ATL"}"'
    fix = f'write "{text.upper()}"' if is_code(text.upper()) else f"choose three letters, {fix}"
    return f"code {show(text)} is not three capital letters", fix


def is_plain(text: str) -> bool:
    r"""Say whether a text is short enough and free of control characters.

    >>> is_plain("Montréal"), is_plain("\x1b[2J")
    (True, False)
    """
    return len(text) <= _LONGEST_TEXT and text.isprintable()


class TomlTable:
    """One table of a file: read its values by key; missing, wrong and unknown keys go to the report.

    An absent table notes nothing, because its absence is already in the report.
    """

    def __init__(
        self,
        report: Report,
        data: dict[str, object],
        place: Place = (),
        where: str = "",
        *,
        is_absent: bool = False,
    ) -> None:
        self.report = report
        self.data = data
        self.place = place
        self.where = where
        self._is_absent = is_absent
        self._known: list[str] = []

    def has(self, key: str) -> bool:
        """Say whether the key is present; this also marks the key as known."""
        self._known.append(key)
        return key in self.data

    def note(self, key: str, what: str, fix: str) -> None:
        """Note a problem with the value of a key."""
        if not self._is_absent:
            self.report.add((*self.place, key), self.where, what, fix)

    def is_clean(self, *keys: str) -> bool:
        """Say whether nothing was noted about these keys."""
        return self.report.is_clean(*[(*self.place, key) for key in keys])

    def integer(self, key: str, low: int, high: int, default: int | None = None, noun: str = "number") -> int:
        """Return a whole number from `low` to `high`."""
        value = self._get(key, wanted := f"a whole number from {low} to {high}", default)
        if not _is_integer(value):
            self._mistyped(key, value, wanted)
        elif not low <= value <= high:
            what = f"{key} {show(value)} is outside {low}-{high}"
            self.note(key, what, f"give it a {noun} from {low} to {high}")
        else:
            return value
        return low

    def integers(
        self,
        key: str,
        low: int,
        high: int,
        exactly: int | None = None,
        default: Sequence[int] | None = None,
    ) -> tuple[int, ...]:
        """Return a list of whole numbers from `low` to `high`, of an exact length if one is given."""
        count = f"{exactly} " if exactly else ""
        wanted = f"a list of {count}whole numbers from {low} to {high}"
        numbers: list[int] = []
        for value in self._list(key, wanted, exactly, default):
            if _is_integer(value) and low <= value <= high:
                numbers.append(value)
            else:
                self.note(key, f"{key} holds {show(value)}", f"write {wanted}")
        return tuple(numbers) if self.is_clean(key) else (low,) * (exactly or 1)

    def point(self, key: str) -> tuple[float, float]:
        """Return a pair of numbers."""
        wanted = "two numbers, such as [120.5, 80.0]"
        values = self._list(key, wanted, 2)
        if not all(_is_number(value) for value in values):
            self._mistyped(key, values, wanted)
        if not self.is_clean(key):
            return 0.0, 0.0
        x, y = cast("list[float]", values)
        return float(x), float(y)

    def number(self, key: str, low: float, high: float) -> float:
        """Return a number, whole or not, from `low` to `high`."""
        value = self._get(key, wanted := f"a number from {low:g} to {high:g}")
        if _is_number(value) and low <= value <= high:
            return float(value)
        self._mistyped(key, value, wanted)
        return low

    def text(self, key: str, default: str | None = None, noun: str = "text in quotes") -> str:
        """Return a text: one line, not empty, free of control characters."""
        value = self._get(key, noun, default)
        if isinstance(value, str) and is_plain(value) and value.strip():
            return value
        self._mistyped(key, value, noun)
        return ""

    def id(self, key: str, default: str | None = None) -> str:
        """Return an id: lowercase letters, digits and dashes."""
        value = self.text(key, default)
        if value and not is_id(value):
            example = as_id(value)[:_LONGEST_ID].strip("-") or "usa-1910"
            fix = f'use small letters, digits and single dashes, such as "{example}"'
            self.note(key, f"{key} {show(value)} is not a plain id", fix)
        return value

    def texts(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return a list of distinct texts."""
        wanted = "a list of texts in quotes"
        words: dict[str, None] = {}
        for value in self._list(key, wanted, None, default):
            if not isinstance(value, str) or not is_plain(value):
                self.note(key, f"{key} holds {show(value)}", f"write {wanted}")
            elif value in words:
                self.note(key, f"{key} holds {show(value)} twice", "leave one of them out")
            else:
                words[value] = None
        return tuple(words)

    def choice(self, key: str, options: Sequence[_Word]) -> _Word:
        """Return one of a few known words."""
        return next(iter(self._known_words(key, [self.text(key)], options)), options[0])

    def choices(self, key: str, options: Sequence[_Word], default: Sequence[_Word]) -> tuple[_Word, ...]:
        """Return a list of distinct known words."""
        return self._known_words(key, self.texts(key, default), options)

    def table(self, key: str, where: str, *, optional: bool = False, noun: str = "") -> TomlTable:
        """Return the table under a key."""
        empty: dict[str, object] = {}
        value = self._get(key, wanted := noun or f"a table, [{key}]", empty if optional else None)
        if not isinstance(value, dict):
            self._mistyped(key, value, wanted)
            return TomlTable(self.report, empty, (*self.place, key), where, is_absent=True)
        return TomlTable(self.report, cast("dict[str, object]", value), (*self.place, key), where)

    def rows(self, key: str, wanted: str) -> list[object]:
        """Return the list under a key, unchecked."""
        return self._list(key, wanted, None)

    def close(self) -> None:
        """Note the keys that were not read, so that a misspelt key is reported."""
        for key in self.data:
            if key not in self._known:
                known = listed(sorted(set(self._known)), "and")
                fix = suggest(key, self._known) or f"the keys here are {known}"
                self.note(key, f"key {show(key)} is not known", fix)

    def _get(self, key: str, wanted: str, default: object = None) -> object:
        if self.has(key):
            return self.data[key]
        if default is not None:
            return default
        self.note(key, f"{key} is missing", f"add it: {wanted}")
        return _MISSING

    def _list(
        self, key: str, wanted: str, exactly: int | None, default: Sequence[object] | None = None
    ) -> list[object]:
        value = self._get(key, wanted, None if default is None else list(default))
        if _is_list(value) and (exactly is None or len(value) == exactly):
            return value
        self._mistyped(key, value, wanted)
        return []

    def _known_words(self, key: str, words: Sequence[str], options: Sequence[_Word]) -> tuple[_Word, ...]:
        for word in words:
            if word and word not in options:
                fix = suggest(word, options) or f"choose {listed(options)}"
                self.note(key, f"{key} {show(word)} is not known", fix)
        return tuple(option for word in words for option in options if option == word)

    def _mistyped(self, key: str, value: object, wanted: str) -> None:
        if value is not _MISSING:
            self.note(key, f"{key} is {show(value)}", f"write {wanted}")


def refuse_misplaced(top: TomlTable, keys: Iterable[str]) -> None:
    """Raise the file's error if top-level keys come after a [table] header.

    TOML assigns them to that table, so all of them would be reported as missing or unknown.
    """
    for header, table in top.data.items():
        if isinstance(table, dict):
            for key in keys:
                if key in table and key not in top.data:
                    what = f"{key} is part of [{header}] here, because it comes after that line"
                    top.report.add((header, key), "", what, f"move it above [{header}]")
    top.report.raise_if_any()


def read_format(top: TomlTable) -> None:
    """Note a file format that this version cannot read."""
    value = top.integer("format", 1, 999)
    if value != FORMAT:
        fix = f"write format = {FORMAT}, or use a newer Golden Spike"
        top.note("format", f"format {value} is not one this version reads", fix)


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_number(value: object) -> TypeGuard[float]:
    # An integer beyond 2**53 may not fit a float.
    return (_is_integer(value) and abs(value) < 2**53) or (isinstance(value, float) and math.isfinite(value))
