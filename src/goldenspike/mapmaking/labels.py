"""Label placement: each label gets the best of many places around its dot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from goldenspike.mapmaking.boxes import Boxes, Flags, Floats, Ints, gaps
from goldenspike.mapmaking.plan import DrawingPlan, DrawingStyle
from goldenspike.mapmaking.sketch import Roster, Sketch, build_roster, place_boxes, place_slots

_AROUND = 24
_DISTANCES = (2.5, 6.0)
_ROUNDS = 2
FIRM, STRICT = 3.0, 20.0
"""Cost per unit of overlap in the last two placements: before the final steps, and after them."""
_PENALTY_RATE, _MAX_PENALTY, _NEARBY = 0.3, 3.0, 12.0
"""Penalty for places that keep conflicting: its growth by cost, its maximum per round, and its radius."""
_DEEPEST = 14.0
"""Maximum depth of overlap that counts: beyond it the place is unusable anyway."""


@dataclass(frozen=True, slots=True)
class Spots:
    """The places for one label: lines, centre relative to the city, half size, and cost of each."""

    texts: list[tuple[str, ...]]
    middles: Floats
    halves: Floats
    costs: Floats


def find_spots(style: DrawingStyle, line_breaks: tuple[tuple[str, ...], ...]) -> Spots:
    """Return the places for a label in all directions around the dot, on one line or two.

    >>> style = DrawingStyle(car=(33, 11), dot=7)
    >>> spots = find_spots(style, (("Boston",),))
    >>> len(spots.texts), np.round(spots.middles[0]).tolist()
    (48, [31.0, 0.0])
    """
    step = np.arange(_AROUND)
    angle = 2 * np.pi * step / _AROUND
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    # Right is best, then left, then above and below; directions in between cost more.
    preference = (
        0.3 * (step % (_AROUND // 4) != 0)
        + 0.25 * (step % (_AROUND // 8) != 0)
        + 0.2 * (direction[:, 0] < 0.1)
    )
    texts: list[tuple[str, ...]] = []
    middles: list[Floats] = []
    halves: list[Floats] = []
    costs: list[Floats] = []
    # Breaking a long name costs less, because long labels conflict with more items.
    broken = float(np.clip(1.8 - style.label_size(line_breaks[0])[0] / (5 * style.text), 0.1, 0.9))
    for breaks, lines in enumerate(line_breaks):
        half = np.array(style.label_size(lines)) / 2
        for far, distance in enumerate(_DISTANCES):
            texts += [lines] * _AROUND
            # The box slides around the dot; beside the dot it is centred vertically.
            middles.append(direction * (style.dot + distance) + np.clip(direction * 1.6, -1, 1) * half)
            halves.append(np.tile(half, (_AROUND, 1)))
            costs.append(preference + broken * breaks + 0.5 * far)
    return Spots(texts, np.concatenate(middles), np.concatenate(halves), np.concatenate(costs))


class Labeller:
    """Places the labels of one plan.

    A random cost per place (jitter) makes tries differ. Places in which a label keeps conflicting get a
    growing penalty.
    """

    def __init__(self, plan: DrawingPlan, random: Generator) -> None:
        self._plan = plan
        self._roster: Roster = build_roster(plan)
        self._spots = [find_spots(plan.style, line_breaks) for line_breaks in plan.labels]
        self._jitter = [random.random(len(spots.texts)) for spots in self._spots]
        self._penalties = [np.zeros(len(spots.texts)) for spots in self._spots]
        self._is_placed: Flags = np.zeros(len(plan.places), dtype=np.bool_)

    def place(self, sketch: Sketch, jitter: float) -> None:
        """Put every label in its currently best place; items in its way may still move."""
        extra_costs = [
            penalty + jitter * random for penalty, random in zip(self._penalties, self._jitter, strict=True)
        ]
        for city, best in enumerate(self._choose(sketch, extra_costs, 1.0)):
            spots = self._spots[city]
            away = np.hypot(*(spots.middles - spots.middles[best]).T)
            conflict = min(
                _PENALTY_RATE * (float(sketch.spots[city]) - float(spots.costs[best])), _MAX_PENALTY
            )
            self._penalties[city] += conflict * np.exp(-((away / _NEARBY) ** 2))

    def decide(self, sketch: Sketch, touch: float) -> None:
        """Put every label in its best place, without jitter and penalties."""
        self._choose(sketch, [np.zeros(len(spots.texts)) for spots in self._spots], touch)

    def _choose(self, sketch: Sketch, extra_costs: list[Floats], touch: float) -> list[int]:
        """Put every label in its best place, in several rounds, because labels conflict with each other."""
        roster = self._roster
        boxes = place_boxes(self._plan, roster, sketch, place_slots(self._plan, sketch))
        others = np.arange(roster.labels)
        fixed = [self._cost(sketch, boxes, city, others, touch) for city in range(len(extra_costs))]
        chosen = [0] * len(extra_costs)
        for _ in range(_ROUNDS):
            for city, spots in enumerate(self._spots):
                placed = np.flatnonzero(self._is_placed)
                names = placed[placed != city] + roster.labels
                cost = spots.costs + fixed[city] + self._cost(sketch, boxes, city, names, touch)
                chosen[city] = best = int(np.argmin(cost + extra_costs[city]))
                sketch.texts[city], sketch.spots[city] = spots.texts[best], cost[best]
                sketch.labels[city], sketch.halves[city] = spots.middles[best], spots.halves[best]
                boxes.centres[roster.labels + city] = sketch.cities[city] + spots.middles[best]
                boxes.halves[roster.labels + city] = spots.halves[best]
                self._is_placed[city] = True
        return chosen

    def _cost(self, sketch: Sketch, boxes: Boxes, city: int, others: Ints, touch: float) -> Floats:
        """Return the cost of each place of a label for overlap with and nearness to other items."""
        spots, style = self._spots[city], self._plan.style
        count = len(spots.texts)
        reach = 2 * spots.halves.max(axis=0) + style.dot + _DISTANCES[-1] + style.air
        size = np.hypot(boxes.halves[others, 0], boxes.halves[others, 1])
        away = np.abs(boxes.centres[others] - sketch.cities[city]) - size[:, None]
        near = others[(away < reach).all(axis=1)]
        near = near[near != self._roster.dots + city]
        if not len(near):
            return np.zeros(count)
        stage = Boxes(
            np.concatenate([boxes.centres[near], sketch.cities[city] + spots.middles]),
            np.concatenate([boxes.halves[near], spots.halves]),
            np.concatenate([boxes.along[near], np.tile([1.0, 0.0], (count, 1))]),
            np.concatenate([boxes.is_round[near], np.zeros(count, np.bool_)]),
        )
        mine = np.repeat(np.arange(len(near), len(near) + count), len(near))
        gap, _ = gaps(stage, mine, np.tile(np.arange(len(near)), count))
        deep, close = np.clip(style.clear - gap, 0, _DEEPEST), np.maximum(style.air - gap, 0)
        return (touch * deep + 0.06 * close).reshape(count, -1).sum(axis=1)
