"""On a GPU the games end as on the processor. Skipped without a GPU."""

from __future__ import annotations

import pytest

from goldenspike.device import choose_device
from tests.cuda import drive_gpu
from tests.cuda.drive_gpu import BOTS, ENVIRONMENTS, TABLES

pytestmark = [
    pytest.mark.skipif(choose_device("auto") != "cuda", reason="there is no GPU"),
    pytest.mark.slow,
]


@pytest.mark.parametrize(("edition_id", "players"), TABLES)
def test_random_games_end_in_the_same_states(edition_id: str, players: int) -> None:
    """Compare 100,000 games by the hashes of their final states."""
    drive_gpu.compare_random_games(edition_id, players)


@pytest.mark.parametrize(("edition_id", "bot"), BOTS)
def test_bots_play_the_same_games(edition_id: str, bot: str) -> None:
    drive_gpu.compare_bots(edition_id, bot)


@pytest.mark.parametrize(("autoreset", "opponents"), ENVIRONMENTS)
def test_environments_show_the_same(autoreset: str, opponents: tuple[str, ...]) -> None:
    drive_gpu.compare_environments(autoreset, opponents)


def test_torch_shares_the_arrays() -> None:
    pytest.importorskip("torch")
    drive_gpu.share_with_torch()
