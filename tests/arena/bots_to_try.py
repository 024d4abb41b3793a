"""Bots of somebody's own, as `match` takes them: file.py:Class."""

from __future__ import annotations

import os
from pathlib import Path

from goldenspike.bots import Bot, Budget, Choice, Dice
from goldenspike.view import View


class Chancer(Bot):
    """Plays any legal move by its dice."""

    name = "chancer"

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        del budget
        return Choice(dice.choose(view.legal_moves().numbers))


class Cheat(Chancer):
    """Passes when it may not, once it has laid some pieces."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        if view.seat is not None and view.pieces[view.seat] < 10:
            return Choice(0)
        return super().choose(view, dice, budget)


class Crash(Chancer):
    """Fails in every game that it has a turn in."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        if view.phase == "turn":
            raise RuntimeError("out of\nsteam")
        return super().choose(view, dice, budget)


class Swapper(Bot):
    """Never claims anything if there is something else to do."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        del dice, budget
        return Choice(view.legal_moves().numbers[0])


class Mortal(Chancer):
    """Takes its process with it, once: a file says whether it has."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        marker = Path(os.environ["GOLDENSPIKE_TEST_MARKER"])
        if view.phase == "turn" and not marker.exists():
            marker.write_text("died")
            os._exit(3)
        return super().choose(view, dice, budget)


class Dreamer(Chancer):
    """Says which process it is in, in a folder, and never has enough of thinking."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        (Path(os.environ["GOLDENSPIKE_TEST_MARKER"]) / str(os.getpid())).touch()
        while True:
            super().choose(view, dice, budget)
