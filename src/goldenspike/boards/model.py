"""The board model: cities, routes, tickets, and common queries."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from goldenspike.datafiles.words import fold, listed, show, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class City:
    """A city that routes join. `x` and `y` are its place on the canvas; `marks` are named properties.

    `lon` and `lat` are its geographical position, for boards of real places.
    """

    code: str
    name: str
    x: float
    y: float
    lon: float | None = None
    lat: float | None = None
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Route:
    """One lane between two cities, given by their indices in the order of the board file.

    `lane` distinguishes the two lanes of a double: their colours if these differ, else "1" and "2"; it is
    empty for a single route. `twin` is the index of the other lane. `name` is unique on the board, such as
    "ATL-CHS" or "CHI-PIT/black".
    """

    index: int
    a: int
    b: int
    length: int
    colour: str
    lane: str
    twin: int | None
    name: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """Two cities to join and the points for it, in one edition."""

    a: int
    b: int
    points: int
    name: str


@dataclass(frozen=True, slots=True)
class TicketEntry:
    """A ticket of the board file: its points, and the points in printings that differ."""

    a: int
    b: int
    points: int
    printings: Mapping[str, int] = field(hash=False)
    name: str

    def printed(self, printing: str | None) -> Ticket:
        """Return the ticket with the points of a printing (V-3), or its usual points if that has none.

        >>> TicketEntry(14, 15, 20, {"1910": 19}, "LAX-MIA").printed("1910").points
        19
        """
        return Ticket(self.a, self.b, self.printings.get(printing or "", self.points), self.name)


@dataclass(frozen=True, slots=True)
class Board:
    """Cities and the routes between them, with sets of tickets for editions to choose from.

    `digest` is the SHA-256 of everything that affects the rules. Boards with the same digest play the same,
    whatever the names and places of their cities.
    """

    id: str
    name: str
    credits: tuple[str, ...]
    colours: tuple[str, ...]
    size: tuple[int, int]
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    ticket_sets: Mapping[str, tuple[TicketEntry, ...]]
    digest: str

    def __hash__(self) -> int:
        return hash(self.digest)

    def city(self, code_or_name: str) -> int:
        """Return the index of a city by code or name; case, accents and punctuation do not matter.

        Raise `LookupError`, with the nearest name, if there is none.

        >>> from goldenspike.boards import load_board
        >>> usa = load_board("usa")
        >>> usa.city("montreal") == usa.city("MON")
        True
        """
        wanted = fold(code_or_name)
        for index, city in enumerate(self.cities):
            if wanted in {fold(city.code), fold(city.name)}:
                return index
        names = [name for city in self.cities for name in (city.name, city.code)]
        advice = suggest(code_or_name, names) or f"the cities are {listed(names[::2], 'and')}"
        message = f"{self.name} has no city {show(code_or_name)}; {advice}"
        raise LookupError(message)

    def marked(self, mark: str) -> tuple[int, ...]:
        """Return the indices of the cities with a mark.

        >>> from goldenspike.boards import load_board
        >>> len(load_board("new-york").marked("attraction"))
        9
        """
        return tuple(index for index, city in enumerate(self.cities) if mark in city.marks)

    def shortest(self, a: int, b: int) -> int:
        """Return the number of spaces of the shortest path between two cities.

        >>> from goldenspike.boards import load_board
        >>> usa = load_board("usa")
        >>> usa.shortest(usa.city("Denver"), usa.city("El Paso"))
        4
        """
        return self.distances()[a][b]

    def distances(self) -> tuple[tuple[int, ...], ...]:
        """Return the number of spaces of the shortest path from every city to every other."""
        return _distances(self)


@lru_cache(maxsize=64)
def _distances(board: Board) -> tuple[tuple[int, ...], ...]:
    steps: list[list[tuple[int, int]]] = [[] for _ in board.cities]
    for route in board.routes:
        steps[route.a].append((route.length, route.b))
        steps[route.b].append((route.length, route.a))
    return tuple(_distances_from(start, steps) for start in range(len(steps)))


def _distances_from(start: int, steps: list[list[tuple[int, int]]]) -> tuple[int, ...]:
    found: dict[int, int] = {}
    waiting = [(0, start)]
    while waiting:
        distance, city = heapq.heappop(waiting)
        if city not in found:
            found[city] = distance
            for length, other in steps[city]:
                heapq.heappush(waiting, (distance + length, other))
    return tuple(found[city] for city in range(len(steps)))
