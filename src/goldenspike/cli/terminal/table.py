"""A table of the terminal game: one game, its seats and bots, and the file that keeps it."""

from __future__ import annotations

import shlex
import traceback
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from goldenspike.bots import LEVELS, Bot, BotAnswerError, Budget, Choice, Dice, make_bot
from goldenspike.cli.seating import Seat, verify_seats, write_seats
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.saving import (
    Company,
    drop_game,
    load_game,
    new_kept_file,
    save_game,
    state_folder,
)
from goldenspike.cli.terminal.story import tell
from goldenspike.engine.compile import IS_INTERPRETED
from goldenspike.errors import MoveError, UndoError
from goldenspike.game.events import read_events, see_events
from goldenspike.game.game import Game, Played
from goldenspike.game.moves import Move
from goldenspike.game.record import fit_name

STAND_IN = "medium"
"""The bot proposed in place of one that failed."""


class GameTable:
    """A game with its players. Every action is saved at once, so that nothing is lost."""

    def __init__(self, game: Game, company: Company, think: float, kept: Path | None = None) -> None:
        self.game = game
        self.company = company
        game.names = [fit_name(name, seat) for seat, name in enumerate(self.names)]
        self.kept = kept or new_kept_file(game.edition.id)
        """The file that keeps the game while it is played."""
        self.is_saved = False
        """Whether a person saved the game to that same file, which is then not removed."""
        self.budget = Budget(seconds=think)
        self.seen = [0] * game.players
        """How many actions each seat has been told of."""
        self.trouble = ""
        """Why the last save failed, as a sentence."""
        self.to_say: list[str] = []
        """Sentences for the person at the keyboard, for the next screen."""
        self._bots: dict[str, Bot] = {}
        for seat in company.seats:
            if seat.bot is not None:
                self._bot(seat.bot)

    @property
    def seats(self) -> Sequence[Seat]:
        """The seats."""
        return self.company.seats

    @property
    def names(self) -> list[str]:
        """The names of the seats."""
        return [seat.name for seat in self.seats]

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [i for i, seat in enumerate(self.seats) if seat.is_person]

    @property
    def next_seat(self) -> int:
        """The seat that decides next; if several may choose at once, people first."""
        waiting = self.game.to_move
        return next((seat for seat in waiting if self.seats[seat].is_person), waiting[0])

    def _bot(self, spec: str) -> Bot:
        if spec not in self._bots:
            self._bots[spec] = make_bot(spec)
        return self._bots[spec]

    def ask_bot(self, spec: str, seat: int) -> Choice:
        """Return what a bot would play for a seat; the same in the same game, unless its budget is a time."""
        # Seeded by the number of moves, so that a game resumed or undone continues as it would have.
        dice = Dice.of(f"{self.game.seed.hex()} {len(self.game.played)}", seat)
        try:
            return self._bot(spec).ask(self.game.view(seat), dice, self.budget)
        except BotAnswerError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever a third-party bot does, the game is safe
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(last.filename).name}, line {last.lineno}"
            reason = f"{type(error).__name__}: {error} ({where})."
            raise ValueError(
                texts.BOT_CRASHED.format(name=spec, reason=reason, farewell=self._farewell_without(spec))
            ) from None

    def best_bot(self) -> str:
        """Return the strongest available level; interpreted rules are too slow for the hard one."""
        return list(LEVELS)[-2 if IS_INTERPRETED else -1]

    def play(self, move: Move | int | str, seat: int) -> None:
        """Play a move and save the game."""
        self.game.play(move, seat)
        self.keep()

    def choose_for_bot(self, seat: int) -> Choice:
        """Return the choice of a seat's bot."""
        spec = self.seats[seat].bot
        assert spec is not None
        return self.ask_bot(spec, seat)

    def play_bot(self, seat: int, choice: Choice | None = None, *, is_kept: bool = True) -> None:
        """Let the bot of a seat move; `choice` is its answer, if it was asked already.

        Without `is_kept` the caller must :meth:`keep` the game soon, because writing takes longer than many
        moves.
        """
        spec = self.seats[seat].bot
        assert spec is not None
        try:
            self.game.play((choice or self.choose_for_bot(seat)).move, seat)
        except BotAnswerError as error:
            self.keep()
            raise ValueError(f"{error} {self._farewell_without(spec)}") from None
        except MoveError as error:
            self.keep()
            farewell = self._farewell_without(spec)
            raise ValueError(
                texts.BOT_FAILED.format(name=self.names[seat], error=error, farewell=farewell)
            ) from None
        if is_kept:
            self.keep()

    def keep(self) -> None:
        """Write the game to its file; if that fails, play continues with a message in `trouble`."""
        try:
            save_game(self.kept, self.game, self.company)
        except OSError as error:
            self.trouble = texts.CANNOT_KEEP.format(file=self.kept, error=error.strerror)
        else:
            self.trouble = ""

    @property
    def farewell(self) -> str:
        """The message for a person who leaves the game to continue it later."""
        return self.trouble or texts.KEPT.format(file=self.kept, command=texts.play_command())

    def _farewell_without(self, spec: str) -> str:
        """Say how to continue with another bot in the seats of one that failed and would fail again."""
        if self.trouble:
            return self.trouble
        others = [Seat(STAND_IN, STAND_IN) if seat.bot == spec else seat for seat in self.seats]
        seats = shlex.quote(write_seats(others))
        return texts.KEPT_WITHOUT.format(
            file=self.kept, command=texts.play_command(), other=STAND_IN, seats=seats
        )

    def drop(self) -> None:
        """Remove the game, unless a person saved it to the file that keeps it."""
        if not self.is_saved:
            drop_game(self.kept)

    def save(self, file: Path) -> None:
        """Write the game to a file chosen by a person."""
        save_game(file, self.game, self.company)
        self.is_saved = self.is_saved or file.resolve() == self.kept.resolve()

    def last_action_of(self, seat: int) -> int | None:
        """Return how many actions ago a seat's last one was (1 is the last of all), or None."""
        played = self.game.played
        return next((n for n in range(1, len(played) + 1) if played[-n].seat == seat), None)

    def undo(self, seat: int, *, is_public: bool = False) -> list[str]:
        """Undo all actions from a seat's last one on, and return them as texts.

        Raise `UndoError` with a sentence if that would hide revealed information. With `is_public` the texts
        may be read by others.
        """
        game, count = self.game, self.last_action_of(seat)
        reader = None if is_public else seat
        if count is None:
            raise UndoError(texts.NOTHING_TO_UNDO)
        if count > game.undoable:
            barrier = game.played[-game.undoable - 1]
            text = texts.CANNOT_UNDO_OWN if barrier.seat == seat else texts.CANNOT_UNDO
            raise UndoError(text.format(who=self.names[barrier.seat], move=_public_text(barrier, reader)))
        moves = [_public_text(played, reader) for played in game.played[-count:]]
        game.undo(count)
        self.seen = [min(seen, len(game.played)) for seen in self.seen]
        self.keep()
        return moves

    def news(self, seat: int) -> list[str]:
        """Return what a seat has not been told yet, as sentences, and count it as told."""
        start = self.seen[seat] + 1
        self.seen[seat] = len(self.game.played)
        return self._tell(seat, start)

    def story(self, seat: int | None) -> list[str]:
        """Return the whole game so far, as far as a seat may know it, without the deal."""
        return self._tell(seat, 1)

    def tell_moves(self, seat: int | None, first: int, last: int) -> list[str]:
        """Return some actions (1 is the first of the game) as sentences, as far as a seat may know them.

        If no people play, or the game is over, a spectator (None) is told everything.
        """
        edition, rows = self.game.edition, np.concatenate(self.game.history[first : last + 1])
        is_open = seat is None and (self.game.is_over or not self.people)
        events = read_events(edition, rows) if is_open else see_events(edition, rows, seat)
        return tell(edition, self.names, events)

    def _tell(self, seat: int | None, start: int) -> list[str]:
        events = see_events(self.game.edition, self.game.rows(start), seat)
        return tell(self.game.edition, self.names, events)


def resume_table(file: Path, think: float, seats: list[Seat] | None = None) -> GameTable:
    """Return a table for a saved game; `seats` are for a record without players.

    Raise `ValueError` with a sentence if it cannot be resumed.
    """
    game, company = load_game(file, seats)
    verify_seats(game.edition, company.seats)
    # A kept game continues in its file; a file saved by a person is not changed by playing on.
    kept = file if file.resolve().parent == state_folder().resolve() else None
    return GameTable(game, company, think, kept)


def _public_text(played: Played, reader: int | None) -> str:
    """Return a move as a seat, or all seats, may read it: which tickets a seat kept is secret (T-2)."""
    is_secret = played.seat != reader and played.text.startswith("keep ")
    return texts.KEEP_SECRET if is_secret else played.text
