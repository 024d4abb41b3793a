"""Commands besides moves: show, ask, undo, save, quit."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

from rich.text import Text

from goldenspike.cli import sentence_of
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.answer import CommandAnswer
from goldenspike.cli.terminal.completing import ticket_meant
from goldenspike.cli.terminal.layout import styled
from goldenspike.cli.terminal.menu import read_numbers
from goldenspike.cli.terminal.palette import LOCO
from goldenspike.cli.terminal.panels import (
    hand_lines,
    own_tickets,
    ticket_called,
    ticket_line,
    way_lanes,
    way_line,
)
from goldenspike.cli.terminal.reference import rules_lines, statistics_lines
from goldenspike.cli.terminal.replaying import replay_game
from goldenspike.cli.terminal.scoring import score_lines
from goldenspike.cli.terminal.screen import draw_board_page, listed_board
from goldenspike.cli.terminal.story import card_word, in_words_of
from goldenspike.cli.terminal.table import GameTable, resume_table
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.editions import Edition
from goldenspike.errors import IllegalMoveError, MoveError, UndoError
from goldenspike.game.notation import notation_of
from goldenspike.game.rulings import rulings_of
from goldenspike.game.view import View

_LOG_LINES = 15
_WAYS_TOLD = 2
"""The most paths described in words beside the board."""


class LeaveGame(Exception):  # noqa: N818  # nothing went wrong
    """The person wants to leave; whether the game is kept is already decided."""


class Commands:
    """The commands at one person's prompt. `refusal` is the last move that was refused there."""

    def __init__(self, terminal: Terminal, table: GameTable, seat: int) -> None:
        self._terminal = terminal
        self._table = table
        self._seat = seat
        self.refusal: IllegalMoveError | None = None

    def run(self, line: str) -> CommandAnswer | GameTable | None:
        """Run a command; return its answer, or the table to switch to, or None if it is not a command."""
        word, _, rest = line.partition(" ")
        word, rest = word.lower(), rest.strip()
        answer = CommandAnswer(texts.PAGE_TITLE.format(edition=self._table.game.edition.name, what=word))
        if word == "resume":
            return self._resume(rest, answer) or answer
        if word in _WITH_ARGUMENT:
            _WITH_ARGUMENT[word](self, rest, answer)
            return answer
        if word in _ALONE:
            if rest:
                answer.say(texts.UNKNOWN_COMMAND_WORD.format(word=word))
            else:
                _ALONE[word](self, answer)
            return answer
        return None

    @property
    def _view(self) -> View:
        return self._table.game.view(self._seat)

    def board(self, answer: CommandAnswer) -> None:
        """Show the board."""
        show_board(self._terminal, self._table, self._view, answer)

    def hand(self, answer: CommandAnswer) -> None:
        """Show the cards in hand."""
        answer.say(*hand_lines(self._view, self._terminal.width, self._terminal.look))

    def tickets(self, answer: CommandAnswer) -> None:
        """Show the tickets in full, with the numbers that `way` accepts."""
        view = self._view
        for number, name in enumerate(own_tickets(view), start=1):
            line = styled(f"{number} ", "bold")
            answer.say(line.append_text(ticket_line(view, ticket_called(view.edition, name), is_long=True)))
        answer.say(texts.TRY_WAY if own_tickets(view) else texts.NO_TICKETS)

    def way(self, which: str, answer: CommandAnswer) -> None:
        """Highlight the shortest path that a ticket still needs; without an argument those of all tickets."""
        view = self._view
        names = self._tickets_meant(which, own_tickets(view), answer)
        is_told = len(names) <= _WAYS_TOLD or not self._terminal.look.is_drawn
        lit: set[int] = set()
        for name in names:
            ticket = ticket_called(view.edition, name)
            lanes = way_lanes(view, ticket)
            lit |= {route.index for routes in lanes for route in routes}
            line = ticket_line(view, ticket, is_long=True)
            answer.say(f"{line} {way_line(lanes)}" if lanes and is_told else line)
        if not is_told:
            answer.say(texts.TRY_WAY)
        answer.path = frozenset(lit)

    def _tickets_meant(self, which: str, names: list[str], answer: CommandAnswer) -> list[str]:
        if not names:
            answer.say(texts.NO_TICKETS)
        numbers = read_numbers(which)
        if not which or not names:
            return names
        if numbers is not None and all(1 <= number <= len(names) for number in numbers):
            return [names[number - 1] for number in numbers]
        try:
            found = ticket_meant(self._table.game.edition, which, names)
        except LookupError as error:
            answer.say(str(error.args[0]))
            return []
        return [found]

    def log(self, which: str, answer: CommandAnswer) -> None:
        """Show the latest events, or all of them."""
        lines = self._table.story(self._seat)
        answer.say(*(lines if which == "all" else lines[-_LOG_LINES:]) or [texts.NOTHING_SINCE])

    def score(self, answer: CommandAnswer) -> None:
        """Show the points as far as they are known."""
        answer.say(texts.SCORE_SO_FAR, *score_lines(self._table, self._seat))

    def statistics(self, answer: CommandAnswer) -> None:
        """Show the statistics of all seats, as far as they are known."""
        answer.say(*statistics_lines(self._table, self._seat, self._terminal.width))

    def rules(self, answer: CommandAnswer) -> None:
        """Show the numbers of the edition and our rulings."""
        answer.say(*rules_lines(self._table.game.edition))

    def replay(self, _answer: CommandAnswer) -> None:
        """Replay the game so far, move by move."""
        replay_game(self._terminal, self._table, self._seat)

    def hint(self, answer: CommandAnswer) -> None:
        """Ask the best bot."""
        bot, game = self._table.best_bot(), self._table.game
        try:
            with self._terminal.busy(texts.THINKING.format(name=bot), texts.STILL_THINKING.format(name=bot)):
                choice = self._table.ask_bot(bot, self._seat)
        except (ValueError, RuntimeError) as error:
            answer.say(texts.HINT_FAILED.format(bot=bot, error=error))
            return
        assert isinstance(choice.move, int)  # all built-in bots answer with a number
        move = notation_of(game.edition).text(choice.move, self._view.offered)
        chance = (
            "" if choice.win_chance is None else texts.HINT_CHANCE.format(chance=f"{choice.win_chance:.0%}")
        )
        answer.say(in_words_of(game.edition, texts.HINT.format(bot=bot, move=move) + chance))
        for reason in choice.reasons:
            answer.say(in_words_of(game.edition, texts.HINT_REASON.format(reason=reason)))

    def why(self, move: str, answer: CommandAnswer) -> None:
        """Explain why a move, or the last refused one, is not legal."""
        if not move:
            self._explain(self.refusal, answer)
            return
        try:
            self._table.game.copy().play(move, self._seat)
        except IllegalMoveError as error:
            self._explain(error, answer)
        except MoveError as error:
            answer.say(texts.NOT_UNDERSTOOD.format(error=error))
        else:
            answer.say(texts.WHY_LEGAL.format(move=move))

    def _explain(self, refusal: IllegalMoveError | None, answer: CommandAnswer) -> None:
        if refusal is None:
            answer.say(texts.WHY_NOTHING)
            return
        answer.say(texts.WHY_RULE.format(reason=refusal.sentence, rule=refusal.rule))
        ruling = rulings_of(self._table.game.edition).get(refusal.rule)
        if ruling is not None:
            answer.say(texts.WHY_RULING.format(rule=refusal.rule, text=ruling))

    def undo(self, answer: CommandAnswer) -> None:
        """Undo the last move."""
        try:
            moves = self._table.undo(self._seat)
        except UndoError as error:
            answer.say(in_words_of(self._table.game.edition, str(error)))
        else:
            told = texts.UNDONE.format(moves="; ".join(moves))
            answer.say(in_words_of(self._table.game.edition, told))

    def save(self, name: str, answer: CommandAnswer) -> None:
        """Save the game to a file."""
        answer.say(save_as(self._terminal, self._table, name)[1] if name else texts.SAVE_WHERE)

    def _resume(self, name: str, answer: CommandAnswer) -> GameTable | None:
        if not name:
            answer.say(texts.RESUME_WHAT)
            return None
        try:
            table = resume_table(_file_called(name), self._table.budget.seconds or 1.0)
        except (ValueError, OSError) as error:
            answer.say(texts.RESUME_FAILED.format(error=sentence_of(error)))
            return None
        table.keep()
        return table

    def help(self, answer: CommandAnswer) -> None:
        """Show the commands."""
        answer.say(*map(Text, help_lines(self._table.game.edition)))

    def quit(self, answer: CommandAnswer) -> None:
        """Leave, keeping the game or not."""
        reply = self._terminal.ask(texts.QUIT_SAVE)
        if reply.lower() in {"n", "no"}:
            self._table.drop()
            self._terminal.say(texts.DROPPED)
        elif reply.lower() in {"", "y", "yes"}:
            self._table.keep()
            if self._table.trouble:
                answer.say(self._table.farewell)
                return
            self._terminal.say(self._table.farewell)
        else:
            is_saved, told = save_as(self._terminal, self._table, reply)
            if not is_saved:
                answer.say(told)
                return
            self._terminal.say(told)
            self._table.drop()
        raise LeaveGame


def show_board(terminal: Terminal, table: GameTable, view: View, answer: CommandAnswer) -> None:
    """Answer with the board alone: a drawing, or a list where nothing is drawn."""
    if terminal.look.is_drawn:
        answer.draw = lambda: draw_board_page(terminal, table, view)
    else:
        answer.say(*listed_board(table, view))


def help_lines(edition: Edition) -> list[str]:
    """Return the commands, in the words and with the cities of an edition."""
    words = {
        "route": edition.board.routes[0].name.partition("/")[0],
        "ticket": edition.tickets[0].name,
        "colour": edition.board.colours[0],
        "loco": card_word(edition, LOCO),
    }
    left_out = {"offer", "keep"} if edition.ticket_rules.flow == "swap" else {"swap"}
    left_out |= set() if edition.face_up else {"take"}
    rows = {
        key: (typed.format(**words), about.format(**words))
        for key, (typed, about) in texts.HELP.items()
        if key not in left_out
    }
    widest = max(len(typed) for typed, _ in rows.values())
    lines = [f"  {typed:<{widest}}  {about}" for typed, about in rows.values()]
    moves = list(rows).index("look")
    return [texts.HELP_MOVES, *lines[:moves], texts.HELP_COMMANDS, *lines[moves:]]


def save_as(terminal: Terminal, table: GameTable, name: str) -> tuple[bool, str]:
    """Save a game to a file, asking before overwriting one; return whether it was saved, and a message."""
    try:
        file = _file_called(name)
        if file.exists() and terminal.ask(texts.OVERWRITE.format(file=file)).lower() not in {"y", "yes"}:
            return False, texts.NOT_SAVED
        table.save(file)
    except OSError as error:
        return False, texts.SAVE_FAILED.format(file=name, error=error.strerror)
    return True, texts.SAVED.format(file=file, command=texts.play_command())


def _file_called(name: str) -> Path:
    """Return the path of a typed file name; raise `OSError` if it names the home of an unknown user."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise OSError(errno.ENOENT, "There is no such user", name) from None


_ALONE: dict[str, Callable[[Commands, CommandAnswer], None]] = {
    "board": Commands.board,
    "hand": Commands.hand,
    "tickets": Commands.tickets,
    "score": Commands.score,
    "statistics": Commands.statistics,
    "stats": Commands.statistics,
    "rules": Commands.rules,
    "replay": Commands.replay,
    "hint": Commands.hint,
    "undo": Commands.undo,
    "help": Commands.help,
    "?": Commands.help,
    "quit": Commands.quit,
    "exit": Commands.quit,
    "q": Commands.quit,
}

_WITH_ARGUMENT: dict[str, Callable[[Commands, str, CommandAnswer], None]] = {
    "way": Commands.way,
    "log": Commands.log,
    "why": Commands.why,
    "save": Commands.save,
}
