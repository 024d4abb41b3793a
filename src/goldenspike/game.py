"""A game to play, look at, take back, save and load."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition, load_edition
from goldenspike.engine import doors
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG, LONG_LOG
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.state import CHOOSING, KEEPING, OVER, State, States, new_states, portable_bytes
from goldenspike.engine.tables import build_tables
from goldenspike.errors import AmbiguousMoveError, MalformedMoveError, MoveError, RecordError, UndoError
from goldenspike.event import Event, Rows, is_revealing, read_events, redact
from goldenspike.legal import LegalMoves
from goldenspike.moves import ClaimRoute, Move
from goldenspike.notation import notation_of
from goldenspike.record import FORMAT, Action, End, Header, Saved, read_records, write_record
from goldenspike.refusals import Scene, explain_refusal
from goldenspike.replay import edition_of, read_only_one, replay
from goldenspike.result import Result, Scores, read_result, score
from goldenspike.seeds import Seed, commitment, key_words, read_seed
from goldenspike.version import VERSION
from goldenspike.view import View
from goldenspike.words import count_of

_HASH_DIGITS = 16


class Played(NamedTuple):
    """An action that was played: the seat, the move as a number and as text, what came of it."""

    seat: int
    number: int
    text: str
    rows: Rows
    state_hash: str


class Game:
    """One game, with everything that is hidden in it. Make it with :meth:`new` or :meth:`from_record`.

    >>> game = Game.new("usa-classic", 3, seed="a quiet evening", first=0)
    >>> game.to_move
    [0, 1, 2]
    >>> for seat in (2, 0, 1):
    ...     game.play("keep all", seat)
    >>> game.to_move
    [0]
    >>> game.play("draw deck")
    >>> len(game.legal_moves(0).of_kind("claim"))
    0
    """

    def __init__(self, edition: Edition, players: int, seed: bytes, first: int | None, setup: Rows) -> None:
        self.edition = edition
        self.players = players
        self.seed = seed
        self._first = first
        self._setup = setup
        self._tables = build_tables(edition)
        self._notation = notation_of(edition)
        self._states = new_states(1)
        self._raw = self._states.view(np.uint8)  # the same memory: copied as bytes, not field by field
        self._phase = self._states["phase"]
        self._turn = self._states["turn"]
        self._logs = np.zeros(1, LOG)
        self._played: list[Played] = []
        self._undo: list[NDArray[np.uint8]] = []

    @classmethod
    def new(
        cls, edition: str | Path | Edition, players: int, seed: Seed | None = None, first: int | None = None
    ) -> Game:
        """Deal a new game.

        Without a seed the deal is fresh; the same seed gives the same deal. Who begins is decided by the
        seed unless `first` names a seat (S-4). An edition is an id, a file, or a loaded one.
        """
        if not isinstance(edition, Edition):
            edition = load_edition(edition)
        # Plain integers: for any other kind of number the engine would be compiled anew.
        players, first = operator.index(players), None if first is None else operator.index(first)
        least, most = edition.players
        if not least <= players <= most:
            raise ValueError(f"{edition.name} is for {least} to {most} players, not {players}.")
        if first is not None and not 0 <= first < players:
            raise ValueError(f"The first seat is one of 0 to {players - 1}, not {first}.")
        game = cls(edition, players, read_seed(seed), first, np.zeros((0, 6), np.int16))
        game._setup = game._deal()
        return game

    def _deal(self) -> Rows:
        key = key_words(self.seed)
        first = ANY_SEAT if self._first is None else self._first
        return self._logged(
            lambda logs: doors.deal(self._states, self._tables, self.players, key, first, logs),
            self._raw.copy(),
        )

    def _logged(self, act: Callable[[NDArray[np.record]], None], before: NDArray[np.uint8]) -> Rows:
        """Return what an act logs. Should it be too much, start again from before with a longer log."""
        logs = self._logs
        act(logs)
        if logs["count"][0] > len(logs["rows"][0]):
            logs = np.zeros(1, LONG_LOG)
            self._raw[:] = before
            act(logs)
        return logs["rows"][0, : logs["count"][0]].copy()

    # What is

    @property
    def state(self) -> State:
        """The record of the game as it stands. Look, but do not touch."""
        return cast("State", self._states[0])

    @property
    def states(self) -> States:
        """The record as an array of one, as the doors of the engine take it."""
        return self._states

    @property
    def tables(self) -> NDArray[np.record]:
        """The edition's tables, as the doors of the engine take them."""
        return self._tables

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._phase[0] == OVER)

    @property
    def to_move(self) -> list[int]:
        """The seats with a decision to make: at setup all that have not chosen, then one, at last none."""
        if self._phase[0] == CHOOSING:
            return [seat for seat in range(self.players) if self.state.choice[seat] == 0]
        return [] if self.is_over else [int(self._turn[0])]

    def legal_moves(self, seat: int | None = None) -> LegalMoves:
        """Return what a seat may play now; without a seat, the first of those to move."""
        seat = self._seat(seat)
        out = np.empty(self._notation.count, np.int16)
        count = doors.list_moves(self._states, self._tables, seat, out)
        return LegalMoves(self._notation, out[:count].tolist(), self._offer(seat))

    def _seat(self, seat: int | None) -> int:
        if seat is None:
            return next(iter(self.to_move), 0)
        seat = operator.index(seat)
        if not 0 <= seat < self.players:
            raise MoveError(f"There is no such seat; the seats are 0 to {self.players - 1}.")
        return seat

    def _offer(self, seat: int) -> list[int]:
        if self._phase[0] not in (CHOOSING, KEEPING):
            return []
        return self.state.offer[seat][: self.state.offer_size[seat]].tolist()

    def view(self, seat: int | None) -> View:
        """Return what a seat may see; None is a spectator."""
        return View.of(self.edition, self._states, None if seat is None else self._seat(seat))

    @property
    def events(self) -> list[Event]:
        """Everything that happened so far, hidden things included."""
        return list(read_events(self.edition, self.rows()))

    def events_for(self, seat: int | None) -> list[Event]:
        """Return everything that happened as far as a seat, or a spectator (None), may know."""
        seat = None if seat is None else self._seat(seat)
        return list(read_events(self.edition, redact(self.rows(), seat)))

    def rows(self, start: int = 0) -> Rows:
        """Return what happened as rows of numbers, from the setup (0) or from an action (1, 2, ...) on."""
        parts = [self._setup, *(played.rows for played in self._played)]
        return np.concatenate(parts[start:]) if start < len(parts) else self._setup[:0]

    @property
    def played(self) -> Sequence[Played]:
        """The actions played so far."""
        return tuple(self._played)

    def scores(self) -> Scores:
        """Return the scores by term; in a game that is not over, as they would be if it ended now.

        >>> print(Game.new("new-york", 2, seed=4).scores())
                        seat 0  seat 1
        routes               0       0
        tickets made         0       0
        tickets failed       0       0
        attractions          0       0
        total                0       0
        """
        return score(self.edition, self._states)

    @property
    def result(self) -> Result | None:
        """How the game ended, or None."""
        return read_result(self.state)

    # What is done

    def play(self, move: Move | int | str, seat: int | None = None) -> None:
        """Play a move, given as a value, a number or a text, for a seat (the first of those to move).

        A move that cannot be read, is not legal or could mean several raises a
        :class:`~goldenspike.errors.MoveError` and changes nothing.
        """
        seat = self._seat(seat)
        offer = self._offer(seat)
        number = self._number(move, seat, offer)
        before = self._raw.copy()
        rows = self._logged(lambda logs: self._step(seat, number, logs), before)
        if is_revealing(rows):
            self._undo.clear()
        else:
            self._undo.append(before)
        text = str(self._notation.value(number, offer))
        self._played.append(Played(seat, number, text, rows, self.state_hash))

    def _step(self, seat: int, number: int, logs: NDArray[np.record]) -> None:
        reason = doors.step(self._states, self._tables, seat, number, logs)
        if reason != LEGAL:
            raise explain_refusal(reason, Scene(self.edition, self.state, seat, number))

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
        return number

    def _parse(self, text: str, seat: int, offer: list[int]) -> int:
        """Read a text; of several meanings take the legal one, or the first of lanes that are all alike."""
        numbers = self._notation.parse(text, offer)
        if len(numbers) == 1:
            return numbers[0]
        legal = [n for n in numbers if doors.verify_move(self._states, self._tables, seat, n) == LEGAL]
        payments = {
            (m.colour, m.cards) for n in legal if isinstance(m := self._notation.value(n), ClaimRoute)
        }
        lanes = {self._lane_colour(n) for n in legal}
        if len(payments) > 1 or len(lanes) > 1:
            raise AmbiguousMoveError(text, [str(self._notation.value(n)) for n in legal])
        return (legal or numbers)[0]

    def _lane_colour(self, number: int) -> str:
        move = self._notation.value(number)
        return next(
            r.colour
            for r in self.edition.board.routes
            if isinstance(move, ClaimRoute) and r.name == move.route
        )

    def undo(self, count: int = 1) -> None:
        """Take back the last actions, as long as none of them showed anybody something hidden.

        >>> game = Game.new("usa-classic", 2, seed=2, first=0)
        >>> game.play("keep all", 0)
        >>> game.undo()
        >>> game.to_move
        [0, 1]
        """
        if not 1 <= count <= len(self._undo):
            raise UndoError(
                f"{count_of(len(self._undo), 'action')} can be taken back, not {count}: "
                "more would hide what was shown."
            )
        self._raw[:] = self._undo[-count]
        del self._undo[-count:]
        del self._played[-count:]

    @property
    def undoable(self) -> int:
        """How many of the last actions can be taken back."""
        return len(self._undo)

    def copy(self) -> Game:
        """Return a game that goes its own way from here."""
        other = Game(self.edition, self.players, self.seed, self._first, self._setup)
        other._raw[:] = self._raw
        other._played = self._played.copy()
        other._undo = self._undo.copy()
        return other

    # What is kept

    @property
    def state_hash(self) -> str:
        """A short hash of the state, the same on every platform."""
        return hashlib.sha256(portable_bytes(self._states)).hexdigest()[:_HASH_DIGITS]

    def record(self, reveal_seed: bool = True) -> str:
        """Return the game as JSON lines (see :mod:`goldenspike.record`).

        Without its seed a record can be read but not replayed; it still holds the seed's commitment, so
        that nobody can change the seed later. It tells what was drawn all the same: it is no view.
        """
        header = Header(
            goldenspike=FORMAT,
            edition=self.edition.id,
            rules=self.edition.digest,
            seats=self.players,
            first=self._first,
            seed=self.seed.hex() if reveal_seed else None,
            commitment=commitment(self.seed),
            version=VERSION,
        )
        actions = [
            Action(n, p.seat, p.text, [str(e) for e in read_events(self.edition, p.rows)], p.state_hash)
            for n, p in enumerate(self._played, start=1)
        ]
        return write_record(header, actions, self.end)

    @property
    def end(self) -> End | None:
        """How the game ended, as a record keeps it, or None."""
        result = self.result
        if result is None:
            return None
        return End(result.reason, list(result.winners), result.tie_break, list(result.totals))

    @classmethod
    def from_record(cls, record: str | Saved, edition: Edition | None = None) -> Game:
        """Play a record again and return the game; raise :class:`RecordError` where it does not hold.

        >>> game = Game.new("first-journey", 2, seed=5)
        >>> game.play("draw deck")
        >>> Game.from_record(game.record()).state_hash == game.state_hash
        True
        """
        saved = read_only_one(record) if isinstance(record, str) else record
        game = begin_again(saved, edition)
        for _ in replay(saved, game):
            pass
        return game


def begin_again(saved: Saved, edition: Edition | None = None) -> Game:
    """Deal the game that a record starts from."""
    edition = edition_of(saved, edition)
    header = saved.header
    if header.seed is None:
        raise RecordError(saved.line, "the seed is not revealed yet, so the game cannot be played again.")
    try:
        game = Game.new(edition, header.seats, bytes.fromhex(header.seed), header.first)
    except ValueError as error:
        raise RecordError(saved.line, str(error)) from None
    if commitment(game.seed) != header.commitment:
        raise RecordError(saved.line, "the seed is not the one that was committed to.")
    return game


def load_games(text: str, edition: Edition | None = None) -> Iterator[Game]:
    """Yield the games of a file of records, each played again and checked."""
    return (Game.from_record(saved, edition) for saved in read_records(text))
