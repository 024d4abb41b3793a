"""A sketch: the movable parts of a drawing, and the positions that follow from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goldenspike.mapmaking.boxes import Boxes, Floats, Ints, turned
from goldenspike.mapmaking.plan import DrawingPlan

_SAMPLES = 25
_LOOSE = 14.0
"""Free length at each end of a route above which its spaces move apart."""
_STRETCH = 0.05
"""Maximum by which they move apart, as a fraction of their distance."""


@dataclass(slots=True)
class Sketch:
    """The movable parts of a drawing.

    A pair's curve rises over its chord by `bow` in the middle, and swings by `wave` to one side and then to
    the other. `shift` moves its spaces along it. `labels` are the centres of the labels relative to their
    cities, `halves` half their sizes, `texts` their lines, `spots` the costs of their places when chosen.
    """

    cities: Floats
    bow: Floats
    wave: Floats
    shift: Floats
    labels: Floats
    halves: Floats
    texts: list[tuple[str, ...]]
    spots: Floats


@dataclass(frozen=True, slots=True)
class Slots:
    """The positions of slots: their fraction of the chord (`u`), their points and their directions.

    `lengths` are the lengths of the curves, `room` is the free length at each end.
    """

    u: Floats
    points: Floats
    along: Floats
    lengths: Floats
    room: Floats


def first_sketch(plan: DrawingPlan) -> Sketch:
    """Return a sketch with every city in its place and every route straight; labels are not placed yet."""
    cities, pairs = len(plan.places), len(plan.a)
    return Sketch(
        cities=plan.places.copy(),
        bow=np.zeros(pairs),
        wave=np.zeros(pairs),
        shift=np.zeros(pairs),
        labels=np.zeros((cities, 2)),
        halves=np.zeros((cities, 2)),
        texts=[ways[0] for ways in plan.labels],
        spots=np.zeros(cities),
    )


def bow_at(u: Floats) -> Floats:
    """Return the height of a bow of one at a fraction of the chord."""
    return 4 * u * (1 - u)


def wave_at(u: Floats) -> Floats:
    """Return the height of a wave of one at a fraction of the chord; its crests have height one."""
    return _CREST * u * (1 - u) * (1 - 2 * u)


_CREST = 6 * 3**0.5
_U = np.linspace(0.0, 1.0, _SAMPLES)
_BOW, _WAVE = bow_at(_U), wave_at(_U)


def chords(plan: DrawingPlan, sketch: Sketch) -> tuple[Floats, Floats]:
    """Return the distances between the cities of each pair, and the unit vectors from one to the other."""
    vector = sketch.cities[plan.b] - sketch.cities[plan.a]
    chord = np.maximum(np.hypot(vector[:, 0], vector[:, 1]), 1e-6)
    return chord, vector / chord[:, None]


def curve_lengths(chord: Floats, bow: Floats, wave: Floats) -> Floats:
    """Return the lengths of curves up to each of their samples.

    >>> round(float(curve_lengths(np.array([100.0]), np.array([20.0]), np.array([0.0]))[0, -1]), 1)
    109.8
    """
    x = chord[:, None] * _U
    y = bow[:, None] * _BOW + wave[:, None] * _WAVE
    steps = np.hypot(np.diff(x, axis=1), np.diff(y, axis=1))
    return np.concatenate([np.zeros((len(chord), 1)), np.cumsum(steps, axis=1)], axis=1)


def place_slots(plan: DrawingPlan, sketch: Sketch) -> Slots:
    """Return the positions of all spaces: evenly along their curves, centred or shifted."""
    chord, forward = chords(plan, sketch)
    lengths = curve_lengths(chord, sketch.bow, sketch.wave)
    style, pair, total = plan.style, plan.slot_pair, lengths[:, -1]
    room = (total - plan.length * style.pitch + style.gap) / 2 - style.end
    spare = np.maximum(room, 0.0)
    wider = np.minimum(np.maximum(room - _LOOSE, 0.0) * 2 / (plan.length + 1), _STRETCH * style.pitch)
    at = total / 2 + np.clip(sketch.shift, -spare, spare)
    u = _part_at(lengths[pair], at[pair] + plan.slot_step * (style.pitch + wider)[pair])
    height = sketch.bow[pair] * bow_at(u) + sketch.wave[pair] * wave_at(u)
    slope = sketch.bow[pair] * 4 * (1 - 2 * u) + sketch.wave[pair] * _CREST * (1 - 6 * u + 6 * u**2)
    ahead, aside = forward[pair], turned(forward)[pair]
    points = sketch.cities[plan.a][pair] + ahead * (u * chord[pair])[:, None] + aside * height[:, None]
    along = ahead * chord[pair][:, None] + aside * slope[:, None]
    return Slots(u, points, along / np.hypot(along[:, 0], along[:, 1])[:, None], total, room)


def _part_at(lengths: Floats, at: Floats) -> Floats:
    """Return the fraction of the chord at which each curve has a length, extrapolated past its ends."""
    last = lengths.shape[1] - 1
    index = np.clip((lengths <= at[:, None]).sum(axis=1) - 1, 0, last - 1)
    rows = np.arange(len(at))
    low, high = lengths[rows, index], lengths[rows, index + 1]
    return (index + (at - low) / (high - low)) / last


@dataclass(frozen=True, slots=True)
class Roster:
    """The item of each box: first the spaces, then the dots, then the labels.

    `slot` is the slot of a space, `pair` its pair, `lane` its lane and `side` its sideways offset.
    """

    slot: Ints
    pair: Ints
    lane: Ints
    side: Floats
    dots: int
    labels: int

    def group(self) -> Ints:
        """Return a number for each box, equal for items that may touch: a pair's spaces, a dot and label."""
        city = np.arange(self.labels - self.dots) + int(self.pair.max()) + 1
        return np.concatenate([self.pair, city, city])


def build_roster(plan: DrawingPlan) -> Roster:
    """Return the item of each box."""
    is_double = (plan.lanes == 2)[plan.slot_pair]
    second = np.flatnonzero(is_double)
    slot = np.concatenate([np.arange(len(is_double)), second])
    lane = np.concatenate([np.zeros(len(is_double), np.int64), np.ones(len(second), np.int64)])
    width = plan.style.car[1] + plan.style.between
    side = np.where(is_double[slot], (lane - 0.5) * width, 0.0)
    return Roster(slot, plan.slot_pair[slot], lane, side, len(slot), len(slot) + len(plan.places))


def place_boxes(plan: DrawingPlan, roster: Roster, sketch: Sketch, slots: Slots) -> Boxes:
    """Return the boxes of all spaces, dots and labels."""
    style, cities = plan.style, len(plan.places)
    along = slots.along[roster.slot]
    cars = slots.points[roster.slot] + turned(along) * roster.side[:, None]
    level = np.tile([1.0, 0.0], (cities, 1))
    halves = np.tile(np.array(style.car) / 2, (roster.dots, 1))
    return Boxes(
        centres=np.concatenate([cars, sketch.cities, sketch.cities + sketch.labels]),
        halves=np.concatenate([halves, np.full((cities, 2), style.dot), sketch.halves]),
        along=np.concatenate([along, level, level]),
        is_round=np.repeat([False, True, False], [roster.dots, cities, cities]),
    )
