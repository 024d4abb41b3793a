"""The planner's usual styles, found by letting thousands of slightly different planners play each other."""

from __future__ import annotations

from goldenspike.bots.plan import LONG, RACE, SHORT

_LONG = {
    "per_piece": 4,
    "per_claim": 12,
    "per_point": 8,
    "contested": 1,
    "per_weight": 24,
    "per_ticket": 0,
    "late": 8,
    "crowded": 8,
    "margin": 10,
    "more_pieces": 22,
    "more_rivals": 12,
    "hoard": 17,
    "thrift": 4,
    "path": 2,
    "wary": 8,
    "block": 8,
    "swap": 99,
    "windfall": 15,
}
_SHORT = _LONG | {
    "margin": 8,
    "hoard": 16,
    "per_point": 16,
    "contested": 0,
    "per_weight": 11,
    "per_ticket": 4,
    "late": 5,
    "crowded": 0,
    "more_pieces": 38,
    "more_rivals": 16,
    "path": 1,
    "wary": 4,
    "block": 0,
    "windfall": 14,
}
_RACE = _LONG | {"per_point": 0, "hoard": 0, "swap": 8}

USUAL_STYLES = {LONG: _LONG, SHORT: _SHORT, RACE: _RACE}
"""For each of a planner's styles what it weighs how much; the words are those of :class:`Style`."""
