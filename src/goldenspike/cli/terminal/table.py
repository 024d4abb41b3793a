"""A table: one game, who sits around it, the bots that play there, and the file that keeps it safe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goldenspike.bots import LEVELS, Bot, Budget, Choice, Dice, make_bot
from goldenspike.cli.seating import Seat, verify_seats
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
from goldenspike.errors import MoveError, UndoError
from goldenspike.event import see_events
from goldenspike.game import Game, Played
from goldenspike.moves import Move


class Table:
    """A game with its company. Every action is kept on disk at once, so that nothing can lose it."""

    def __init__(self, game: Game, company: Company, think: float, kept: Path | None = None) -> None:
        self.game = game
        self.company = company
        self.kept = kept or new_kept_file(game.edition.id)
        """Where the game is kept while it is played."""
        self.is_saved = False
        """Whether somebody saved it in that very file, where it stays then."""
        self.budget = Budget(seconds=think)
        self.seen = [0] * game.players
        """How many actions each seat has been told of."""
        self.trouble = ""
        """Why the game could not be kept the last time, as a sentence."""
        self._bots: dict[str, Bot] = {}
        for seat in company.seats:
            if seat.bot is not None:
                self._bot(seat.bot)

    @property
    def seats(self) -> Sequence[Seat]:
        """Who sits where."""
        return self.company.seats

    @property
    def names(self) -> list[str]:
        """The names around the table."""
        return [seat.name for seat in self.seats]

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [i for i, seat in enumerate(self.seats) if seat.is_person]

    @property
    def next_seat(self) -> int:
        """The seat whose decision is asked for next; where several may choose at once, people first."""
        waiting = self.game.to_move
        return next((seat for seat in waiting if self.seats[seat].is_person), waiting[0])

    def _bot(self, spec: str) -> Bot:
        if spec not in self._bots:
            self._bots[spec] = make_bot(spec)
        return self._bots[spec]

    def ask_bot(self, spec: str, seat: int) -> Choice:
        """Return what a bot would play for a seat: always the same in the same game, if it has no clock."""
        # Dice of this moment: a game that is resumed or taken back goes on as it would have.
        dice = Dice.of(f"{self.game.seed.hex()} {len(self.game.played)}", seat)
        return self._bot(spec).choose(self.game.view(seat), dice, self.budget)

    def best_bot(self) -> str:
        """Return the strongest level there is."""
        return list(LEVELS)[-1]

    def play(self, move: Move | int | str, seat: int) -> None:
        """Play a move and keep the game."""
        self.game.play(move, seat)
        self.keep()

    def play_bot(self, seat: int) -> None:
        """Let the bot of a seat move."""
        spec = self.seats[seat].bot
        assert spec is not None
        try:
            self.play(self.ask_bot(spec, seat).move, seat)
        except MoveError as error:
            name = self.names[seat]
            raise ValueError(
                texts.BOT_FAILED.format(name=name, error=error, farewell=self.farewell)
            ) from None

    def keep(self) -> None:
        """Write the game where it is kept; should that not be possible, it goes on with `trouble`."""
        try:
            save_game(self.kept, self.game, self.company)
        except OSError as error:
            self.trouble = texts.CANNOT_KEEP.format(file=self.kept, error=error.strerror)
        else:
            self.trouble = ""

    @property
    def farewell(self) -> str:
        """What to say to somebody who leaves the game to go on with it another time."""
        return self.trouble or texts.KEPT.format(file=self.kept, command=texts.play_command())

    def drop(self) -> None:
        """Forget the game, unless it was saved where it is kept."""
        if not self.is_saved:
            drop_game(self.kept)

    def save(self, file: Path) -> None:
        """Write the game into a file of somebody's own choice."""
        save_game(file, self.game, self.company)
        self.is_saved = self.is_saved or file.resolve() == self.kept.resolve()

    def last_action_of(self, seat: int) -> int | None:
        """Return how many actions back a seat's last one lies (1 is the last of all), or None."""
        played = self.game.played
        return next((n for n in range(1, len(played) + 1) if played[-n].seat == seat), None)

    def undo(self, seat: int, *, is_public: bool = False) -> list[str]:
        """Take back all actions from a seat's last one on, and return them as texts.

        Raise `UndoError` with a sentence where that would hide again what was shown. With `is_public` others
        may read along.
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
        """Return the whole game so far, as far as a seat may know it; the deal is nobody's doing."""
        return self._tell(seat, 1)

    def _tell(self, seat: int | None, start: int) -> list[str]:
        events = see_events(self.game.edition, self.game.rows(start), seat)
        return tell(self.game.edition, self.names, events)


def resume_table(file: Path, think: float, seats: list[Seat] | None = None) -> Table:
    """Return a table for a game on disk; `seats` are for one that does not say who plays.

    Raise `ValueError` with a sentence if it cannot go on.
    """
    game, company = load_game(file, seats)
    verify_seats(game.edition, company.seats)
    # A game left behind goes on in its place; one that was saved is not touched by playing on.
    kept = file if file.resolve().parent == state_folder().resolve() else None
    return Table(game, company, think, kept)


def _public_text(played: Played, reader: int | None) -> str:
    """Return a move as a seat, or everybody, may read it: which tickets somebody kept is secret (T-2)."""
    is_secret = played.seat != reader and played.text.startswith("keep ")
    return texts.KEEP_SECRET if is_secret else played.text
