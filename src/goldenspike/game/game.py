"""The Game class: play, view, undo, save and load a game."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from goldenspike.editions import Edition
from goldenspike.engine.state import State, States
from goldenspike.engine.struct import Structs
from goldenspike.errors import RecordError, UndoError
from goldenspike.game.display import draw_game, repr_game, write_game
from goldenspike.game.events import Event, Rows, is_revealing, read_events, see_events
from goldenspike.game.legal_moves import LegalMoves
from goldenspike.game.moves import Move
from goldenspike.game.position import Position
from goldenspike.game.record import RecordEnd, Saved, end_of, read_records, record_game, verify_names
from goldenspike.game.replay import edition_of, read_only_one, replay
from goldenspike.game.result import Result, Scores
from goldenspike.game.seeds import Seed, commitment, read_seed
from goldenspike.game.view import View
from goldenspike.game.words import count_of, seat_name


class Played(NamedTuple):
    """An action that was played: the seat, the move as a number and as text, and its events."""

    seat: int
    number: int
    text: str
    rows: Rows
    state_hash: str


class Game:
    """One game, hidden information included. Create it with :meth:`new` or :meth:`from_record`.

    `print(game)` shows its current state, hands included; a notebook shows the board.

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
        """The seat that was chosen to begin; None if the seed decided."""
        self._names = tuple(map(seat_name, range(self.players)))
        self._setup = setup
        self._played: list[Played] = []
        self._undo: list[bytes] = []

    @classmethod
    def new(
        cls,
        edition: str | Path | Edition,
        players: int,
        seed: Seed | None = None,
        first: int | None = None,
        names: Sequence[str] | None = None,
    ) -> Game:
        """Deal a new game.

        Without a seed the deal is random; the same seed gives the same deal. The seed decides which seat
        begins unless `first` names one (S-4). An edition is an id, a file, or a loaded edition. `names` are
        the players' names by seat; tables, records and replays show them.

        >>> game = Game.new("usa-classic", 2, seed=7, first=1, names=["Ann", "Ben"])
        >>> game
        <Game: USA (usa-classic), 2 players, 0 actions, Ann and Ben to choose tickets>
        """
        seed, first = read_seed(seed), None if first is None else operator.index(first)
        position, setup = Position.deal(edition, players, seed, first)
        game = cls(position, seed, first, setup)
        if names is not None:
            game.names = names
        return game

    # State

    def __repr__(self) -> str:
        return repr_game(self)

    def __str__(self) -> str:
        return write_game(self)

    def _repr_svg_(self) -> str:
        """Return a picture of the board, for notebooks."""
        return draw_game(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat; by default Seat 1, Seat 2, ...

        >>> game = Game.new("new-york", 2, seed=4)
        >>> game.names
        ('Seat 1', 'Seat 2')
        >>> game.names = ["Ann", "Ben"]
        """
        return self._names

    @names.setter
    def names(self, names: Sequence[str]) -> None:
        self._names = verify_names(names, self.players)

    @property
    def state(self) -> State:
        """The current state struct. Treat it as read-only."""
        return self.position.state

    @property
    def states(self) -> States:
        """The state as an array of one, as the engine's functions take it."""
        return self.position.states

    @property
    def tables(self) -> Structs:
        """The edition's tables, as the engine's functions take them."""
        return self.position.tables

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position.is_over

    @property
    def to_move(self) -> list[int]:
        """The seats to move: at setup all that have not chosen, then one; none when the game is over."""
        return self.position.to_move

    def legal_moves(self, seat: int | None = None) -> LegalMoves:
        """Return the legal moves of a seat; by default of the first seat to move."""
        return self.position.legal_moves(seat)

    def view(self, seat: int | None) -> View:
        """Return what a seat may see; None is a spectator."""
        return self.position.view(seat)

    @property
    def events(self) -> list[Event]:
        """All events so far, hidden information included."""
        return list(read_events(self.edition, self.rows()))

    def events_for(self, seat: int | None) -> list[Event]:
        """Return all events so far as a seat, or a spectator (None), may see them."""
        seat = None if seat is None else self.position.seat_of(seat)
        return see_events(self.edition, self.rows(), seat)

    def rows(self, start: int = 0) -> Rows:
        """Return the events as rows of numbers, starting with the setup (0) or an action (1, 2, ...)."""
        parts = self.history[start:]
        return np.concatenate(parts) if parts else self._setup[:0]

    @property
    def history(self) -> list[Rows]:
        """The events as rows of numbers: one array for the setup, then one for each action."""
        return [self._setup, *(played.rows for played in self._played)]

    @property
    def played(self) -> Sequence[Played]:
        """The actions played so far."""
        return tuple(self._played)

    def scores(self) -> Scores:
        """Return the scores by term; if the game is not over, as if it ended now.

        >>> print(Game.new("new-york", 2, seed=4, names=["Ann", "Ben"]).scores())
                        Ann  Ben
        routes            0    0
        tickets made      0    0
        tickets failed    0    0
        attractions       0    0
        total             0    0
        """
        return replace(self.position.scores(), names=self.names)

    @property
    def result(self) -> Result | None:
        """The result of the game, or None if it is not over."""
        result = self.position.result
        return None if result is None else replace(result, names=self.names)

    # Moves

    def play(self, move: Move | int | str, seat: int | None = None) -> None:
        """Play a move, given as a value, a number or a text, for a seat (default: the first to move).

        A move that cannot be parsed, is illegal or is ambiguous raises a
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
        """Undo the last actions, if none of them revealed hidden information.

        >>> game = Game.new("usa-classic", 2, seed=2, first=0)
        >>> game.play("keep all", 0)
        >>> game.undo()
        >>> game.to_move
        [0, 1]
        """
        if not 1 <= count <= len(self._undo):
            raise UndoError(
                f"Only {count_of(len(self._undo), 'action')} can be undone, not {count}, "
                "because earlier ones revealed hidden information."
            )
        self.position.restore(self._undo[-count])
        del self._undo[-count:]
        del self._played[-count:]

    @property
    def undoable(self) -> int:
        """How many of the last actions can be undone."""
        return len(self._undo)

    def copy(self) -> Game:
        """Return an independent copy of the game."""
        other = Game(self.position.copy(), self.seed, self.first, self._setup)
        other._played = self._played.copy()
        other._undo = self._undo.copy()
        other._names = self._names
        return other

    # Records

    @property
    def state_hash(self) -> str:
        """A short hash of the state, the same on every platform."""
        return self.position.state_hash

    def record(self, reveal_seed: bool = True) -> str:
        """Return the game as JSON lines (see :mod:`goldenspike.game.record`).

        Without its seed a record can be read but not replayed. It still holds the seed's commitment, so the
        seed cannot be changed later. It is not a view: it still contains the cards and tickets drawn.
        """
        actions = [(p.seat, p.text, p.rows, p.state_hash) for p in self._played]
        return record_game(
            self.edition, self.names, self.first, self.seed, actions, self.result, reveals_seed=reveal_seed
        )

    @property
    def end(self) -> RecordEnd | None:
        """The end of the game as stored in a record, or None if it is not over."""
        return end_of(self.result)

    @classmethod
    def from_record(cls, record: str | Saved, edition: Edition | None = None) -> Game:
        """Replay a record and return the game; raise :class:`RecordError` where it does not match.

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
    """Deal the game of a record, without its actions."""
    edition = edition_of(saved, edition)
    header = saved.header
    if header.seed is None:
        raise RecordError(saved.line, "the seed is not revealed yet, so the game cannot be played again.")
    if not re.fullmatch(r"[0-9a-f]{64}", header.seed):
        raise RecordError(saved.line, "the seed is not of 64 hexadecimal digits.")
    try:
        game = Game.new(edition, header.seats, bytes.fromhex(header.seed), header.first, header.names)
    except ValueError as error:
        raise RecordError(saved.line, str(error)) from None
    if commitment(game.seed) != header.commitment:
        raise RecordError(saved.line, "the seed is not the one that was committed to.")
    return game


def load_games(text: str, edition: Edition | None = None) -> Iterator[Game]:
    """Yield the games of a file of records, each replayed and verified."""
    return (Game.from_record(saved, edition) for saved in read_records(text))
