"""Each row of the page of guarantees names tests, and they exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "explanation" / "guarantees.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`((?:[\w/]+/)?test_\w+\.py)(?:::(\w+))?`")


def rows() -> Iterator[list[str]]:
    """Yield the cells of each row, except headers."""
    for line in TEXT.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells != ["guarantee", "test"] and set(line) != {"|", "-"}:
            yield cells


def test_every_guarantee_names_its_tests() -> None:
    found = list(rows())
    assert len(found) > 25
    for promise, tests in found:
        assert [part.strip() for part in NAMED.sub("", tests).split(",") if part.strip()] == [], promise
        assert NAMED.search(tests), promise


def test_every_named_test_exists() -> None:
    named = NAMED.findall(TEXT)
    assert len(named) == TEXT.count("test_") - sum(bool(name) for _, name in named), "a name that is not read"
    assert not re.search(r"`tests/[\w/]*/`", TEXT), "a folder names no test"
    for file, name in named:
        path = file if file.startswith("tests/") else f"tests/**/{file}"
        sources = [found.read_text(encoding="utf-8") for found in ROOT.glob(path)]
        assert sources, f"there is no {file}"
        if name:
            assert any(re.search(rf"^(?:async )?def {name}\(", text, re.MULTILINE) for text in sources), name
