"""What a server tells of an edition."""

from __future__ import annotations

from pathlib import Path

import msgspec

from goldenspike.boards.layout import check_layout, shipped_layout
from goldenspike.editions import edition_ids
from goldenspike.server.shelf import EditionInfo, Shelf
from tests.boards.conftest import BOARD, EDITION


def test_every_edition_comes_with_a_layout() -> None:
    shelf = Shelf()
    for edition in edition_ids():
        info = msgspec.json.decode(shelf.info(edition), type=EditionInfo)
        assert info.layout == shipped_layout(shelf.get(edition).board)


def test_a_homemade_edition_gets_one(tmp_path: Path) -> None:
    (tmp_path / "lakes.toml").write_text(BOARD, encoding="utf-8")
    (tmp_path / "lakes-quick.toml").write_text(EDITION, encoding="utf-8")
    shelf = Shelf(tmp_path)
    info = msgspec.json.decode(shelf.info("lakes-quick"), type=EditionInfo)
    check_layout(info.layout, shelf.get("lakes-quick").board)
