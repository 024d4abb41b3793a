"""Games at random moments, for every edition and number of seats."""

from __future__ import annotations

import pytest

from tests.game.games import TABLES, GameSetup


def table_id(table: object) -> str:
    edition, players = table if isinstance(table, tuple) else ("", 0)
    return f"{edition}-{players}"


@pytest.fixture(params=TABLES, ids=table_id)
def table(request: pytest.FixtureRequest) -> GameSetup:
    """Return each pair of an edition and a number of seats in turn."""
    return request.param
