"""What ``goldenspike bench start`` measures: how long a newcomer waits."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial

from goldenspike.cli.bench.figures import Figure, run_python, times

FIRST = {
    "a game": (
        "from goldenspike import Game; game = Game.new('usa-classic', 2, seed=1); game.legal_moves();"
        "game.play('keep all'); game.view(0)"
    ),
    "a simulation": (
        "from goldenspike.simulation import simulate; from goldenspike.seeds import read_seed;"
        "from goldenspike import load_edition; simulate(load_edition('usa-classic'), 2, 1, read_seed(1))"
    ),
}
"""What somebody may begin with."""


def measure_start(repeat: int, _scale: float) -> list[Callable[[], list[Figure]]]:
    """Return the measurements; each returns its figures when called."""
    return [partial(_starts, repeat), _compilation]


def _starts(repeat: int) -> list[Figure]:
    """How long a newcomer waits: for help, for the import, for the first game from the cache."""
    bare = times(repeat, lambda: run_python("pass"))
    help_ = times(repeat, lambda: run_python("from goldenspike.cli import main; main(['--help'])"))
    import_ = times(repeat, lambda: run_python("from goldenspike import Game"))
    first = times(repeat, lambda: run_python(FIRST["a game"]))
    return [
        Figure("bare Python", *bare, "s"),
        Figure("goldenspike --help", *help_, "s", "0.3"),
        Figure("import of Game", *import_, "s", "0.8"),
        Figure("first game from the cache", first[0] - import_[0], first[1] - import_[1], "s", "1"),
    ]


def _compilation() -> list[Figure]:
    """How long the first game and the first simulation take with nothing compiled yet."""
    figures: list[Figure] = []
    for name, code in FIRST.items():
        with tempfile.TemporaryDirectory() as cache:
            seconds = times(1, partial(run_python, code, NUMBA_CACHE_DIR=cache))[0]
        figures.append(Figure(f"compiling for {name}", seconds, seconds, "s", "20"))
    return figures
