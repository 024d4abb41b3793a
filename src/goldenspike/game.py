"""A game to play, look at, take back, save and load."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition
from goldenspike.engine.state import State, States
from goldenspike.errors import RecordError, UndoError
from goldenspike.event import Event, Rows, is_revealing, read_events, see_events
from goldenspike.legal import LegalMoves
from goldenspike.moves import Move
from goldenspike.position import Position
from goldenspike.record import FORMAT, Action, End, Header, Saved, read_records, write_record
from goldenspike.replay import edition_of, read_only_one, replay
from goldenspike.result import Result, Scores
from goldenspike.seeds import Seed, commitment, read_seed
from goldenspike.version import VERSION
from goldenspike.view import View
from goldenspike.words import count_of


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

    def __init__(self, position: Position, seed: bytes, first: int | None, setup: Rows) -> None:
        self.position = position
        self.edition = position.edition
        self.players = position.players
        self.seed = seed
        self.first = first
        """The seat that was named to begin; None where the seed decided."""
        self._setup = setup
        self._played: list[Played] = []
        self._undo: list[bytes] = []

    @classmethod
    def new(
        cls, edition: str | Path | Edition, players: int, seed: Seed | None = None, first: int | None = None
    ) -> Game:
        """Deal a new game.

        Without a seed the deal is fresh; the same seed gives the same deal. Who begins is decided by the
        seed unless `first` names a seat (S-4). An edition is an id, a file, or a loaded one.
        """
        seed, first = read_seed(seed), None if first is None else operator.index(first)
        position, setup = Position.deal(edition, players, seed, first)
        return cls(position, seed, first, setup)

    # What is

    @property
    def state(self) -> State:
        """The record of the game as it stands. Look, but do not touch."""
        return self.position.state

    @property
    def states(self) -> States:
        """The record as an array of one, as the doors of the engine take it."""
        return self.position.states

    @property
    def tables(self) -> NDArray[np.record]:
        """The edition's tables, as the doors of the engine take them."""
        return self.position.tables

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position.is_over

    @property
    def to_move(self) -> list[int]:
        """The seats with a decision to make: at setup all that have not chosen, then one, at last none."""
        return self.position.to_move

    def legal_moves(self, seat: int | None = None) -> LegalMoves:
        """Return what a seat may play now; without a seat, the first of those to move."""
        return self.position.legal_moves(seat)

    def view(self, seat: int | None) -> View:
        """Return what a seat may see; None is a spectator."""
        return self.position.view(seat)

    @property
    def events(self) -> list[Event]:
        """Everything that happened so far, hidden things included."""
        return list(read_events(self.edition, self.rows()))

    def events_for(self, seat: int | None) -> list[Event]:
        """Return everything that happened as far as a seat, or a spectator (None), may know."""
        seat = None if seat is None else self.position.seat_of(seat)
        return see_events(self.edition, self.rows(), seat)

    def rows(self, start: int = 0) -> Rows:
        """Return what happened as rows of numbers, from the setup (0) or from an action (1, 2, ...) on."""
        parts = self.history[start:]
        return np.concatenate(parts) if parts else self._setup[:0]

    @property
    def history(self) -> list[Rows]:
        """What happened as rows of numbers: at the setup, then action by action."""
        return [self._setup, *(played.rows for played in self._played)]

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
        return self.position.scores()

    @property
    def result(self) -> Result | None:
        """How the game ended, or None."""
        return self.position.result

    # What is done

    def play(self, move: Move | int | str, seat: int | None = None) -> None:
        """Play a move, given as a value, a number or a text, for a seat (the first of those to move).

        A move that cannot be read, is not legal or could mean several raises a
        :class:`~goldenspike.errors.MoveError` and changes nothing.
        """
        seat = self.position.seat_of(seat)
        before = self.position.raw
        outcome = self.position.play(move, seat)
        if is_revealing(outcome.rows):
            self._undo.clear()
        else:
            self._undo.append(before)
        self._played.append(Played(seat, *outcome, self.state_hash))

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
        self.position.restore(self._undo[-count])
        del self._undo[-count:]
        del self._played[-count:]

    @property
    def undoable(self) -> int:
        """How many of the last actions can be taken back."""
        return len(self._undo)

    def copy(self) -> Game:
        """Return a game that goes its own way from here."""
        other = Game(self.position.copy(), self.seed, self.first, self._setup)
        other._played = self._played.copy()
        other._undo = self._undo.copy()
        return other

    # What is kept

    @property
    def state_hash(self) -> str:
        """A short hash of the state, the same on every platform."""
        return self.position.state_hash

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
            first=self.first,
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
    if not re.fullmatch(r"[0-9a-f]{64}", header.seed):
        raise RecordError(saved.line, "the seed is not of 64 hexadecimal digits.")
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
