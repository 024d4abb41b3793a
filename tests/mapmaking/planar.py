"""Random boards: cities spread over a canvas, each connected to its neighbours."""

from __future__ import annotations

import numpy as np

from goldenspike.boards import Board, parse_board
from goldenspike.mapmaking.plan import find_ties

_PARTS = ("ba", "ke", "lin", "mor", "ta", "vil", "ford", "den", "os", "wick", "port", "lum")
_MORE = ("", "", "", " Bay", " Falls", " Junction")


def planar_board(seed: int, cities: int, *, is_placed: bool = True) -> Board:
    random = np.random.default_rng(seed)
    places = _spread(random, cities)
    ties = find_ties(places)
    chords = np.hypot(*(places[ties[:, 0]] - places[ties[:, 1]]).T)
    lengths = np.clip(np.rint(2.4 * chords / chords.mean() * random.uniform(0.8, 1.2, len(chords))), 1, 9)
    codes = [chr(65 + i // 26) + chr(65 + i % 26) + "X" for i in range(cities)]
    lines = ["format = 1", 'id = "planar"', 'name = "Planar"', 'colours = ["red", "blue"]', "routes = ["]
    for (a, b), length in zip(ties, lengths, strict=True):
        for colour in ("red", "blue")[: 1 + int(random.random() < 0.3)]:
            ends = f'a = "{codes[a]}", b = "{codes[b]}"'
            lines.append(f'{{ {ends}, length = {int(length)}, colour = "{colour}" }},')
    lines += ["]", "[cities]"]
    for code, (x, y) in zip(codes, places, strict=True):
        name = "".join(random.choice(_PARTS, random.integers(2, 4))).capitalize() + str(random.choice(_MORE))
        at = f", at = [{x:.1f}, {y:.1f}]" if is_placed else ""
        lines.append(f'{code} = {{ name = "{name} {code[:2]}"{at} }}')
    return parse_board("\n".join(lines))


def _spread(random: np.random.Generator, count: int) -> np.ndarray:
    least = 0.55 * (1000 * 640 / count) ** 0.5
    places: list[np.ndarray] = []
    while len(places) < count:
        place = random.uniform([30, 30], [970, 610])
        if all(np.hypot(*(place - other)) > least for other in places):
            places.append(place)
    return np.array(places)
