"""Rows of routes and tickets: both have two ends that are cities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from goldenspike.datafiles.reader import TomlTable, explain_code, is_plain
from goldenspike.datafiles.words import fold, show, suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldenspike.boards.model import City
    from goldenspike.datafiles.lines import Place
    from goldenspike.datafiles.problems import Report


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Finds cities by the codes that routes and tickets use."""

    cities: Sequence[City]

    def ends(self, row: TomlTable) -> tuple[int, int] | None:
        """Return the two cities of a route or ticket, or note why there are none and return None."""
        a, b = self._end(row, "a"), self._end(row, "b")
        if a is None or b is None:
            return None
        if a == b:
            row.note("b", f"both ends are {self.cities[a].code}", "join two different cities")
            return None
        return a, b

    def _end(self, row: TomlTable, key: str) -> int | None:
        code = row.text(key, noun='the code of a city, such as "ATL"')
        if not code or not self.cities:  # missing cities are already in the report
            return None
        for index, city in enumerate(self.cities):
            if city.code == code.upper():
                if code != city.code:
                    row.note(key, *explain_code(code))
                return index
        row.note(key, f"no city has the code {show(code)}", self._advice(code))
        return None

    def _advice(self, code: str) -> str:
        for city in self.cities:
            if fold(code) == fold(city.name):
                return f'write its code, "{city.code}"'
        near = suggest(code, [city.code for city in self.cities])
        return near or "use a code from [cities], or add the city there"


def row_table(report: Report, value: object, place: Place, noun: str, example: str) -> TomlTable | None:
    """Return one row of a list of routes or tickets, with a name for messages, or None if it is invalid."""
    where = f"{noun} {cast('int', place[-1]) + 1}"
    if not isinstance(value, dict):
        report.add(place, where, f"this is {show(value)}", f"write a row such as {example}")
        return None
    row = cast("dict[str, object]", value)
    a, b = row.get("a"), row.get("b")
    if isinstance(a, str) and isinstance(b, str) and is_plain(a + b):
        where += f" ({a[:20]}-{b[:20]})"
    return TomlTable(report, row, place, where)
