"""The commands match, ladder, report and playtest, as a person or a script uses them."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from goldenspike.arena.file import read_match
from goldenspike.cli import ladder, main
from goldenspike.exit_codes import FAILED, INTERRUPTED, MISUSED, OK
from goldenspike.extras import how_to_install
from tests.boards.conftest import BOARD, EDITION

BOTS = Path(__file__).with_name("bots_to_try.py")
Out = pytest.CaptureFixture[str]


def results(out: str) -> str:
    return next(line.split()[1] for line in out.splitlines() if line.startswith("results"))


def test_match_prints_a_table_and_keeps_a_file(tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "m.parquet"
    command = ["match", "greedy", "random", "--edition", "new-york", "--games", "200", "--out", str(file)]
    assert main(command) == OK
    out = capsys.readouterr().out
    assert "200 games (100 deals, each at 2 seatings)" in out
    saved = read_match(file)
    assert saved.about["results"].startswith(results(out).rstrip(":"))
    assert len(saved.batch.rows) == 200
    assert main([*command[:-4], "--games", "200", "--jobs", "1"]) == OK
    assert results(capsys.readouterr().out) == results(out)


def test_the_command_in_the_file_plays_the_same_match(tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "m.parquet"
    assert (
        main(["match", "greedy", "random", "random", "--games", "7", "--seed", "a b", "--out", str(file)])
        == OK
    )
    first = results(capsys.readouterr().out)
    words = read_match(file).about["command"].split()
    assert main(words[1:]) == OK
    assert results(capsys.readouterr().out) == first


def test_match_continues_a_file_with_more_games(tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "m.parquet"
    command = ["match", "greedy", "random", "--edition", "new-york", "--out", str(file), "--games"]
    assert main([*command, "10", "--resume"]) == FAILED
    assert "leave out --resume to start it" in capsys.readouterr().err
    assert main([*command, "10"]) == OK
    assert main([*command, "30", "--resume"]) == OK
    grown = results(capsys.readouterr().out.partition("kept")[2])
    assert main(["match", "greedy", "random", "--edition", "new-york", "--games", "30"]) == OK
    assert results(capsys.readouterr().out) == grown
    assert main([*command[:-1], "--seed", "9"]) == FAILED
    assert "holds another match: its seed" in capsys.readouterr().err


def test_match_with_a_bot_that_fails_says_so_and_fails(capsys: Out) -> None:
    bots = [f"{BOTS}:Crash", "greedy"]
    assert main(["match", *bots, "--edition", "new-york", "--games", "4", "--jobs", "1"]) == FAILED
    out = capsys.readouterr().out
    assert f"FORFEITED by {BOTS}:Crash: 4 games" in out
    assert "4 times: RuntimeError: out of steam" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gready"], "There is no bot 'gready'"),
        (["greedy", "--players", "6"], "is for 2 to 5 players"),
        (["greedy", "--records"], "Name the file with --out FILE.parquet"),
        (["greedy", "--jobs", "0"], "at least 1 job"),
        (["greedy", "--playouts", "0"], "more than 0 seconds or playouts"),
        (["greedy", "--out", "m.csv"], "should end in .parquet"),
    ],
)
def test_match_refuses_invalid_arguments(arguments: list[str], message: str, capsys: Out) -> None:
    assert main(["match", *arguments]) == FAILED
    assert message in capsys.readouterr().err


def test_seconds_and_playouts_exclude_each_other() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["match", "greedy", "--seconds", "1", "--playouts", "9"])
    assert stopped.value.code == MISUSED


@pytest.mark.parametrize(
    ("library", "command", "extra"),
    [
        ("pyarrow", ["match", "greedy", "--games", "2", "--out", "m.parquet"], "arena"),
        ("pyarrow", ["report", "m.parquet"], "arena"),
        (
            "openskill",
            ["ladder", "--edition", "new-york", "--games", "2", "--bots", "greedy", "random"],
            "arena",
        ),
        ("ray", ["match", "greedy", "--games", "2", "--cluster", "local"], "cluster"),
    ],
)
def test_a_missing_extra_is_reported_in_one_sentence(
    library: str, command: list[str], extra: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    assert main(command) == FAILED
    err = capsys.readouterr().err.strip()
    assert err == f"goldenspike {command[0]}: This needs {library}. {how_to_install(extra)}"


@pytest.mark.parametrize("library", ["openskill", "matplotlib"])
def test_a_ladder_reports_a_missing_extra_before_it_plays(
    library: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr(ladder, "play_match", lambda *_, **__: pytest.fail("It was played."))
    assert main(["ladder", "--bots", "greedy", "random", "--picture", "ladder.svg"]) == FAILED
    assert f"This needs {library}" in capsys.readouterr().err


def test_a_match_needs_no_extra_without_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pyarrow", "openskill", "matplotlib", "ray"):
        for name in [name for name in sys.modules if name.partition(".")[0] == library]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, library, None)
    assert main(["match", "greedy", "random", "--edition", "new-york", "--games", "2"]) == OK


@pytest.mark.slow
def test_report_and_ladder(tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "m.parquet"
    assert (
        main(["match", "greedy", "random", "--edition", "new-york", "--games", "20", "--out", str(file)])
        == OK
    )
    assert main(["report", str(file)]) == OK
    assert (tmp_path / "m.html").read_text().startswith("<!doctype html>")
    picture = tmp_path / "ladder.svg"
    climb = ["ladder", "--edition", "new-york", "--bots", "greedy", "random", "--games", "20"]
    assert main([*climb, "--picture", str(picture)]) == OK
    assert "New York: 20 games at tables of 2" in capsys.readouterr().out
    assert picture.exists()
    assert main([*climb, "--picture", "ladder.jpg"]) == FAILED
    assert main(["ladder", "--bots", "greedy"]) == FAILED
    assert "needs as many different bots" in capsys.readouterr().err


def test_playtest_says_what_looks_unfair_and_writes_a_page(tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "lakes.toml").write_text(BOARD, encoding="utf-8")
    edition = tmp_path / "lakes-quick.toml"
    edition.write_text(EDITION, encoding="utf-8")
    page = tmp_path / "playtest.html"
    command = ["playtest", str(edition), "--games", "100", "--bot", "greedy", "--jobs", "1"]
    assert main([*command, "--out", str(page)]) == OK
    said = capsys.readouterr().out
    assert said.startswith("Quick Lakes, played by greedy: claims the best route it can pay for")
    assert "who begins wins" in said
    assert " to look at:\n- " in said
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main([*command, "--games", "0"]) == FAILED
    assert "at least 1 game" in capsys.readouterr().err


def test_the_bot_of_the_documentation_plays(tmp_path: Path, capsys: Out) -> None:
    docs = Path(__file__).parents[2] / "docs" / "how-to" / "compare-bots.md"
    code = docs.read_text().partition("```python\n")[2].partition("```")[0]
    (tmp_path / "mine.py").write_text(code)
    match = ["match", f"{tmp_path}/mine.py:Hasty", "random", "--edition", "new-york", "--games", "10"]
    assert main([*match, "--jobs", "1"]) == OK
    assert "mine.py:Hasty" in capsys.readouterr().out


@pytest.mark.slow
def test_ctrl_c_keeps_the_games_played(tmp_path: Path) -> None:
    file = tmp_path / "m.parquet"
    match = ["match", f"{BOTS}:Chancer", "--edition", "new-york", "--games", "100000"]
    match += ["--jobs", "2", "--out", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-m", "goldenspike", *match],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = tmp_path / "m.parquet.unfinished"
    deadline = time.monotonic() + 300
    while (not journal.exists() or journal.stat().st_size < 30_000) and time.monotonic() < deadline:
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED, err
    assert "the same command resumes the match" in out
    assert "Traceback" not in err
    kept = read_match(file).batch
    assert 0 < len(kept.rows) < 100_000
    assert not journal.exists()
