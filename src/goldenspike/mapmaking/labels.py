"""Where the names go: each in the best of many places round its dot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from goldenspike.mapmaking.boxes import Boxes, Flags, Floats, Ints, gaps
from goldenspike.mapmaking.plan import Plan, Style
from goldenspike.mapmaking.sketch import Roster, Sketch, build_roster, place_boxes, place_slots

_AROUND = 24
_DISTANCES = (2.5, 6.0)
_ROUNDS = 2
FIRM, STRICT = 3.0, 20.0
"""What touching something by one costs names that choose: for a last move of all else, and for good."""
_TIRING, _WEARY, _NEARBY = 0.3, 3.0, 12.0
"""How soon a name tires of a place by what it costs, how much at most, and how far about."""
_DEEPEST = 14.0
"""From here on deeper is not worse: the name is on top of something, and has to go elsewhere."""


@dataclass(frozen=True, slots=True)
class Spots:
    """The places for one name: its lines, its middle as seen from the city, half its size, how good it is."""

    texts: list[tuple[str, ...]]
    middles: Floats
    halves: Floats
    costs: Floats


def find_spots(style: Style, ways: tuple[tuple[str, ...], ...]) -> Spots:
    """Return the places for a name: beside, above and below the dot, and between; on one line or two.

    >>> style = Style(car=(33, 11), dot=7)
    >>> spots = find_spots(style, (("Boston",),))
    >>> len(spots.texts), np.round(spots.middles[0]).tolist()
    (48, [31.0, 0.0])
    """
    step = np.arange(_AROUND)
    angle = 2 * np.pi * step / _AROUND
    way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    # Right is best, then left, then above and below; between them only where it must be.
    taste = 0.3 * (step % (_AROUND // 4) != 0) + 0.25 * (step % (_AROUND // 8) != 0) + 0.2 * (way[:, 0] < 0.1)
    texts: list[tuple[str, ...]] = []
    middles: list[Floats] = []
    halves: list[Floats] = []
    costs: list[Floats] = []
    # To break a name costs the less the longer it is: long ones are in everybody's way.
    broken = float(np.clip(1.8 - style.label_size(ways[0])[0] / (5 * style.text), 0.1, 0.9))
    for breaks, lines in enumerate(ways):
        half = np.array(style.label_size(lines)) / 2
        for far, distance in enumerate(_DISTANCES):
            texts += [lines] * _AROUND
            # The box slides round the dot: its middle is level with the dot when it is beside it.
            middles.append(way * (style.dot + distance) + np.clip(way * 1.6, -1, 1) * half)
            halves.append(np.tile(half, (_AROUND, 1)))
            costs.append(taste + broken * breaks + 0.5 * far)
    return Spots(texts, np.concatenate(middles), np.concatenate(halves), np.concatenate(costs))


class Labeller:
    """Puts the names of one plan where they go.

    Each name has whims, by which odd places look good to it, and tires of places in which it is in the way.
    """

    def __init__(self, plan: Plan, random: Generator) -> None:
        self._plan = plan
        self._roster: Roster = build_roster(plan)
        self._spots = [find_spots(plan.style, ways) for ways in plan.labels]
        self._whims = [random.random(len(spots.texts)) for spots in self._spots]
        self._tired = [np.zeros(len(spots.texts)) for spots in self._spots]
        self._is_placed: Flags = np.zeros(len(plan.places), dtype=np.bool_)

    def place(self, sketch: Sketch, whim: float) -> None:
        """Put every name in the place that it likes best now; whatever is in its way may still move."""
        likes = [tired + whim * odd for tired, odd in zip(self._tired, self._whims, strict=True)]
        for city, best in enumerate(self._choose(sketch, likes, 1.0)):
            spots = self._spots[city]
            away = np.hypot(*(spots.middles - spots.middles[best]).T)
            conflict = min(_TIRING * (float(sketch.spots[city]) - float(spots.costs[best])), _WEARY)
            self._tired[city] += conflict * np.exp(-((away / _NEARBY) ** 2))

    def decide(self, sketch: Sketch, touch: float) -> None:
        """Put every name in its best place, whatever it liked or was tired of before."""
        self._choose(sketch, [np.zeros(len(spots.texts)) for spots in self._spots], touch)

    def _choose(self, sketch: Sketch, likes: list[Floats], touch: float) -> list[int]:
        """Put every name in the best of its places, in rounds, as names hinder each other."""
        roster = self._roster
        boxes = place_boxes(self._plan, roster, sketch, place_slots(self._plan, sketch))
        others = np.arange(roster.labels)
        fixed = [self._cost(sketch, boxes, city, others, touch) for city in range(len(likes))]
        chosen = [0] * len(likes)
        for _ in range(_ROUNDS):
            for city, spots in enumerate(self._spots):
                placed = np.flatnonzero(self._is_placed)
                names = placed[placed != city] + roster.labels
                cost = spots.costs + fixed[city] + self._cost(sketch, boxes, city, names, touch)
                chosen[city] = best = int(np.argmin(cost + likes[city]))
                sketch.texts[city], sketch.spots[city] = spots.texts[best], cost[best]
                sketch.labels[city], sketch.halves[city] = spots.middles[best], spots.halves[best]
                boxes.centres[roster.labels + city] = sketch.cities[city] + spots.middles[best]
                boxes.halves[roster.labels + city] = spots.halves[best]
                self._is_placed[city] = True
        return chosen

    def _cost(self, sketch: Sketch, boxes: Boxes, city: int, others: Ints, touch: float) -> Floats:
        """Return what it costs each place of a name that it touches others, or comes near them."""
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
