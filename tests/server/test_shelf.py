"""What a server tells of an edition."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from goldenspike.boards.layout import check_layout, shipped_layout
from goldenspike.editions import edition_ids
from goldenspike.server.problems import Problem
from goldenspike.server.shelf import EditionInfo, Shelf
from tests.boards.conftest import BOARD, EDITION
from tests.server.inside import deal, open_desk
from tests.server.serving import within


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


@within(60)
async def test_a_game_is_not_played_on_with_another_version_of_its_edition(tmp_path: Path) -> None:
    (tmp_path / "lakes.toml").write_text(BOARD)
    (tmp_path / "lakes-quick.toml").write_text(EDITION)
    async with open_desk(tmp_path, editions=tmp_path) as desk:
        created = await deal(desk, "lakes-quick", 2)
    (tmp_path / "lakes.toml").write_text(BOARD.replace("points = 5", "points = 8"))
    async with open_desk(tmp_path, editions=tmp_path) as desk:
        with pytest.raises(Problem, match="put that version back") as refused:
            await desk.games.open(created.game)
        assert refused.value.code == "unknown_edition"
    (tmp_path / "lakes.toml").write_text(BOARD)
    async with open_desk(tmp_path, editions=tmp_path) as desk:
        assert (await desk.games.open(created.game)).number == 0
