"""A game at one moment: what can be seen, played and kept of it, without how it came about."""

from __future__ import annotations

import hashlib
import operator
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition, load_edition
from goldenspike.engine import doors
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG, LONG_LOG
from goldenspike.engine.legal import LEGAL, TOO_FEW_PIECES
from goldenspike.engine.state import (
    CHOOSING,
    KEEPING,
    OVER,
    STATE,
    State,
    portable_bytes,
    read_states,
)
from goldenspike.engine.tables import build_tables
from goldenspike.errors import AmbiguousMoveError, MalformedMoveError, MoveError
from goldenspike.event import Rows
from goldenspike.legal import LegalMoves
from goldenspike.moves import ClaimRoute, Move
from goldenspike.notation import notation_of
from goldenspike.refusals import Scene, explain_refusal
from goldenspike.result import Result, Scores, read_result, score
from goldenspike.seeds import key_words
from goldenspike.view import View

_HASH_DIGITS = 16
_LAYOUT = hashlib.sha256(repr(STATE.newbyteorder("<").descr).encode()).digest()[:4]
"""Stands before the bytes of a position, so that those of another layout are never taken for it."""


_NUMBERS = {
    name: (struct.Struct(field[0].char).unpack_from, field[1])
    for name, field in cast("dict[str, Any]", STATE.fields).items()
    if field[0].kind == "i"
}
"""How to read a number of a record from its memory: three times faster than by NumPy."""


class _Desk(threading.local):
    """What a thread writes events on; too large for every position to have its own."""

    def __init__(self) -> None:
        self.logs = np.zeros(1, LOG)
        self.count, self.rows = self.logs["count"], self.logs["rows"][0]


_DESK = _Desk()


class Outcome(NamedTuple):
    """A move that was played: its number, its text, and what came of it."""

    number: int
    text: str
    rows: Rows


class Position:
    """A game as it stands, hidden things included. Deal one, or make it from the bytes of another.

    >>> from goldenspike.editions import load_edition
    >>> position, dealt = Position.deal(load_edition("usa-classic"), 2, bytes(32), first=1)
    >>> position.to_move
    [0, 1]
    >>> outcome = position.play("keep all", 0)
    >>> again = Position.from_bytes(position.edition, position.to_bytes())
    >>> again.to_move, again.state_hash == position.state_hash
    ([1], True)
    """

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.tables = build_tables(edition)
        self._notation = notation_of(edition)
        self._memory = bytearray(STATE.itemsize)
        self.states = np.frombuffer(self._memory, STATE)
        """The record as an array of one, as the doors of the engine take it. Look, but do not touch."""

    @classmethod
    def deal(
        cls, edition: str | Path | Edition, players: int, seed: bytes, first: int | None
    ) -> tuple[Position, Rows]:
        """Deal a game; return it and what happened. Who begins is decided by the seed unless named (S-4)."""
        if not isinstance(edition, Edition):
            edition = load_edition(edition)
        # Plain integers: for any other kind of number the engine would be compiled anew.
        players, first = edition.require_players(players), None if first is None else operator.index(first)
        if first is not None and not 0 <= first < players:
            raise ValueError(f"The first seat is one of 0 to {players - 1}, not {first}.")
        position, key, begins = cls(edition), key_words(seed), ANY_SEAT if first is None else first
        rows = position._logged(
            lambda logs: doors.deal(position.states, position.tables, players, key, begins, logs),
            position.raw,
        )
        return position, rows

    # What is

    @property
    def state(self) -> State:
        """The record itself. Look, but do not touch."""
        return cast("State", self.states[0])

    def number(self, name: str) -> int:
        """Return a number of the record, by the name of its field."""
        read, at = _NUMBERS[name]
        return read(self._memory, at)[0]

    @property
    def players(self) -> int:
        """How many play."""
        return self.number("seats")

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.number("phase") == OVER

    @property
    def to_move(self) -> list[int]:
        """The seats with a decision to make: at setup all that have not chosen, then one, at last none."""
        phase = self.number("phase")
        if phase == CHOOSING:
            choices = self.states["choice"][0, : self.players].tolist()
            return [seat for seat, choice in enumerate(choices) if choice == 0]
        return [] if phase == OVER else [self.number("turn")]

    def legal_moves(self, seat: int | None = None) -> LegalMoves:
        """Return what a seat may play now; without a seat, the first of those to move."""
        seat = self.seat_of(seat)
        out = np.empty(self._notation.count, np.int16)
        count = doors.list_moves(self.states, self.tables, seat, out)
        return LegalMoves(self._notation, out[:count].tolist(), self._offer(seat))

    def seat_of(self, seat: int | None) -> int:
        """Return a seat that there is; for None, the first of those to move."""
        if seat is None:
            return next(iter(self.to_move), 0)
        seat = operator.index(seat)
        if not 0 <= seat < self.players:
            raise MoveError(f"There is no such seat; the seats are 0 to {self.players - 1}.")
        return seat

    def _offer(self, seat: int) -> list[int]:
        if self.number("phase") not in (CHOOSING, KEEPING):
            return []
        return self.states["offer"][0, seat, : self.states["offer_size"][0, seat]].tolist()

    def view(self, seat: int | None) -> View:
        """Return what a seat may see; None is a spectator."""
        return View.of(self.edition, self.states, None if seat is None else self.seat_of(seat))

    def scores(self) -> Scores:
        """Return the scores by term; in a game that is not over, as they would be if it ended now."""
        return score(self.edition, self.states)

    @property
    def result(self) -> Result | None:
        """How the game ended, or None."""
        return read_result(self.state)

    # What is done

    def play(self, move: Move | int | str, seat: int | None = None) -> Outcome:
        """Play a move, given as a value, a number or a text, for a seat (the first of those to move).

        A move that cannot be read, is not legal or could mean several raises a
        :class:`~goldenspike.errors.MoveError` and changes nothing.
        """
        seat = self.seat_of(seat)
        offer = self._offer(seat)
        number = self._number(move, seat, offer)
        rows = self._logged(lambda logs: self._step(seat, number, logs), self.raw)
        return Outcome(number, self._notation.text(number, offer), rows)

    def refusal(self, move: Move | int | str, seat: int) -> MoveError | None:
        """Return why a move may not be played now, or None if it may."""
        seat = self.seat_of(seat)
        try:
            number = self._number(move, seat, self._offer(seat))
        except MoveError as error:
            return error
        reason = doors.verify_move(self.states, self.tables, seat, number)
        return None if reason == LEGAL else self._explain(reason, seat, number)

    def _logged(self, act: Callable[[NDArray[np.record]], None], before: bytes) -> Rows:
        """Return what an act logs. Should it be too much, start again from before with a longer log."""
        desk = _DESK
        act(desk.logs)
        count = int(desk.count[0])
        if count <= len(desk.rows):
            return desk.rows[:count].copy()
        logs = np.zeros(1, LONG_LOG)
        self.restore(before)
        act(logs)
        count = int(logs["count"][0])
        if count > len(logs["rows"][0]):
            self.restore(before)
            raise RuntimeError(
                f"A move with {count:,} events cannot be told; use a deck with fewer locomotives."
            )
        return logs["rows"][0, :count].copy()

    def _step(self, seat: int, number: int, logs: NDArray[np.record]) -> None:
        reason = doors.step(self.states, self.tables, seat, number, logs)
        if reason != LEGAL:
            raise self._explain(reason, seat, number)

    def _explain(self, reason: int, seat: int, number: int) -> MoveError:
        return explain_refusal(reason, Scene(self.edition, self.state, seat, number))

    def _number(self, move: Move | int | str, seat: int, offer: list[int]) -> int:
        if isinstance(move, Move):
            return self._notation.number(move, offer)
        if isinstance(move, str):
            return self._parse(move, seat, offer)
        if isinstance(move, bool) or not hasattr(move, "__index__"):
            raise TypeError(f"A move is a value, a number or a text, not {move!r}.")
        number = operator.index(move)
        if not 0 <= number < self._notation.count:
            raise MalformedMoveError(f"Moves are numbered from 0 to {self._notation.count - 1}.")
        if not self._notation.is_keep(number):
            self._notation.value(number)  # some colours' numbers mean none
        return number

    def _parse(self, text: str, seat: int, offer: list[int]) -> int:
        """Read a text; of several meanings take the legal one, or the first of lanes that are all alike."""
        numbers = self._notation.parse(text, offer)
        if len(numbers) == 1:
            return numbers[0]
        legal = [n for n in numbers if doors.verify_move(self.states, self.tables, seat, n) == LEGAL]
        payments = {
            (m.colour, m.cards) for n in legal if isinstance(m := self._notation.value(n), ClaimRoute)
        }
        lanes = {self._lane_colour(n) for n in legal}
        if len(payments) > 1 or len(lanes) > 1:
            raise AmbiguousMoveError(text, [str(self._notation.value(n)) for n in legal])
        return legal[0] if legal else self._nearest(numbers, seat)

    def _nearest(self, numbers: list[int], seat: int) -> int:
        """Return the claim with the least in its way, of several that are refused: the one to explain."""

        def hindrance(number: int) -> tuple[bool, int]:
            reason = doors.verify_move(self.states, self.tables, seat, number)
            scene = Scene(self.edition, self.state, seat, number)
            return reason < TOO_FEW_PIECES, scene.missing

        return min(numbers, key=hindrance)

    def _lane_colour(self, number: int) -> str:
        move = self._notation.value(number)
        return next(
            r.colour
            for r in self.edition.board.routes
            if isinstance(move, ClaimRoute) and r.name == move.route
        )

    # What is kept

    def copy(self) -> Position:
        """Return a position that goes its own way from here."""
        other = Position(self.edition)
        other.restore(self.raw)
        return other

    @property
    def raw(self) -> bytes:
        """A copy of the record's memory, to come back to with :meth:`restore`."""
        return bytes(self._memory)

    def restore(self, raw: bytes) -> None:
        """Go back to how this game was when :attr:`raw` was read."""
        self._memory[:] = raw

    @property
    def state_hash(self) -> str:
        """A short hash of the state, the same on every platform."""
        return hashlib.sha256(portable_bytes(self.states)).hexdigest()[:_HASH_DIGITS]

    def to_bytes(self) -> bytes:
        """Return the position as bytes, the same on every platform."""
        return _LAYOUT + portable_bytes(self.states)

    @classmethod
    def from_bytes(cls, edition: Edition, data: bytes) -> Position:
        """Return the position that :meth:`to_bytes` wrote; ValueError if it was of another layout."""
        position = cls(edition)
        position.load(data)
        return position

    def load(self, data: bytes) -> None:
        """Become the position of the same edition that :meth:`to_bytes` wrote."""
        if data[:4] != _LAYOUT or len(data) != 4 + STATE.itemsize:
            raise ValueError("These are not the bytes of a position, or of one of another version.")
        self.restore(read_states(data[4:]).tobytes())
