"""Entries of a game's log, numbered from 0 without gaps.

The log is the game. An entry that changes the position stores the position after it and the events that led
to it. So no move has to be replayed to continue a game, to undo, or to send missed entries, and a later fix
of the rules does not change games that have begun. The positions of a finished game are dropped, because its
seed and moves reproduce them.
"""

from __future__ import annotations

import hashlib
import struct
import time
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
import numpy as np

from goldenspike.engine.events import WIDTH
from goldenspike.game.events import Rows

Kind = Literal[
    "started",
    "moved",
    "undone",
    "undo asked",
    "undo answered",
    "joined",
    "left",
    "returned",
    "bot seated",
    "said",
    "rematch",
    "restored",
    "invited",
    "device added",
]
"""Kinds of entries. Only the first three change the position."""


_encode = msgspec.msgpack.Encoder().encode
_ROW = struct.Struct(f"<{WIDTH}h")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One entry of a game's log.

    All kinds share the columns of one table, because logs that are stored, and their hashes, must stay
    readable. So create entries with the constructors named after their kinds, and read what `move` and `text`
    mean for a kind through the properties, which check the kind.
    """

    game: str
    number: int
    kind: Kind
    at: int
    """When, in milliseconds since 1970."""
    seat: int | None = None
    token: str | None = None
    """The client's id for the command. A command that is sent twice adds one entry."""
    move: int | None = None
    """The column of numbers. By kind: the number of a move, a count, 1 or 0 for yes or no, the number of a
    colour, or the seat whose player invited or replaced another one."""
    text: str | None = None
    """The column of texts. By kind: a move in words, a chat message, a name, a bot's level, or the id of the
    rematch."""
    events: bytes | None = None
    state: bytes | None = None
    state_hash: str | None = None
    reveals: bool = False
    """Whether it revealed hidden information to a player, so that nothing up to here can be undone."""
    request: str | None = None
    """A hash of the command, to detect a token that is reused for another command."""
    chain: str | None = None
    """A hash of this entry and of the previous entry's chain; None in logs of older versions."""

    # One constructor for each kind

    @classmethod
    def started(cls, game: str, at: int, *, events: bytes, state: bytes, state_hash: str) -> Entry:
        """Return the entry of a deal."""
        return cls(
            game=game, number=0, kind="started", at=at,
            events=events, state=state, state_hash=state_hash, reveals=True,
        )  # fmt: skip

    @classmethod
    def moved(
        cls,
        game: str,
        number: int,
        at: int,
        seat: int,
        token: str | None,
        *,
        move: int,
        text: str,
        events: bytes,
        state: bytes,
        state_hash: str,
        reveals: bool,
    ) -> Entry:
        """Return the entry of a move. Moves of bots have no token."""
        return cls(
            game=game, number=number, kind="moved", at=at, seat=seat, token=token, move=move, text=text,
            events=events, state=state, state_hash=state_hash, reveals=reveals,
        )  # fmt: skip

    @classmethod
    def undone(
        cls, game: str, number: int, at: int, seat: int, token: str | None, count: int, *,
        state: bytes, state_hash: str,
    ) -> Entry:  # fmt: skip
        """Return the entry that undoes the last `count` actions."""
        return cls(
            game=game, number=number, kind="undone", at=at, seat=seat, token=token, move=count,
            state=state, state_hash=state_hash,
        )  # fmt: skip

    @classmethod
    def undo_asked(cls, game: str, number: int, at: int, seat: int, token: str, count: int) -> Entry:
        """Return the entry of a player who asks the others to undo the last `count` actions."""
        return cls(game=game, number=number, kind="undo asked", at=at, seat=seat, token=token, move=count)

    @classmethod
    def undo_answered(cls, game: str, number: int, at: int, seat: int, token: str, agrees: bool) -> Entry:
        """Return the entry of a player who agrees to an undo, or refuses it."""
        return cls(
            game=game, number=number, kind="undo answered", at=at, seat=seat, token=token, move=int(agrees)
        )

    @classmethod
    def joined(
        cls, game: str, number: int, at: int, seat: int, name: str | None, colour: int | None = None
    ) -> Entry:
        """Return the entry of a player who takes a seat; None keeps the name or the colour of the seat."""
        return cls(game=game, number=number, kind="joined", at=at, seat=seat, text=name, move=colour)

    @classmethod
    def left(cls, game: str, number: int, at: int, seat: int, token: str, level: str) -> Entry:
        """Return the entry of a player who hands the seat to a bot of a level."""
        return cls(game=game, number=number, kind="left", at=at, seat=seat, token=token, text=level)

    @classmethod
    def returned(cls, game: str, number: int, at: int, seat: int, token: str) -> Entry:
        """Return the entry of a player who takes the seat back from a bot."""
        return cls(game=game, number=number, kind="returned", at=at, seat=seat, token=token)

    @classmethod
    def bot_seated(cls, game: str, number: int, at: int, seat: int, token: str, by: int, level: str) -> Entry:
        """Return the entry of an absent player's seat that seat `by` gives to a bot of a level."""
        return cls(
            game=game, number=number, kind="bot seated", at=at, seat=seat, token=token, move=by, text=level
        )

    @classmethod
    def said(cls, game: str, number: int, at: int, seat: int, token: str | None, chat: str | None) -> Entry:
        """Return the entry of a chat message."""
        return cls(game=game, number=number, kind="said", at=at, seat=seat, token=token, text=chat)

    @classmethod
    def rematch(cls, game: str, number: int, at: int, seat: int, token: str, rematch_id: str | None) -> Entry:
        """Return the entry of a player who asks for the rematch."""
        return cls(game=game, number=number, kind="rematch", at=at, seat=seat, token=token, text=rematch_id)

    @classmethod
    def restored(cls, game: str, number: int, at: int, lost_count: int) -> Entry:
        """Return the entry that tells players how many entries of the log were lost."""
        return cls(game=game, number=number, kind="restored", at=at, move=lost_count)

    @classmethod
    def invited(cls, game: str, number: int, at: int, seat: int, token: str, by: int, request: str) -> Entry:
        """Return the entry of a new invitation for a seat, made by seat `by`."""
        return cls(
            game=game, number=number, kind="invited", at=at, seat=seat, token=token, move=by, request=request
        )

    @classmethod
    def device_added(cls, game: str, number: int, at: int, seat: int, device_count: int) -> Entry:
        """Return the entry of another device that gets access to a seat."""
        return cls(game=game, number=number, kind="device added", at=at, seat=seat, move=device_count)

    # What the columns mean

    @property
    def move_number(self) -> int:
        """The number of the move."""
        assert self.kind == "moved"
        assert self.move is not None
        return self.move

    @property
    def move_text(self) -> str:
        """The move in words."""
        assert self.kind == "moved"
        return self.text or ""

    @property
    def undone_count(self) -> int:
        """How many actions were undone, or are to be undone."""
        assert self.kind in {"undone", "undo asked"}
        return self.move or 1

    @property
    def agrees(self) -> bool:
        """Whether the player agreed to the undo."""
        assert self.kind == "undo answered"
        return bool(self.move)

    @property
    def name(self) -> str | None:
        """The name of the player who joined; None keeps the name of the seat."""
        assert self.kind == "joined"
        return self.text

    @property
    def colour(self) -> int | None:
        """The number of the colour that the player chose; None keeps the colour of the seat."""
        assert self.kind == "joined"
        return self.move

    @property
    def level(self) -> str | None:
        """The level of the bot that took the seat."""
        assert self.kind in {"left", "bot seated"}
        return self.text

    @property
    def chat(self) -> str | None:
        """The chat message."""
        assert self.kind == "said"
        return self.text

    @property
    def rematch_id(self) -> str | None:
        """The id of the rematch."""
        assert self.kind == "rematch"
        return self.text

    @property
    def lost_count(self) -> int:
        """How many entries were lost."""
        assert self.kind == "restored"
        return self.move or 0

    @property
    def device_count(self) -> int:
        """How many devices have access to the seat."""
        assert self.kind == "device added"
        return self.move or 1


def chain_hash(previous: str | None, entry: Entry) -> str:
    """Return the chain of an entry that follows one with a given chain.

    The state is left out, because it is dropped when a game ends; its hash is included.

    >>> first = Entry.returned("game", 1, 5, 0, "a token")
    >>> chain_hash(None, first) == chain_hash(None, first)
    True
    >>> chain_hash(None, first) == chain_hash("another", first)
    False
    """
    content = (
        previous,
        entry.game,
        entry.number,
        entry.kind,
        entry.at,
        entry.seat,
        entry.token,
        entry.move,
        entry.text,
        entry.events,
        entry.state_hash,
        entry.reveals,
        entry.request,
    )
    return hashlib.blake2b(_encode(content), digest_size=8).hexdigest()


def follows(previous: str | None, entry: Entry) -> bool:
    """Tell whether an entry was written after the entry with a given chain."""
    return entry.chain is None or entry.chain == chain_hash(previous, entry)


def with_chains(entries: Iterable[Entry], previous: str | None = None) -> list[Entry]:
    """Return entries with their chains."""
    chained: list[Entry] = []
    for entry in entries:
        previous = chain_hash(previous, entry)
        chained.append(msgspec.structs.replace(entry, chain=previous))
    return chained


def intact_prefix(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return a log up to the first entry that is missing, or that does not follow the one before it.

    >>> log = [Entry.said("game", number, 5, 0, None, "Hello.") for number in (0, 1, 3, 4)]
    >>> [entry.number for entry in intact_prefix(log)]
    [0, 1]
    """
    previous: str | None = None
    for index, entry in enumerate(entries):
        if entry.number != index or not follows(previous, entry):
            return entries[:index]
        previous = entry.chain
    return entries


def now() -> int:
    """Return the time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def wall_time(moment: float) -> int:
    """Return a moment of time.monotonic() in milliseconds since 1970, by the current system clock.

    The same moment gives the same number until the system clock is set. A small drift between the two clocks
    is ignored, because all clients of a game must be sent the same deadline.
    """
    offset = time.time() - time.monotonic()
    if abs(offset - _clock.offset) > _CLOCK_DRIFT:
        _clock.offset = offset
    return round((moment + _clock.offset) * 1000)


_CLOCK_DRIFT = 0.1
"""Seconds by which the system clock may drift before the offset is corrected."""


class _Clock:
    offset = 0.0


_clock = _Clock()


def pack_rows(rows: Rows) -> bytes:
    """Return rows of events as bytes, the same on every platform."""
    return rows.astype("<i2").tobytes()


def unpack_rows(data: bytes | None) -> Rows:
    """Return the rows that were packed.

    >>> unpack_rows(pack_rows(np.array([[1, 0, 5, 0, 0, 0]], np.int16))).tolist()
    [[1, 0, 5, 0, 0, 0]]
    """
    return np.frombuffer(data or b"", "<i2").astype(np.int16).reshape(-1, WIDTH)


def list_rows(data: bytes | None) -> list[tuple[int, ...]]:
    """Return the rows that were packed, as plain numbers.

    >>> list_rows(pack_rows(np.array([[1, 0, 5, 0, 0, 0]], np.int16)))
    [(1, 0, 5, 0, 0, 0)]
    """
    return list(_ROW.iter_unpack(data or b""))
