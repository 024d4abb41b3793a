"""A wheel for this platform contains the machine code, so nothing is compiled after an install."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldenspike.cli.terminal import texts
from goldenspike.compilation import TO_SIMULATE
from goldenspike.server.protocol.client import Client
from tests.code_cache import (
    REFUSE_COMPILING,
    marked_parts,
    note_compiling,
    parents_of_compilers,
    with_other_numba,
)
from tests.server.processes import PEOPLE, GameServer
from tests.server.serving import within

ROOT = Path(__file__).resolve().parents[2]
UV = ROOT / ".tools" / "bin" / "uv"
WATCHED = f"""{REFUSE_COMPILING}
import sys
from goldenspike.cli import main

sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, install it in a new environment, and return its Python."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, ROOT / "tools" / "wheel", folder], check=True)
    (wheel,) = folder.glob("*.whl")
    assert wheel.name.split("-")[2] == f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert "any" not in wheel.name
    environment = folder / "environment"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, environment], check=True)
    install = [UV, "pip", "install", "--quiet", "--compile-bytecode", "--python", environment]
    subprocess.run([*install, "--require-hashes", "-r", ROOT / "requirements" / "runtime.txt"], check=True)
    subprocess.run([*install, "--no-deps", wheel], check=True)
    return environment / "bin" / "python"


def machine_code(*folders: Path) -> set[Path]:
    """Return the machine code in some folders, except that of the wheel."""
    found = {path for folder in folders for path in folder.rglob("*.nb[ci]")}
    return {path for path in found if "goldenspike/compiled/" not in path.as_posix()}


@pytest.fixture
def empty_home(python: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Yield an environment with an empty HOME, and check that nothing was compiled in it."""
    names = {"HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "NUMBA_CACHE_DIR", "PYTHONPATH", "VIRTUAL_ENV"}
    home, notes = tmp_path / "home", tmp_path / "notes"
    home.mkdir()
    kept = {name: text for name, text in os.environ.items() if name not in names}
    yield kept | {"HOME": str(home)} | note_compiling(notes)
    assert parents_of_compilers(notes) == set()
    assert machine_code(python.parents[1], home) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["simulate usa-mega --players 5 --games 50", "match planner search --playouts 4 --games 2 --jobs 1"],
)
def test_nothing_is_compiled_after_an_install(python: Path, empty_home: dict[str, str], command: str) -> None:
    done = subprocess.run(
        [python, "-c", WATCHED, *command.split()], env=empty_home, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "compiling" not in done.stderr


@pytest.mark.slow
@within(300)
async def test_a_server_uses_the_shipped_code_immediately(python: Path, empty_home: dict[str, str]) -> None:
    class InstalledServer(GameServer):
        def command(self) -> list[str]:
            return [str(python), *super().command()[1:]]

    server = InstalledServer()
    server.environment = empty_home
    with server:
        server.wait_ready()
        assert server.get("/api/bots") == {"compiling": None, "is_hard_medium": False, "have_failed": False}
        bots = [{"who": "bot", "level": level} for level in ("easy", "medium", "hard")]
        made = server.new_game("usa-classic", [PEOPLE[0], *bots])
        assert made.seats[0] is not None
        async with Client.connect(server.url, made.seats[0]) as client:
            await client.play("keep all")
            for _ in range(2):  # in between each bot has had a turn
                await client.wait(lambda: client.is_my_turn, 120)
                await client.play("draw deck")
                await client.play("draw deck")
        assert not any("compile" in line["message"] for line in server.log())


@pytest.mark.slow
def test_shipped_code_is_ignored_on_another_processor(python: Path, tmp_path: Path) -> None:
    code = (
        "import platform\n"
        "platform.machine = lambda: 'another'\n"
        "from goldenspike.engine import code_cache\n"
        "from goldenspike.compilation import is_compiled\n"
        "print(code_cache.shipped_target(), is_compiled(['rules']))"
    )
    done = subprocess.run(
        [python, "-c", code],
        env=os.environ | {"HOME": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "None False\n"


@pytest.mark.slow
def test_with_another_numba_play_starts_interpreted(python: Path, tmp_path: Path) -> None:
    environment = with_other_numba(tmp_path / "numba") | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = "-m goldenspike play --terminal --plain --edition new-york --seats me,hard --first me --seed 1"
    done = subprocess.run(
        [python, *command.split()],
        env=os.environ | {"HOME": str(tmp_path)} | environment,
        input="keep all\ndraw deck\ndraw deck\nlog\n",
        check=True,
        capture_output=True,
        text=True,
    )
    said = " ".join(done.stdout.split())
    assert texts.COMPILING in said
    assert "hard drew" in said or "hard took" in said or "hard claimed" in said


@pytest.mark.slow
def test_with_another_numba_everything_is_compiled_once(python: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    environment = with_other_numba(tmp_path / "numba") | {"NUMBA_CACHE_DIR": str(cache)}
    notices: list[bool] = []
    for _ in range(2):
        done = subprocess.run(
            [python, "-m", "goldenspike", "simulate", "new-york", "--games", "20"],
            env=os.environ | {"HOME": str(tmp_path)} | environment,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        notices.append("compiling for this machine" in done.stderr)
    assert notices == [True, False]
    assert set(TO_SIMULATE) <= marked_parts(cache)
    assert machine_code(cache)
