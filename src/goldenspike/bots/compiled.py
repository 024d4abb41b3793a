"""The face of the compiled bots."""

from __future__ import annotations

from goldenspike.bots.atlas import build_atlas
from goldenspike.bots.bot import Bot, Budget, Choice
from goldenspike.bots.dice import Dice
from goldenspike.bots.mind import new_minds
from goldenspike.bots.policies import POLICIES, choose_once
from goldenspike.editions import Edition
from goldenspike.engine.tables import build_tables
from goldenspike.view import View


class CompiledBot(Bot):
    """A bot whose thinking is compiled: thousands of its games can be played in a second.

    >>> from goldenspike import Game
    >>> game = Game.new("new-york", 2, seed=1, first=0)
    >>> move = CompiledBot("greedy").choose(game.view(0), Dice.of(1), Budget()).move
    >>> move in game.legal_moves(0)
    True
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.policy = POLICIES.index(name)
        self._minds = new_minds(1)
        self._table: tuple[Edition, int, int] | None = None

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        """Return the move of the compiled bot."""
        del budget
        if view.seat is None:
            raise ValueError("A spectator has no move to choose.")
        table = view.edition, view.seats, view.seat
        if table != self._table:  # what is kept in the mind means something else at another one
            self._table = table
            self._minds["plan"]["is_made"] = 0
        tables, atlas = build_tables(view.edition), build_atlas(view.edition)
        move = choose_once(self.policy, view.array, tables, atlas, self._minds, dice.array, view.seat)
        return Choice(int(move))
