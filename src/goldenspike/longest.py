"""Which routes the longest path takes, to be shown to people; how long it is, the engine knows (F-3)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from goldenspike.editions import Edition
from goldenspike.engine import doors
from goldenspike.engine.tables import build_tables

_WORD = (1 << 64) - 1


def find_longest_path(edition: Edition, routes: Iterable[int]) -> list[int]:
    """Return the routes of a longest path over these, by index; there may be others as long.

    Whatever it can do without is left out one by one. What remains then is needed, so it is the path.

    >>> from goldenspike.editions import load_edition
    >>> usa = load_edition("usa-classic")
    >>> named = {route.name: route.index for route in usa.board.routes}
    >>> owned = [named[name] for name in ("CAL-VAN", "CAL-SEA", "CAL-WPG", "ATL-MIA")]
    >>> [usa.board.routes[route].name for route in find_longest_path(usa, owned)]
    ['CAL-SEA', 'CAL-WPG']
    """
    needed = set(routes)
    longest = _length(edition, needed)
    for route in sorted(needed):
        if _length(edition, needed - {route}) == longest:
            needed.discard(route)
    return sorted(needed)


def _length(edition: Edition, routes: set[int]) -> int:
    bits = sum(1 << route for route in routes)
    return int(doors.longest_trail(build_tables(edition), np.uint64(bits & _WORD), np.uint64(bits >> 64)))
