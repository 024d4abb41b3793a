"""Bots by name, and bots loaded from a user's file."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from goldenspike.bots.bot import Bot
from goldenspike.bots.compiled_bot import CompiledBot
from goldenspike.bots.planner.bot import PlannerBot
from goldenspike.bots.planner.weights import STYLES
from goldenspike.bots.policies import POLICIES
from goldenspike.bots.search.bot import SearchBot
from goldenspike.engine.compile import IS_INTERPRETED

_BOTS = {name: about for name, (_, about) in POLICIES.items()} | {
    "search": "plays thousands of simulated games before each move"
}
"""All bots and their descriptions, weakest first."""
_MAKERS: dict[str, Callable[[], Bot]] = {
    **{style: partial(PlannerBot, style) for style in STYLES},
    "search": SearchBot,
}
"""Bots with a class of their own; the others are plain compiled bots."""

LEVELS = {"easy": "path", "medium": "planner", "hard": "search"}
"""Levels for people, weakest first, and the bot of each."""
_INTERPRETED = LEVELS | {"hard": "planner"}
"""The same for rules that are not compiled (yet): an interpreted search is a thousand times too slow."""
_LONGEST_LABEL = 30


def bot_names() -> list[str]:
    """Return the names of all bots, weakest first, without the levels."""
    return list(_BOTS)


def describe_bot(name: str) -> str:
    """Return a short description of a bot."""
    return _BOTS[LEVELS.get(name, name)]


def bot_label(spec: str) -> str:
    """Return the display name of a bot: its name, its level, or its class without the file.

    >>> bot_label("hard"), bot_label("/home/ann/mine.py:MyBot")
    ('hard', 'MyBot')
    """
    return spec.rpartition(":")[2][:_LONGEST_LABEL]


def make_bot(spec: str) -> Bot:
    """Return a new bot by name, by level, or from a file: ``mine.py:MyBot``.

    >>> make_bot("greedy").name, make_bot("easy").name
    ('greedy', 'easy')
    """
    if spec in LEVELS:
        bot = make_bot((_INTERPRETED if IS_INTERPRETED else LEVELS)[spec])
        bot.name = spec
        return bot
    if spec in _BOTS:
        return _MAKERS[spec]() if spec in _MAKERS else CompiledBot(spec)
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
