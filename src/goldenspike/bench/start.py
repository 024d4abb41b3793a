"""Benchmarks of ``goldenspike bench start``: how long a new user waits."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from goldenspike.bench.figures import Figure, run_python, times
from goldenspike.compilation import PARTS, TO_MATCH, TO_SIMULATE
from goldenspike.output import NOT_CREATED
from goldenspike.server.protocol.client import Client

ROOT = Path(__file__).resolve().parents[3]
"""The root of a clone, where a wheel can be built."""
FIRST = (
    "from goldenspike import Game; game = Game.new('usa-classic', 2, seed=1); game.legal_moves();"
    "game.play('keep all'); game.view(0)"
)
"""A typical first Python session."""
COMPILE: dict[str, tuple[tuple[str, ...], str]] = {
    "the engine": (TO_SIMULATE, "15"),
    "for a first match": (TO_MATCH, ""),
    "everything": (PARTS, "25"),
}
"""What is compiled: the parts, and the goal in seconds."""
_PACKAGE_CACHES = ("UV_CACHE_DIR", "PIP_CACHE_DIR", "npm_config_cache")
"""Environment variables for the folders in which ./play finds packages that were downloaded before."""


def measure_start(repeat: int, _scale: float) -> list[Callable[[], list[Figure]]]:
    """Return the measurements; each returns its figures when called."""
    is_clone = (ROOT / "tools" / "wheel").is_file()
    measurements = [partial(_starts, repeat), partial(_first_cards, repeat), _compilation]
    return [*measurements, *([partial(_installations, repeat)] if is_clone else [])]


def _starts(repeat: int) -> list[Figure]:
    """Measure the wait of a new user: for help, for the import, for the first game from the cache."""
    bare = times(repeat, lambda: run_python("pass"))
    help_ = times(repeat, lambda: run_python("from goldenspike.cli import main; main(['--help'])"))
    import_ = times(repeat, lambda: run_python("from goldenspike import Game"))
    first = times(repeat, lambda: run_python(FIRST))
    return [
        Figure("bare Python", *bare, "s"),
        Figure("goldenspike --help", *help_, "s", "0.3"),
        Figure("import of Game", *import_, "s", "0.8"),
        Figure("first game from the cache", first[0] - import_[0], first[1] - import_[1], "s", "1"),
    ]


def _first_cards(repeat: int) -> list[Figure]:
    """Measure from the command to the first card that a person draws in a game against bots.

    The person is a client without a browser, so the time of the page is not included.
    """
    with tempfile.TemporaryDirectory() as empty:
        cold = times(1, partial(_draw_first_card, NUMBA_CACHE_DIR=empty))
    warm = times(repeat, _draw_first_card)
    return [
        Figure("goldenspike play to the first card, nothing compiled", *cold, "s", "8"),
        Figure("goldenspike play to the first card, second start", *warm, "s", "3"),
    ]


def _installations(repeat: int) -> list[Figure]:
    """Measure from a fresh clone, with empty package caches and full ones, and with an installed wheel."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        caches = {cache: str(folder / cache) for cache in _PACKAGE_CACHES}
        cloned = times(1, partial(_clone_and_draw, folder / "clone", **caches))
        again = times(1, partial(_clone_and_draw, folder / "again", **caches))
        python = _install_wheel(folder / "wheel")
        moved = times(
            repeat, partial(_draw_first_card, [python, "-m", "goldenspike", "play"], _see_bots_move)
        )
    return [
        Figure("fresh clone to the first card, with ./play, nothing downloaded", *cloned, "s", "45"),
        Figure("the same, packages downloaded before", *again, "s"),
        Figure("goldenspike play to the first move of a bot, installed wheel", *moved, "s", "5"),
    ]


def _clone_and_draw(folder: Path, **environment: str) -> None:
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    _draw_first_card([str(folder / "play")], None, **environment)


def _install_wheel(folder: Path) -> str:
    """Build a wheel and install it in a new environment; return its Python."""
    uv, environment = ROOT / ".tools" / "bin" / "uv", folder / "environment"
    subprocess.run([sys.executable, ROOT / "tools" / "wheel", folder], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, environment], check=True)
    install = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", environment]
    subprocess.run([*install, "--require-hashes", "-r", ROOT / "requirements" / "runtime.txt"], check=True)
    subprocess.run([*install, "--no-deps", *folder.glob("*.whl")], check=True)
    return str(environment / "bin" / "python")


def _draw_first_card(
    play: Sequence[str] = (sys.executable, "-m", "goldenspike", "play"),
    act: Callable[[str, str], Coroutine[None, None, None]] | None = None,
    **environment: str,
) -> None:
    """Start a game by a command and run `act` in it, by default up to the first card drawn."""
    command = [*play, "--no-open", "--port", "0"]
    with tempfile.TemporaryDirectory() as folder:
        flags = ["--seats", "me,medium,medium,medium", "--database", f"sqlite:///{folder}/games.db"]
        process = subprocess.Popen(
            [*command, *flags], env=os.environ | environment, stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            found = None
            while found is None and (line := process.stdout.readline()):
                found = re.search(r"for you alone: (\S+)#/table/(\S+)", line)
                if NOT_CREATED in line:
                    print(line, end="", file=sys.stderr)
                    break
            if found is None:
                raise OSError(f"{NOT_CREATED}; the reason is above.")
            asyncio.run((act or _keep_and_draw)(found[1], unquote(found[2])))
        finally:
            process.terminate()
            process.communicate()


async def _keep_and_draw(url: str, link: str) -> None:
    async with Client.connect(url, link) as client:
        await client.play("keep all")
        await client.wait(lambda: client.is_my_turn)
        await client.play("draw deck")


async def _see_bots_move(url: str, link: str) -> None:
    async with Client.connect(url, link) as client:
        await client.wait(lambda: any(e.kind == "moved" and e.seat != client.seat for e in client.log))


def _compilation() -> list[Figure]:
    """Measure the time of everything that is compiled once."""
    figures: list[Figure] = []
    for name, (parts, goal) in COMPILE.items():
        with tempfile.TemporaryDirectory() as cache:
            code = f"from goldenspike.cli import main; main(['compile', *{parts}])"
            seconds = times(1, partial(run_python, code, NUMBA_CACHE_DIR=cache))[0]
        figures.append(Figure(f"compiling {name} on all cores", seconds, seconds, "s", goal))
    return figures
