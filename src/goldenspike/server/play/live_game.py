"""A game in memory: the state computed from its log."""

from __future__ import annotations

import asyncio
import time
from array import array
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

import msgspec

from goldenspike.editions import Edition
from goldenspike.engine.state import CHOOSING
from goldenspike.game.position import Position
from goldenspike.game.seeds import commitment
from goldenspike.server.play.audience import Audience
from goldenspike.server.play.entry import Entry, follows, wall_time
from goldenspike.server.play.seat_wishes import distinct_colours, distinct_names
from goldenspike.server.protocol.links import Key, is_same
from goldenspike.server.protocol.messages import COLOURS, Colour, GameInfo, SeatInfo, SeatWish, Style
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage.database import StoredGame
from goldenspike.server.views.json_writer.writer import json_writer_of

_RECENT = 12
"""Entries kept for connections that lag behind. A connection that lags further gets a full view."""
STAND_IN = "medium"
"""The level of the bot that replaces a player who left."""


class Setup(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seats and options that a game was created with, as stored in the database."""

    seats: list[SeatWish]
    aids: bool = True
    clock: int | None = None
    is_seed_chosen: bool = False
    is_imported: bool = False
    """Whether the game was imported from a record. It cannot be played on, and nothing in it is secret."""
    devices: list[int] = []
    """How many devices had access to each seat at the start. Empty in games of older versions, where each
    person had one."""
    copied: int = 0
    """How many moves at the start were copied from a record, or from the game that this one continues."""


class SeatState(msgspec.Struct):
    """A seat: its owner, and the bot that plays there, permanently or as a replacement."""

    name: str
    is_persons: bool
    is_free: bool
    level: str | None
    devices: int
    """How many devices have access to the seat."""
    colour: Colour
    style: Style | None
    """The style of the seat's own bot."""
    is_out_of_time: bool = False
    """Whether the player's last turn ended because the time was up."""
    has_left: bool = False
    """Whether the player handed the seat to a bot, rather than being replaced by other players."""
    has_bot_moved: bool = False
    """Whether the bot has moved since it took the seat."""

    @property
    def bot(self) -> str | None:
        """The bot that plays here: its style if it has one, otherwise its level; None if a person plays."""
        return self.style or self.level

    @property
    def is_invited(self) -> bool:
        """Whether the seat has an invitation that was not accepted yet."""
        return self.is_persons and not self.is_free and self.devices == 0 and self.level is None

    @property
    def waits_for_person(self) -> bool:
        """Whether a person makes the moves of this seat, not a bot."""
        return self.is_persons and self.level is None


class UndoStep(NamedTuple):
    """An action that can be undone: its seat, the position before it, and whether it is a claim."""

    seat: int
    before: bytes
    is_claim: bool


class Asked(NamedTuple):
    """A request to undo some actions, and the seats that have not answered yet."""

    seat: int
    actions: int
    waiting: frozenset[int]


class LiveGame:
    """A game computed from its log, updated entry by entry."""

    def __init__(
        self, stored: StoredGame, edition: Edition, entries: Iterable[Entry], undo_seconds: float = 0.0
    ) -> None:
        self.stored = stored
        self.undo_seconds = undo_seconds
        """Seconds that bots wait after a claim, so that it can be undone."""
        self.edition = edition
        self.setup = msgspec.json.decode(stored.setup, type=Setup)
        self.keys = stored.keys
        self.json_writer = json_writer_of(edition)
        self.opened = 0.0
        """When the game was last opened, by time.monotonic(). That client may not be connected yet."""
        self.audience = Audience(stored.id, stored.players)
        self.lock = asyncio.Lock()
        """Held while an entry is computed and written, so each game has one writer at a time."""
        self.is_uncertain = False
        """Whether the database may hold entries that were not read here."""
        self.automatic_action: asyncio.Task[None] | None = None
        self.epoch = 0
        """Incremented when the log is read again from its beginning, because the database has another one."""
        self._read(entries)

    def _read(self, entries: Iterable[Entry]) -> None:
        """Compute the state of the game from the whole log."""
        self.position = Position(self.edition)
        self.number: int = -1
        self.chain: str | None = None
        """The hash of the log up to its last entry."""
        self.changed = 0.0
        """When the last entry was applied, by time.monotonic()."""
        self.moved: int = 0
        """The number of the last entry that changed the position."""
        self.moved_at = 0.0
        """When that entry was applied, by time.monotonic()."""
        self.turn_began = 0.0
        """When the turn began, by time.monotonic(), so that setting the system clock does not affect it."""
        self.rematch = self.stored.rematch
        names = distinct_names(self.setup.seats)
        colours = distinct_colours(self.setup.seats)
        self.seat_states = [
            _first_seat_state(*seat)
            for seat in zip(self.setup.seats, names, self._first_devices, colours, strict=True)
        ]
        self.trail: list[UndoStep] = []
        self.asked: Asked | None = None
        self.recent: deque[Entry] = deque(maxlen=_RECENT)
        self._tokens = array("q")
        """The hash of every token in the log. The tokens themselves would take twenty times the memory."""
        self._chains = array("q")
        """The hash of every entry's chain, to find where another log differs."""
        for entry in entries:
            self.apply(entry)
        self.turn_began = time.monotonic()  # players lose no time while the game is not in memory

    @property
    def _first_devices(self) -> list[int]:
        return self.setup.devices or [int(wish.who in {"here", "link"}) for wish in self.setup.seats]

    def read_again(self, entries: Iterable[Entry]) -> None:
        """Replace the state by that of another log, and send all listeners a full view."""
        self.audience.encoded_seats = b""
        self.epoch += 1
        self._read(entries)
        self.is_uncertain = False
        self.audience.invalidate()
        self.audience.notify()

    @property
    def id(self) -> str:
        """The game's id."""
        return self.stored.id

    @property
    def is_waiting(self) -> bool:
        """Whether no move is possible because a seat is not taken. Always true for an imported record."""
        return self.setup.is_imported or any(
            seat_state.is_free or seat_state.is_invited for seat_state in self.seat_states
        )

    @property
    def is_hidden(self) -> bool:
        """Whether cards are hidden from their owners, so that a host cannot look at a deal and deal again."""
        return self.is_waiting and not self.setup.is_imported

    @property
    def seconds_left(self) -> float | None:
        """The time left for this turn; None without a turn timer, or while no seat has to move."""
        if self.setup.clock is None or self.is_waiting or self.position.is_over:
            return None
        return self.turn_began + self.setup.clock - time.monotonic()

    @property
    def deadline(self) -> int | None:
        """When the time of this turn is up, in milliseconds since 1970, by the current system clock."""
        if self.setup.clock is None or self.seconds_left is None:
            return None
        return wall_time(self.turn_began + self.setup.clock)

    def resume(self) -> None:
        """Restart the turn timer if the game is paused, before a client joins it."""
        if not self.audience.is_present:
            self.restart_turn()

    def restart_turn(self) -> None:
        """Restart the turn timer, because players could not reach the game."""
        self.turn_began = time.monotonic()
        self.audience.invalidate()

    def viewer_of(self, secret_hash: bytes) -> int | None:
        """Return the seat that a secret opens, or None for the spectators' secret.

        Raise a :class:`Problem` for any other secret.
        """
        found = [key for key in self.keys if is_same(secret_hash, key.secret_hash)]
        if is_same(secret_hash, self.stored.watch_hash):
            return None
        if not found:
            raise Problem(
                "bad_link",
                "This link is no longer valid: it was already used, or replaced by a new one.",
                reason="link_replaced",
            )
        if found[0].kind != "device":
            raise Problem("invitation", "This is an invitation; accept it to take the seat.")
        return found[0].seat

    def invitation_of(self, secret_hash: bytes) -> Key:
        """Return the key of an invitation or a code by its secret."""
        for key in self.keys:
            if key.kind != "device" and is_same(secret_hash, key.secret_hash):
                return key
        raise Problem(
            "bad_link",
            "This invitation was already used; ask the host for a new one.",
            reason="invitation_used",
        )

    # Applying entries

    def apply(self, entry: Entry) -> None:
        """Apply the next entry of the log."""
        if entry.number != self.number + 1:
            raise ValueError(f"Entry {entry.number} of {self.id} does not follow {self.number}.")
        if not follows(self.chain, entry):
            raise ValueError(
                f"Entry {entry.number} of {self.id} follows another log than the one known here."
            )
        if entry.kind in {"started", "moved", "undone"}:
            self._move(entry)
        elif entry.kind in {"undo asked", "undo answered"}:
            self._ask(entry)
        elif entry.seat is not None:
            self._seat(entry, self.seat_states[entry.seat])
        self.number, self.changed, self.chain = entry.number, time.monotonic(), entry.chain
        self.recent.append(msgspec.structs.replace(entry, state=None))
        self._chains.append(hash(entry.chain))
        if entry.token is not None:
            self._tokens.append(hash(entry.token))
        self.audience.invalidate()

    def _move(self, entry: Entry) -> None:
        whose, before = self._whose_turn(), self.position.raw
        if entry.state is not None:
            self.position.load(entry.state)  # raises ValueError if another version wrote it
        if entry.kind == "undone":
            del self.trail[-entry.undone_count :]
        elif entry.reveals or entry.seat is None:
            self.trail.clear()
        else:
            self.trail.append(UndoStep(entry.seat, before, entry.move_text.startswith("claim ")))
        if entry.kind == "moved" and entry.seat is not None:
            seat_state = self.seat_states[entry.seat]
            is_own = entry.number > self.setup.copied
            is_out_of_time = is_own and seat_state.waits_for_person and entry.token is None
            if seat_state.is_out_of_time != is_out_of_time:
                seat_state.is_out_of_time = is_out_of_time
                self.audience.encoded_seats = b""
            seat_state.has_bot_moved = seat_state.level is not None
        self.asked = None
        self.moved, self.moved_at = entry.number, time.monotonic()
        if self._whose_turn() != whose or entry.kind == "started":
            self.turn_began = time.monotonic()

    def _whose_turn(self) -> tuple[bool, int, int]:
        number = self.position.number  # the first seat's turn begins after all have chosen their tickets
        return number("phase") == CHOOSING, number("turns"), number("turn")

    def _ask(self, entry: Entry) -> None:
        seat = entry.seat
        assert seat is not None
        if entry.kind == "undo asked":
            self.asked = Asked(seat, entry.undone_count, frozenset(self.people() - {seat}))
        elif self.asked is not None and entry.agrees:
            self.asked = self.asked._replace(waiting=self.asked.waiting - {seat})
        else:
            self.asked = None

    def _seat(self, entry: Entry, seat_state: SeatState) -> None:
        self.audience.encoded_seats = b""
        if entry.kind == "joined":
            seat_state.name, seat_state.is_free, seat_state.devices = entry.name or seat_state.name, False, 1
            seat_state.level = None
            if entry.colour is not None:
                self._recolour(seat_state, COLOURS[entry.colour])
            self.turn_began = time.monotonic()
        elif entry.kind == "device added":
            seat_state.devices = entry.device_count
        elif entry.kind in {"left", "bot seated"}:
            if seat_state.is_invited:  # the host can see the deal now, so the invitation is no longer valid
                seat_state.is_persons = False
            seat_state.level, seat_state.has_left = entry.level, entry.kind == "left"
            seat_state.has_bot_moved = False
            if self.asked is not None and entry.seat is not None:
                waiting = self.asked.waiting - {entry.seat}
                self.asked = None if self.asked.seat == entry.seat else self.asked._replace(waiting=waiting)
        elif entry.kind == "returned":
            seat_state.level, seat_state.is_out_of_time = None, False
        elif entry.kind == "rematch":
            self.rematch = entry.rematch_id

    def _recolour(self, seat_state: SeatState, colour: Colour) -> None:
        """Give a seat a colour; a seat that has it gets the other one's."""
        for other in self.seat_states:
            if other.colour == colour:
                other.colour = seat_state.colour
        seat_state.colour = colour

    def may_know(self, token: str) -> bool:
        """Tell whether the log may hold an entry with this token; if False, it holds none."""
        return hash(token) in self._tokens

    def find_recent(self, token: str) -> Entry | None:
        """Return the recent entry with this token, or None."""
        return next((entry for entry in self.recent if entry.token == token), None)

    def count_shared(self, entries: Sequence[Entry]) -> int:
        """Return how many entries at the start of another log of this game are the same as here."""
        pairs = zip(self._chains, entries, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == hash(pair[1].chain), pairs))

    def people(self) -> set[int]:
        """Return the seats that are played by people."""
        return {
            seat
            for seat, seat_state in enumerate(self.seat_states)
            if seat_state.waits_for_person and not seat_state.is_free
        }

    @property
    def undoers(self) -> int:
        """The seats with an action that can be undone, as a bit set."""
        seats = 0
        for step in self.trail:
            seats |= 1 << step.seat
        return seats

    # Messages

    def info(self) -> GameInfo:
        """Return the description of the game for clients."""
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
            self.host,
            self.undo_seconds,
        )

    @property
    def host(self) -> int | None:
        """The seat of the player who created the game and may invite others."""
        return next((seat for seat, wish in enumerate(self.setup.seats) if wish.who == "here"), None)

    def seat_infos(self) -> list[SeatInfo]:
        """Return the description of each seat for clients."""
        connected = self.audience.seats
        return [
            SeatInfo(
                "free"
                if seat_state.is_free
                else "invited"
                if seat_state.is_invited
                else "person"
                if seat_state.is_persons
                else "bot",
                seat_state.name,
                seat_state.colour,
                seat_state.level,
                seat_state.style,
                connected >> seat & 1 != 0,
                seat_state.devices,
                seat_state.is_out_of_time,
            )
            for seat, seat_state in enumerate(self.seat_states)
        ]


def _first_seat_state(wish: SeatWish, name: str, devices: int, colour: Colour) -> SeatState:
    is_bot = wish.who == "bot"
    level = (wish.level or STAND_IN) if is_bot else None
    return SeatState(name, not is_bot, wish.who == "open", level, devices, colour, wish.style)
