"""Read the routes of a board file: lanes, doubles, and one network that joins every city."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from goldenspike.boards.limits import GREY, LENGTH, PALETTE, ROUTES
from goldenspike.boards.model import Route
from goldenspike.boards.rows import Gazetteer, row_table
from goldenspike.datafiles.words import listed, show, suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldenspike.boards.model import City
    from goldenspike.datafiles.problems import Report
    from goldenspike.datafiles.reader import TomlTable

_ROW = '{ a = "ATL", b = "CHS", length = 2, colour = "grey" }'


def read_routes(top: TomlTable, cities: Sequence[City], colours: Sequence[str]) -> tuple[Route, ...]:
    """Return the routes of a board file, doubles paired and named."""
    report, gazetteer = top.report, Gazetteer(cities)
    rows = top.rows("routes", f"a list of rows such as {_ROW}")
    if not rows and top.is_clean("routes"):
        top.note("routes", "the board has no route", f"add at least one row such as {_ROW}")
    if len(rows) > ROUTES:
        top.note("routes", f"there are {len(rows)} routes", f"keep to {ROUTES}; a double counts two")
    lanes: list[Route] = []
    for index, value in enumerate(rows[:ROUTES]):
        row = row_table(report, value, ("routes", index), "route", _ROW)
        ends = gazetteer.ends(row) if row else None
        if row:
            length = row.integer("length", 1, LENGTH, noun="length")
            colour = _read_colour(row, top, colours)
            row.close()
            if ends:
                lanes.append(Route(index, *ends, length, colour, "", None, ""))
    pairs = _by_pair(lanes)
    _note_bad_doubles(report, pairs, cities)
    if 0 < len(lanes) == len(rows):
        _note_islands(report, lanes, cities)
    return tuple(_named(lane, pairs[frozenset((lane.a, lane.b))], cities) for lane in lanes)


def _read_colour(row: TomlTable, top: TomlTable, colours: Sequence[str]) -> str:
    colour = row.text("colour", noun='one of the board\'s colours in quotes, or "grey"')
    if not colour or colour == GREY or colour in colours:
        return colour
    if colour not in PALETTE:
        fix = suggest(colour, [*PALETTE, GREY]) or f"choose {listed([*colours, GREY])}"
        row.note("colour", f"colour {show(colour)} is not known", fix)
    elif top.is_clean("colours"):
        fix = f"choose {listed([*colours, GREY])}, or add it to colours"
        row.note("colour", f"colour {show(colour)} is not among the board's colours", fix)
    return colour


def _by_pair(lanes: Sequence[Route]) -> dict[frozenset[int], list[Route]]:
    pairs: dict[frozenset[int], list[Route]] = defaultdict(list)
    for lane in lanes:
        pairs[frozenset((lane.a, lane.b))].append(lane)
    return pairs


def _note_bad_doubles(
    report: Report, pairs: dict[frozenset[int], list[Route]], cities: Sequence[City]
) -> None:
    for first, *others in pairs.values():
        for number, lane in enumerate(others, start=2):
            places = [("routes", each.index, "length") for each in (first, lane)]
            where = f"route {lane.index + 1} ({cities[lane.a].code}-{cities[lane.b].code})"
            if number > 2:
                what = f"this is lane {number} between the same two cities"
                report.add(("routes", lane.index), where, what, "keep at most two lanes, a double")
            elif lane.length != first.length and report.is_clean(*places):
                what = f"length {lane.length} differs from {first.length}, the length of the other lane"
                report.add(places[1], where, what, "give both lanes of a double the same length")


def _note_islands(report: Report, lanes: Sequence[Route], cities: Sequence[City]) -> None:
    """Note the cities that are not connected to the largest part of the network."""
    part = list(range(len(cities)))  # Each city points to a city of the same part, its root to itself.

    def root(city: int) -> int:
        while part[city] != city:
            city = part[city]
        return city

    for lane in lanes:
        part[root(lane.a)] = root(lane.b)
    parts: dict[int, list[int]] = defaultdict(list)
    for city in range(len(cities)):
        parts[root(city)].append(city)
    mainland = max(parts.values(), key=len)
    lost = [cities[city] for city in range(len(cities)) if city not in mainland]
    if lost:
        names = listed([f"{city.name} ({city.code})" for city in lost], "and")
        what = f"no route leads from the rest of the board to {names}"
        report.add(("cities", lost[0].code), "cities", what, "join every city to one network")


def _named(lane: Route, pair: Sequence[Route], cities: Sequence[City]) -> Route:
    name = f"{cities[lane.a].code}-{cities[lane.b].code}"
    twin = next((other for other in pair if other is not lane), None)
    if twin is None:
        return replace(lane, name=name)
    number = "1" if lane.index < twin.index else "2"
    mark = number if lane.colour == twin.colour else lane.colour
    return replace(lane, lane=mark, twin=twin.index, name=f"{name}/{mark}")
