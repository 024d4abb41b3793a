"""Summaries of boards, for designers who check the balance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldenspike.boards.limits import GREY
from goldenspike.datafiles.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldenspike.boards.model import Board, Ticket


@dataclass(frozen=True, slots=True)
class TicketSummary:
    """The summary of a set of tickets. Lengths are those of the shortest paths, in spaces.

    `exceptions` are the tickets whose points differ from that length, each with the length; a set without
    any points (First Journey) has none. `shortest` and `longest` are names of tickets.
    """

    tickets: int
    is_scored: bool
    equal: int
    exceptions: tuple[tuple[Ticket, int], ...]
    shortest: tuple[str, int] | None
    longest: tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class BoardSummary:
    """The numbers of a board; the cities with the fewest and most neighbours come with that number."""

    name: str
    cities: int
    routes: int
    doubles: int
    spaces: int
    spaces_per_colour: Mapping[str, int]
    routes_per_length: Mapping[int, int]
    least_joined: tuple[str, int]
    most_joined: tuple[str, int]
    ticket_sets: Mapping[str, TicketSummary]


def summarise(board: Board) -> BoardSummary:
    """Summarise a board.

    >>> from goldenspike.boards import load_board
    >>> summary = summarise(load_board("usa"))
    >>> summary.spaces, summary.spaces_per_colour["red"], summary.doubles
    (309, 27, 22)
    """
    colours: Counter[str] = Counter(dict.fromkeys([*board.colours, GREY], 0))
    for route in board.routes:
        colours[route.colour] += route.length
    neighbours = _neighbours(board)
    names = [city.name for city in board.cities]
    least, most = neighbours.index(min(neighbours)), neighbours.index(max(neighbours))
    return BoardSummary(
        name=board.name,
        cities=len(board.cities),
        routes=len(board.routes),
        doubles=sum(route.twin is not None for route in board.routes) // 2,
        spaces=colours.total(),
        spaces_per_colour=dict(colours),
        routes_per_length=dict(sorted(Counter(route.length for route in board.routes).items())),
        least_joined=(names[least], neighbours[least]),
        most_joined=(names[most], neighbours[most]),
        ticket_sets={
            key: summarise_tickets(board, (entry.printed(None) for entry in entries))
            for key, entries in board.ticket_sets.items()
        },
    )


def summarise_tickets(board: Board, tickets: Iterable[Ticket]) -> TicketSummary:
    """Summarise tickets: how many, how long, and which points differ from the shortest path.

    >>> from goldenspike.boards import load_board
    >>> york = load_board("new-york")
    >>> summarise_tickets(york, [entry.printed(None) for entry in york.ticket_sets["standard"]]).equal
    18
    """
    lengths = [(ticket, board.shortest(ticket.a, ticket.b)) for ticket in tickets]
    is_scored = any(ticket.points for ticket, _ in lengths)
    ends = [(ticket.name, length) for ticket, length in lengths]
    odd = tuple((ticket, length) for ticket, length in lengths if ticket.points != length)
    return TicketSummary(
        tickets=len(lengths),
        is_scored=is_scored,
        equal=len(lengths) - len(odd) if is_scored else 0,
        exceptions=odd if is_scored else (),
        shortest=min(ends, key=lambda end: end[1], default=None),
        longest=max(ends, key=lambda end: end[1], default=None),
    )


def format_summary(summary: BoardSummary) -> str:
    """Return a summary as plain text.

    >>> from goldenspike.boards import load_board
    >>> print(format_summary(summarise(load_board("new-york"))))
    New York: 15 cities, 41 routes (11 doubles), 84 spaces
      spaces per colour  blue 11, green 11, black 10, pink 11, red 11, orange 10, grey 20
      routes per length  1: 9, 2: 22, 3: 9, 4: 1
      neighbours         from 3 (Brooklyn) to 6 (Greenwich Village)
      tickets: standard  18, from 2 (LES-WAL) to 8 (CEN-CHT) spaces; points equal the shortest path on all
    """
    colours = ", ".join(f"{colour} {count}" for colour, count in summary.spaces_per_colour.items() if count)
    lengths = ", ".join(f"{length}: {count}" for length, count in summary.routes_per_length.items())
    (least, few), (most, many) = summary.least_joined, summary.most_joined
    counts = f"{summary.cities} cities, {summary.routes} routes ({summary.doubles} doubles)"
    lines = [
        f"{summary.name}: {counts}, {summary.spaces} spaces",
        *_aligned(
            [
                ("spaces per colour", colours),
                ("routes per length", lengths),
                ("neighbours", f"from {few} ({least}) to {many} ({most})"),
                *((f"tickets: {key}", format_tickets(each)) for key, each in summary.ticket_sets.items()),
            ]
        ),
    ]
    return "\n".join(lines)


def format_tickets(summary: TicketSummary) -> str:
    """Return a summary of tickets as a line of text.

    >>> format_tickets(TicketSummary(1, False, 0, (), ("ABQ-CHI", 3), ("ABQ-CHI", 3)))
    '1, from 3 (ABQ-CHI) to 3 (ABQ-CHI) spaces; no points'
    """
    if not (summary.shortest and summary.longest):
        return "none"
    (short, least), (long, most) = summary.shortest, summary.longest
    text = f"{summary.tickets}, from {least} ({short}) to {most} ({long}) spaces; "
    if not summary.is_scored:
        return text + "no points"
    if not summary.exceptions:
        return text + "points equal the shortest path on all"
    odd = [f"{ticket.name} ({ticket.points} for {length})" for ticket, length in summary.exceptions]
    return text + f"points equal the shortest path on {summary.equal}, not on {listed(odd, 'and')}"


def _aligned(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(label) for label, _ in rows)
    return [f"  {label.ljust(width)}  {value}" for label, value in rows]


def _neighbours(board: Board) -> list[int]:
    pairs = {frozenset((route.a, route.b)) for route in board.routes}
    return [sum(city in pair for pair in pairs) for city in range(len(board.cities))]
