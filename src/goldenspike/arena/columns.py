"""The rows of a match as an Arrow table, and back; docs/reference/matches.md lists the columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.arena.plan import Seating
from goldenspike.arena.rows import NO_SEAT, OUTCOMES, ROW, GameRows
from goldenspike.extras import need
from goldenspike.game.events import ENDINGS, TIE_BREAKS

TERM_COLUMNS = (
    "points_routes",
    "points_tickets_made",
    "points_tickets_failed",
    "points_longest_path",
    "points_globetrotter",
    "points_attractions",
    "points_completed",
)
"""Columns for the terms of a score, in the order of :mod:`goldenspike.engine.scoring`."""
_SETS = {"routes": "owned", "tickets": "held", "completed": "completed"}
"""Columns that hold a list of numbers for each seat, and the field of a row with the same as a bit set."""
CLOCK = "seconds_per_move"
"""The only column that differs between runs."""


def to_columns(
    batch: GameRows, bots: tuple[str, ...], seatings: tuple[Seating, ...], seeds: dict[int, str]
) -> Any:
    """Return a batch as an Arrow table, one row for each game; `seeds` are those of the deals."""
    pa: Any = need("pyarrow", "arena")
    rows, seats = batch.rows, len(seatings[0])
    games: list[int] = rows["game"].tolist()
    deals = [game // len(seatings) for game in games]
    won = (rows["winners"][:, None].astype(np.int64) >> np.arange(seats)) & 1

    def by_seat(values: NDArray[Any], kind: Any) -> Any:
        return _lists(pa, pa.array(np.ascontiguousarray(values[:, :seats]).ravel(), kind), seats)

    def words(codes: NDArray[Any], names: tuple[str, ...]) -> Any:
        return pa.array([names[code] for code in codes], pa.string())

    names = [bots[bot] for game in games for bot in seatings[game % len(seatings)]]
    seconds = rows["seconds"][:, :seats].ravel()
    columns: dict[str, Any] = {
        "deal": pa.array(deals, pa.int32()),
        "seating": pa.array([game % len(seatings) for game in games], pa.int32()),
        "seed": pa.array([seeds[deal] for deal in deals], pa.string()),
        "first": pa.array(rows["first"], pa.int8()),
        "bots": _lists(pa, pa.array(names, pa.string()), seats),
        "outcome": words(rows["outcome"], OUTCOMES),
        "fault": pa.array([None if seat == NO_SEAT else int(seat) for seat in rows["fault"]], pa.int8()),
        "error": pa.array([batch.errors.get(game) for game in games], pa.string()),
        "ending": words(rows["ending"], ENDINGS),
        "tie_break": words(rows["tie_break"], TIE_BREAKS),
        "decisions": pa.array(rows["decisions"], pa.int32()),
        "turns": pa.array(rows["turns"], pa.int32()),
        "win_share": by_seat(won / np.maximum(1, won.sum(axis=1, keepdims=True)), pa.float64()),
        "score": by_seat(rows["terms"].sum(axis=2), pa.int16()),
        "tickets_made": by_seat(rows["made"], pa.int16()),
        "tickets_failed": by_seat(rows["failed"], pa.int16()),
    }
    for term, name in enumerate(TERM_COLUMNS):
        columns[name] = by_seat(rows["terms"][:, :, term], pa.int16())
    for name, field in _SETS.items():
        columns[name] = _set_lists(pa, rows[field][:, :seats])
    columns[CLOCK] = _lists(pa, pa.array(seconds, pa.float64(), mask=np.isnan(seconds)), seats)
    columns["record"] = pa.array([batch.records.get(game) for game in games], pa.string())
    return pa.table(columns)


def from_columns(table: Any, seatings: tuple[Seating, ...]) -> GameRows:
    """Return the batch of an Arrow table made by :func:`to_columns`."""
    seats, count = len(seatings[0]), table.num_rows
    table = table.combine_chunks()
    rows = np.zeros(count, ROW)

    def column(name: str) -> NDArray[Any]:
        return np.array(table[name].to_numpy())

    def by_seat(name: str) -> NDArray[Any]:
        flat = _flat(table, name)
        return np.array(flat.to_numpy(zero_copy_only=False)).reshape(count, seats)

    rows["game"] = column("deal").astype(np.int64) * len(seatings) + column("seating")
    for name in ("first", "decisions", "turns"):
        rows[name] = column(name)
    for name, names in (("outcome", OUTCOMES), ("ending", ENDINGS), ("tie_break", TIE_BREAKS)):
        rows[name] = [names.index(word) for word in table[name].to_pylist()]
    rows["fault"] = [NO_SEAT if seat is None else seat for seat in table["fault"].to_pylist()]
    rows["winners"] = ((by_seat("win_share") > 0) << np.arange(seats)).sum(axis=1)
    rows["made"][:, :seats], rows["failed"][:, :seats] = by_seat("tickets_made"), by_seat("tickets_failed")
    for term, name in enumerate(TERM_COLUMNS):
        rows["terms"][:, :seats, term] = by_seat(name)
    for name, field in _SETS.items():
        rows[field][:, :seats] = _bits(table, name, count, seats)
    rows["seconds"] = np.nan
    rows["seconds"][:, :seats] = by_seat(CLOCK)
    texts: list[dict[int, str]] = []
    for name in ("error", "record"):
        pairs = zip(rows["game"].tolist(), table[name].to_pylist(), strict=True)
        texts.append({game: text for game, text in pairs if text is not None})
    return GameRows(rows, *texts)


def _lists(pa: Any, values: Any, size: int) -> Any:
    offsets = pa.array(np.arange(0, len(values) + 1, size, dtype=np.int32))
    return pa.ListArray.from_arrays(offsets, values)


def _set_lists(pa: Any, words: NDArray[np.uint64]) -> Any:
    """Return bit sets (by game, seat and word) as lists of lists of numbers."""
    seats = words.shape[1]
    is_in = set_members(words).reshape(-1, 128)
    starts = np.concatenate([[0], np.cumsum(is_in.sum(axis=1))]).astype(np.int32)
    inner = pa.ListArray.from_arrays(pa.array(starts), pa.array(np.nonzero(is_in)[1], pa.int16()))
    return _lists(pa, inner, seats)


def set_members(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return sets of two words as booleans, in a last axis of 128.

    >>> np.flatnonzero(set_members(np.array([[5, 1]], np.uint64))[0])
    array([ 0,  2, 64])
    """
    as_bytes = np.ascontiguousarray(words.astype("<u8")).view(np.uint8)
    return np.unpackbits(as_bytes, axis=-1, bitorder="little").astype(bool)


def _bits(table: Any, name: str, count: int, seats: int) -> NDArray[np.uint64]:
    inner = _flat(table, name)
    sizes = np.diff(inner.offsets.to_numpy())
    is_in = np.zeros((count * seats, 128), np.uint8)
    is_in[np.repeat(np.arange(count * seats), sizes), inner.flatten().to_numpy()] = 1
    packed = np.packbits(is_in, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64).reshape(count, seats, 2)


def _flat(table: Any, name: str) -> Any:
    """Return the values of a column of lists, concatenated."""
    pa: Any = need("pyarrow", "arena")
    chunks = [chunk.flatten() for chunk in table[name].chunks]
    return pa.concat_arrays(chunks) if chunks else pa.array([], table[name].type.value_type)
