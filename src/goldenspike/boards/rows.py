"""Rows of routes and tickets: what both have in common, two ends that are cities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from goldenspike.boards.shape import Table, is_plain
from goldenspike.boards.words import fold, show, suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldenspike.boards.lines import Place
    from goldenspike.boards.model import City
    from goldenspike.boards.problems import Report


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Look cities up by the codes that routes and tickets use."""

    cities: Sequence[City]

    def ends(self, row: Table) -> tuple[int, int] | None:
        """Return the two cities of a route or ticket, or nothing, having noted why."""
        a, b = self._end(row, "a"), self._end(row, "b")
        if a is None or b is None:
            return None
        if a == b:
            row.note("b", f"both ends are {self.cities[a].code}", "join two different cities")
            return None
        return a, b

    def _end(self, row: Table, key: str) -> int | None:
        code = row.text(key, noun='the code of a city, such as "ATL"')
        if not code:
            return None
        for index, city in enumerate(self.cities):
            if city.code == code:
                return index
        row.note(key, f"no city has the code {show(code)}", self._advice(code))
        return None

    def _advice(self, code: str) -> str:
        for city in self.cities:
            if fold(code) in {fold(city.name), fold(city.code)}:
                return f'write its code, "{city.code}"'
        near = suggest(code, [city.code for city in self.cities])
        return near or "use a code from [cities], or add the city there"


def row_table(report: Report, value: object, place: Place, noun: str, example: str) -> Table | None:
    """Return one row of a list of routes or tickets, named for people, or nothing if it is not a row."""
    where = f"{noun} {cast('int', place[-1]) + 1}"
    if not isinstance(value, dict):
        report.add(place, where, f"this is {show(value)}", f"write a row such as {example}")
        return None
    row = cast("dict[str, object]", value)
    a, b = row.get("a"), row.get("b")
    if isinstance(a, str) and isinstance(b, str) and is_plain(a + b):
        where += f" ({a[:20]}-{b[:20]})"
    return Table(report, row, place, where)
