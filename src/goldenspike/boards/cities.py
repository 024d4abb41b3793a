"""Read the cities of a board file."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, cast

from goldenspike.boards.limits import CITIES
from goldenspike.boards.model import City
from goldenspike.boards.shape import is_id
from goldenspike.boards.words import fold, show

if TYPE_CHECKING:
    from goldenspike.boards.shape import Table

_CODE = re.compile(r"[A-Z]{3}")


def read_cities(top: Table, size: tuple[int, int]) -> tuple[City, ...]:
    """Return the cities of a board file, in its order; their places are NaN if it gives none to any."""
    table = top.table("cities", "cities")
    codes = list(table.data)
    if len(codes) > CITIES:
        top.note("cities", f"there are {len(codes)} cities", f"keep to {CITIES}")
    elif len(codes) < 2 and top.is_clean("cities"):
        top.note("cities", f"there are {len(codes)} cities", "a board needs at least two")
    is_placed = any("at" in cast("dict[str, object]", c) for c in table.data.values() if isinstance(c, dict))
    cities = tuple(_read_city(table, code, size, is_placed) for code in codes[: 4 * CITIES])
    _note_doubled_names(table, cities)
    return cities


def _read_city(table: Table, code: str, size: tuple[int, int], is_placed: bool) -> City:
    if not _CODE.fullmatch(code):
        short = re.sub(r"[^A-Z]", "", fold(code).upper())[:3]
        example = short if len(short) == 3 else "ATL"
        table.note(code, f"code {show(code)} is not three capital letters", f'write it like "{example}"')
    city = table.table(code, f"city {code}" if _CODE.fullmatch(code) else "city")
    name = city.text("name", noun='the name of the city, such as "Atlanta"')
    if name and not fold(name):
        city.note("name", f"name {show(name)} has no letter or digit", "choose a name that can be typed")
    x, y = _read_place(city, size) if is_placed else (math.nan, math.nan)
    lon, lat = _read_position(city)
    marks = city.texts("marks", ())
    for mark in marks:
        if not is_id(mark):
            fix = "use small letters, digits and single dashes"
            city.note("marks", f"mark {show(mark)} is not a plain word", fix)
    city.close()
    return City(code, name, x, y, lon, lat, frozenset(marks))


def _read_place(city: Table, size: tuple[int, int]) -> tuple[float, float]:
    x, y = city.point("at")
    if not (0 <= x <= size[0] and 0 <= y <= size[1]):
        what = f"at [{x:g}, {y:g}] is outside the canvas of {size[0]} by {size[1]}"
        city.note("at", what, "move the city, or enlarge size")
    return x, y


def _read_position(city: Table) -> tuple[float | None, float | None]:
    has_lon, has_lat = city.has("lon"), city.has("lat")
    if not has_lon and not has_lat:
        return None, None
    return city.number("lon", -180, 180), city.number("lat", -90, 90)


def _note_doubled_names(table: Table, cities: tuple[City, ...]) -> None:
    """Note names that people could not tell apart: with case, accents and punctuation gone they are one."""
    owner = {fold(city.code): city for city in cities}
    for city in cities:
        name = fold(city.name)
        other = owner.setdefault(name, city) if name else city
        if other is not city:
            what = f"the name {show(city.name)} also means the city {other.code}"
            place = (*table.place, city.code, "name")
            table.report.add(place, f"city {city.code}", what, "rename one of them")
