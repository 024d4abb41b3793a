"""A user's own bots, as `match` takes them: file.py:Class."""

from __future__ import annotations

import os
from pathlib import Path

from goldenspike.bots import Bot, Budget, Choice, Dice
from goldenspike.game.moves import Move
from goldenspike.game.view import View


class Chancer(Bot):
    """Plays random legal moves."""

    name = "chancer"

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        del budget
        return Choice(dice.choose(view.legal_moves().numbers))


class Valuer(Bot):
    """Returns moves as values, without a Choice around them."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Move:
        del budget
        return dice.choose(list(view.legal_moves()))


class TextBot(Bot):
    """Returns moves as texts."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> str:
        del budget
        return str(dice.choose(list(view.legal_moves())))


class Silent(Chancer):
    """Forgets to return its move."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        super().choose(view, dice, budget)  # no return
        return None  # pyright: ignore[reportReturnType]


class Cheat(Chancer):
    """Passes illegally, once it has laid some pieces."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        if view.seat is not None and view.pieces[view.seat] < 10:
            return Choice(0)
        return super().choose(view, dice, budget)


class Crash(Chancer):
    """Fails in every game in which it has a turn."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        if view.phase == "turn":
            raise RuntimeError("out of\nsteam")
        return super().choose(view, dice, budget)


class Swapper(Bot):
    """Never claims a route if there is another legal move."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        del dice, budget
        return Choice(view.legal_moves().numbers[0])


class Mortal(Chancer):
    """Kills its process, once: a file says whether it has."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        marker = Path(os.environ["GOLDENSPIKE_TEST_MARKER"])
        if view.phase == "turn" and not marker.exists():
            marker.write_text("died")
            os._exit(3)
        return super().choose(view, dice, budget)


class Dreamer(Chancer):
    """Writes its process id to a folder, and never finishes thinking."""

    def choose(self, view: View, dice: Dice, budget: Budget) -> Choice:
        (Path(os.environ["GOLDENSPIKE_TEST_MARKER"]) / str(os.getpid())).touch()
        while True:
            super().choose(view, dice, budget)
