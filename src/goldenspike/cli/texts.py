"""Sentences that are said in the terminal game and elsewhere: templates for :meth:`str.format`."""

from __future__ import annotations

COMPILING = "Preparing the rules for this machine, once, about a minute ..."

YOU = "You"
WRONG_NUMBER = "{edition} is for {least} to {most} players; these are {count}: {names}."
NO_SEATS = "Say who plays, as in: me,{level},{level}."
SAME_NAME = "Two people are called {name}; give them different names."
NEARLY_A_BOT = (
    "There is no bot {word!r}; {suggestion} "
    "A person of that name is written with a capital letter: {capital}."
)
BAD_NAME = "{word!r} cannot be a name: use up to 20 printable characters."
BAD_BOT = "The bot {bot} cannot be made: {error}. Mend it, or take another."
NO_SUCH_FIRST = "Nobody is called {word!r} here, so {word!r} cannot begin; the seats are {names}."
