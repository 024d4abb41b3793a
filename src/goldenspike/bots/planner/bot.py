"""The `Bot` class of the planner: its move, and its plan as reasons in words."""

from __future__ import annotations

from typing import Any

from goldenspike.bots.bot import Budget, Choice
from goldenspike.bots.compiled_bot import CompiledBot
from goldenspike.bots.dice import Dice
from goldenspike.game.view import View, members
from goldenspike.game.words import count_of


class PlannerBot(CompiledBot):
    """The planner in one of its styles, which gives its plan as reasons.

    >>> from goldenspike import Game
    >>> game = Game.new("usa-classic", 2, seed=1, first=0)
    >>> for seat in (0, 1):
    ...     game.play("keep all", seat)
    >>> for reason in PlannerBot().choose(game.view(0), Dice.of(1), Budget()).reasons:
    ...     print(reason)
    The tickets still need ...: ... trains.
    """

    def __init__(self, style: str = "planner") -> None:
        super().__init__(style)

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        """Return the planner's move and the plan behind it."""
        move = super().choose(view, dice, budget).move
        if view.offered:
            piece = view.edition.words.piece
            return Choice(move, None, (f"These tickets fit together best for the {piece}s they take.",))
        return Choice(move, None, tuple(self._reasons(view)))

    def _reasons(self, view: View) -> list[str]:
        plan: Any = self._workspaces["plan"][0]
        edition = view.edition
        routes = [edition.board.routes[route].name for route in members(plan["routes"])]
        wanted = [edition.board.routes[route].name for route in members(plan["wanted"])]
        lost = [edition.tickets[ticket].name for ticket in members(plan["lost"])]
        reasons: list[str] = []
        if routes:
            lengths = [edition.board.routes[route].length for route in members(plan["routes"])]
            pieces = count_of(sum(lengths), edition.words.piece)
            reasons.append(f"The tickets still need {', '.join(routes)}: {pieces}.")
        else:
            reasons.append("No ticket needs a route any more, so points and the end of the game decide.")
        if lost:
            reasons.append(f"Out of reach: {', '.join(lost)}.")
        contested = sorted(set(routes) & set(wanted))
        if contested:
            reasons.append(f"Others seem to want {', '.join(contested)} too.")
        return reasons
