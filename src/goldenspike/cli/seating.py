"""Who sits where: people by name, bots by level, by name or from a file."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import msgspec

from goldenspike.boards.words import suggest
from goldenspike.bots import LEVELS, bot_names, make_bot
from goldenspike.cli import texts
from goldenspike.editions import Edition

ME = "me"
_LONGEST_NAME = 20
_NEAR = 0.74
"""How like a bot's a word must be to count as misspelt: esay is 0.75 easy; sarah 0.73 search, and a name."""


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place at the table: the name shown, and the bot that plays there, None for a person."""

    name: str
    bot: str | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person sits here."""
        return self.bot is None


def bot_words() -> list[str]:
    """Return what can be written for a bot: the levels, then the bots by name."""
    return [*LEVELS, *(name for name in bot_names() if name not in LEVELS)]


def read_seats(text: str) -> list[Seat]:
    """Read who plays, as in ``me,easy,hard`` or ``Ann,Ben,mine.py:MyBot``.

    Anything that is no bot is a person's name. A second bot of a name is numbered.

    >>> [seat.name for seat in read_seats("me, easy, easy")]
    ['You', 'easy', 'easy 2']
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise ValueError(texts.NO_SEATS.format(level=next(iter(LEVELS))))
    seats: list[Seat] = []
    for word in words:
        seat = _read_seat(word)
        if seat.is_person and seat.name in {other.name for other in seats}:
            raise ValueError(texts.SAME_NAME.format(name=seat.name))
        seats.append(Seat(_numbered(seat.name, seats), seat.bot))
    return seats


def _read_seat(word: str) -> Seat:
    if word.lower() == ME:
        return Seat(texts.YOU)
    if word in bot_words():
        return Seat(word, word)
    path, colon, name = word.rpartition(":")
    if colon and path.endswith(".py"):
        return Seat(name, word)
    if not word.isprintable() or len(word) > _LONGEST_NAME:
        raise ValueError(texts.BAD_NAME.format(word=word[: _LONGEST_NAME + 1]))
    near = get_close_matches(word, bot_words(), 1, _NEAR) if word.islower() and len(word) > 3 else []
    if suggestion := suggest(word, near):
        raise ValueError(
            texts.NEARLY_A_BOT.format(word=word, suggestion=suggestion, capital=word.capitalize())
        )
    return Seat(word)


def _numbered(name: str, seats: Sequence[Seat]) -> str:
    taken = {seat.name for seat in seats}
    number, free = 2, name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free


def seat_called(word: str, seats: Sequence[Seat]) -> int:
    """Return the seat that is meant by a name, or by `me`.

    >>> seat_called("me", read_seats("easy,me"))
    1
    """
    wanted = texts.YOU if word.lower() == ME else word
    names = [seat.name for seat in seats]
    if wanted not in names:
        raise ValueError(texts.NO_SUCH_FIRST.format(word=word, names=", ".join(names)))
    return names.index(wanted)


def verify_seats(edition: Edition, seats: Sequence[Seat]) -> None:
    """Raise `ValueError` unless as many sit down as the edition is for, and every bot can be made."""
    least, most = edition.players
    if not least <= len(seats) <= most:
        names = ", ".join(seat.name for seat in seats)
        raise ValueError(
            texts.WRONG_NUMBER.format(
                edition=edition.name, least=least, most=most, count=len(seats), names=names
            )
        )
    for seat in seats:
        if seat.bot is not None:
            try:
                make_bot(seat.bot)
            except TypeError as error:
                raise ValueError(texts.BAD_BOT.format(bot=seat.bot, error=error)) from None


def rotate(seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats for a rematch: everybody moves up by one.

    >>> [seat.name for seat in rotate(read_seats("Ann,Ben,easy"))]
    ['Ben', 'easy', 'Ann']
    """
    return [*seats[1:], *seats[:1]]


def default_seats(most: int) -> str:
    """Return the seats of a quick game: one person against three bots of a middling level."""
    levels = list(LEVELS)
    level = levels[len(levels) // 2]
    return ",".join([ME, *[level] * (min(most, 4) - 1)])
