"""The Position class: a game at one moment, without its history."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from goldenspike.editions import Edition, load_edition
from goldenspike.engine import api
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LONG_LOG
from goldenspike.engine.legal import LEGAL, TOO_FEW_PIECES
from goldenspike.engine.state import OVER, STATE, State, portable_bytes, read_states
from goldenspike.engine.struct import Structs
from goldenspike.engine.tables import build_tables
from goldenspike.errors import AmbiguousMoveError, MalformedMoveError, MoveError
from goldenspike.game.events import Rows
from goldenspike.game.legal_moves import LegalMoves, legal_moves_of, offered_tickets, seats_to_move
from goldenspike.game.moves import ClaimRoute, Move
from goldenspike.game.notation import notation_of
from goldenspike.game.refusals import RefusedMove, explain_refusal
from goldenspike.game.result import Result, Scores, read_result, score
from goldenspike.game.seeds import key_words
from goldenspike.game.thread_log import THREAD_LOG
from goldenspike.game.view import View
from goldenspike.game.words import numbers_of_seats

_HASH_DIGITS = 16
_LAYOUT = hashlib.sha256(repr(STATE.newbyteorder("<").descr).encode()).digest()[:4]
"""Prefix of a position's bytes that identifies the layout, so that bytes of another layout are rejected."""


class Outcome(NamedTuple):
    """A move that was played: its number, its text, and its events."""

    number: int
    text: str
    rows: Rows


class Position:
    """The current state of a game, hidden information included. Deal one, or load it from bytes.

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
        """The state as an array of one, as the engine's functions take it. Treat it as read-only."""

    @classmethod
    def deal(
        cls, edition: str | Path | Edition, players: int, seed: bytes, first: int | None
    ) -> tuple[Position, Rows]:
        """Deal a game; return it and its events. The seed decides who begins unless `first` is set (S-4)."""
        if not isinstance(edition, Edition):
            edition = load_edition(edition)
        # Plain integers, because Numba would compile the engine again for any other type of number.
        players, first = edition.require_players(players), None if first is None else operator.index(first)
        if first is not None and not 0 <= first < players:
            raise ValueError(numbers_of_seats("The first seat", players))
        position, key, begins = cls(edition), key_words(seed), ANY_SEAT if first is None else first
        rows = position._logged(
            lambda logs: api.deal(position.states, position.tables, players, key, begins, logs),
            position.raw,
        )
        return position, rows

    # State

    @property
    def state(self) -> State:
        """The state struct itself. Treat it as read-only."""
        return cast("State", self.states[0])

    def number(self, name: str) -> int:
        """Return a scalar field of the state by name."""
        return self.states[name].item()

    @property
    def players(self) -> int:
        """The number of players."""
        return self.number("seats")

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.number("phase") == OVER

    @property
    def to_move(self) -> list[int]:
        """The seats to move: at setup all that have not chosen, then one; none when the game is over."""
        return seats_to_move(self.states)

    def legal_moves(self, seat: int | None = None) -> LegalMoves:
        """Return the legal moves of a seat; by default of the first seat to move."""
        return legal_moves_of(self.edition, self.states, self.seat_of(seat))

    def seat_of(self, seat: int | None) -> int:
        """Verify a seat number and return it; for None, return the first seat to move."""
        if seat is None:
            return next(iter(self.to_move), 0)
        seat = operator.index(seat)
        if not 0 <= seat < self.players:
            raise MoveError(numbers_of_seats("A seat", self.players))
        return seat

    def view(self, seat: int | None) -> View:
        """Return what a seat may see; None is a spectator."""
        return View.of(self.edition, self.states, None if seat is None else self.seat_of(seat))

    def scores(self) -> Scores:
        """Return the scores by term; if the game is not over, as if it ended now."""
        return score(self.edition, self.states)

    @property
    def result(self) -> Result | None:
        """The result of the game, or None if it is not over."""
        return read_result(self.state)

    # Moves

    def play(self, move: Move | int | str, seat: int | None = None) -> Outcome:
        """Play a move, given as a value, a number or a text, for a seat (default: the first to move).

        A move that cannot be parsed, is illegal or is ambiguous raises a
        :class:`~goldenspike.errors.MoveError` and changes nothing.
        """
        seat = self.seat_of(seat)
        offer = offered_tickets(self.states, seat)
        number = self._number(move, seat, offer)
        rows = self._logged(lambda logs: self._step(seat, number, logs), self.raw)
        return Outcome(number, self._notation.text(number, offer), rows)

    def refusal(self, move: Move | int | str, seat: int) -> MoveError | None:
        """Return why a move may not be played now, or None if it may."""
        seat = self.seat_of(seat)
        try:
            number = self._number(move, seat, offered_tickets(self.states, seat))
        except MoveError as error:
            return error
        reason = api.verify_move(self.states, self.tables, seat, number)
        return None if reason == LEGAL else self._explain(reason, seat, number)

    def _logged(self, act: Callable[[Structs], None], before: bytes) -> Rows:
        """Return the events that an act logs; if the log overflows, restore the state and use a LongLog."""
        event_log = THREAD_LOG
        act(event_log.logs)
        count = int(event_log.count[0])
        if count <= len(event_log.rows):
            return event_log.rows[:count].copy()
        logs = np.zeros(1, LONG_LOG)
        self.restore(before)
        act(logs)
        count = int(logs["count"][0])
        if count > len(logs["rows"][0]):
            self.restore(before)
            raise RuntimeError(
                f"A move with {count:,} events is too long for the log; use a deck with fewer locomotives."
            )
        return logs["rows"][0, :count].copy()

    def _step(self, seat: int, number: int, logs: Structs) -> None:
        reason = api.step(self.states, self.tables, seat, number, logs)
        if reason != LEGAL:
            raise self._explain(reason, seat, number)

    def _explain(self, reason: int, seat: int, number: int) -> MoveError:
        return explain_refusal(reason, RefusedMove(self.edition, self.state, seat, number))

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
            self._notation.value(number)  # raises for a colour that the board does not use
        return number

    def _parse(self, text: str, seat: int, offer: list[int]) -> int:
        """Parse a text; of several meanings take the legal one, or the first of identical lanes."""
        numbers = self._notation.parse(text, offer)
        if len(numbers) == 1:
            return numbers[0]
        legal = [n for n in numbers if api.verify_move(self.states, self.tables, seat, n) == LEGAL]
        payments = {
            (m.colour, m.cards) for n in legal if isinstance(m := self._notation.value(n), ClaimRoute)
        }
        lanes = {self._lane_colour(n) for n in legal}
        if len(payments) > 1 or len(lanes) > 1:
            raise AmbiguousMoveError(text, [str(self._notation.value(n)) for n in legal])
        return legal[0] if legal else self._nearest(numbers, seat)

    def _nearest(self, numbers: list[int], seat: int) -> int:
        """Return the claim that is closest to legal, of several refused ones, for the explanation."""

        def hindrance(number: int) -> tuple[bool, int]:
            reason = api.verify_move(self.states, self.tables, seat, number)
            refused = RefusedMove(self.edition, self.state, seat, number)
            return reason < TOO_FEW_PIECES, refused.missing

        return min(numbers, key=hindrance)

    def _lane_colour(self, number: int) -> str:
        move = self._notation.value(number)
        return next(
            r.colour
            for r in self.edition.board.routes
            if isinstance(move, ClaimRoute) and r.name == move.route
        )

    # Copies and bytes

    def copy(self) -> Position:
        """Return an independent copy of the position."""
        other = Position(self.edition)
        other.restore(self.raw)
        return other

    @property
    def raw(self) -> bytes:
        """A copy of the state's bytes, for :meth:`restore`."""
        return bytes(self._memory)

    def restore(self, raw: bytes) -> None:
        """Restore the state that :attr:`raw` returned."""
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
        """Return the position that :meth:`to_bytes` wrote; raise ValueError if its layout is different."""
        position = cls(edition)
        position.load(data)
        return position

    def load(self, data: bytes) -> None:
        """Load, in place, a position of the same edition that :meth:`to_bytes` wrote."""
        if data[:4] != _LAYOUT or len(data) != 4 + STATE.itemsize:
            raise ValueError("These are not the bytes of a position, or of one of another version.")
        self.restore(read_states(data[4:]).tobytes())
