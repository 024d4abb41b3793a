"""Bots by name, and bots from a user's own file."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from goldenspike.bots.bot import Bot
from goldenspike.bots.compiled import CompiledBot
from goldenspike.bots.planner_bot import PlannerBot
from goldenspike.bots.search import SearchBot


class _Entry(NamedTuple):
    make: Callable[[], Bot]
    about: str


_BOTS: dict[str, _Entry] = {
    "random": _Entry(partial(CompiledBot, "random"), "plays any legal move"),
    "greedy": _Entry(partial(CompiledBot, "greedy"), "claims the best route it can pay for"),
    "hungry": _Entry(partial(CompiledBot, "hungry"), "draws tickets while its network leaves trains"),
    "path": _Entry(partial(CompiledBot, "path"), "works down a list of the routes its tickets need"),
    "one-step": _Entry(partial(CompiledBot, "one-step"), "one goal at a time, for its best ticket"),
    "long-route": _Entry(partial(CompiledBot, "long-route"), "one goal at a time, over long routes only"),
    "planner": _Entry(PlannerBot, "plans one network for all its tickets"),
    "search": _Entry(SearchBot, "plays thousands of imagined games before each move"),
}

LEVELS = {"easy": "path", "medium": "planner", "hard": "search"}
"""Levels for people, weakest first, and the bot that plays each."""


def bot_names() -> list[str]:
    """Return the names of the bots there are, weakest first, without the levels."""
    return list(_BOTS)


def describe_bot(name: str) -> str:
    """Return what a bot does, in a few words."""
    return _BOTS[LEVELS.get(name, name)].about


def make_bot(spec: str) -> Bot:
    """Return a new bot by its name, by a level, or from a file: ``mine.py:MyBot``.

    >>> make_bot("greedy").name, make_bot("easy").name
    ('greedy', 'easy')
    """
    if spec in LEVELS:
        bot = make_bot(LEVELS[spec])
        bot.name = spec
        return bot
    if spec in _BOTS:
        return _BOTS[spec].make()
    path, colon, name = spec.rpartition(":")
    if colon and path.endswith(".py"):
        return _load_bot(Path(path), name)
    raise ValueError(
        f"There is no bot {spec!r}. The bots are {', '.join(_BOTS)}; the levels {', '.join(LEVELS)}; "
        "one of your own is written like mine.py:MyBot."
    )


def _load_bot(path: Path, name: str) -> Bot:
    if not path.is_file():
        raise ValueError(f"There is no file {path} to load {name} from.")
    module_name = f"goldenspike_bot_{path.stem}"
    module_spec = importlib.util.spec_from_file_location(module_name, path.resolve())
    assert module_spec is not None
    assert module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_name] = module
    module_spec.loader.exec_module(module)
    kind = getattr(module, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise ValueError(  # noqa: TRY004  # it is the name that is wrong
            f"{path} has no class {name} that is a goldenspike.bots.Bot."
        )
    bot = kind()
    if not isinstance(getattr(bot, "name", None), str):
        bot.name = name
    return bot
