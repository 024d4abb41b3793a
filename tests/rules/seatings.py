"""Pairs of an edition and a number of players that it allows."""

from __future__ import annotations

import pytest

from goldenspike.editions import edition_ids, load_edition

USA = tuple(edition for edition in edition_ids() if edition.startswith("usa"))
OFFERING = tuple(edition for edition in edition_ids() if edition != "first-journey")
"""Editions with a face-up row and ticket offers."""


def seatings(*editions: str) -> list[tuple[str, int]]:
    """Return every pair of an edition and a number of players.

    >>> seatings("new-york")
    [('new-york', 2), ('new-york', 3), ('new-york', 4)]
    """
    return [
        (edition, players)
        for edition in editions
        for players in range(load_edition(edition).players[0], load_edition(edition).players[1] + 1)
    ]


def _each(*editions: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("edition", "players"), seatings(*editions))


each_seating = _each(*edition_ids())
each_offering_seating = _each(*OFFERING)
each_usa_seating = _each(*USA)
each_new_york_seating = _each("new-york")
each_first_journey_seating = _each("first-journey")
