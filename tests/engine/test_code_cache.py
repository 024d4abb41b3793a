"""The stamp of the machine code: it changes with every source that may be compiled into it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from goldenspike.engine import code_cache

stamp_now = code_cache.source_stamp.__wrapped__  # without its cache


@pytest.mark.parametrize(
    ("changed", "stale"),
    [
        ("engine/legal.py", {"engine", "bots/planner", "server/views"}),
        ("engine/referee/moves.py", {"engine", "bots/planner", "server/views"}),
        ("boards/limits.py", {"engine", "bots/planner", "server/views"}),
        ("bots/planner/cards.py", {"bots/planner", "server/views"}),
        ("server/views/json_writer/write.py", {"server/views"}),
    ],
)
def test_a_change_in_a_subfolder_alters_the_stamp(
    changed: str, stale: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "_PACKAGE", tmp_path)
    (tmp_path / changed).parent.mkdir(parents=True)
    folders = ["engine", "bots/planner", "server/views"]
    (tmp_path / changed).write_text("LIMIT = 1\n")
    before = [stamp_now(tmp_path / folder) for folder in folders]
    (tmp_path / changed).write_text("LIMIT = 2\n")
    after = [stamp_now(tmp_path / folder) for folder in folders]
    assert {folder for folder, old, new in zip(folders, before, after, strict=True) if old != new} == stale


class Renamed:
    """A type of an argument, until it is renamed."""


def test_code_for_a_type_that_was_renamed_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code_cache.CodeIndex(str(tmp_path), "play", "old source").save(Renamed, "old code")
    monkeypatch.delattr(sys.modules[__name__], "Renamed")
    index = code_cache.CodeIndex(str(tmp_path), "play", "new source")
    assert index.load(int) is None
    index.save(int, "new code")
    assert index.load(int) == "new code"
