"""The menu: numbers for moves. A number has the same meaning throughout a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.layout import chip
from goldenspike.cli.terminal.palette import Look
from goldenspike.cli.terminal.panels import ticket_called
from goldenspike.cli.terminal.story import card_word
from goldenspike.game.moves import ClaimRoute, DrawTickets, Pass, SwapTickets
from goldenspike.game.routes import find_path
from goldenspike.game.view import View

CLAIM = "claim"
"""The entry that opens the list of routes."""


class MenuEntry(NamedTuple):
    """One entry: its number, its label, and its move as a text."""

    number: int
    shown: Text
    move: str
    is_open: bool = True
    is_card: bool = False


class Claim(NamedTuple):
    """A route that can be claimed now: its name, points, possible payments, and the own tickets it serves."""

    route: str
    points: int
    payments: tuple[ClaimRoute, ...]
    tickets: tuple[str, ...]


def entries(view: View, claims: Sequence[Claim], look: Look) -> list[MenuEntry]:
    """Return the menu of a turn: the slots of the face-up row, then deck, tickets, claim, pass."""
    edition, legal = view.edition, view.legal_moves()
    found: list[MenuEntry] = []
    for place, card in enumerate(view.row, start=1):
        move = "" if card is None else f"take {card}"
        shown = chip(card_word(edition, card), card, look) if card else Text(texts.EMPTY_SLOT)
        found.append(MenuEntry(place, shown, move, is_open=bool(move) and move in legal, is_card=True))
    after = edition.face_up
    is_swap = edition.ticket_rules.flow == "swap"
    tickets = SwapTickets() if is_swap else DrawTickets()
    words = texts.SWAP_TICKETS if is_swap else texts.DRAW_TICKETS
    found += [
        MenuEntry(
            after + 1, Text(texts.DECK.format(count=view.deck_size)), "draw deck", "draw deck" in legal
        ),
        MenuEntry(
            after + 2,
            Text(words.format(count=view.ticket_deck_size)),
            str(tickets),
            tickets in legal,
        ),
        MenuEntry(
            after + 3,
            Text(texts.CLAIM.format(routes=texts.ROUTES.of(len(claims))), "bold" if claims else "dim"),
            CLAIM,
            bool(claims),
        ),
    ]
    if Pass() in legal:
        found.append(MenuEntry(after + 4, Text(texts.PASS), str(Pass())))
    return found


def claims_of(view: View) -> list[Claim]:
    """Return the routes a seat can claim now: those on its tickets' paths first, then the longest."""
    edition = view.edition
    served: dict[str, list[str]] = {}
    for name in view.tickets:
        path = find_path(view, ticket_called(edition, name))
        for index in path.routes if path else ():
            route = edition.board.routes[index]
            for lane in (index,) if route.twin is None else (index, route.twin):
                served.setdefault(edition.board.routes[lane].name, []).append(name)
    payments: dict[str, list[ClaimRoute]] = {}
    for move in view.legal_moves():
        if isinstance(move, ClaimRoute):
            payments.setdefault(move.route, []).append(move)
    lengths = {route.name: route.length for route in edition.board.routes}
    for route in edition.board.routes:
        if route.twin is not None and route.index < route.twin:
            other = edition.board.routes[route.twin]
            if route.colour == other.colour and route.name in payments:
                payments.pop(other.name, None)  # two identical lanes are one choice
    points = edition.route_points
    claims = [
        Claim(
            name,
            points[lengths[name] - 1] if points else 0,
            tuple(sorted(ways, key=lambda claim: (claim.locomotives, -view.hand.get(claim.colour or "", 0)))),
            tuple(served.get(name, ())),
        )
        for name, ways in payments.items()
    ]
    return sorted(claims, key=lambda claim: (not claim.tickets, -lengths[claim.route], claim.route))


def read_numbers(text: str) -> list[int] | None:
    """Return the numbers in a line that contains nothing else, or None.

    >>> read_numbers("1, 3"), read_numbers("2"), read_numbers("keep all"), read_numbers("")
    ([1, 3], [2], None, None)
    """
    words = text.replace(",", " ").replace("+", " ").split()
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 4 for word in words):
        return None
    return [int(word) for word in words]
