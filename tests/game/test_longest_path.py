"""The routes of a longest path."""

from __future__ import annotations

import numpy as np
import pytest

from goldenspike import Edition, load_edition
from goldenspike.engine import api
from goldenspike.engine.events import LOG
from goldenspike.engine.tables import build_tables
from goldenspike.game.routes import find_longest_path


@pytest.fixture(scope="module")
def usa() -> Edition:
    """Return an edition with the most routes."""
    return load_edition("usa-classic")


@pytest.mark.parametrize("seed", range(20))
def test_the_shown_path_is_valid_and_has_the_length_of_the_engine(usa: Edition, seed: int) -> None:
    """Its length is the engine's, and at most two of its cities have an odd number of its routes."""
    routes = usa.board.routes
    owned = np.random.default_rng(seed).choice(len(routes), 17, replace=False).tolist()
    path = [routes[route] for route in find_longest_path(usa, owned)]

    bits = sum(1 << route for route in owned)
    words = np.uint64(bits & (1 << 64) - 1), np.uint64(bits >> 64)
    longest = api.longest_trail(build_tables(usa), *words, np.zeros(1, LOG))
    ends = [city for route in path for city in (route.a, route.b)]
    assert {route.index for route in path} <= set(owned)
    assert sum(route.length for route in path) == longest
    assert sum(ends.count(city) % 2 for city in set(ends)) in {0, 2}


def test_a_seat_without_routes_has_no_path(usa: Edition) -> None:
    """A seat without routes has nothing to show."""
    assert find_longest_path(usa, []) == []
