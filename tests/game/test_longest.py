"""Which routes a longest path takes."""

from __future__ import annotations

import numpy as np
import pytest

from goldenspike import Edition, load_edition
from goldenspike.engine import doors
from goldenspike.engine.tables import build_tables
from goldenspike.longest import find_longest_path


@pytest.fixture(scope="module")
def usa() -> Edition:
    """Return an edition with the most routes there are."""
    return load_edition("usa-classic")


@pytest.mark.parametrize("seed", range(20))
def test_what_is_shown_is_a_path_and_as_long_as_the_engine_says(usa: Edition, seed: int) -> None:
    """Its length is the engine's, and at most two of its cities have an odd number of its routes."""
    routes = usa.board.routes
    owned = np.random.default_rng(seed).choice(len(routes), 17, replace=False).tolist()
    path = [routes[route] for route in find_longest_path(usa, owned)]

    bits = sum(1 << route for route in owned)
    longest = doors.longest_trail(build_tables(usa), np.uint64(bits & (1 << 64) - 1), np.uint64(bits >> 64))
    ends = [city for route in path for city in (route.a, route.b)]
    assert {route.index for route in path} <= set(owned)
    assert sum(route.length for route in path) == longest
    assert sum(ends.count(city) % 2 for city in set(ends)) in {0, 2}


def test_no_routes_have_no_path(usa: Edition) -> None:
    """A seat without routes has nothing to show."""
    assert find_longest_path(usa, []) == []
