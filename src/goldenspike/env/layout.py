"""The layout of observations: name, position and scale of every number.

An observation is a row of bytes. Flags are 0 or 1; everything else is a count, and a count above 255 (which
no official edition reaches) is shown as 255. Multiplied by the layout's scales, all numbers are between 0 and
1. Seats are relative: the observer first, then the others in the order in which they play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition
from goldenspike.engine.moves import CLAIM
from goldenspike.engine.state import LOCOMOTIVE
from goldenspike.engine.struct import Struct, Wide, struct_dtype
from goldenspike.engine.tables import build_tables

ABSENT = -1
"""The position of a part that an edition does not have."""
HIGHEST = 255
"""The greatest number in a byte."""


class Parts(Struct):
    """The start of each part of an observation, for compiled code; ABSENT if there is none."""

    phase: Wide
    hand: Wide
    row: Wide
    discards: Wide
    deck_size: Wide
    ticket_deck_size: Wide
    is_last_round: Wide
    turns_left: Wide
    passes: Wide
    first: Wide
    has_chosen: Wide
    hand_size: Wide
    pieces: Wide
    points: Wide
    ticket_count: Wide
    completed_count: Wide
    coast_to_coast: Wide
    known: Wide
    open: Wide
    owned: Wide
    tickets: Wide
    offer: Wide
    completed: Wide
    ticket_remaining: Wide
    ticket_joined: Wide
    ticket_lost: Wide
    offer_remaining: Wide
    offer_lost: Wide
    plan: Wide
    payable: Wide
    missing: Wide
    kinds: Wide
    """Not a position: how many kinds of card this board has, locomotives included."""
    slots: Wide
    """Not a position: the most tickets in an offer."""
    graph: Wide
    """Start of the part that depends only on the network; it is copied from the cache while that is valid."""
    graph_size: Wide


PARTS = struct_dtype(Parts)


class Part(NamedTuple):
    """One named part of an observation: its shape, and the value that scales to 1."""

    name: str
    shape: tuple[int, ...]
    whole: float | NDArray[np.float64] = 1.0


class ObservationLayout(Mapping[str, slice]):
    """A mapping from names to slices of an observation, in order.

    >>> from goldenspike.editions import load_edition
    >>> layout = layout_of(load_edition("usa-classic"), 2)
    >>> layout["hand"], layout.shape("owned"), layout.width
    (slice(4, 13, None), (2, 100), 486)
    >>> float(layout.scales[layout["pieces"]][0] * 45)
    1.0
    """

    def __init__(self, parts: list[Part], moves: int, kinds: int, slots: int) -> None:
        self.moves = moves
        """The number of moves of the board: the width of a mask."""
        self._slices: dict[str, slice] = {}
        self._shapes = {part.name: part.shape for part in parts}
        self.array = np.zeros(1, PARTS)
        """The positions as a struct, for compiled code."""
        struct: Any = self.array[0]
        for name in Parts.__annotations__:
            struct[name] = ABSENT
        scales: list[NDArray[np.float64]] = []
        at = 0
        for part in parts:
            size = int(np.prod(part.shape, dtype=int))
            self._slices[part.name] = slice(at, at + size)
            struct[part.name] = at
            scales.append(np.broadcast_to(1 / np.asarray(part.whole), part.shape).reshape(-1))
            at += size
        self.width = at
        """The number of bytes in an observation."""
        self.scales = np.concatenate(scales).astype(np.float32)
        """Factors that bring every number of an observation between 0 and 1."""
        struct.kinds, struct.slots = kinds, slots
        if "plan" in self._slices:
            struct.graph = struct.ticket_remaining
            struct.graph_size = self._slices["plan"].stop - struct.graph

    def __getitem__(self, name: str) -> slice:
        return self._slices[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._slices)

    def __len__(self) -> int:
        return len(self._slices)

    def __repr__(self) -> str:
        return f"Layout({', '.join(f'{name} {self.shape(name)}' for name in self)})"

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a part, for `observation[layout[name]].reshape(layout.shape(name))`."""
        return self._shapes[name]

    def parts(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the parts of one observation, or of many, by name; they share its memory."""
        before = observation.shape[:-1]
        return {name: observation[..., at].reshape(*before, *self.shape(name)) for name, at in self.items()}


@lru_cache(maxsize=64)
def layout_of(edition: Edition, players: int, graph: bool = False) -> ObservationLayout:
    """Return the layout of observations of an edition with this many players."""
    tables: Any = build_tables(edition)[0]
    kinds, slots = int(tables.colours) + 1, 0 if tables.swaps else max(int(tables.deal), int(tables.draw))
    parts = _table_parts(tables, players, kinds) + _seat_parts(tables, players, kinds)
    parts += _set_parts(tables, players, slots)
    if graph:
        parts += _graph_parts(tables, slots)
    return ObservationLayout(parts, CLAIM + int(tables.claims), kinds, slots)


def _cards(tables: Any) -> NDArray[np.float64]:
    """Return the number of cards of each kind, at least 1."""
    counts = [*tables.deck[: tables.colours], tables.deck[LOCOMOTIVE]]
    return _whole(np.maximum(1, np.asarray(counts, np.float64)))


def _whole(number: Any) -> Any:
    return np.minimum(HIGHEST, number)


def _table_parts(tables: Any, players: int, kinds: int) -> list[Part]:
    cards = _cards(tables)
    parts = [Part("phase", (4,)), Part("hand", (kinds,), cards)]
    if tables.face_up:
        parts += [Part("row", (kinds,), int(tables.face_up))]
    parts += [
        Part("discards", (kinds,), cards),
        Part("deck_size", (1,), _whole(int(tables.deck.sum()))),
        Part("ticket_deck_size", (1,), int(tables.tickets)),
    ]
    if not tables.race_tickets:
        parts += [Part("is_last_round", (1,)), Part("turns_left", (1,), players)]
    parts += [Part("passes", (1,), players)]
    return parts


def _seat_parts(tables: Any, players: int, kinds: int) -> list[Part]:
    parts: list[Part] = []
    if not tables.swaps:
        parts += [Part("first", (players,)), Part("has_chosen", (players,))]
    parts += [
        Part("hand_size", (players,), _whole(int(tables.deck.sum()))),
        Part("pieces", (players,), int(tables.pieces)),
    ]
    if most := _most_points(tables):
        parts += [Part("points", (players,), _whole(most))]
    parts += [Part("ticket_count", (players,), int(tables.tickets))]
    if tables.swaps:
        parts += [
            Part("completed_count", (players,), int(tables.race_tickets) or int(tables.tickets) + 1),
            Part("coast_to_coast", (players,)),
        ]
    if tables.face_up:
        parts += [Part("known", (players, kinds), _cards(tables))]
    return parts


def _most_points(tables: Any) -> int:
    """Return an upper bound of the points that one seat's pieces can make from routes."""
    best = max(tables.route_points[i] / tables.route_length[i] for i in range(tables.routes))
    return int(np.ceil(best * tables.pieces))


def _set_parts(tables: Any, players: int, slots: int) -> list[Part]:
    routes, tickets = int(tables.routes), int(tables.tickets)
    parts = [
        Part("open", (routes,)),
        Part("owned", (players, routes)),
        Part("tickets", (tickets,)),
    ]
    if tables.swaps:
        return [*parts, Part("completed", (players, tickets))]
    return [*parts, Part("offer", (slots, tickets))]


def _graph_parts(tables: Any, slots: int) -> list[Part]:
    routes, tickets, pieces = int(tables.routes), int(tables.tickets), int(tables.pieces)
    parts = [
        Part("ticket_remaining", (tickets,), pieces),
        Part("ticket_joined", (tickets,)),
        Part("ticket_lost", (tickets,)),
    ]
    if slots:
        parts += [Part("offer_remaining", (slots,), pieces), Part("offer_lost", (slots,))]
    return [
        *parts,
        Part("plan", (routes,), tickets),
        Part("payable", (routes,)),
        Part("missing", (routes,), int(tables.longest)),
    ]
