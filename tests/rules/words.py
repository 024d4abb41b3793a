"""Texts for the engine's numbers, which make the tests readable."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from goldenspike.editions import Edition
from goldenspike.engine import events, legal, moves, scoring, state

PHASES = {
    getattr(state, name): name.lower().replace("_", " ")
    for name in ("CHOOSING", "TURN", "SECOND_CARD", "KEEPING", "OVER")
}
ENDINGS = {
    getattr(state, name): name.lower().replace("_", " ")
    for name in ("NO_ENDING", "LAST_ROUND_PLAYED", "NOBODY_CAN_ACT", "TICKETS_COMPLETED", "LAST_PIECE_PLACED")
}
TIE_BREAKS = {
    getattr(state, name): name.lower().replace("_", " ")
    for name in ("NO_TIE", "BY_COMPLETED_TICKETS", "BY_LONGEST_PATH", "SHARED")
}
TERMS = {
    getattr(scoring, name): name.lower().replace("_", " ")
    for name in (
        "ROUTES",
        "TICKETS_MADE",
        "TICKETS_FAILED",
        "LONGEST_PATH",
        "GLOBETROTTER",
        "ATTRACTIONS",
        "COMPLETED",
    )
}
REASONS = {
    getattr(legal, name): name.lower().replace("_", " ")
    for name in (
        "LEGAL",
        "GAME_IS_OVER",
        "NOT_YOUR_TURN",
        "NO_SUCH_MOVE",
        "CHOOSE_TICKETS_FIRST",
        "ALREADY_CHOSEN",
        "NOTHING_OFFERED",
        "KEEP_MORE",
        "NOT_OFFERED",
        "SECOND_CARD_FIRST",
        "CAN_ACT",
        "DECK_EMPTY",
        "NOT_FACE_UP",
        "LOCOMOTIVE_SECOND",
        "NO_TICKETS_LEFT",
        "NO_TICKETS_TO_SWAP",
        "ROUTE_TAKEN",
        "TWIN_IS_OWN",
        "TWIN_CLOSED",
        "TOO_FEW_PIECES",
        "TOO_FEW_CARDS",
        "TOO_FEW_LOCOMOTIVES",
    )
}
EVENTS = {
    getattr(events, name): name.lower().replace("_", " ")
    for name in (
        "STARTED",
        "OFFERED",
        "CHOSE",
        "KEPT",
        "RETURNED",
        "DREW",
        "TOOK",
        "TURNED_UP",
        "WIPED",
        "RESHUFFLED",
        "CLAIMED",
        "JOINED",
        "COMPLETED",
        "COAST_TO_COAST",
        "RECEIVED",
        "SWAPPED",
        "PASSED",
        "TURN_ENDED",
        "LAST_ROUND",
        "TURN_BEGAN",
        "REVEALED",
        "SCORED",
        "ENDED",
    )
}

NO_MOVE = -1
"""A number that is not a move, for texts that have no number, such as two colours mixed."""


class RuleEvent(NamedTuple):
    """An event: its kind, its seat (-1 for none), and its details."""

    kind: str
    seat: int
    details: tuple[int, ...]


def kind_of(edition: Edition, card: str) -> int:
    """Return the number of a kind of card: a colour of the board, or "loco"."""
    return state.LOCOMOTIVE if card == "loco" else edition.board.colours.index(card)


def card_of(edition: Edition, kind: int) -> str:
    """Return the word for a kind of card."""
    return "loco" if kind == state.LOCOMOTIVE else edition.board.colours[kind]


def ticket_of(edition: Edition, name: str) -> int:
    """Return the number of a ticket, such as "LAX-NYC"."""
    return [ticket.name for ticket in edition.tickets].index(name)


def route_of(edition: Edition, name: str) -> int:
    """Return the number of a route, such as "CHI-PIT/black"."""
    return [route.name for route in edition.board.routes].index(name)


def keep_number(offer: list[str], text: str) -> int:
    """Return the number of "keep LAX-NYC, DEN-ELP" for an offer; "keep" alone keeps nothing.

    A ticket that is not offered gets the bit after the last one.
    """
    kept = {name for name in text.removeprefix("keep").strip().split(", ") if name}
    mask = sum(1 << i for i, name in enumerate(offer) if name in kept)
    if not kept <= {*offer}:
        mask |= 1 << len(offer)
    return moves.KEEP + mask if mask else NO_MOVE


def keep_text(offer: list[str], number: int) -> str:
    """Return the text of a move that keeps tickets."""
    mask = number - moves.KEEP
    return "keep " + ", ".join(name for i, name in enumerate(offer) if mask >> i & 1)


@lru_cache(maxsize=32)
def move_numbers(edition: Edition) -> dict[str, int]:
    """Return the number of every move except "keep ..." by its text."""
    swaps = edition.ticket_rules.flow == "swap"
    numbers = {
        "pass": moves.PASS,
        "draw deck": moves.DRAW_DECK,
        "swap tickets" if swaps else "draw tickets": moves.DRAW_TICKETS,
    }
    for card in (*edition.board.colours, "loco"):
        numbers[f"take {card}"] = moves.TAKE + kind_of(edition, card)
    next_number = moves.CLAIM
    for route in edition.board.routes:
        for paid in payments(
            route.length, edition.board.colours if route.colour == "grey" else (route.colour,)
        ):
            numbers[f"claim {route.name} with {paid}"] = next_number
            next_number += 1
    return numbers


def payments(length: int, colours: tuple[str, ...]) -> list[str]:
    """Return every way to pay for a route, in the order of their numbers.

    >>> payments(2, ("red", "blue"))
    ['2 red', '1 red, 1 loco', '2 blue', '1 blue, 1 loco', '2 loco']
    """
    ways = [
        f"{length - locos} {colour}" + (f", {locos} loco" if locos else "")
        for colour in colours
        for locos in range(length)
    ]
    return [*ways, f"{length} loco"]
