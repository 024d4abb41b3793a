"""The parts of the screen: a seat's view of the table, each as lines of text."""

from __future__ import annotations

from collections.abc import Sequence, Set

from rich.text import Text

from goldenspike.boards.limits import GREY
from goldenspike.boards.model import Route, Ticket
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.drawing import BoardScene
from goldenspike.cli.terminal.layout import chip, flow, styled
from goldenspike.cli.terminal.palette import PAINTS, TOKENS, Look
from goldenspike.cli.terminal.story import card_word
from goldenspike.cli.terminal.table import GameTable
from goldenspike.editions import Edition
from goldenspike.game.moves import ClaimRoute
from goldenspike.game.routes import find_path
from goldenspike.game.view import View, members

_MADE, _HARD = "#4cc35a", "#f0524a"


def scene_of(view: View, path: Set[int] = frozenset()) -> BoardScene:
    """Return the board as a seat or a spectator sees it; the routes of `path` are highlighted."""
    board = view.edition.board
    numbers = {route.name: route.index for route in board.routes}
    owners = {numbers[name]: seat for name, seat in view.owners.items()}
    closed = {numbers[name] for name in view.closed}
    lit = {numbers[m.route] for m in view.legal_moves() if isinstance(m, ClaimRoute)}
    own = [ticket_called(view.edition, name) for name in (*view.tickets, *view.offer)]
    rings = {city for ticket in own for city in (ticket.a, ticket.b)}
    return BoardScene(board, owners, closed, lit, rings, path)


def ticket_called(edition: Edition, name: str) -> Ticket:
    """Return a ticket by its name."""
    return next(ticket for ticket in edition.tickets if ticket.name == name)


def seat_cells(table: GameTable, view: View, look: Look) -> list[list[str]]:
    """Return the public facts of each seat: name, points, pieces, cards, tickets."""
    points = view.points
    is_race = view.edition.end.when == "race"
    rows: list[list[str]] = []
    for seat, name in enumerate(table.names):
        made = (
            len(view.completed_of(seat)) + int(view.struct.coast_to_coast[seat]) if is_race else points[seat]
        )
        numbers = (made, view.pieces[seat], view.hand_sizes[seat], view.ticket_counts[seat])
        rows.append([f"{look.token(seat)} {name}", *map(str, numbers)])
    return rows


def seat_headings(edition: Edition) -> list[str]:
    """Return the headings for :func:`seat_cells`."""
    name, points, piece, cards, tickets = texts.SEAT_HEADINGS
    made = texts.COMPLETED_HEADING if edition.end.when == "race" else points
    return [name, made, piece.format(pieces=f"{edition.words.piece}s"), cards, tickets]


def seat_table(table: GameTable, view: View, look: Look) -> list[Text]:
    """Return the public facts as a small table, with the seat to move marked."""
    headings, rows = seat_headings(view.edition), seat_cells(table, view, look)
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    lines = [styled("  " + " " * widths[0] + _numbers(headings, widths), "dim")]
    for seat, row in enumerate(rows):
        is_next = seat in view.to_move
        line = Text("> " if is_next else "  ").append(row[0].ljust(widths[0]), TOKENS[seat].style)
        lines.append(line.append(_numbers(row, widths), "bold" if is_next else ""))
    return lines


def _numbers(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"  {cell:>{width}}" for cell, width in zip(cells[1:], widths[1:], strict=True))


def seat_strip(table: GameTable, view: View, look: Look, width: int) -> list[Text]:
    """Return the public facts in as few lines as possible."""
    items: list[Text] = []
    for seat, (name, *facts) in enumerate(seat_cells(table, view, look)):
        is_next = seat in view.to_move
        items.append(
            styled(name, TOKENS[seat].style).append(
                f" {'/'.join(facts)}", "bold underline" if is_next else ""
            )
        )
    widest = max(map(len, items))
    for item in items:
        item.append(" " * (widest - len(item)))
    return flow(items, width, f"{'/'.join(seat_headings(view.edition)[1:])}: ")


def hand_lines(view: View, width: int, look: Look) -> list[Text]:
    """Return the cards in hand."""
    items = [
        chip(f"{count} {card_word(view.edition, card)}", card, look) for card, count in view.hand.items()
    ]
    gap = " " if look.is_drawn else ", "
    return flow(items or [Text(texts.NO_CARDS, "dim")], width, f"{texts.HAND}: ", gap)


def distance(view: View, ticket: Ticket, is_long: bool = True) -> Text:
    """Return how many pieces a ticket still needs, in words."""
    assert view.seat is not None
    path = find_path(view, ticket)
    if path is None:
        return Text(texts.CUT_OFF, _HARD)
    if path.pieces == 0:
        return Text(texts.MADE, _MADE)
    needed = texts.pieces(path.pieces, view.edition.words.piece) if is_long else str(path.pieces)
    if path.pieces > view.pieces[view.seat]:
        return Text(texts.TOO_FAR.format(pieces=needed), _HARD)
    return Text(texts.TO_GO.format(pieces=needed))


def ticket_line(view: View, ticket: Ticket, is_long: bool = False, is_short: bool = False) -> Text:
    """Return a ticket with its points and the pieces still needed; long, short or in between."""
    cities = view.edition.board.cities
    line = styled(ticket.name, "bold")
    if is_long:
        line.append(f" {cities[ticket.a].name} - {cities[ticket.b].name}")
    if view.edition.end.when != "race":
        line.append(f" {texts.POINTS.of(ticket.points) if is_long else ticket.points}")
    line.append(": ")
    return line.append_text(distance(view, ticket, not is_short))


def ticket_lines(view: View, width: int, is_short: bool = False) -> list[Text]:
    """Return the held tickets."""
    items = [ticket_line(view, ticket_called(view.edition, name), is_short=is_short) for name in view.tickets]
    return flow(items or [Text(texts.NO_TICKETS, "dim")], width, f"{texts.OWN_TICKETS}: ")


def own_tickets(view: View) -> list[str]:
    """Return a seat's offered tickets, then its held ones, in the order of their numbers."""
    return [*view.offer, *view.tickets]


def way_lanes(view: View, ticket: Ticket) -> list[list[Route]]:
    """Return the routes that the shortest path of a ticket still needs, each with its usable lanes."""
    assert view.seat is not None
    path, board = find_path(view, ticket), view.edition.board
    open_routes = set(members(view.struct.open_to[view.seat]))
    lanes: list[list[Route]] = []
    for index in path.routes if path else ():
        twin = board.routes[index].twin
        both = (index,) if twin is None else sorted((index, twin))
        lanes.append([board.routes[lane] for lane in both if lane in open_routes])
    return lanes


def way_line(lanes: Sequence[Sequence[Route]]) -> str:
    """Return the routes of a path in words: name, length, colour."""
    told: list[str] = []
    for routes in lanes:
        colours = dict.fromkeys(texts.ANY_COLOUR if r.colour == GREY else r.colour for r in routes)
        name = routes[0].name.partition("/")[0]
        told.append(
            texts.WAY_ROUTE.format(route=name, length=routes[0].length, colour=texts.OR.join(colours))
        )
    return texts.WAY_ROUTES.format(routes=", ".join(told))


def key_lines(table: GameTable, look: Look) -> list[str]:
    """Return a key to the signs of the drawing."""
    edition = table.game.edition
    seats = ", ".join(f"{look.token(i)} {name}" for i, name in enumerate(table.names))
    letters = [f"{PAINTS[colour].letter} {colour}" for colour in edition.board.colours]
    return [texts.KEY.format(seats=seats), texts.COLOUR_KEY.format(letters=", ".join(letters))]
