"""``goldenspike bench``: every subject is measured, and told as it was asked for."""

from __future__ import annotations

import json

import pytest

from goldenspike.cli import FAILED, OK, bench, main
from goldenspike.cli.bench import page, start
from goldenspike.cli.bench.bots import measure_bots
from goldenspike.cli.bench.engine import measure_engine
from goldenspike.cli.bench.env import measure_env
from goldenspike.cli.bench.figures import Measures, run_python

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
    for code in start.FIRST.values():
        run_python(code)
    monkeypatch.setattr(start, "FIRST", {"a game": "import math"})
    assert main(["bench", "start", "--repeat", "1", "--json"]) == OK
    figures = json.loads(capsys.readouterr().out)["start"]
    names = ["bare Python", "goldenspike --help", "import of Game", "first game from the cache"]
    assert [figure["name"] for figure in figures] == [*names, "compiling for a game"]
    assert main(["bench", "start", "--repeat", "1", "--markdown"]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["| start | best | median | unit | goal |", "|---|---|---|---|---|"]
    assert len(lines) == 2 + len(figures) + 1
    assert main(["bench", "start", "--repeat", "1"]) == OK
    assert "compiling for a game" in capsys.readouterr().out


def test_a_part_that_is_missing_is_said_and_fails(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    def measure(subject: str, options: object) -> list[str]:  # as it is called
        if subject == "page":
            raise OSError("No browser starts.")
        return [subject]

    monkeypatch.setattr(bench, "_measure", measure)
    assert main(["bench", "--all", "--json"]) == FAILED
    told = capsys.readouterr()
    assert "page is left out: No browser starts." in told.err
    assert list(json.loads(told.out)) == [name for name in bench.SUBJECTS if name != "page"]
    assert main(["bench", "engine", "engine"]) == OK


def test_a_browser_that_does_not_start_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_what_cannot_be_measured_is_said(wrong: list[str], said: str, capsys: Out) -> None:
    assert main(["bench", *wrong]) == FAILED
    assert said in capsys.readouterr().err
