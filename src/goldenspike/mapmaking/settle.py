"""Let a drawing settle: first straight lines of the right lengths, then room for everything, then rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from goldenspike.mapmaking.boxes import Floats
from goldenspike.mapmaking.forces import Forces, Weights
from goldenspike.mapmaking.labels import FIRM, STRICT, Labeller
from goldenspike.mapmaking.plan import Plan
from goldenspike.mapmaking.sketch import Sketch, first_sketch, place_slots

_STRETCH, _SPREAD = 0.25, 0.75
"""Until when, of all steps, lines are stretched, and until when room is made; then all comes to rest."""
_FAST, _SLOW = 2.0, 0.02
_RENAME = 18
"""How often, in all, names may look for better places."""

_ASIDE, _TREMBLE, _ODD = 0.4, 0.005, 1.0
"""How far a whim moves a city, in spaces; what moves it anyhow, lest things balance; what it is to a name."""

Tick = Callable[[], None]


class Descent:
    """Goes downhill with steps of a size of their own for every number (Adam)."""

    _MEAN, _SQUARE = 0.9, 0.98

    def __init__(self, parts: list[Floats]) -> None:
        self._parts = parts
        self._mean = [np.zeros_like(part) for part in parts]
        self._square = [np.zeros_like(part) for part in parts]
        self._steps = 0

    def step(self, slopes: list[Floats], rate: float) -> None:
        """Move all parts downhill, about so far."""
        self._steps += 1
        even, odd = 1 - self._MEAN**self._steps, 1 - self._SQUARE**self._steps
        for k, slope in enumerate(slopes):
            self._mean[k] += (1 - self._MEAN) * (slope - self._mean[k])
            self._square[k] += (1 - self._SQUARE) * (slope**2 - self._square[k])
            self._parts[k] -= rate * (self._mean[k] / even) / (np.sqrt(self._square[k] / odd) + 1e-3)


def settle(
    plan: Plan, steps: int, random: Generator, whim: float, tick: Tick = lambda: None
) -> tuple[Sketch, float]:
    """Return a drawing that has settled, and how bad it still is.

    A whim of one starts cities some way aside and lets names like odd places, so that each try ends
    otherwise; with none, all that is random is too small to see.
    """
    sketch, forces, labeller = first_sketch(plan), Forces(plan), Labeller(plan, random)
    aside = (_ASIDE * whim + _TREMBLE) * plan.style.pitch
    sketch.cities += random.normal(0.0, aside, sketch.cities.shape)
    stretched, spread = int(steps * _STRETCH), int(steps * _SPREAD)
    base = Weights()
    descent = Descent([sketch.cities])
    for step in range(stretched):
        # Geography holds the topology while lengths are far off; then it may give way.
        weights = replace(base, touch=0.0, long=0.5, tie=base.tie * (5 - 4 * step / stretched))
        descent.step([forces.pull(sketch, weights)[1].cities], _FAST)
        tick()
    descent = Descent([sketch.cities, sketch.bow, sketch.wave, sketch.shift])
    badness = 0.0
    for step in range(stretched, steps):
        grown = min(1.0, (step - stretched) / (spread - stretched))
        if step < spread and (step - stretched) % max(1, (spread - stretched) // _RENAME) == 0:
            labeller.place(sketch, _ODD * whim)
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
    # Everything has made room for the names where they are: some may now find a better place, all else given.
    labeller.decide(sketch, STRICT)
    return sketch, badness + float(sketch.spots.sum())
