"""The bot interface: a bot gets a view and returns a move."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from dataclasses import dataclass
from reprlib import Repr
from typing import NamedTuple, cast

from goldenspike.bots.dice import Dice
from goldenspike.game.moves import Move
from goldenspike.game.view import View


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think about a move. Bots that do not search ignore it.

    With `playouts` the same view and dice give the same move on every machine. With `seconds` a search runs
    for that time, on the given number of `threads`.
    """

    seconds: float | None = None
    playouts: int | None = None
    threads: int = 1


class Choice(NamedTuple):
    """A bot's answer: a move as a value, a number or a text, with the bot's assessment if it has one."""

    move: Move | int | str
    win_chance: float | None = None
    """How likely the bot thinks it is to win, from 0 to 1."""
    reasons: tuple[str, ...] = ()
    """Why, in sentences, the most important first."""


class BotAnswerError(ValueError):
    """A bot returned something that is not a move; the message says what to return."""


class Bot(ABC):
    """A player. It gets a view and never the game itself, its own dice, and a budget.

    The same view and the same dice give the same move, whatever the bot has seen before. A bot may cache
    results, but only to be faster.

    >>> from goldenspike import Game
    >>> class First(Bot):
    ...     '''Plays the first legal move.'''
    ...     name = "first"
    ...     def choose(self, view, dice, budget):
    ...         return view.legal_moves()[0]
    >>> game = Game.new("usa-classic", 2, seed=1, first=0)
    >>> print(First().ask(game.view(0), Dice.of(1), Budget()).move)
    keep TOR-MIA, DUL-ELP
    """

    name: str

    @abstractmethod
    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice | Move | int | str:
        """Return a legal move for the seat of this view, which must be to move.

        The move is a value, a number or a text, or a :class:`Choice` with the bot's assessment.
        """

    def ask(self, view: View, dice: Dice, budget: Budget) -> Choice:
        """Return the bot's choice, always as a :class:`Choice`. Code that runs bots calls this method.

        Raise :class:`BotAnswerError` if the bot returned something that is not a move.
        """
        answer = cast("object", self.choose(view, dice, budget))
        choice = answer if isinstance(answer, Choice) else Choice(answer)  # pyright: ignore[reportArgumentType]
        if _is_move(choice.move):
            return choice
        name = getattr(self, "name", type(self).__name__)
        forgotten = " (did you forget to return the move?)" if answer is None else ""
        raise BotAnswerError(
            f"The bot {name!r} returned {_SHORT.repr(answer)}{forgotten}. Return a move: one of "
            "view.legal_moves(), its number (view.legal_moves().numbers), or a text such as 'draw deck'; "
            "a Choice holds one of these."
        )


def _is_move(move: object) -> bool:
    if isinstance(move, Move | str):
        return True
    try:
        operator.index(move)  # pyright: ignore[reportArgumentType]
    except TypeError:
        return False
    return not isinstance(move, bool)


_SHORT = Repr()
_SHORT.maxother = 60
