"""A session at one terminal: turns, hand-overs between people, games and rematches."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from goldenspike.cli.seating import rotate
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.changeover import Changeover
from goldenspike.cli.terminal.commands import LeaveGame
from goldenspike.cli.terminal.ending import end_game
from goldenspike.cli.terminal.layout import wrap
from goldenspike.cli.terminal.saving import Company
from goldenspike.cli.terminal.table import GameTable
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.cli.terminal.turn import Turn
from goldenspike.cli.terminal.watching import Watch, is_bots_turn
from goldenspike.errors import UndoError
from goldenspike.exit_codes import INTERRUPTED, OK
from goldenspike.game.game import Game

_PACE = 1.0
"""Seconds per turn when only bots play."""

_HANG_UPS = ("SIGHUP", "SIGTERM")


class HungUp(KeyboardInterrupt):
    """The terminal was closed, or the system asked the process to end.

    It is a `KeyboardInterrupt` because an event loop, which waits for keys, propagates only such exceptions.
    """


@contextmanager
def hang_ups_raised() -> Generator[None]:
    """Turn signals that would kill the process into an exception, so that it ends cleanly."""

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

    def __init__(
        self,
        terminal: Terminal,
        table: GameTable,
        pace: float | None = None,
        changeover: Changeover | None = None,
    ) -> None:
        if not table.people:
            self._watch = Watch(terminal, _PACE if pace is None else pace)
        else:  # with people, bots play at once unless a pace is given
            self._watch = Watch(terminal, pace) if pace and terminal.is_live else None
        self._terminal = terminal
        self._table = table
        self._changeover = changeover
        """Replaces the process by one with compiled rules, if they are being compiled."""
        self._at_keyboard: int | None = None

    def run(self) -> int:
        """Play until the players leave; return the exit code. The game is saved however it ends."""
        with hang_ups_raised():
            try:
                self._table.keep()
                self._play_games()
            except LeaveGame:
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
        except OSError:  # the terminal is gone
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

    def _rematch(self) -> GameTable:
        old = self._table
        company = Company(rotate(old.company.seats), old.company.edition_file)
        return GameTable(Game.new(old.game.edition, old.game.players), company, old.budget.seconds or 1.0)

    def _play_next(self) -> None:
        table, seat = self._table, self._table.next_seat
        if self._changeover is not None and self._is_told(seat):
            self._changeover.apply(table, self._options())
        if self._watch is not None and is_bots_turn(table):
            self._watch.play(table, self._may_change_over)
            return
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

    def _options(self) -> list[str]:
        """Return the options with which the game goes on in another process as it does here."""
        options = ["--think", str(self._table.budget.seconds or 1.0)]
        options += ["--plain"] if self._terminal.is_plain else []
        return options + ([] if self._watch is None else ["--pace", str(self._watch.pace)])

    def _may_change_over(self) -> bool:
        """Tell whether to leave a game that is being watched, to go on with compiled rules."""
        table = self._table
        return self._changeover is not None and not table.people and self._changeover.has_news(table)

    def _is_told(self, seat: int) -> bool:
        """Tell whether no person misses any news if the process is replaced now, before a bot moves."""
        table = self._table
        if table.seats[seat].is_person:
            return False
        played = table.game.played
        return not table.people or not played or played[-1].seat in table.people

    def _end_turn(self, seat: int) -> None:
        """Hide a person's hand before the next person looks, after they have seen what they drew."""
        table = self._table
        if table.game.is_over or (next_person := self._next_person(seat)) == seat:
            return
        if not table.game.undoable:  # the last action revealed something
            for sentence in table.news(seat):
                self._terminal.say_all(wrap(sentence, self._terminal.width))
            words = {"name": table.names[seat], "next_name": table.names[next_person]}
            self._terminal.ask(texts.END_OF_TURN.format(**words), "hand-over")
        self._terminal.hide_everything()

    def _next_person(self, seat: int) -> int:
        """Return the person who decides next: another one who is still choosing, or the next in turn."""
        table, view = self._table, self._table.game.view(None)
        people, order = table.people, list(range(view.seats))
        if view.phase == "choosing":
            choosing = [other for other in view.to_move if other in people and other != seat]
            start = int(view.struct.first)
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
