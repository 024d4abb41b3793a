"""Find the line of every value in a TOML text.

The standard library's parser gives values without positions. This one gives positions without values, for
error messages. It relies on the standard parser for the difficult parts.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[str | int, ...]
"""The path to a value from the top of a file, such as `("routes", 16, "length")`."""

_TOKEN = re.compile(
    r"""
      (?P<skip>    [ \t\r]+ | \#[^\n]* )
    | (?P<newline> \n )
    | (?P<string>  \"\"\"(?:\\.|[^\\])*?\"{3,5} | '''.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*' )
    | (?P<mark>    [\[\]{},=] )
    | (?P<word>    [^\s\[\]{},="'\#]+ )
    """,
    re.VERBOSE | re.DOTALL,
)


def find_lines(text: str) -> dict[Place, int]:
    r"""Return the line of every table, key and list entry of a valid TOML text, counted from 1.

    For a text that is not valid TOML, return the lines up to the first error.

    >>> find_lines("a = 1\nb = [\n  { c = 2 },\n]")
    {('a',): 1, ('b',): 2, ('b', 0): 3, ('b', 0, 'c'): 3}
    """
    scanner = _Scanner(text)
    # The end of the text ends the scan. Errors end it too, because a message without a line is still useful.
    with suppress(StopIteration, ValueError, RecursionError):
        scanner.scan()
    return scanner.lines


class _Scanner:
    def __init__(self, text: str) -> None:
        self.lines: dict[Place, int] = {}
        self._tokens = self._tokenise(text + "\n")
        self._counts: dict[Place, int] = {}  # How many [[name]] headers each list of tables has had.
        self._kind = self._raw = ""
        self._line = 1

    def scan(self) -> None:
        """Scan the whole text, statement by statement."""
        table: Place = ()
        self._next()
        while True:
            if self._kind == "newline":
                self._next()
            elif self._raw == "[":
                table = self._header()
            else:
                self._pair(table)

    def _tokenise(self, text: str) -> Iterator[tuple[str, str, int]]:
        position, line = 0, 1
        while match := _TOKEN.match(text, position):
            kind, raw, position = str(match.lastgroup), match.group(), match.end()
            if kind != "skip":
                yield kind, raw, line
            line += raw.count("\n")

    def _next(self) -> None:
        self._kind, self._raw, self._line = next(self._tokens)

    def _header(self) -> Place:
        line, raw = self._line, ""
        while self._kind != "newline":
            raw += self._raw
            self._next()
        return self._enter(_keys(raw), line, is_list=raw.startswith("[["))

    def _enter(self, keys: Place, line: int, *, is_list: bool) -> Place:
        place: Place = ()
        for depth, key in enumerate(keys, start=1):
            place = (*place, key)
            self.lines.setdefault(place, line)
            if is_list and depth == len(keys):
                self._counts[place] = self._counts.get(place, 0) + 1
            if place in self._counts:
                place = (*place, self._counts[place] - 1)
                self.lines.setdefault(place, line)
        return place

    def _pair(self, table: Place) -> None:
        line, raw = self._line, ""
        while self._raw != "=":
            raw += self._raw
            self._next()
        place = table
        for key in _keys(f"{raw} = 0"):
            place = (*place, key)
            self.lines.setdefault(place, line)
        self._next()
        self._value(place)

    def _value(self, place: Place) -> None:
        if self._raw == "[":
            self._list(place)
        elif self._raw == "{":
            self._inline_table(place)
        elif self._kind not in {"string", "word"}:
            raise ValueError(self._raw)
        else:
            while self._kind in {"string", "word"}:  # A date and a time are two words.
                self._next()

    def _list(self, place: Place) -> None:
        index = 0
        self._next()
        while self._has_entry("]"):
            entry = (*place, index)
            self.lines[entry] = self._line
            self._value(entry)
            index += 1
        self._next()

    def _inline_table(self, place: Place) -> None:
        self._next()
        while self._has_entry("}"):
            self._pair(place)
        self._next()

    def _has_entry(self, close: str) -> bool:
        while self._kind == "newline" or self._raw == ",":
            self._next()
        return self._raw != close


def _keys(raw: str) -> Place:
    """Return the keys of a header or of `dotted.key = 0`, parsed by the standard library."""
    keys: list[str] = []
    value: object = tomllib.loads(raw)
    while isinstance(value, (dict, list)) and value:
        if isinstance(value, list):
            value = cast("list[object]", value)[0]
        else:
            key, value = next(iter(cast("dict[str, object]", value).items()))
            keys.append(key)
    return tuple(keys)
