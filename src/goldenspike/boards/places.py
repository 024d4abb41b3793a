"""Find places for cities without coordinates: from their geographical positions, or from the routes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.model import City, Route
from goldenspike.boards.projection import find_projection

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_EDGE = 0.08
_ROUNDS = 300
_PASSES = 6


def give_places(cities: Sequence[City], routes: Sequence[Route], size: tuple[int, int]) -> tuple[City, ...]:
    """Return the cities with places on the canvas, from their geographical positions if these are known."""
    world = world_places(cities)
    fitted = _fit(graph_places(len(cities), routes) if world is None else world, size)
    return tuple(
        replace(city, x=round(float(x), 1), y=round(float(y), 1))
        for city, (x, y) in zip(cities, fitted, strict=True)
    )


def world_places(cities: Sequence[City]) -> Floats | None:
    """Return the projected geographical positions of cities, or None if some are not known."""
    lon = [city.lon for city in cities if city.lon is not None]
    lat = [city.lat for city in cities if city.lat is not None]
    if len(lon) < len(cities) or len(lat) < len(cities):
        return None
    return find_projection(lon, lat)(np.array(lon), np.array(lat))


def graph_places(count: int, routes: Sequence[Route]) -> Floats:
    """Return places whose distances match the route distances of the cities, with few crossings.

    >>> square = [Route(i, i, (i + 1) % 4, 2, "grey", "", None, "") for i in range(4)]
    >>> places = graph_places(4, square)
    >>> sides = np.hypot(*(places - np.roll(places, 1, axis=0)).T)
    >>> bool(np.ptp(sides) < 0.2 * sides.min())
    True
    """
    pairs = np.array(sorted({(min(r.a, r.b), max(r.a, r.b)) for r in routes}), dtype=np.int64)
    steps = np.full((count, count), np.inf)
    np.fill_diagonal(steps, 0.0)
    for route in routes:
        steps[route.a, route.b] = steps[route.b, route.a] = min(route.length + 1.0, steps[route.a, route.b])
    for middle in range(count):
        steps = np.minimum(steps, steps[:, middle : middle + 1] + steps[middle : middle + 1])
    places = _relax(_unfold(steps), steps)
    return _untangle(places, pairs, steps)


def _unfold(steps: Floats) -> Floats:
    """Return places whose distances approximate those given (classical multidimensional scaling)."""
    count = len(steps)
    centring = np.eye(count) - 1.0 / count
    values, vectors = np.linalg.eigh(centring @ (-0.5 * steps**2) @ centring)
    top = vectors[:, np.argsort(values)[::-1][:2]]
    if top.shape[1] < 2:
        top = np.pad(top, ((0, 0), (0, 2 - top.shape[1])))
    # The sign of an eigenvector is arbitrary; make its largest component positive.
    signs = np.sign(top[np.argmax(np.abs(top), axis=0), np.arange(2)])
    spread = np.sqrt(np.maximum(np.sort(values)[::-1][:2], 1e-9))
    places = top * np.where(signs == 0, 1.0, signs) * spread
    # Cities with the same distances to all others would coincide: move each one slightly.
    turn = np.arange(count) * 2.399963
    return places + 0.01 * float(steps.max()) * np.stack([np.cos(turn), np.sin(turn)], axis=1)


def _relax(places: Floats, steps: Floats) -> Floats:
    """Return places closer to the wanted distances, with more weight on short ones (stress majorisation)."""
    count = len(places)
    weights = 1.0 / np.maximum(steps, 1.0) ** 2
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(laplacian)
    for _ in range(_ROUNDS):
        away = places[:, None] - places[None]
        distance = np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-9)
        ratio = weights * steps / distance
        pull = np.diag(ratio.sum(axis=1)) - ratio
        places = inverse @ (pull @ places)
    return places - places.mean(axis=0) if count else places


def crossings(places: Floats, pairs: Ints) -> Ints:
    """Return how many other lines each line between two places crosses.

    >>> places = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    >>> crossings(places, np.array([[0, 1], [2, 3], [0, 2]])).tolist()
    [1, 1, 0]
    """
    a, b = places[pairs[:, 0]], places[pairs[:, 1]]
    along = b - a

    def side(points: Floats) -> Floats:
        away = points[None] - a[:, None]
        return np.sign(along[:, None, 0] * away[..., 1] - along[:, None, 1] * away[..., 0])

    apart = side(a) * side(b) < 0
    shared = (pairs[:, None, :, None] == pairs[None, :, None, :]).any(axis=(2, 3))
    return np.sum(apart & apart.T & ~shared, axis=1)


def _untangle(places: Floats, pairs: Ints, steps: Floats) -> Floats:
    """Return places with fewer crossings: try other places for each city of a crossing, keep the best."""
    reach = float(np.hypot(*np.ptp(places, axis=0)))
    turn = np.arange(16) * np.pi / 8
    rings = [radius * reach * np.stack([np.cos(turn), np.sin(turn)], axis=1) for radius in (0.06, 0.15, 0.3)]
    for _ in range(_PASSES):
        crossed = crossings(places, pairs)
        if not crossed.any():
            break
        for city in np.unique(pairs[crossed > 0]):
            mates = np.unique(pairs[(pairs == city).any(axis=1)])
            middle = places[mates[mates != city]].mean(axis=0)
            tries = np.concatenate(
                [places[city][None], middle[None], *(places[city] + ring for ring in rings)]
            )
            costs = [_cost(places, pairs, steps, int(city), spot) for spot in tries]
            places[city] = tries[int(np.argmin(costs))]
        settled = _relax_a_little(places, steps)
        if crossings(settled, pairs).sum() <= crossings(places, pairs).sum():
            places = settled
    return places


def _cost(places: Floats, pairs: Ints, steps: Floats, city: int, spot: Floats) -> float:
    moved = places.copy()
    moved[city] = spot
    distance = np.hypot(*(moved - spot).T)
    wanted = np.maximum(steps[city], 1.0)
    strain = np.sum(((distance - steps[city]) / wanted) ** 2) / len(places)
    return float(crossings(moved, pairs).sum() + 0.5 * strain)


def _relax_a_little(places: Floats, steps: Floats) -> Floats:
    away = places[:, None] - places[None]
    distance = np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-9)
    weights = 1.0 / np.maximum(steps, 1.0) ** 2
    np.fill_diagonal(weights, 0.0)
    force = np.sum((weights * (steps - distance) / distance)[..., None] * away, axis=1)
    return places + 0.3 * force / weights.sum(axis=1)[:, None]


def _fit(places: Floats, size: tuple[int, int]) -> Floats:
    """Return places moved and scaled, but not rotated, to fill a canvas without its margins."""
    low, spread = places.min(axis=0), np.maximum(np.ptp(places, axis=0), 1e-9)
    inner = np.array(size) * (1 - 2 * _EDGE)
    scale = float(np.min(inner / spread))
    return (places - low - spread / 2) * scale + np.array(size) / 2
