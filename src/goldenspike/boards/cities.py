"""Read the cities of a board file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from goldenspike.boards.limits import CITIES
from goldenspike.boards.model import City
from goldenspike.datafiles.reader import explain_code, is_code, is_id
from goldenspike.datafiles.words import fold, listed, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldenspike.datafiles.reader import TomlTable

_CITY = 'a city such as { name = "Atlanta" }'
_NAMED = 4
"""Maximum number of cities named in a message."""


def read_cities(top: TomlTable, size: tuple[int, int]) -> tuple[City, ...]:
    """Return the cities of a board file, in order; their places are NaN if the file gives none."""
    table = top.table("cities", "cities")
    codes = list(table.data)
    if len(codes) > CITIES:
        top.note("cities", f"there are {len(codes)} cities", f"keep to {CITIES}")
    elif len(codes) < 2 and top.is_clean("cities"):
        top.note("cities", f"there are {len(codes)} cities", "a board needs at least two")
    cities = tuple(_read_city(table, code, size) for code in codes[: 4 * CITIES])
    _note_doubled_names(table, cities)
    _note_stray_coordinates(table, [city for city in cities if city.name])
    return cities


def _read_city(table: TomlTable, key: str, size: tuple[int, int]) -> City:
    if not is_code(key):
        table.note(key, *explain_code(key))
    city = table.table(key, f"city {key}" if is_code(key) else "city", noun=_CITY)
    name = city.text("name", noun='the name of the city, such as "Atlanta"')
    if name and not fold(name):
        city.note("name", f"name {show(name)} has no letter or digit", "choose a name that can be typed")
    x, y = _read_place(city, size) if city.has("at") else (math.nan, math.nan)
    lon, lat = _read_position(city)
    marks = city.texts("marks", ())
    for mark in marks:
        if not is_id(mark):
            fix = "use small letters, digits and single dashes"
            city.note("marks", f"mark {show(mark)} is not a plain word", fix)
    city.close()
    # Routes and tickets also find a city by its corrected code.
    code = key.upper() if is_code(key.upper()) else key
    return City(code, name, x, y, lon, lat, frozenset(marks))


def _read_place(city: TomlTable, size: tuple[int, int]) -> tuple[float, float]:
    x, y = city.point("at")
    if not (0 <= x <= size[0] and 0 <= y <= size[1]):
        what = f"at [{x:g}, {y:g}] is outside the canvas of {size[0]} by {size[1]}"
        city.note("at", what, "move the city, or enlarge size")
    return x, y


def _read_position(city: TomlTable) -> tuple[float | None, float | None]:
    has_lon, has_lat = city.has("lon"), city.has("lat")
    if not has_lon and not has_lat:
        return None, None
    return city.number("lon", -180, 180), city.number("lat", -90, 90)


def _note_doubled_names(table: TomlTable, cities: tuple[City, ...]) -> None:
    """Note names that are equal when case, accents and punctuation are ignored."""
    owner = {fold(city.code): city for city in cities}
    for city in cities:
        name = fold(city.name)
        other = owner.setdefault(name, city) if name else city
        if other is not city:
            what = f"the name {show(city.name)} also means the city {other.code}"
            place = (*table.place, city.code, "name")
            table.report.add(place, f"city {city.code}", what, "rename one of them")


def _note_stray_coordinates(table: TomlTable, cities: Sequence[City]) -> None:
    """Note, in one problem each, that only some cities have a place or a position."""
    placed = [city for city in cities if not math.isnan(city.x)]
    _note_some(table, "at", "place (at)", placed, cities)
    if not placed:
        known = [city for city in cities if city.lon is not None]
        _note_some(table, "lon", "position (lon and lat)", known, cities)


def _note_some(table: TomlTable, key: str, noun: str, having: Sequence[City], cities: Sequence[City]) -> None:
    lacking = [city for city in cities if city not in having]
    if not having or not lacking:
        return
    few = having if len(having) < len(lacking) else lacking
    names = [f"{city.name} ({city.code})" for city in few[:_NAMED]]
    if len(few) > _NAMED:
        names.append(f"{len(few) - _NAMED} more")
    subject = f"{listed(names, 'and')} {'has' if len(few) == 1 else 'have'}"
    others = len(cities) - len(few)
    count = f"the other {others} have" if others > 1 else "the other city has"
    if few is having:
        what, fix = f"only {subject} a {noun}, {count} none", "remove it there, or give every city one"
    else:
        what, fix = f"{subject} no {noun}, but {count} one", "add it there, or remove it everywhere"
    table.report.add((*table.place, few[0].code, key), table.where, what, fix)
