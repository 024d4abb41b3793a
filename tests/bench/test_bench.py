"""``goldenspike bench``: every subject is measured and reported in the requested format."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest

from goldenspike import bench
from goldenspike.bench import page, start
from goldenspike.bench.bots import measure_bots
from goldenspike.bench.engine import measure_engine
from goldenspike.bench.env import measure_env
from goldenspike.bench.figures import Measures, run_python
from goldenspike.cli import main
from goldenspike.exit_codes import FAILED, OK

Out = pytest.CaptureFixture[str]


@pytest.mark.slow
@pytest.mark.parametrize(("measures", "least"), [(measure_engine, 16), (measure_bots, 4), (measure_env, 6)])
def test_every_figure_is_measured(measures: Measures, least: int) -> None:
    figures = [figure for measure in measures(1, 0.01) for figure in measure()]
    assert len(figures) >= least
    assert all(0 < figure.median <= figure.best or figure.unit in {"ns", "ms", "s"} for figure in figures)
    assert all(figure.best > 0 for figure in figures)


@pytest.mark.slow
def test_a_start_is_measured_in_all_forms(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    run_python(start.FIRST)
    monkeypatch.setattr(start, "COMPILE", {"the rules": (("rules",), "1")})
    downloaded: list[dict[str, bool]] = []
    clone_and_draw = start._clone_and_draw

    def look_at_caches(folder: Path, **caches: str) -> None:
        downloaded.append({name: any(Path(cache).rglob("*")) for name, cache in caches.items()})
        clone_and_draw(folder, **caches)

    monkeypatch.setattr(start, "_clone_and_draw", look_at_caches)
    assert main(["bench", "start", "--repeat", "1", "--json"]) == OK
    figures = json.loads(capsys.readouterr().out)["start"]
    names = ["bare Python", "goldenspike --help", "import of Game", "first game from the cache"]
    play = "goldenspike play to the first card, "
    names += [play + "nothing compiled", play + "second start", "compiling the rules on all cores"]
    names += ["fresh clone to the first card, with ./play, nothing downloaded"]
    names += ["the same, packages downloaded before"]
    names += ["goldenspike play to the first move of a bot, installed wheel"]
    assert [figure["name"] for figure in figures] == names
    empty, full = downloaded
    assert empty.keys() == {"UV_CACHE_DIR", "PIP_CACHE_DIR", "npm_config_cache"}
    assert not any(empty.values())
    assert full["UV_CACHE_DIR"]  # the second clone finds what the first one downloaded
    assert full["npm_config_cache"]
    monkeypatch.setattr(start, "_draw_first_card", lambda *_, **__: None)
    monkeypatch.setattr(start, "run_python", lambda *_, **__: None)
    monkeypatch.setattr(start, "_clone_and_draw", lambda *_, **__: None)
    monkeypatch.setattr(start, "_install_wheel", lambda _: "python")
    assert main(["bench", "start", "--repeat", "1", "--markdown"]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["| start | best | median | unit | goal |", "|---|---|---|---|---|"]
    assert len(lines) == 2 + len(figures) + 1
    assert main(["bench", "start", "--repeat", "1"]) == OK
    assert "compiling the rules" in capsys.readouterr().out


CANNOT_CREATE = """
import sys
from goldenspike.cli import browser, main

ask = browser._ask

def refuse(host, port, method, path, *rest, **more):
    if path == "/api/games":
        raise OSError("no answer")
    return ask(host, port, method, path, *rest, **more)

browser._ask = refuse
sys.exit(main(sys.argv[1:]))
"""
"""`goldenspike` with a server that never answers a request for a game."""


def test_a_game_that_cannot_be_created_ends_the_measurement(capfd: pytest.CaptureFixture[str]) -> None:
    def give_up(*_: object) -> None:
        raise TimeoutError("it waits for a game that will never be")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    try:
        with pytest.raises(OSError, match="could not be created; the reason is above"):
            start._draw_first_card([sys.executable, "-c", CANNOT_CREATE, "play"])
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert "The game could not be created: the server does not answer." in capfd.readouterr().err


def test_a_missing_part_is_reported_and_fails(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    def measure(subject: str, options: object) -> list[str]:  # the signature of the real function
        if subject == "page":
            raise OSError("No browser starts.")
        return [subject]

    monkeypatch.setattr(bench, "_measure", measure)
    assert main(["bench", "--all", "--json"]) == FAILED
    told = capsys.readouterr()
    assert "page is left out: No browser starts." in told.err
    assert list(json.loads(told.out)) == [
        name for name in bench.SUBJECTS if name not in {"page", "gpu", "attack"}
    ]
    assert main(["bench", "engine", "engine"]) == OK


def test_a_browser_that_does_not_start_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page.shutil, "which", lambda _name: "/no/such/browser")
    with pytest.raises(OSError, match=r"No browser starts .*; install"), page._start_browser():
        pass


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["engin"], "nothing to measure called 'engin': it is engine, bots"),
        (["--repeat", "0"], "at least once"),
    ],
)
def test_invalid_bench_arguments_are_reported(wrong: list[str], said: str, capsys: Out) -> None:
    assert main(["bench", *wrong]) == FAILED
    assert said in capsys.readouterr().err
