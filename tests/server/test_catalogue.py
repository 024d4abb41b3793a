"""The descriptions of editions that a server sends."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from goldenspike.boards.layout import check_layout, shipped_layout
from goldenspike.editions import edition_ids
from goldenspike.server.play.catalogue import Catalogue, EditionInfo
from goldenspike.server.protocol.problems import Problem
from tests.boards.conftest import BOARD, EDITION
from tests.server.in_process import deal, open_service
from tests.server.serving import within


def test_every_edition_comes_with_a_layout() -> None:
    catalogue = Catalogue()
    for edition in edition_ids():
        info = msgspec.json.decode(catalogue.info(edition).variants[""], type=EditionInfo)
        assert info.layout == shipped_layout(catalogue.get(edition).board)


def test_a_homemade_edition_gets_one(tmp_path: Path) -> None:
    (tmp_path / "lakes.toml").write_text(BOARD, encoding="utf-8")
    (tmp_path / "lakes-quick.toml").write_text(EDITION, encoding="utf-8")
    catalogue = Catalogue(tmp_path)
    info = msgspec.json.decode(catalogue.info("lakes-quick").variants[""], type=EditionInfo)
    check_layout(info.layout, catalogue.get("lakes-quick").board)


@within(60)
async def test_a_game_is_not_played_on_with_another_version_of_its_edition(tmp_path: Path) -> None:
    (tmp_path / "lakes.toml").write_text(BOARD)
    (tmp_path / "lakes-quick.toml").write_text(EDITION)
    async with open_service(tmp_path, editions=tmp_path) as service:
        created = await deal(service, "lakes-quick", 2)
    (tmp_path / "lakes.toml").write_text(BOARD.replace("points = 5", "points = 8"))
    async with open_service(tmp_path, editions=tmp_path) as service:
        with pytest.raises(Problem, match="restore that version") as refused:
            await service.games.open(created.game)
        assert refused.value.code == "unknown_edition"
    (tmp_path / "lakes.toml").write_text(BOARD)
    async with open_service(tmp_path, editions=tmp_path) as service:
        assert (await service.games.open(created.game)).number == 0
