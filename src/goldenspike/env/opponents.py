"""Bots at the seats that the learner does not play: they move within a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots import Bot, Budget, Dice, make_bot
from goldenspike.bots.compiled_bot import CompiledBot
from goldenspike.bots.graph import build_graph
from goldenspike.bots.policies import NOBODY_AWAITED, answer_tables
from goldenspike.bots.workspace import new_workspaces
from goldenspike.editions import Edition
from goldenspike.engine.events import LOG
from goldenspike.engine.tables import build_tables
from goldenspike.env.batch import EnvBatch
from goldenspike.game.position import Position

BUDGET = Budget(playouts=200)
"""The budget of bots that search. Not a time, so that the same seed gives the same games."""

_LEARNER, _IN_PYTHON = -1, -2
"""Used in place of the number of a compiled bot."""

Spread = Callable[[Callable[[int, int, int], None]], None]
"""Runs a function over all games: it gets a thread's number, the first game and the end of its range."""


class Opponents:
    """Bots by name, in the order in which they sit after the learner's seats.

    Compiled bots play in compiled code, all games in one call. The others are asked in Python, one game after
    the other.
    """

    def __init__(self, edition: Edition, players: int, names: Sequence[str], threads: int) -> None:
        if isinstance(names, str):
            raise TypeError(f"Opponents are a list of bots, like [{names!r}].")
        if len(names) >= players:
            raise ValueError(
                f"{len(names)} opponents and a learner are {len(names) + 1} players, not {players}."
            )
        self.names = tuple(names)
        self.learners = players - len(names)
        self._edition = edition
        self._bots: list[Bot] = [make_bot(name) for name in names]
        numbers = [_LEARNER] * self.learners + [_number_of(bot) for bot in self._bots]
        self.policies = np.array(numbers, np.int16)
        """The compiled bot of each seat, counted from the first of the learner's; negative for the others."""
        self.has_python = _IN_PYTHON in numbers
        self._workspaces = [new_workspaces(players) for _ in range(threads)]
        self._logs = [np.zeros(1, LOG) for _ in range(threads)]

    def answer(self, batch: EnvBatch, spread: Spread) -> None:
        """Play the opponents' moves in all games until each is over or waits for the learner."""
        tables, graph = build_tables(self._edition), build_graph(self._edition)
        awaited = np.full(len(batch.states), NOBODY_AWAITED, np.int8)

        def play(thread: int, first: int, last: int) -> None:
            games = slice(first, last)
            answer_tables(
                tables,
                graph,
                self.policies,
                batch.homes[games],
                batch.states[games],
                batch.decisions[games],
                awaited[games],
                self._workspaces[thread],
                batch.dice[games],
                self._logs[thread],
            )

        spread(play)
        while self.has_python and self._ask(batch, awaited):
            spread(play)

    def _ask(self, batch: EnvBatch, awaited: NDArray[np.int8]) -> bool:
        """Ask the Python bots that games wait for, one move each; return whether there were any."""
        places = (awaited - batch.homes) % len(self.policies)
        rows = np.flatnonzero((awaited != NOBODY_AWAITED) & (self.policies[places] == _IN_PYTHON))
        for row in rows.tolist():
            seat, position = int(awaited[row]), Position(self._edition)
            position.restore(batch.states[row].tobytes())
            bot = self._bots[int(places[row]) - self.learners]
            dice = Dice(batch.dice[row, seat : seat + 1])
            position.play(bot.ask(position.view(seat), dice, BUDGET).move, seat)
            batch.states[row] = position.states[0]
            batch.decisions[row] += 1
        return rows.size > 0


def _number_of(bot: Bot) -> int:
    return bot.policy if isinstance(bot, CompiledBot) else _IN_PYTHON
