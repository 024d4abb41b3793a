"""Requests for seats, completed: distinct names and colours, and names and styles for bots."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from goldenspike.server.protocol.messages import COLOURS, Colour, SeatWish
from goldenspike.server.protocol.names import bot_name, bot_style, clean_text, distinct_name


def clean_wish(wish: SeatWish) -> SeatWish:
    """Return a seat request with its name cleaned for display."""
    name = clean_text(wish.name) if wish.name is not None else None
    return msgspec.structs.replace(wish, name=name or None)


def name_bots(wishes: list[SeatWish]) -> list[SeatWish]:
    """Return seat requests in which every bot has a name, which differs from the others', and its style."""
    taken = [wish.name for wish in wishes if wish.name is not None]
    named: list[SeatWish] = []
    for seat, wish in enumerate(wishes):
        if wish.who != "bot":
            named.append(wish)
            continue
        level, name = wish.level or "medium", wish.name
        if name is None:
            name = bot_name(level, seat, taken)
            taken.append(name)
        style = wish.style or bot_style(level, name)
        named.append(msgspec.structs.replace(wish, name=name, style=style))
    return named


def distinct_names(wishes: Sequence[SeatWish]) -> list[str]:
    """Return the names of a new game's players, all different.

    Bots of games that older versions created have no name of their own.

    >>> distinct_names([SeatWish("here", "Ann"), SeatWish("link", "ann"), SeatWish("bot", level="easy")])
    ['Ann', 'ann (2)', 'Bot 3']
    """
    names: list[str] = []
    for seat, wish in enumerate(wishes):
        name = wish.name or f"{'Bot' if wish.who == 'bot' else 'Player'} {seat + 1}"
        names.append(distinct_name(name, names))
    return names


def distinct_colours(wishes: Sequence[SeatWish]) -> list[Colour]:
    """Return the colours of a new game's seats, all different; the first seat that wishes one gets it.

    >>> distinct_colours([SeatWish("here", colour="red"), SeatWish("link", colour="red"), SeatWish("open")])
    ['red', 'green', 'yellow']
    """
    chosen: dict[Colour, int] = {}
    for seat, wish in enumerate(wishes):
        if wish.colour is not None:
            chosen.setdefault(wish.colour, seat)
    seats: dict[int, Colour] = {seat: colour for colour, seat in chosen.items()}
    for seat in range(len(wishes)):
        if seat not in seats:
            in_order = COLOURS[seat:] + COLOURS[:seat]
            seats[seat] = next(colour for colour in in_order if colour not in seats.values())
    return [seats[seat] for seat in range(len(wishes))]
