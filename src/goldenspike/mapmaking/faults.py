"""Faults of a layout: items that overlap, extend beyond the frame, or are not evenly spaced.

They are measured on the finished layout, with the actual boxes of spaces, dots and labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goldenspike.boards.layout import BoardLayout, CityLabel
from goldenspike.mapmaking.boxes import Boxes, Floats, Ints, all_pairs, gaps
from goldenspike.mapmaking.text import FALL, RISE, text_width


@dataclass(frozen=True, slots=True)
class Fault:
    """Two items that overlap, or one that extends beyond the frame; `by` is how far."""

    one: str
    other: str
    by: float

    def __str__(self) -> str:
        return f"{self.one} and {self.other} overlap by {self.by:.1f}"


def layout_boxes(layout: BoardLayout) -> tuple[Boxes, list[str], Ints]:
    """Return everything on a layout that takes up space: boxes, their names, and their groups.

    The spaces of a route and its twin are one group, and so are a dot and its label. They may be close.
    """
    rows: list[tuple[float, float, float, float, float]] = []
    names: list[str] = []
    groups: list[str] = []
    length, width = layout.car
    for name, spaces in layout.routes.items():
        for number, (x, y, angle) in enumerate(spaces, start=1):
            rows.append((x, y, length / 2, width / 2, angle))
            names.append(f"space {number} of {name}")
            groups.append("-".join(sorted(name.partition("/")[0].split("-"))))
    for code, place in layout.cities.items():
        rows.append((place.x, place.y, layout.dot, layout.dot, 0.0))
        names.append(f"the dot of {code}")
        groups.append(code)
    for code, place in layout.cities.items():
        rows.append((*_label_box(layout, place.label), 0.0))
        names.append(f"the name of {code}")
        groups.append(code)
    table = np.array(rows)
    turn = np.radians(table[:, 4])
    along = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    is_round = np.array([name.startswith("the dot") for name in names])
    group = np.unique(groups, return_inverse=True)[1]
    return Boxes(table[:, :2], table[:, 2:4], along, is_round), names, group


def _label_box(layout: BoardLayout, label: CityLabel) -> tuple[float, float, float, float]:
    width = max(text_width(line, layout.text) for line in label.lines)
    left = label.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor]
    top = label.y - RISE * layout.text
    height = (RISE + FALL) * layout.text + layout.leading * (len(label.lines) - 1)
    return left + width / 2, top + height / 2, width / 2, height / 2


def find_faults(layout: BoardLayout, clear: float = 0.0) -> list[Fault]:
    """Return the items that overlap or extend beyond the frame, the worst first.

    Items of different groups are faulty if their distance is below `clear`.

    >>> from goldenspike.boards import load_board
    >>> from goldenspike.boards.layout import shipped_layout
    >>> find_faults(shipped_layout(load_board("usa")))
    []
    """
    boxes, names, group = layout_boxes(layout)
    i, j = all_pairs(len(names))
    by = np.where(group[i] == group[j], 0.0, clear) - gaps(boxes, i, j)[0]
    wrong = by > 0
    faults = [
        Fault(names[one], names[other], depth)
        for one, other, depth in zip(
            map(int, i[wrong]), map(int, j[wrong]), map(float, by[wrong]), strict=True
        )
    ]
    corners = boxes.corners()
    out = np.maximum(-corners, corners - np.array(layout.size)).max(axis=(1, 2))
    faults += [Fault(names[k], "the edge of the frame", float(out[k])) for k in np.flatnonzero(out > 0)]
    return sorted(faults, key=lambda fault: -fault.by)


def spacings(layout: BoardLayout) -> Floats:
    """Return the distances from each space to the next one of its route, in lengths of a space.

    >>> from goldenspike.boards import load_board
    >>> from goldenspike.boards.layout import shipped_layout
    >>> bool(np.ptp(spacings(shipped_layout(load_board("usa")))) < 0.12)
    True
    """
    found = [
        np.hypot(*np.diff(np.array(spaces)[:, :2], axis=0).T)
        for spaces in layout.routes.values()
        if len(spaces) > 1
    ]
    return np.concatenate([*found, np.zeros(0)]) / layout.car[0]
