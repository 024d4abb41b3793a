"""A drawing in the making: what may still move, and where everything lies because of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goldenspike.mapmaking.boxes import Boxes, Floats, Ints, turned
from goldenspike.mapmaking.plan import Plan

_SAMPLES = 25
_LOOSE = 14.0
"""How much room a route may have at each end before its spaces move apart."""
_STRETCH = 0.05
"""How far they move apart, at most, as a part of their distance."""


@dataclass(slots=True)
class Sketch:
    """What may move.

    A pair's curve rises over its chord by `bow` in the middle, and swings by `wave` to one side and then to
    the other. `shift` moves its spaces along it. `labels` are the middles of the names as seen from their
    cities, `halves` half their sizes, `texts` their lines, `spots` what their places cost when chosen.
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
    """Where the slots lie: how far along their chords (`u`), their points and their directions.

    `lengths` is how long the curves are, `room` what is left of them at each end.
    """

    u: Floats
    points: Floats
    along: Floats
    lengths: Floats
    room: Floats


def first_sketch(plan: Plan) -> Sketch:
    """Return a sketch with every city in its place and every route straight; the names are yet to come."""
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
    """Return how high a bow of one rises at a part of the chord."""
    return 4 * u * (1 - u)


def wave_at(u: Floats) -> Floats:
    """Return how far a wave of one swings at a part of the chord; its crests are one high."""
    return _CREST * u * (1 - u) * (1 - 2 * u)


_CREST = 6 * 3**0.5
_U = np.linspace(0.0, 1.0, _SAMPLES)
_BOW, _WAVE = bow_at(_U), wave_at(_U)


def chords(plan: Plan, sketch: Sketch) -> tuple[Floats, Floats]:
    """Return how far apart the cities of each pair are, and the unit vectors from one to the other."""
    vector = sketch.cities[plan.b] - sketch.cities[plan.a]
    chord = np.maximum(np.hypot(vector[:, 0], vector[:, 1]), 1e-6)
    return chord, vector / chord[:, None]


def curve_lengths(chord: Floats, bow: Floats, wave: Floats) -> Floats:
    """Return how long curves are up to each of their samples.

    >>> round(float(curve_lengths(np.array([100.0]), np.array([20.0]), np.array([0.0]))[0, -1]), 1)
    109.8
    """
    x = chord[:, None] * _U
    y = bow[:, None] * _BOW + wave[:, None] * _WAVE
    steps = np.hypot(np.diff(x, axis=1), np.diff(y, axis=1))
    return np.concatenate([np.zeros((len(chord), 1)), np.cumsum(steps, axis=1)], axis=1)


def place_slots(plan: Plan, sketch: Sketch) -> Slots:
    """Return where the spaces of all routes lie: evenly along their curves, round the middle or shifted."""
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
    """Return the part of the chord at which each curve has a length; past its ends it goes straight on."""
    last = lengths.shape[1] - 1
    index = np.clip((lengths <= at[:, None]).sum(axis=1) - 1, 0, last - 1)
    rows = np.arange(len(at))
    low, high = lengths[rows, index], lengths[rows, index + 1]
    return (index + (at - low) / (high - low)) / last


@dataclass(frozen=True, slots=True)
class Roster:
    """Which box is what: first the spaces, then the dots, then the names.

    `slot` is the slot of a space, `pair` its pair, `lane` its lane and `side` how far that lies aside.
    """

    slot: Ints
    pair: Ints
    lane: Ints
    side: Floats
    dots: int
    labels: int

    def family(self) -> Ints:
        """Return a number for each box; alike for what may touch: a pair's spaces, a dot and its name."""
        city = np.arange(self.labels - self.dots) + int(self.pair.max()) + 1
        return np.concatenate([self.pair, city, city])


def build_roster(plan: Plan) -> Roster:
    """Return which box is what."""
    is_double = (plan.lanes == 2)[plan.slot_pair]
    second = np.flatnonzero(is_double)
    slot = np.concatenate([np.arange(len(is_double)), second])
    lane = np.concatenate([np.zeros(len(is_double), np.int64), np.ones(len(second), np.int64)])
    width = plan.style.car[1] + plan.style.between
    side = np.where(is_double[slot], (lane - 0.5) * width, 0.0)
    return Roster(slot, plan.slot_pair[slot], lane, side, len(slot), len(slot) + len(plan.places))


def place_boxes(plan: Plan, roster: Roster, sketch: Sketch, slots: Slots) -> Boxes:
    """Return everything that takes up room."""
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
