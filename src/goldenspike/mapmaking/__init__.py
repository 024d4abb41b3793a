"""Mapmaking: computes the layout of cities, spaces, labels and land on a drawn board.

>>> from goldenspike.boards import load_board
>>> layout_of(load_board("usa")).cities["BOS"].label.lines
('Boston',)
"""

from goldenspike.mapmaking.faults import Fault, find_faults, spacings
from goldenspike.mapmaking.make import STEPS, TRIES, layout_of, make_layout, renew_land
from goldenspike.mapmaking.picture import draw_svg

__all__ = [
    "STEPS",
    "TRIES",
    "Fault",
    "draw_svg",
    "find_faults",
    "layout_of",
    "make_layout",
    "renew_land",
    "spacings",
]
