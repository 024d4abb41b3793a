"""Text helpers: counts in singular and plural, and names of cards and seats."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from goldenspike.editions import Edition
from goldenspike.engine.state import KINDS, LOCOMOTIVE


@lru_cache(maxsize=64)
def card_words(edition: Edition) -> tuple[str, ...]:
    """Return the word of each kind of card; kinds that the board does not use have an empty one.

    >>> from goldenspike.editions import load_edition
    >>> card_words(load_edition("first-journey"))
    ('yellow', 'green', 'white', 'black', 'blue', 'red', '', '', 'loco')
    """
    words = [*edition.board.colours, *[""] * (KINDS - len(edition.board.colours))]
    words[LOCOMOTIVE] = "loco"
    return tuple(words)


def count_of(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> count_of(1, "red card"), count_of(3, "train"), count_of(0, "action")
    ('1 red card', '3 trains', '0 actions')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def seat_name(seat: int) -> str:
    """Return the display name of a seat whose player has no name; it counts from 1.

    >>> seat_name(0)
    'Seat 1'
    """
    return f"Seat {seat + 1}"


def tell_apart(names: Iterable[str]) -> list[str]:
    """Make names unique by adding a number to repeated ones.

    >>> tell_apart(["easy", "Ann", "easy", "easy"])
    ['easy', 'Ann', 'easy 2', 'easy 3']
    """
    told: list[str] = []
    for name in names:
        number, free = 2, name
        while free in told:
            free, number = f"{name} {number}", number + 1
        told.append(free)
    return told


def numbers_of_seats(what: str, seats: int) -> str:
    """Return a sentence for error messages that says how seats are numbered.

    >>> numbers_of_seats("The first seat", 3)
    'The first seat is a number from 0 (Seat 1) to 2 (Seat 3).'
    """
    return f"{what} is a number from 0 ({seat_name(0)}) to {seats - 1} ({seat_name(seats - 1)})."
