"""Read the ticket sets of a board file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldenspike.boards.limits import POINTS, TICKETS
from goldenspike.boards.model import TicketEntry
from goldenspike.boards.rows import Gazetteer, row_table
from goldenspike.datafiles.reader import is_id
from goldenspike.datafiles.words import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldenspike.boards.model import City
    from goldenspike.datafiles.reader import TomlTable

_ROW = '{ a = "LAX", b = "MIA", points = 20 }'


def read_ticket_sets(top: TomlTable, cities: Sequence[City]) -> dict[str, tuple[TicketEntry, ...]]:
    """Return the ticket sets of a board file by name; an unfinished board may have none."""
    table = top.table("tickets", "tickets", optional=True)
    for name in table.data:
        if not is_id(name):
            fix = 'use small letters, digits and single dashes, such as "classic"'
            table.note(name, f"the set name {show(name)} is not a plain id", fix)
    return {name: _read_set(table, name, cities) for name in table.data}


def _read_set(table: TomlTable, name: str, cities: Sequence[City]) -> tuple[TicketEntry, ...]:
    rows = table.rows(name, f"a list of rows such as {_ROW}")
    if len(rows) > TICKETS:
        table.note(name, f"the set {show(name)} has {len(rows)} tickets", f"keep to {TICKETS}")
    entries: list[TicketEntry] = []
    first: dict[frozenset[int], int] = {}
    for index, value in enumerate(rows[:TICKETS]):
        noun = f"{name} ticket" if is_id(name) else "ticket"
        row = row_table(table.report, value, (*table.place, name, index), noun, _ROW)
        entry = _read_ticket(row, cities) if row else None
        if row and entry:
            number = first.setdefault(frozenset((entry.a, entry.b)), index + 1)
            if number != index + 1:
                row.note("a", f"ticket {number} joins the same two cities", "leave one of them out")
            entries.append(entry)
    return tuple(entries)


def _read_ticket(row: TomlTable, cities: Sequence[City]) -> TicketEntry | None:
    ends = Gazetteer(cities).ends(row)
    points = row.integer("points", 0, POINTS, default=0)
    table = row.table("printings", row.where, optional=True)
    printings = {key: table.integer(key, 0, POINTS) for key in table.data}
    for key in printings:
        if not is_id(key):
            what = f"the printing {show(key)} is not a plain id"
            table.note(key, what, "use a word or a year, such as 1910")
    row.close()
    if not ends:
        return None
    a, b = ends
    return TicketEntry(a, b, points, printings, f"{cities[a].code}-{cities[b].code}")
