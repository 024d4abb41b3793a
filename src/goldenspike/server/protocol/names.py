"""Cleaning of names and chat: removes characters that hide or reverse text, and makes names distinct."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import msgspec

from goldenspike.server.protocol.messages import Style

_LONGEST_NAME = 40
_JOINERS = "\u200c\u200d"
"""Invisible characters that some scripts and emoji need."""
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Characters that look like spaces, although their category is not a space."""
_SELECTORS = "\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f"
"""Marks that are not visible. Variation selectors, which emoji need, are not visible either."""
_LOOK_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮӀԚԜЁЇаеѕіјкорсухһӏԁԛԝёїΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυϲ0",  # noqa: RUF001  # meant to be ambiguous
    "ABESIJKMHOPCTYXYIQWËÏaesijkopcyxhldqwëïABEZHIKMNOPTYXaikvopuco",
)
"""Cyrillic and Greek letters, capital and small, and a zero, with the Latin letters that they look like."""
_STROKES = str.maketrans("i1|", "lll")
"""A capital i, a small L, a one and a bar look alike in many fonts. The text is in small letters by then."""
_MOST_MARKS = 4
"""The most accents on one letter; more would overlap other lines."""


class BotCharacter(msgspec.Struct, frozen=True):
    """A bot as players know it: a name, a level, and for some of the medium ones a style."""

    name: str
    level: str
    style: Style | None = None


CHARACTERS = (
    *(BotCharacter(name, "easy") for name in ("Penny", "Otis", "Mabel", "Toby", "Nell")),
    BotCharacter("Ada", "medium"),
    BotCharacter("Jasper", "medium", "blocker"),
    BotCharacter("Cora", "medium", "hoarder"),
    BotCharacter("Felix", "medium", "racer"),
    BotCharacter("Ruth", "medium"),
    *(BotCharacter(name, "hard") for name in ("Victor", "Iris", "August", "Edith", "Silas")),
)
"""The bots, one of each level for each seat. Their names refer to no real person."""


def clean_text(text: str) -> str:
    r"""Return a text without control characters and without characters that change the text direction.

    >>> clean_text("a\u202egnp.exe\x07\u200b  b")
    'agnp.exe b'
    """
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if category in {"Cc", "Zl", "Zp", "Cs"} or letter in _BLANKS:
            kept.append(" ")
        elif (category != "Cf" or letter in _JOINERS) and marks <= _MOST_MARKS:
            kept.append(letter)
    return " ".join("".join(kept).split())


def distinct_name(name: str, taken: Iterable[str]) -> str:
    """Return a name that cannot be mistaken for one that is taken, with a number if necessary.

    >>> distinct_name("Ann", ["Ben", "ann "]), distinct_name("Ann", ["Ann", "Ann (2)"])
    ('Ann (2)', 'Ann (3)')
    """
    keys = _all_keys(taken)
    chosen, number = name, 2
    while _keys(chosen) & keys:
        ending = f" ({number})"
        chosen, number = name[: _LONGEST_NAME - len(ending)] + ending, number + 1
    return chosen


def bot_name(level: str, seat: int, taken: Iterable[str]) -> str:
    """Return the name of a bot: the one of its seat, or the next of its level that is not taken.

    >>> bot_name("easy", 1, []), bot_name("easy", 1, ["otis"])
    ('Otis', 'Mabel')
    """
    # A level may be the name of a bot, which has no characters of its own.
    names = _names_of(level) or _names_of("medium")
    taken = list(taken)
    keys = _all_keys(taken)
    ordered = [names[(seat + i) % len(names)] for i in range(len(names))]
    free = (name for name in ordered if not _keys(name) & keys)
    return next(free, distinct_name(ordered[0], taken))


def _all_keys(names: Iterable[str]) -> set[str]:
    return {key for name in names for key in _keys(name)}


def _keys(name: str) -> set[str]:
    """Return texts of which names that look alike have at least one in common.

    The first ignores capital letters, in any script. The second also takes letters for those of other scripts
    that look like them, which depends on whether they are capital.
    """
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKC", clean_text(name)) if _is_visible(letter)
    )
    return {plain.casefold(), plain.translate(_LOOK_ALIKE).casefold().translate(_STROKES)}


def _is_visible(letter: str) -> bool:
    is_variation = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return not (letter in _JOINERS or letter in _SELECTORS or is_variation)


def _names_of(level: str) -> list[str]:
    return [character.name for character in CHARACTERS if character.level == level]


def bot_style(level: str, name: str) -> Style | None:
    """Return the style of the bot with a level and a name; None if it is balanced, or not known.

    >>> bot_style("medium", "Jasper"), bot_style("medium", "Ada"), bot_style("medium", "Ann")
    ('blocker', None, None)
    """
    return next((bot.style for bot in CHARACTERS if (bot.level, bot.name) == (level, name)), None)
