"""The cost function of a drawing and its gradient.

The gradient is approximate where the exact one is not worth its cost: a force on a space moves its cities and
its curve as if the space stayed at its fraction of the chord.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goldenspike.mapmaking.boxes import Boxes, Floats, Ints, all_pairs, gaps, turned
from goldenspike.mapmaking.plan import DrawingPlan
from goldenspike.mapmaking.sketch import (
    Sketch,
    Slots,
    bow_at,
    build_roster,
    chords,
    curve_lengths,
    place_boxes,
    place_slots,
    wave_at,
)

_NUDGE = 0.05
_SKIN = 25.0
_KEPT = 10
"""Number of steps for which boxes farther apart than the skin are ignored."""
_ENDS = 8.0
"""Preferred extra space at each end of a route, beyond the minimum."""
_TURN = {1: 0.3, 2: 0.13}
"""Maximum angle in radians between neighbouring spaces, by lanes; at this angle the inner corners meet."""


@dataclass(frozen=True, slots=True)
class CostWeights:
    """The weights of the terms of the cost.

    `short` and `long`: a curve is as long as its spaces need; `bend` and `turn`: it is straight, and has no
    sharp bend; `shift`: its spaces are centred. `tie`: neighbours keep their bearing; `anchor`: cities keep
    their place. `touch`: nothing overlaps; `air`: items keep a distance; `label`: the factor of these two for
    labels.
    """

    short: float = 1.0
    long: float = 0.04
    bend: float = 1000.0
    turn: float = 3e4
    shift: float = 0.002
    tie: float = 3.0
    anchor: float = 0.0005
    touch: float = 20.0
    air: float = 0.02
    label: float = 1.0


@dataclass(frozen=True, slots=True)
class Pull:
    """The gradient of the cost by each movable part."""

    cities: Floats
    bow: Floats
    wave: Floats
    shift: Floats


class Forces:
    """Computes cost and gradient for drawings of one plan."""

    def __init__(self, plan: DrawingPlan) -> None:
        self._plan = plan
        self._roster = build_roster(plan)
        self._all = self._strangers()
        self._near = self._all
        self._age = 0
        self._turn = np.where(plan.lanes == 2, _TURN[2], _TURN[1])

    def _strangers(self) -> tuple[Ints, Ints]:
        """Return the pairs of boxes that must not touch."""
        group = self._roster.group()
        i, j = all_pairs(len(group))
        keep = group[i] != group[j]
        return i[keep], j[keep]

    def refresh(self) -> None:
        """Compute the near pairs again at the next step, because a label has moved to another place."""
        self._age = 0

    def pull(self, sketch: Sketch, weights: CostWeights) -> tuple[float, Pull]:
        """Return the cost of a sketch and its gradient."""
        plan = self._plan
        pairs = len(plan.a)
        pull = Pull(np.zeros_like(sketch.cities), np.zeros(pairs), np.zeros(pairs), np.zeros(pairs))
        slots = place_slots(plan, sketch)
        badness = self._lengths(sketch, slots, weights, pull) + self._bends(sketch, weights, pull)
        badness += self._geography(sketch, weights, pull)
        if weights.touch:
            badness += self._crowding(sketch, slots, weights, pull)
        return badness, pull

    def _lengths(self, sketch: Sketch, slots: Slots, weights: CostWeights, pull: Pull) -> float:
        """Add the cost of curves that are too short or too long for their spaces."""
        plan = self._plan
        chord, forward = chords(plan, sketch)
        short = 2 * np.maximum(_ENDS / 2 - slots.room, 0)
        long, far = (2 * np.maximum(slots.room - part * _ENDS, 0) for part in (1.4, 2.6))
        force = weights.long * (long + 3 * far) - weights.short * short

        def slope(by_chord: float, by_bow: float, by_wave: float) -> Floats:
            moved = curve_lengths(chord + by_chord, sketch.bow + by_bow, sketch.wave + by_wave)
            return force * (moved[:, -1] - slots.lengths) / _NUDGE

        stretch = forward * slope(_NUDGE, 0, 0)[:, None]
        _add(pull.cities, plan.b, stretch)
        _add(pull.cities, plan.a, -stretch)
        pull.bow[:] += slope(0, _NUDGE, 0)
        pull.wave[:] += slope(0, 0, _NUDGE)
        pull.shift[:] += weights.shift * sketch.shift
        return _half(
            weights.short * short**2, weights.long * (long**2 + 3 * far**2), weights.shift * sketch.shift**2
        )

    def _bends(self, sketch: Sketch, weights: CostWeights, pull: Pull) -> float:
        """Add the cost of bent curves, and of bends so sharp that spaces of the inner lane would meet."""
        chord, _ = chords(self._plan, sketch)
        bow, wave = sketch.bow / chord, sketch.wave / chord
        # The second derivative of the curve is 8 for a bow of one, about 50 near the ends of a wave of one.
        sharp = self._plan.style.pitch / chord
        over = np.maximum(sharp * (8 * np.abs(bow) + 50 * np.abs(wave)) - self._turn, 0)
        push = weights.turn * over * sharp
        pull.bow[:] += (weights.bend * bow + push * 8 * np.sign(bow)) / chord
        pull.wave[:] += (12 * weights.bend * wave + push * 50 * np.sign(wave)) / chord
        return _half(weights.bend * (bow**2 + 12 * wave**2), weights.turn * over**2)

    def _geography(self, sketch: Sketch, weights: CostWeights, pull: Pull) -> float:
        """Add the cost of changed geography, with more weight on near neighbours."""
        plan = self._plan
        i, j = plan.ties.T
        true = plan.places[j] - plan.places[i]
        strength = weights.tie / np.hypot(true[:, 0], true[:, 1])
        off = sketch.cities[j] - sketch.cities[i] - true
        force = off * strength[:, None]
        _add(pull.cities, j, force)
        _add(pull.cities, i, -force)
        stray = sketch.cities - plan.places
        pull.cities[:] += weights.anchor * stray
        return _half(strength * np.sum(off**2, axis=1), weights.anchor * np.sum(stray**2, axis=1))

    def _crowding(self, sketch: Sketch, slots: Slots, weights: CostWeights, pull: Pull) -> float:
        """Add the cost of items that overlap or are too close."""
        style, roster = self._plan.style, self._roster
        boxes = place_boxes(self._plan, roster, sketch, slots)
        i, j = self._candidates(boxes)
        gap, axis = gaps(boxes, i, j)
        touch, near = np.maximum(style.clear - gap, 0), np.maximum(style.air - gap, 0)
        share = np.where(j >= roster.labels, weights.label, 1.0)
        force = axis * (share * (weights.touch * touch + weights.air * near))[:, None]
        pushes = np.zeros_like(boxes.centres)
        _add(pushes, i, force)
        _add(pushes, j, -force)
        self._hand_on(sketch, slots, pushes, pull)
        return _half(share * weights.touch * touch**2, share * weights.air * near**2)

    def _hand_on(self, sketch: Sketch, slots: Slots, pushes: Floats, pull: Pull) -> None:
        """Apply the forces on boxes to the cities and curves that position them."""
        plan, roster = self._plan, self._roster
        pair, u = plan.slot_pair, slots.u
        force = np.zeros_like(slots.points)
        _add(force, roster.slot, pushes[: roster.dots])
        _, forward = chords(plan, sketch)
        across = np.sum(force * turned(forward)[pair], axis=1)
        _add(pull.cities, plan.a[pair], force * (1 - u)[:, None])
        _add(pull.cities, plan.b[pair], force * u[:, None])
        _add(pull.bow, pair, across * bow_at(u))
        _add(pull.wave, pair, across * wave_at(u))
        _add(pull.shift, pair, np.sum(force * slots.along, axis=1))
        pull.cities[:] += pushes[roster.dots : roster.labels] + pushes[roster.labels :]

    def _candidates(self, boxes: Boxes) -> tuple[Ints, Ints]:
        if self._age == 0:
            i, j = self._all
            reach = np.hypot(boxes.halves[:, 0], boxes.halves[:, 1])
            away = boxes.centres[j] - boxes.centres[i]
            is_near = np.hypot(away[:, 0], away[:, 1]) < reach[i] + reach[j] + _SKIN
            self._near = i[is_near], j[is_near]
        self._age = (self._age + 1) % _KEPT
        return self._near


def _half(*parts: Floats) -> float:
    return sum(float(part.sum()) for part in parts) / 2


def _add(target: Floats, index: Ints, values: Floats) -> None:
    """Add values to the rows of a target; an index may occur more than once."""
    if values.ndim == 1:
        target += np.bincount(index, values, len(target))
        return
    for axis in range(values.shape[1]):
        target[:, axis] += np.bincount(index, values[:, axis], len(target))
