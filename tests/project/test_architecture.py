"""The architecture page names files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:src|web|server|tests)/[^`\s]+)`", PAGE)))


def test_the_page_answers_twenty_questions() -> None:
    assert PAGE.partition("## Where is what")[2].count("? |") >= 20


@pytest.mark.parametrize("name", NAMED)
def test_every_file_that_the_page_names_exists(name: str) -> None:
    roots = (ROOT, ROOT / "src" / "goldenspike")
    assert any((root / name).exists() for root in roots), f"docs/architecture.md names {name}."
