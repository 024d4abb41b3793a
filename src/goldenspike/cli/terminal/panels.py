"""The parts of the screen: what a seat sees of the table, each as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from goldenspike.boards.model import Ticket
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.drawing import Scene
from goldenspike.cli.terminal.layout import chip, flow, styled
from goldenspike.cli.terminal.palette import PAINTS, TOKENS, Look
from goldenspike.cli.terminal.story import card_word
from goldenspike.cli.terminal.table import Table
from goldenspike.editions import Edition
from goldenspike.moves import ClaimRoute
from goldenspike.view import View, members
from goldenspike.ways import find_way

_MADE, _HARD = "#4cc35a", "#f0524a"


def scene_of(view: View) -> Scene:
    """Return what the board shows a seat, or a spectator."""
    board = view.edition.board
    numbers = {route.name: route.index for route in board.routes}
    owners = {numbers[name]: seat for name, seat in view.owners.items()}
    reachable = {r for seat in range(view.seats) for r in members(view.record.open_to[seat])}
    closed = {r.index for r in board.routes if r.index not in reachable and r.index not in owners}
    lit = {numbers[m.route] for m in view.legal_moves() if isinstance(m, ClaimRoute)}
    own = [ticket_called(view.edition, name) for name in (*view.tickets, *view.offer)]
    return Scene(board, owners, closed, lit, {city for ticket in own for city in (ticket.a, ticket.b)})


def ticket_called(edition: Edition, name: str) -> Ticket:
    """Return a ticket by its name."""
    return next(ticket for ticket in edition.tickets if ticket.name == name)


def seat_cells(table: Table, view: View, look: Look) -> list[list[str]]:
    """Return the public facts of each seat: name, points, pieces, cards, tickets."""
    points = view.points
    is_race = view.edition.end.when == "race"
    rows: list[list[str]] = []
    for seat, name in enumerate(table.names):
        made = (
            len(view.completed_of(seat)) + int(view.record.coast_to_coast[seat]) if is_race else points[seat]
        )
        numbers = (made, view.pieces[seat], view.hand_sizes[seat], view.ticket_counts[seat])
        rows.append([f"{look.token(seat)} {name}", *map(str, numbers)])
    return rows


def seat_headings(edition: Edition) -> list[str]:
    """Return the headings for :func:`seat_cells`."""
    name, points, piece, cards, tickets = texts.SEAT_HEADINGS
    made = texts.COMPLETED_HEADING if edition.end.when == "race" else points
    return [name, made, piece.format(pieces=f"{edition.words.piece}s"), cards, tickets]


def seat_table(table: Table, view: View, look: Look) -> list[Text]:
    """Return the public facts as a small table, the seat to move marked."""
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


def seat_strip(table: Table, view: View, look: Look, width: int) -> list[Text]:
    """Return the public facts in as few lines as they take."""
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
    """Return how far a ticket is from being made, in words."""
    assert view.seat is not None
    way = find_way(view, ticket)
    if way is None:
        return Text(texts.CUT_OFF, _HARD)
    if way.pieces == 0:
        return Text(texts.MADE, _MADE)
    needed = texts.pieces(way.pieces, view.edition.words.piece) if is_long else str(way.pieces)
    if way.pieces > view.pieces[view.seat]:
        return Text(texts.TOO_FAR.format(pieces=needed), _HARD)
    return Text(texts.TO_GO.format(pieces=needed))


def ticket_line(view: View, ticket: Ticket, is_long: bool = False, is_short: bool = False) -> Text:
    """Return a ticket with its points and how far it is from being made; long, short or in between."""
    cities = view.edition.board.cities
    line = styled(ticket.name, "bold")
    if is_long:
        line.append(f" {cities[ticket.a].name} - {cities[ticket.b].name}")
    if view.edition.end.when != "race":
        line.append(f" {texts.POINTS.of(ticket.points) if is_long else ticket.points}")
    line.append(": ")
    return line.append_text(distance(view, ticket, not is_short))


def ticket_lines(view: View, width: int, is_short: bool = False) -> list[Text]:
    """Return the tickets held."""
    items = [ticket_line(view, ticket_called(view.edition, name), is_short=is_short) for name in view.tickets]
    return flow(items or [Text(texts.NO_TICKETS, "dim")], width, f"{texts.OWN_TICKETS}: ")


def key_lines(table: Table, look: Look) -> list[str]:
    """Return what the signs of the drawing mean."""
    edition = table.game.edition
    seats = ", ".join(f"{look.token(i)} {name}" for i, name in enumerate(table.names))
    letters = [f"{PAINTS[colour].letter} {colour}" for colour in edition.board.colours]
    return [texts.KEY.format(seats=seats), texts.COLOUR_KEY.format(letters=", ".join(letters))]
