"""Build a board from a parsed file, or report all its problems."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from goldenspike.boards.cities import read_cities
from goldenspike.boards.limits import CANVAS, COLOURS, GREY, PALETTE
from goldenspike.boards.model import Board
from goldenspike.boards.places import give_places
from goldenspike.boards.routes import read_routes
from goldenspike.boards.tickets import read_ticket_sets
from goldenspike.datafiles.reader import TomlTable, read_format, refuse_misplaced
from goldenspike.datafiles.source import digest_of, kind_of
from goldenspike.datafiles.words import listed, show, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldenspike.boards.model import City, Route, TicketEntry
    from goldenspike.datafiles.problems import Report

_KEYS = ("format", "id", "name", "credits", "colours", "size", "routes")
_CHOOSE = f"choose {listed(PALETTE)}"


def read_board(document: dict[str, object], report: Report) -> Board:
    """Return the board in a parsed document; raise the report's error if anything is wrong with it."""
    top = TomlTable(report, document)
    if kind_of(document) == "edition":
        named = document.get("board", "")
        its = f", {show(named)}" if named and named != Path(report.file).name else ""
        report.add((), "", "this is an edition, not a board", f"give the board that it is played on{its}")
        raise report.error()
    cities = document.get("cities")
    if isinstance(cities, dict) and "tickets" in cities and "tickets" not in document:
        what, fix = (
            "tickets is part of [cities] here",
            "write [tickets] above it, and name each list: main = [...]",
        )
        report.add(("cities", "tickets"), "", what, fix)
    refuse_misplaced(top, _KEYS)
    read_format(top)
    board_id, name, credit_lines = top.id("id"), top.text("name"), top.texts("credits", ())
    colours = _read_colours(top)
    width, height = top.integers("size", 100, CANVAS, exactly=2, default=(1000, 640))
    cities = read_cities(top, (width, height))
    routes = read_routes(top, cities, colours)
    tickets = read_ticket_sets(top, cities)
    top.close()
    report.raise_if_any()
    if any(math.isnan(city.x) for city in cities):
        cities = give_places(cities, routes, (width, height))
    digest = _digest(colours, cities, routes, tickets)
    return Board(board_id, name, credit_lines, colours, (width, height), cities, routes, tickets, digest)


def _read_colours(top: TomlTable) -> tuple[str, ...]:
    colours = top.texts("colours")
    if GREY in colours:
        what = f'"{GREY}" is the colour of routes that take any card, not of cards'
        top.note("colours", what, "leave it out here")
    for colour in colours:
        if colour not in (*PALETTE, GREY):
            top.note("colours", f"colour {show(colour)} is not known", suggest(colour, PALETTE) or _CHOOSE)
    if top.is_clean("colours") and not 1 <= len(colours) <= COLOURS:
        top.note("colours", f"there are {len(colours)} colours", f"name from 1 to {COLOURS}")
    return colours


def _digest(
    colours: Sequence[str],
    cities: Sequence[City],
    routes: Sequence[Route],
    tickets: Mapping[str, Sequence[TicketEntry]],
) -> str:
    """Return the digest of what affects the rules: not names, coordinates or credits."""
    return digest_of(
        {
            "colours": list(colours),
            "cities": [[city.code, sorted(city.marks)] for city in cities],
            "routes": [[route.a, route.b, route.length, route.colour] for route in routes],
            "tickets": {
                key: [[ticket.a, ticket.b, ticket.points, dict(ticket.printings)] for ticket in entries]
                for key, entries in tickets.items()
            },
        }
    )
