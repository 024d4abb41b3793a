"""What a bot is: it looks at a view and names a move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

from goldenspike.bots.dice import Dice
from goldenspike.view import View


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think about a move. One that does not search ignores it.

    With `playouts` the same view and dice give the same move on every machine; with `seconds` a search does
    what it can in that time, on so many `threads`.
    """

    seconds: float | None = None
    playouts: int | None = None
    threads: int = 1


class Choice(NamedTuple):
    """A bot's answer: a move as a number, and what it thinks of it if it can tell."""

    move: int
    win_chance: float | None = None
    """How likely the bot thinks it is to win, from 0 to 1."""
    reasons: tuple[str, ...] = ()
    """Why, in sentences, the most important first."""


class Bot(ABC):
    """A player. It gets a view and never the game itself, its own dice, and a budget; it keeps no secrets.

    The same view and the same dice give the same move, whatever the bot has seen before: it may keep what
    it has worked out, but only to be faster.

    >>> from goldenspike import Game
    >>> class First(Bot):
    ...     '''Plays the first legal move.'''
    ...     name = "first"
    ...     def choose(self, view, dice, budget):
    ...         return Choice(view.legal_moves().numbers[0])
    >>> game = Game.new("usa-classic", 2, seed=1, first=0)
    >>> First().choose(game.view(0), Dice.of(1), Budget())
    Choice(move=14, win_chance=None, reasons=())
    """

    name: str

    @abstractmethod
    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        """Return a legal move for the seat of this view, which must be to move."""
