"""Seats: people by name, bots by level, by name or from a file."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import msgspec

from goldenspike.bots import LEVELS, bot_label, bot_names, make_bot
from goldenspike.datafiles.words import suggest
from goldenspike.editions import Edition
from goldenspike.game.words import tell_apart

ME = "me"
YOU = "You"
_WRONG_NUMBER = "{edition} is for {least} to {most} players; these are {count}: {names}."
_NO_SEATS = "Say who plays, as in: me,{level},{level}."
_SAME_NAME = "Two people are called {name}; give them different names."
_NEARLY_A_BOT = (
    "There is no bot {word!r}; {suggestion} "
    "A person of that name is written with a capital letter: {capital}."
)
_BAD_NAME = "{word!r} cannot be a name: use up to 20 printable characters."
_BAD_BOT = "The bot {bot} cannot be made: {error}. Fix it, or choose another bot."
_NO_SUCH_FIRST = "No player is called {word!r}, so {word!r} cannot go first; the seats are {names}."
_LONGEST_NAME = 20
_NEAR = 0.74
"""Similarity from which a word counts as a misspelt bot: esay is 0.75 like easy. The name
sarah is 0.73 like search."""


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat: the name shown, and the bot that plays there; None for a person."""

    name: str
    bot: str | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person plays here."""
        return self.bot is None


def bot_words() -> list[str]:
    """Return the words for bots: the levels, then the bots by name."""
    return [*LEVELS, *(name for name in bot_names() if name not in LEVELS)]


def read_seats(text: str) -> list[Seat]:
    """Parse who plays, as in ``me,easy,hard`` or ``Ann,Ben,mine.py:MyBot``.

    A word that is not a bot is a person's name. A second bot of the same name is numbered.

    >>> [seat.name for seat in read_seats("me, easy, easy")]
    ['You', 'easy', 'easy 2']
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise ValueError(_NO_SEATS.format(level=next(iter(LEVELS))))
    seats: list[Seat] = []
    for word in words:
        seat = _read_seat(word)
        if seat.is_person and seat.name in {other.name for other in seats}:
            raise ValueError(_SAME_NAME.format(name=seat.name))
        *_, name = tell_apart([*(other.name for other in seats), seat.name])
        seats.append(Seat(name, seat.bot))
    return seats


def write_seats(seats: Sequence[Seat]) -> str:
    """Return seats as they are typed.

    >>> write_seats(read_seats("me, easy, Ann"))
    'me,easy,Ann'
    """
    return ",".join(seat.bot or (ME if seat.name == YOU else seat.name) for seat in seats)


def _read_seat(word: str) -> Seat:
    if word.lower() == ME:
        return Seat(YOU)
    if word in bot_words():
        return Seat(word, word)
    path, colon, _ = word.rpartition(":")
    if colon and path.endswith(".py"):
        return Seat(bot_label(word), word)
    if not word.isprintable() or len(word) > _LONGEST_NAME:
        raise ValueError(_BAD_NAME.format(word=word[: _LONGEST_NAME + 1]))
    # Few people mistype the first letter, and Grace is not a misspelt racer.
    alike = [bot for bot in bot_words() if bot[0] == word[0]]
    near = get_close_matches(word, alike, 1, _NEAR) if word.islower() and len(word) > 3 else []
    if suggestion := suggest(word, near):
        raise ValueError(_NEARLY_A_BOT.format(word=word, suggestion=suggestion, capital=word.capitalize()))
    return Seat(word)


def seat_called(word: str, seats: Sequence[Seat]) -> int:
    """Return the seat that has a name, or is meant by `me`.

    >>> seat_called("me", read_seats("easy,me"))
    1
    """
    wanted = YOU if word.lower() == ME else word
    names = [seat.name for seat in seats]
    if wanted not in names:
        raise ValueError(_NO_SUCH_FIRST.format(word=word, names=", ".join(names)))
    return names.index(wanted)


def verify_seats(edition: Edition, seats: Sequence[Seat]) -> None:
    """Raise `ValueError` unless the edition allows this number of seats and every bot can be made."""
    least, most = edition.players
    if not least <= len(seats) <= most:
        names = ", ".join(seat.name for seat in seats)
        raise ValueError(
            _WRONG_NUMBER.format(edition=edition.name, least=least, most=most, count=len(seats), names=names)
        )
    for seat in seats:
        if seat.bot is not None:
            try:
                make_bot(seat.bot)
            except TypeError as error:
                raise ValueError(_BAD_BOT.format(bot=seat.bot, error=error)) from None


def rotate(seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats for a rematch: everyone moves up by one.

    >>> [seat.name for seat in rotate(read_seats("Ann,Ben,easy"))]
    ['Ben', 'easy', 'Ann']
    """
    return [*seats[1:], *seats[:1]]


def default_seats(most: int) -> str:
    """Return the seats of a quick game: one person against three bots of a medium level."""
    levels = list(LEVELS)
    level = levels[len(levels) // 2]
    return ",".join([ME, *[level] * (min(most, 4) - 1)])
