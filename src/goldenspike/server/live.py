"""A game in memory: what its log adds up to, and who is connected to it."""

from __future__ import annotations

import asyncio
import logging
from array import array
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, NamedTuple, Protocol

import msgspec

from goldenspike.editions import Edition
from goldenspike.engine.state import CHOOSING
from goldenspike.position import Position
from goldenspike.seeds import commitment
from goldenspike.server.entry import Entry
from goldenspike.server.links import is_same
from goldenspike.server.messages import GameInfo, SeatInfo, SeatWish
from goldenspike.server.pen.pen import pen_of
from goldenspike.server.problems import Problem
from goldenspike.server.store import StoredGame

_LOGGER = logging.getLogger(__name__)
_RECENT = 12
"""Entries that are kept for connections which lag behind; who lags further gets a fresh view."""
_AT_ONCE = 200
"""How many are told something before others get their turn."""
STAND_IN = "medium"
"""The level of the bot that takes the seat of somebody who left."""


class Setup(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a game was made with, as the database keeps it."""

    seats: list[SeatWish]
    aids: bool = True
    clock: int | None = None
    is_seed_chosen: bool = False
    is_imported: bool = False
    """Whether it came as a record: nobody plays it, and nothing in it is secret."""


class Chair(msgspec.Struct):
    """A seat: who it belongs to, and the bot that plays there, for itself or as a stand-in."""

    name: str
    is_persons: bool
    is_free: bool
    level: str | None

    @property
    def waits_for_person(self) -> bool:
        """Whether a person is to move here, not a bot."""
        return self.is_persons and self.level is None


class Step(NamedTuple):
    """An action that can be taken back: whose it was, and how things were before it."""

    seat: int
    before: bytes


class Asked(NamedTuple):
    """A wish to take back some actions, and the seats whose answer is missing."""

    seat: int
    actions: int
    waiting: frozenset[int]


class Listener(Protocol):
    """Somebody connected to a game."""

    viewer: int | None

    def tell(self) -> None:
        """Tell them what is new."""
        ...


class LiveGame:
    """A game as its log tells it, kept up to date entry by entry."""

    def __init__(self, stored: StoredGame, edition: Edition, entries: Iterable[Entry]) -> None:
        self.stored = stored
        self.edition = edition
        self.setup = msgspec.json.decode(stored.setup, type=Setup)
        self.hashes = list(stored.secret_hashes)
        self.pen = pen_of(edition)
        self.position = Position(edition)
        self.number: int = -1
        self.changed: int = 0
        """When the last entry was written, in milliseconds since 1970."""
        self.moved: int = 0
        """The last entry that has changed the position."""
        self.opened = 0
        """When it was last asked for: whoever did may not be connected yet."""
        self.turn_began = 0
        self.rematch = stored.rematch
        self.chairs = [_first_chair(wish, seat) for seat, wish in enumerate(self.setup.seats)]
        self.trail: list[Step] = []
        self.asked: Asked | None = None
        self.recent: deque[Entry] = deque(maxlen=_RECENT)
        self._tokens = array("q")
        """A hash of every token of the log; the tokens themselves would take twenty times as much memory."""
        self.listeners: set[Listener] = set()
        self._elsewhere: dict[bytes, tuple[int, int]] = {}
        """The seats whose people are connected to other processes, a bit each, and until when that holds."""
        self.on_presence: Callable[[LiveGame], None] | None = None
        """Called when a seat's people have come to this process, or left it."""
        self._untold: set[Listener] = set()
        """Those of them who do not know the newest yet."""
        self._round: asyncio.Handle | None = None
        """The turn of the loop in which some of them will be told."""
        self.lock = asyncio.Lock()
        """Held while an entry is worked out and written: one at a time for each game."""
        self.is_uncertain = False
        """Whether the log may hold more than is known here."""
        self.duty: asyncio.Task[None] | None = None
        self.version = 0
        """Grows with everything there is to tell."""
        self.told: dict[object, Any] = {}
        """Messages and their parts as they now read, by who reads them."""
        self.seats_told = b""
        """Who sits where, written out; empty after a change."""
        for entry in entries:
            self.apply(entry)

    @property
    def id(self) -> str:
        """The game's name."""
        return self.stored.id

    @property
    def is_waiting(self) -> bool:
        """Whether nobody can move yet: a seat is free. A game that came as a record waits for ever."""
        return self.setup.is_imported or any(chair.is_free for chair in self.chairs)

    @property
    def deadline(self) -> int | None:
        """When the time of this turn is up."""
        if self.setup.clock is None or self.is_waiting or self.position.is_over:
            return None
        return self.turn_began + self.setup.clock * 1000

    def viewer_of(self, secret_hash: bytes) -> int | None:
        """Return the seat that a secret opens, None for the one to watch; any other is a problem."""
        seats = [seat for seat, kept in enumerate(self.hashes) if is_same(secret_hash, kept)]
        if is_same(secret_hash, self.stored.watch_hash):
            return None
        if not seats:
            raise Problem("bad_link", "This link does not open the game; ask for it again.")
        return seats[0]

    # What entries do

    def apply(self, entry: Entry) -> None:
        """Take in the next entry of the log."""
        if entry.number != self.number + 1:
            raise ValueError(f"Entry {entry.number} of {self.id} does not follow {self.number}.")
        if entry.kind in {"started", "moved", "undone"}:
            self._move(entry)
        elif entry.kind in {"undo asked", "undo answered"}:
            self._ask(entry)
        elif entry.seat is not None:
            self._seat(entry, self.chairs[entry.seat])
        self.number, self.changed = entry.number, entry.at
        self.recent.append(msgspec.structs.replace(entry, state=None))
        if entry.token is not None:
            self._tokens.append(hash(entry.token))
        self._change()

    def _move(self, entry: Entry) -> None:
        whose, before = self._whose_turn(), self.position.raw
        if entry.state is not None:
            self.position.load(entry.state)  # a ValueError if it was written by another version
        if entry.kind == "undone":
            del self.trail[-(entry.move or 1) :]
        elif entry.reveals or entry.seat is None:
            self.trail.clear()
        else:
            self.trail.append(Step(entry.seat, before))
        self.asked = None
        self.moved = entry.number
        if self._whose_turn() != whose or entry.kind == "started":
            self.turn_began = entry.at

    def _whose_turn(self) -> tuple[bool, int, int]:
        number = self.position.number  # while all choose their tickets, it is not yet the first seat's turn
        return number("phase") == CHOOSING, number("turns"), number("turn")

    def _ask(self, entry: Entry) -> None:
        seat = entry.seat
        assert seat is not None
        if entry.kind == "undo asked":
            self.asked = Asked(seat, entry.move or 1, frozenset(self.people() - {seat}))
        elif self.asked is not None and entry.move:
            self.asked = self.asked._replace(waiting=self.asked.waiting - {seat})
        else:
            self.asked = None

    def _seat(self, entry: Entry, chair: Chair) -> None:
        self.seats_told = b""
        if entry.kind == "joined":
            chair.name, chair.is_free = entry.text or chair.name, False
            self.turn_began = entry.at
        elif entry.kind in {"left", "bot seated"}:
            chair.level = entry.text
            if self.asked is not None and entry.seat is not None:
                waiting = self.asked.waiting - {entry.seat}
                self.asked = None if self.asked.seat == entry.seat else self.asked._replace(waiting=waiting)
        elif entry.kind == "returned":
            chair.level = None
        elif entry.kind == "rematch":
            self.rematch = entry.text

    def may_know(self, token: str) -> bool:
        """Tell whether an entry may be called so; if not, there is none."""
        return hash(token) in self._tokens

    def find_recent(self, token: str) -> Entry | None:
        """Return the recent entry that a client has called so, or None."""
        return next((entry for entry in self.recent if entry.token == token), None)

    def people(self) -> set[int]:
        """Return the seats that people play."""
        return {
            seat for seat, chair in enumerate(self.chairs) if chair.waits_for_person and not chair.is_free
        }

    @property
    def undoers(self) -> int:
        """The seats with an action that can be taken back, a bit each."""
        seats = 0
        for step in self.trail:
            seats |= 1 << step.seat
        return seats

    # What is told of it

    def info(self) -> GameInfo:
        """Return what the game is."""
        stored = self.stored
        return GameInfo(
            stored.id,
            stored.edition,
            stored.players,
            self.setup.aids,
            self.setup.clock,
            stored.is_public,
            commitment(bytes.fromhex(stored.seed)),
            self.setup.is_seed_chosen,
            stored.created,
            stored.branch_of,
            self.rematch,
        )

    def seat_infos(self) -> list[SeatInfo]:
        """Return who sits where."""
        here = self.seats_here | self._seats_elsewhere
        return [
            SeatInfo(
                "free" if chair.is_free else "person" if chair.is_persons else "bot",
                chair.name,
                chair.level,
                here >> seat & 1 != 0,
            )
            for seat, chair in enumerate(self.chairs)
        ]

    def add(self, listener: Listener) -> None:
        """Connect somebody."""
        self.listeners.add(listener)
        self._greet(listener)

    def remove(self, listener: Listener) -> None:
        """Let somebody go."""
        self.listeners.discard(listener)
        self._untold.discard(listener)
        self._greet(listener)

    def _greet(self, listener: Listener) -> None:
        """Tell the others, if a seat is now taken or deserted."""
        viewer = listener.viewer
        if viewer is None or any(o.viewer == viewer for o in self.listeners if o is not listener):
            return
        self._show_seats_anew()
        if self.on_presence is not None:
            self.on_presence(self)

    @property
    def seats_here(self) -> int:
        """The seats whose people are connected to this process, a bit each."""
        seats = 0
        for listener in self.listeners:
            if listener.viewer is not None:
                seats |= 1 << listener.viewer
        return seats

    @property
    def _seats_elsewhere(self) -> int:
        seats = 0
        for theirs, _ in self._elsewhere.values():
            seats |= theirs
        return seats

    def note_elsewhere(self, process: bytes, seats: int, until: int) -> None:
        """Note which seats' people are connected to another process, and until when that holds."""
        before = self._seats_elsewhere
        if seats:
            self._elsewhere[process] = seats, until
        else:
            self._elsewhere.pop(process, None)
        if self._seats_elsewhere != before:
            self._show_seats_anew()

    def doubt_elsewhere(self, now: int) -> None:
        """Forget what other processes have not said again in time: they may have died."""
        for process in [process for process, (_, until) in self._elsewhere.items() if until < now]:
            self.note_elsewhere(process, 0, 0)

    def _show_seats_anew(self) -> None:
        self.seats_told = b""
        self._change()
        self.wake_all()

    def _change(self) -> None:
        self.version += 1
        self.told.clear()

    def wake_all(self) -> None:
        """Have everybody connected told what is new, soon: after what is being done now is done."""
        self._untold |= self.listeners
        if self._round is None and self._untold:
            self._round = asyncio.get_running_loop().call_soon(self._tell, True)

    def _tell(self, is_first: bool) -> None:
        """Tell some, players first, and the rest once the loop has seen to others: thousands may watch."""
        if is_first and len(self._untold) > _AT_ONCE:
            chosen = [listener for listener in self._untold if listener.viewer is not None]
        else:
            chosen = list(islice(self._untold, _AT_ONCE))
        self._untold.difference_update(chosen)
        self._round = asyncio.get_running_loop().call_soon(self._tell, False) if self._untold else None
        for listener in chosen:
            try:
                listener.tell()
            except Exception:
                _LOGGER.exception("somebody could not be told", extra={"game": self.id})
        if self._round is None:
            self.told.clear()


def _first_chair(wish: SeatWish, seat: int) -> Chair:
    is_bot = wish.who == "bot"
    level = (wish.level or STAND_IN) if is_bot else None
    name = wish.name or f"{'Bot' if is_bot else 'Player'} {seat + 1}"
    return Chair(name, not is_bot, wish.who == "open", level)
