"""Summaries of the games in a database, for administration: state, players, age, number of entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, get_args

import msgspec
from sqlalchemy import ColumnElement, Connection, Engine, Row, and_, func, select

from goldenspike.server.storage.schema import ENTRIES, GAMES, KEYS

_CHUNK = 500
"""Games that one query returns."""

State = Literal["waiting", "running", "finished"]
"""A game is waiting while a seat is open or has an invitation that was not accepted. An imported record is
finished, because it cannot be played on."""
STATES: tuple[State, ...] = get_args(State)


class GameSummary(msgspec.Struct, frozen=True):
    """A summary of a game."""

    id: str
    edition: str
    state: State
    names: list[str | None]
    """The player's name for each seat; None if the seat is open."""
    created: datetime
    last_active: datetime
    """When the last entry was written: a move, a message, a player who joined or left."""
    entries: int


class _SeatSummary(msgspec.Struct):
    who: str = "link"
    name: str | None = None


class _Setup(msgspec.Struct):
    """The parts of a game's setup that are needed here; games of older versions may lack other parts."""

    seats: list[_SeatSummary] = []
    is_imported: bool = False


def last_entry() -> ColumnElement[int]:
    """Return the number of a game's last entry, for a query of games."""
    numbers = select(func.max(ENTRIES.c.number)).where(ENTRIES.c.game == GAMES.c.id)
    return numbers.correlate(GAMES).scalar_subquery()


def is_idle_since(before: int) -> ColumnElement[bool]:
    """Return the condition that nothing has happened in a game since a time, in milliseconds since 1970."""
    last = select(ENTRIES.c.at).where(ENTRIES.c.game == GAMES.c.id, ENTRIES.c.number == last_entry())
    at = last.correlate(GAMES).scalar_subquery()
    return and_(GAMES.c.created < before, func.coalesce(at, GAMES.c.created) < before)


def find_games(
    engine: Engine,
    *,
    games: Sequence[str] | None = None,
    before: int | None = None,
    state: State | None = None,
    edition: str | None = None,
) -> Iterator[GameSummary]:
    """Yield summaries of games, the newest first; each argument filters them."""
    chosen = select(GAMES.c.id).order_by(GAMES.c.created.desc(), GAMES.c.id)
    if before is not None:
        chosen = chosen.where(is_idle_since(before))
    if edition is not None:
        chosen = chosen.where(GAMES.c.edition == edition)
    if games is not None:
        chosen = chosen.where(GAMES.c.id.in_(games))
    with engine.connect() as connection:
        ids = connection.execute(chosen).scalars().all()
    for start in range(0, len(ids), _CHUNK):
        with engine.connect() as connection:
            found = _read(connection, ids[start : start + _CHUNK])
        yield from (game for game in found if state in {None, game.state})


def _read(connection: Connection, ids: Sequence[str]) -> list[GameSummary]:
    chosen = (
        select(GAMES, ENTRIES.c.number, ENTRIES.c.at)
        .outerjoin(ENTRIES, and_(ENTRIES.c.game == GAMES.c.id, ENTRIES.c.number == last_entry()))
        .where(GAMES.c.id.in_(ids))
        .order_by(GAMES.c.created.desc(), GAMES.c.id)
    )
    rows = [(row, _read_setup(row.setup)) for row in connection.execute(chosen)]
    keys = select(KEYS.c.game, KEYS.c.seat).where(KEYS.c.game.in_(ids), KEYS.c.kind == "device")
    taken = {(row.game, row.seat) for row in connection.execute(keys)}
    names: dict[tuple[str, int], str | None] = {}
    unsure = [row.id for row, setup in rows if not _is_plain(row.id, setup, taken)]
    entered = select(ENTRIES.c.game, ENTRIES.c.seat, ENTRIES.c.kind, ENTRIES.c.text).where(
        ENTRIES.c.game.in_(unsure), ENTRIES.c.kind.in_(("joined", "bot seated"))
    )
    for row in connection.execute(entered) if unsure else ():
        taken.add((row.game, row.seat))  # a bot that replaces a player who did not join counts as well
        if row.kind == "joined":
            names[row.game, row.seat] = row.text
    return [_summarise(row, setup, taken, names) for row, setup in rows]


def _is_plain(game: str, setup: _Setup, taken: set[tuple[str, int]]) -> bool:
    """Tell whether all seats are taken and named in the setup, so that the log need not be read."""
    seats = enumerate(setup.seats)
    return all(seat.who == "bot" or (seat.who != "open" and (game, i) in taken) for i, seat in seats)


def _read_setup(text: str) -> _Setup:
    try:
        return msgspec.json.decode(text, type=_Setup)
    except msgspec.DecodeError:  # one unreadable game must not hide all others
        return _Setup()


def _summarise(
    row: Row[Any], setup: _Setup, taken: set[tuple[str, int]], joined: dict[tuple[str, int], str | None]
) -> GameSummary:
    names: list[str | None] = []
    is_waiting = False
    for index, seat in enumerate(setup.seats):
        key = row.id, index
        name = seat.name or f"{'Bot' if seat.who == 'bot' else 'Player'} {index + 1}"
        is_free = seat.who == "open" and key not in joined
        names.append(None if is_free else joined.get(key) or name)
        is_waiting |= seat.who != "bot" and key not in taken
    is_over = row.ended is not None or setup.is_imported
    return GameSummary(
        row.id,
        row.edition,
        "finished" if is_over else "waiting" if is_waiting else "running",
        names,
        _time(row.created),
        _time(row.created if row.at is None else row.at),
        0 if row.number is None else row.number + 1,
    )


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds // 1000, UTC)
