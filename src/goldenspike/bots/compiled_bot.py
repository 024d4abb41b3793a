"""The `Bot` class of the compiled bots."""

from __future__ import annotations

from goldenspike.bots.bot import Bot, Budget, Choice
from goldenspike.bots.dice import Dice
from goldenspike.bots.graph import build_graph
from goldenspike.bots.policies import POLICIES, choose_once
from goldenspike.bots.workspace import new_workspaces
from goldenspike.editions import Edition
from goldenspike.engine.tables import build_tables
from goldenspike.game.view import View


class CompiledBot(Bot):
    """A bot whose policy is compiled, so thousands of its games can be played per second.

    >>> from goldenspike import Game
    >>> game = Game.new("new-york", 2, seed=1, first=0)
    >>> move = CompiledBot("greedy").choose(game.view(0), Dice.of(1), Budget()).move
    >>> move in game.legal_moves(0)
    True
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.policy, _ = POLICIES[name]
        self._workspaces = new_workspaces(1)
        self._table: tuple[Edition, int, int] | None = None

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        """Return the move of the compiled bot."""
        del budget
        if view.seat is None:
            raise ValueError("A spectator has no move to choose.")
        table = view.edition, view.seats, view.seat
        if table != self._table:  # the workspace holds the plan of another game
            self._table = table
            self._workspaces["plan"]["is_made"] = 0
        tables, graph = build_tables(view.edition), build_graph(view.edition)
        move = choose_once(self.policy, view.array, tables, graph, self._workspaces, dice.array, view.seat)
        return Choice(int(move))
