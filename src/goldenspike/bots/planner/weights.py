"""The weights of the planner's styles, tuned by matches among thousands of slightly different planners."""

from __future__ import annotations

from goldenspike.bots.planner.route_plan import LONG, RACE, SHORT

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
    "hoard_until": 0,
    "spoil": 0,
    "haste": 0,
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

_BLOCKER = {
    LONG: _LONG
    | {
        "per_claim": 9,
        "contested": -2,
        "per_weight": 40,
        "crowded": 9,
        "margin": 12,
        "more_pieces": 23,
        "more_rivals": 16,
        "hoard": 26,
        "hoard_until": 20,
        "thrift": 3,
        "wary": 22,
        "spoil": 9,
        "haste": 4,
        "windfall": 12,
    },
    SHORT: _SHORT
    | {
        "per_claim": 13,
        "per_point": 15,
        "contested": -3,
        "per_ticket": 2,
        "late": 7,
        "crowded": 3,
        "margin": 11,
        "hoard": 22,
        "hoard_until": 20,
        "thrift": 3,
        "wary": 24,
        "block": 4,
        "spoil": 6,
        "haste": 1,
        "windfall": 10,
    },
    RACE: _RACE,
}
_HOARDER = {
    LONG: _LONG
    | {
        "contested": 0,
        "per_ticket": -6,
        "more_pieces": 24,
        "more_rivals": 16,
        "hoard": 30,
        "hoard_until": 12,
        "thrift": 7,
        "path": 3,
        "windfall": 13,
    },
    SHORT: _SHORT
    | {
        "contested": -1,
        "per_weight": 15,
        "margin": 7,
        "more_pieces": 42,
        "hoard": 28,
        "hoard_until": 14,
        "path": 2,
    },
    RACE: _RACE,
}
_RACER = {
    LONG: _LONG
    | {
        "per_claim": 14,
        "per_point": 10,
        "per_weight": 34,
        "per_ticket": 3,
        "crowded": 10,
        "margin": 8,
        "more_pieces": 26,
        "more_rivals": 16,
        "hoard": 25,
        "hoard_until": 23,
        "thrift": 5,
        "path": 3,
        "wary": 9,
        "haste": 9,
        "windfall": 12,
    },
    SHORT: _SHORT
    | {
        "per_piece": 3,
        "per_claim": 14,
        "per_point": 19,
        "contested": 3,
        "per_weight": 16,
        "per_ticket": 1,
        "late": 4,
        "crowded": 16,
        "margin": 13,
        "more_pieces": 56,
        "hoard": 25,
        "hoard_until": 27,
        "thrift": 5,
        "haste": 4,
    },
    RACE: _RACE,
}

STYLES = {
    "planner": {LONG: _LONG, SHORT: _SHORT, RACE: _RACE},
    "blocker": _BLOCKER,
    "hoarder": _HOARDER,
    "racer": _RACER,
}
"""The weights of each style by kind of game; the innermost keys are the fields of :class:`PlannerWeights`.
A race leaves no room for styles: cards are drawn blind, and no route scores."""
BALANCED = 0
"""The number of the first style, which was tuned for strength alone; the others were tuned for their habits
at its strength."""
