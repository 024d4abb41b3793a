"""Files that commands write are complete, or the old file is unchanged."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from goldenspike.cli import main, simulate
from goldenspike.cli.files import require_writable, whole_file
from goldenspike.exit_codes import FAILED, OK
from tests.boards.conftest import BOARD, EDITION

Out = pytest.CaptureFixture[str]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def stop_half_way(file: Path) -> None:
    with whole_file(file) as new:
        new.write_text("half")
        raise KeyboardInterrupt


def test_a_simulation_that_fails_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    def fail(*_: object) -> None:
        raise OSError("There is no space left on the device.")

    monkeypatch.setattr(simulate, "random_games", fail)
    assert main(["simulate", "new-york", "--games", "2", "--save", str(tmp_path / "games.jsonl")]) == FAILED
    assert "no space left" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_is_kept_until_the_new_one_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("old")
    file.chmod(0o640)
    with pytest.raises(KeyboardInterrupt):
        stop_half_way(file)
    assert (file.read_text(), names(tmp_path)) == ("old", ["page.html"])
    with whole_file(file) as new:
        new.write_text("new")
    assert (file.read_text(), names(tmp_path)) == ("new", ["page.html"])
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(real)
    with whole_file(link) as new:
        new.write_text("linked")
    assert link.is_symlink()
    assert real.read_text() == "linked"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    require_writable(pipe)
    with whole_file(pipe) as new:
        new.write_text("piped")
    reader.join(20)
    assert heard == ["piped"]
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    "command",
    [
        "simulate new-york --games 100000000 --save {}",
        "playtest {edition} --games 100000000 --out {}",
        "board layout {board} --out {}",
        "board layout {board} --out fine.toml --picture {}",
        "ladder --games 100000000 --picture {}.svg",
    ],
)
def test_an_unwritable_file_is_reported_before_the_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lakes.toml").write_text(BOARD, encoding="utf-8")
    (tmp_path / "lakes-quick.toml").write_text(EDITION, encoding="utf-8")
    words = command.format("no/such/folder", edition="lakes-quick.toml", board="lakes.toml").split()
    before = names(tmp_path)
    assert main(words) == FAILED
    assert "no/such/folder" in capsys.readouterr().err
    assert names(tmp_path) == before


def test_a_folder_is_refused_as_output(tmp_path: Path, capsys: Out) -> None:
    assert main(["simulate", "new-york", "--games", "2", "--save", str(tmp_path)]) == FAILED
    assert "is a folder: add the name of a file." in capsys.readouterr().err
    assert main(["simulate", "new-york", "--games", "2", "--save", str(tmp_path / "g.jsonl")]) == OK
    assert names(tmp_path) == ["g.jsonl"]
