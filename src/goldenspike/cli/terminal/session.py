"""An evening at the table: turn after turn, hand-overs between people, games and rematches."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from goldenspike.cli import INTERRUPTED, OK
from goldenspike.cli.seating import rotate
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.commands import Leave
from goldenspike.cli.terminal.ending import end_game
from goldenspike.cli.terminal.layout import wrap
from goldenspike.cli.terminal.saving import Company
from goldenspike.cli.terminal.table import Table
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.cli.terminal.turn import Turn
from goldenspike.errors import UndoError
from goldenspike.game import Game

_HANG_UPS = ("SIGHUP", "SIGTERM")


class HungUp(KeyboardInterrupt):
    """The terminal has gone, or the system wants us to end.

    It is of this kind because an event loop, which waits for keys, lets only such exceptions through.
    """


@contextmanager
def hang_ups_raised() -> Generator[None]:
    """Turn the signals that would end us on the spot into an exception, so that we leave in order."""

    def hang_up(_number: int, _frame: FrameType | None) -> None:
        raise HungUp

    numbers = [getattr(signal, name) for name in _HANG_UPS if hasattr(signal, name)]
    before = {number: signal.signal(number, hang_up) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Session:
    """Games at one terminal, one after the other."""

    def __init__(self, terminal: Terminal, table: Table) -> None:
        self._terminal = terminal
        self._table = table
        self._at_keyboard: int | None = None

    def run(self) -> int:
        """Play until everybody has had enough; return the exit code. The game is safe however it ends."""
        with hang_ups_raised():
            try:
                self._table.keep()
                self._play_games()
            except Leave:
                return OK
            except EOFError:
                return self._leave_kept(OK)
            except KeyboardInterrupt:
                return self._leave_kept(INTERRUPTED)
        return OK

    def _leave_kept(self, code: int) -> int:
        self._table.keep()
        try:
            self._terminal.say()
            self._terminal.say(self._table.farewell)
        except OSError:  # nobody is there to read it any more
            return INTERRUPTED
        return code

    def _play_games(self) -> None:
        while True:
            while not self._table.game.is_over:
                self._play_next()
            if not end_game(self._terminal, self._table):
                return
            self._table = self._rematch()
            self._at_keyboard = None
            self._table.keep()

    def _rematch(self) -> Table:
        old = self._table
        company = Company(rotate(old.company.seats), old.company.edition_file)
        return Table(Game.new(old.game.edition, old.game.players), company, old.budget.seconds or 1.0)

    def _play_next(self) -> None:
        table, seat = self._table, self._table.next_seat
        if not table.seats[seat].is_person:
            name = table.names[seat]
            with self._terminal.busy(
                texts.THINKING.format(name=name), texts.STILL_THINKING.format(name=name)
            ):
                table.play_bot(seat)
            return
        if len(table.people) > 1 and seat != self._at_keyboard and not self._hand_over(seat):
            return
        self._at_keyboard = seat
        self._table = Turn(self._terminal, table, seat).take()
        if self._table is not table:
            self._at_keyboard = None
        elif len(table.people) > 1:
            self._end_turn(seat)

    def _end_turn(self, seat: int) -> None:
        """Hide a person's hand before anybody else looks, once they have seen what they drew."""
        table = self._table
        if table.game.is_over or (next_person := self._next_person(seat)) == seat:
            return
        if not table.game.undoable:  # the last action showed something
            for sentence in table.news(seat):
                self._terminal.say_all(wrap(sentence, self._terminal.width))
            words = {"name": table.names[seat], "next_name": table.names[next_person]}
            self._terminal.ask(texts.END_OF_TURN.format(**words), "hand-over")
        self._terminal.hide_everything()

    def _next_person(self, seat: int) -> int:
        """Return the person who will be asked next: another one who still chooses, or the next in turn."""
        table, view = self._table, self._table.game.view(None)
        people, order = table.people, list(range(view.seats))
        if view.phase == "choosing":
            choosing = [other for other in view.to_move if other in people and other != seat]
            start = int(view.record.first)
        else:
            choosing, start = [], view.to_move[0]
        return next(other for other in [*choosing, *order[start:], *order[:start]] if other in people)

    def _hand_over(self, seat: int) -> bool:
        """Wait for the person whose turn it is; return whether it still is."""
        table, previous = self._table, self._at_keyboard
        back = None if previous is None else table.last_action_of(previous)
        refusal = ""
        while True:
            self._terminal.hide_everything()
            self._terminal.say_all(wrap(refusal, self._terminal.width))
            self._terminal.say(texts.HAND_OVER.format(name=table.names[seat]))
            if previous is not None and back is not None and back <= table.game.undoable:
                self._terminal.say(texts.HAND_OVER_UNDO.format(previous=table.names[previous]))
            answer = self._terminal.ask(texts.HAND_OVER_WAIT.format(name=table.names[seat]), "hand-over")
            if answer.lower() != "undo" or previous is None:
                self._terminal.hide_everything()
                return True
            try:
                table.undo(previous, is_public=True)
            except UndoError as error:
                refusal = str(error)
            else:
                self._at_keyboard = None
                return False
