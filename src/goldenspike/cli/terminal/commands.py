"""What can be typed besides moves: looking, asking, taking back, saving, leaving."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

from goldenspike.cli import sentence_of
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.layout import wrap
from goldenspike.cli.terminal.panels import hand_lines, ticket_called, ticket_line
from goldenspike.cli.terminal.scoring import score_lines
from goldenspike.cli.terminal.screen import show_board
from goldenspike.cli.terminal.table import Table, resume_table
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.errors import IllegalMoveError, MoveError, UndoError
from goldenspike.notation import notation_of
from goldenspike.rulings import rulings_of

_LOG_LINES = 15


class Leave(Exception):  # noqa: N818  # nothing went wrong
    """The person wants to leave; what becomes of the game is settled."""


class Commands:
    """The commands at one person's prompt. `refusal` is the last move that was refused there."""

    def __init__(self, terminal: Terminal, table: Table, seat: int) -> None:
        self._terminal = terminal
        self._table = table
        self._seat = seat
        self.refusal: IllegalMoveError | None = None

    def run(self, line: str) -> tuple[bool, Table | None]:
        """Carry out a command; tell whether the line was one, and the table to go to if it is another."""
        word, _, rest = line.partition(" ")
        word, rest = word.lower(), rest.strip()
        if word == "resume":
            return True, self._resume(rest)
        if word in _WITH_ARGUMENT:
            _WITH_ARGUMENT[word](self, rest)
            return True, None
        if word in _ALONE:
            if rest:
                self._say(texts.UNKNOWN_COMMAND_WORD.format(word=word))
            else:
                _ALONE[word](self)
            return True, None
        return False, None

    def _say(self, text: str) -> None:
        for line in text.split("\n"):
            self._terminal.say_all(wrap(line, self._terminal.width))

    def board(self) -> None:
        """Show the board."""
        show_board(self._terminal, self._table, self._table.game.view(self._seat))

    def hand(self) -> None:
        """Show the cards in hand."""
        self._terminal.say_all(
            hand_lines(self._table.game.view(self._seat), self._terminal.width, self._terminal.look)
        )

    def tickets(self) -> None:
        """Show the tickets in full."""
        view = self._table.game.view(self._seat)
        names = view.tickets or view.offer
        for name in names:
            self._terminal.say(ticket_line(view, ticket_called(view.edition, name), is_long=True))
        if not names:
            self._terminal.say(texts.NO_TICKETS)

    def log(self, which: str) -> None:
        """Show what happened lately, or all of it."""
        lines = self._table.story(self._seat)
        for line in lines if which == "all" else lines[-_LOG_LINES:]:
            self._say(line)
        if not lines:
            self._say(texts.NOTHING_SINCE)

    def score(self) -> None:
        """Show the points as far as they are known."""
        self._say(texts.SCORE_SO_FAR)
        self._terminal.say_all(score_lines(self._table, self._seat))

    def hint(self) -> None:
        """Ask the best bot."""
        bot, game = self._table.best_bot(), self._table.game
        try:
            with self._terminal.busy(texts.THINKING.format(name=bot), texts.LEARNING.format(name=bot)):
                choice = self._table.ask_bot(bot, self._seat)
        except (ValueError, RuntimeError) as error:
            self._say(texts.HINT_FAILED.format(bot=bot, error=error))
            return
        move = notation_of(game.edition).value(choice.move, game.view(self._seat).offered)
        chance = (
            "" if choice.win_chance is None else texts.HINT_CHANCE.format(chance=f"{choice.win_chance:.0%}")
        )
        self._say(texts.HINT.format(bot=bot, move=move) + chance)
        for reason in choice.reasons:
            self._say(texts.HINT_REASON.format(reason=reason))

    def why(self, move: str) -> None:
        """Explain why a move, or the last refused one, is not legal."""
        if not move:
            self._explain(self.refusal)
            return
        try:
            self._table.game.copy().play(move, self._seat)
        except IllegalMoveError as error:
            self._explain(error)
        except MoveError as error:
            self._say(texts.NOT_UNDERSTOOD.format(error=error))
        else:
            self._say(texts.WHY_LEGAL.format(move=move))

    def _explain(self, refusal: IllegalMoveError | None) -> None:
        if refusal is None:
            self._say(texts.WHY_NOTHING)
            return
        self._say(texts.WHY_RULE.format(reason=refusal.reason, rule=refusal.rule))
        ruling = rulings_of(self._table.game.edition).get(refusal.rule)
        if ruling is not None:
            self._say(texts.WHY_RULING.format(rule=refusal.rule, text=ruling))

    def undo(self) -> None:
        """Take back the last move."""
        try:
            moves = self._table.undo(self._seat)
        except UndoError as error:
            self._say(str(error))
        else:
            self._say(texts.UNDONE.format(moves="; ".join(moves)))

    def save(self, name: str) -> None:
        """Save the game in a file."""
        if not name:
            self._say(texts.SAVE_WHERE)
            return
        save_as(self._terminal, self._table, name)

    def _resume(self, name: str) -> Table | None:
        if not name:
            self._say(texts.RESUME_WHAT)
            return None
        try:
            table = resume_table(_file_called(name), self._table.budget.seconds or 1.0)
        except (ValueError, OSError) as error:
            self._say(texts.RESUME_FAILED.format(error=sentence_of(error)))
            return None
        table.keep()
        return table

    def help(self) -> None:
        """Show what can be typed."""
        for line in texts.HELP.split("\n"):
            self._terminal.say(line)

    def quit(self) -> None:
        """Leave, keeping the game or not."""
        answer = self._terminal.ask(texts.QUIT_SAVE)
        if answer.lower() in {"n", "no"}:
            self._table.drop()
            self._say(texts.DROPPED)
        elif answer.lower() in {"", "y", "yes"}:
            self._table.keep()
            self._terminal.say(self._table.farewell)
            if self._table.trouble:
                return
        elif not save_as(self._terminal, self._table, answer):
            return
        else:
            self._table.drop()
        raise Leave


def save_as(terminal: Terminal, table: Table, name: str) -> bool:
    """Save a game in a file, asking before one is written over; tell whether it was."""
    try:
        file = _file_called(name)
        if file.exists() and terminal.ask(texts.OVERWRITE.format(file=file)).lower() not in {"y", "yes"}:
            return False
        table.save(file)
    except OSError as error:
        terminal.say(texts.SAVE_FAILED.format(file=name, error=error.strerror))
        return False
    terminal.say(texts.SAVED.format(file=file, command=texts.play_command()))
    return True


def _file_called(name: str) -> Path:
    """Return the file that somebody typed; raise `OSError` if it is in the home of nobody here."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise OSError(errno.ENOENT, "There is no such user", name) from None


_ALONE: dict[str, Callable[[Commands], None]] = {
    "board": Commands.board,
    "hand": Commands.hand,
    "tickets": Commands.tickets,
    "score": Commands.score,
    "hint": Commands.hint,
    "undo": Commands.undo,
    "help": Commands.help,
    "?": Commands.help,
    "quit": Commands.quit,
    "exit": Commands.quit,
    "q": Commands.quit,
}

_WITH_ARGUMENT: dict[str, Callable[[Commands, str], None]] = {
    "log": Commands.log,
    "why": Commands.why,
    "save": Commands.save,
}
