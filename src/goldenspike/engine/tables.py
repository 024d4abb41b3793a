"""A board and an edition as one flat read-only struct for the compiled rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards import Board
from goldenspike.boards.limits import CITIES, COLOURS, LENGTH, ROUTES, TICKETS
from goldenspike.editions import Edition
from goldenspike.engine.state import BY_COMPLETED_TICKETS, BY_LONGEST_PATH, KINDS, LOCOMOTIVE
from goldenspike.engine.struct import Ints, Struct, Structs, Wide, Words, struct_dtype

GREY = -1
"""The colour of a route that takes any one colour."""
NO_TWIN = -1
CLAIMS = ROUTES * (COLOURS * LENGTH + 1)
"""The most claims a board can have: every route grey and of the greatest length."""

_TIE_BREAKS = {"completed-tickets": BY_COMPLETED_TICKETS, "longest-path": BY_LONGEST_PATH}


class Tables(Struct):
    """The constants of a board and an edition."""

    fits: Annotated[Words, "u8", (COLOURS, LENGTH + 1, 2)]
    """Routes up to a length that cards of a colour can pay for: routes of that colour and grey ones."""
    up_to: Annotated[Words, "u8", (LENGTH + 1, 2)]
    """Routes up to a length."""
    route_ends: Annotated[Words, "u8", (ROUTES,)]
    """The two cities of each route, as a set."""
    ticket_ends: Annotated[Words, "u8", (TICKETS,)]
    """The two cities of each ticket, as a set."""
    attractions: Annotated[np.uint64, "u8"]
    west: Annotated[np.uint64, "u8"]
    east: Annotated[np.uint64, "u8"]
    cities: Wide
    routes: Wide
    words: Wide
    """Words in a set of this board's routes: 1 or 2."""
    longest: Wide
    """Length of the longest route."""
    tickets: Wide
    colours: Wide
    claims: Wide
    """Number of possible claims: (route, colour, locomotives)."""
    route_a: Annotated[Ints, "i2", (ROUTES,)]
    route_b: Annotated[Ints, "i2", (ROUTES,)]
    route_length: Annotated[Ints, "i2", (ROUTES,)]
    route_colour: Annotated[Ints, "i2", (ROUTES,)]
    route_twin: Annotated[Ints, "i2", (ROUTES,)]
    """The other lane of a double, or NO_TWIN."""
    route_points: Annotated[Ints, "i2", (ROUTES,)]
    first_claim: Annotated[Ints, "i2", (ROUTES + 1,)]
    """The number of each route's first claim; after the last route, the number of claims."""
    claim_route: Annotated[NDArray[np.uint8], "u1", (CLAIMS,)]
    ticket_points: Annotated[Ints, "i2", (TICKETS,)]
    deck: Annotated[Ints, "i2", (KINDS,)]
    pieces: Wide
    opening_hand: Wide
    face_up: Wide
    """Slots of the face-up row; 0: no row, and one draw takes both cards from the deck (J-2)."""
    swaps: Wide
    """1: tickets are shown when completed, replaced, and swapped (J-2, J-4). 0: offered and kept (T-1)."""
    deal: Wide
    deal_keep: Wide
    draw: Wide
    draw_keep: Wide
    race_tickets: Wide
    """Completed tickets that win at once (J-6); 0: no race, the game ends when pieces run low (E-1)."""
    last_round_pieces: Wide
    doubles_close_up_to: Wide
    longest_path: Wide
    globetrotter: Wide
    attraction: Wide
    tie_breaks: Annotated[Ints, "i2", (2,)]
    """Tie-breaks in order: BY_COMPLETED_TICKETS, BY_LONGEST_PATH, or NO_TIE for none."""


TABLES = struct_dtype(Tables)


@lru_cache(maxsize=64)
def build_tables(edition: Edition) -> Structs:
    """Return the tables of an edition as a read-only array of one struct.

    >>> from goldenspike.editions import load_edition
    >>> int(build_tables(load_edition("usa-classic"))[0].claims)
    1060
    """
    array = np.zeros(1, TABLES)
    tables: Any = array[0]
    _lay_board(tables, edition.board)
    _lay_lengths(tables, edition)
    _lay_claims(tables)
    _lay_tickets(tables, edition)
    _lay_numbers(tables, edition)
    array.flags.writeable = False
    return array


def _lay_board(tables: Tables, board: Board) -> None:
    tables.cities, tables.routes, tables.colours = len(board.cities), len(board.routes), len(board.colours)
    tables.longest = max(route.length for route in board.routes)
    tables.words = 1 if tables.routes <= 64 else 2
    for route in board.routes:
        i = route.index
        tables.route_a[i], tables.route_b[i] = route.a, route.b
        tables.route_ends[i] = 1 << route.a | 1 << route.b
        tables.route_length[i] = route.length
        tables.route_colour[i] = GREY if route.colour == "grey" else board.colours.index(route.colour)
        tables.route_twin[i] = NO_TWIN if route.twin is None else route.twin


def _lay_lengths(tables: Tables, edition: Edition) -> None:
    for i in range(tables.routes):
        length, colour = int(tables.route_length[i]), int(tables.route_colour[i])
        if edition.route_points:
            tables.route_points[i] = edition.route_points[length - 1]
        member = np.uint64(1) << np.uint64(i & 63)
        tables.up_to[length:, i >> 6] |= member
        colours = range(tables.colours) if colour == GREY else (colour,)
        for c in colours:
            tables.fits[c, length:, i >> 6] |= member


def _lay_claims(tables: Tables) -> None:
    total = 0
    for i in range(tables.routes):
        colours = tables.colours if tables.route_colour[i] == GREY else 1
        count = colours * int(tables.route_length[i]) + 1
        tables.first_claim[i] = total
        tables.claim_route[total : total + count] = i
        total += count
    tables.first_claim[tables.routes :] = total
    tables.claims = total


def _lay_tickets(tables: Tables, edition: Edition) -> None:
    tables.tickets = len(edition.tickets)
    for i, ticket in enumerate(edition.tickets):
        tables.ticket_ends[i] = 1 << ticket.a | 1 << ticket.b
        tables.ticket_points[i] = ticket.points


def _lay_numbers(tables: Tables, edition: Edition) -> None:
    tables.deck[: tables.colours] = edition.deck.colour
    tables.deck[LOCOMOTIVE] = edition.deck.locomotive
    tables.pieces, tables.opening_hand, tables.face_up = edition.pieces, edition.opening_hand, edition.face_up
    rules = edition.ticket_rules
    tables.swaps = rules.flow == "swap"
    tables.deal, tables.deal_keep, tables.draw, tables.draw_keep = (
        rules.deal,
        rules.deal_keep,
        rules.draw,
        rules.draw_keep,
    )
    end = edition.end
    tables.race_tickets = end.tickets if end.when == "race" else 0
    tables.last_round_pieces = end.pieces
    tables.doubles_close_up_to = edition.doubles_close_up_to
    bonuses = edition.bonuses
    tables.longest_path, tables.globetrotter = bonuses.longest_path, bonuses.globetrotter
    tables.attraction = bonuses.attraction
    tables.attractions = _marked(edition.board, "attraction")
    if bonuses.coast_to_coast:
        tables.west, tables.east = (_marked(edition.board, mark) for mark in bonuses.coast_to_coast)
    for i, tie_break in enumerate(edition.tie_breaks):
        tables.tie_breaks[i] = _TIE_BREAKS[tie_break]


def _marked(board: Board, mark: str) -> np.uint64:
    cities = sum(1 << i for i, city in enumerate(board.cities) if mark in city.marks)
    return np.uint64(cities)


assert CITIES <= 64, "a set of cities is one word"
