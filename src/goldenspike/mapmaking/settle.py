"""Optimise a drawing by gradient descent: first the lengths of straight lines, then space for everything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from goldenspike.mapmaking.boxes import Floats
from goldenspike.mapmaking.forces import CostWeights, Forces
from goldenspike.mapmaking.labels import FIRM, STRICT, Labeller
from goldenspike.mapmaking.plan import DrawingPlan
from goldenspike.mapmaking.sketch import Sketch, first_sketch, place_slots

_STRETCH, _SPREAD = 0.25, 0.75
"""Fractions of all steps at which stretching lines ends, and at which making space ends."""
_FAST, _SLOW = 2.0, 0.02
_RENAME = 18
"""How often labels choose a better place, in total."""

_CITY_JITTER, _LEAST_JITTER, _LABEL_JITTER = 0.4, 0.005, 1.0
"""How far a jitter of one moves a city, in spaces; the least random move, which avoids unstable balance; the
weight of jitter for labels."""

Tick = Callable[[], None]


class Descent:
    """Gradient descent with a separate step size for every parameter (Adam)."""

    _MEAN, _SQUARE = 0.9, 0.98

    def __init__(self, parts: list[Floats]) -> None:
        self._parts = parts
        self._mean = [np.zeros_like(part) for part in parts]
        self._square = [np.zeros_like(part) for part in parts]
        self._steps = 0

    def step(self, slopes: list[Floats], rate: float) -> None:
        """Move all parameters downhill by about `rate`."""
        self._steps += 1
        even, odd = 1 - self._MEAN**self._steps, 1 - self._SQUARE**self._steps
        for k, slope in enumerate(slopes):
            self._mean[k] += (1 - self._MEAN) * (slope - self._mean[k])
            self._square[k] += (1 - self._SQUARE) * (slope**2 - self._square[k])
            self._parts[k] -= rate * (self._mean[k] / even) / (np.sqrt(self._square[k] / odd) + 1e-3)


def settle(
    plan: DrawingPlan, steps: int, random: Generator, jitter: float, tick: Tick = lambda: None
) -> tuple[Sketch, float]:
    """Return an optimised drawing and its remaining cost.

    A jitter of one moves the start of cities and adds random costs to label places, so that each try ends
    differently. With a jitter of zero the random part is too small to see.
    """
    sketch, forces, labeller = first_sketch(plan), Forces(plan), Labeller(plan, random)
    aside = (_CITY_JITTER * jitter + _LEAST_JITTER) * plan.style.pitch
    sketch.cities += random.normal(0.0, aside, sketch.cities.shape)
    stretched, spread = int(steps * _STRETCH), int(steps * _SPREAD)
    base = CostWeights()
    descent = Descent([sketch.cities])
    for step in range(stretched):
        # A high weight of geography keeps the topology while lengths are far off; then it is reduced.
        weights = replace(base, touch=0.0, long=0.5, tie=base.tie * (5 - 4 * step / stretched))
        descent.step([forces.pull(sketch, weights)[1].cities], _FAST)
        tick()
    descent = Descent([sketch.cities, sketch.bow, sketch.wave, sketch.shift])
    badness = 0.0
    for step in range(stretched, steps):
        grown = min(1.0, (step - stretched) / (spread - stretched))
        if step < spread and (step - stretched) % max(1, (spread - stretched) // _RENAME) == 0:
            labeller.place(sketch, _LABEL_JITTER * jitter)
            forces.refresh()
        elif step == spread:
            labeller.decide(sketch, FIRM)
            forces.refresh()
        rest = (steps - step) / (steps - stretched)
        weights = replace(base, touch=0.1 + base.touch * grown, tie=base.tie * (1 - 0.6 * grown), label=grown)
        badness, pull = forces.pull(sketch, weights)
        descent.step([pull.cities, pull.bow, pull.wave, pull.shift], _FAST * rest + _SLOW)
        spare = np.maximum(place_slots(plan, sketch).room, 0.0)
        np.clip(sketch.shift, -spare, spare, out=sketch.shift)
        tick()
    # All other items have moved away from the labels. Some labels may now have a better place.
    labeller.decide(sketch, STRICT)
    return sketch, badness + float(sketch.spots.sum())
