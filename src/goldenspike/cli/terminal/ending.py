"""The end of a game: tickets revealed, every term of the score, who won, and what to do next."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.answer import CommandAnswer, Reader, say_plainly
from goldenspike.cli.terminal.commands import save_as, show_board
from goldenspike.cli.terminal.layout import flow, wrap
from goldenspike.cli.terminal.palette import TOKENS
from goldenspike.cli.terminal.panels import ticket_called
from goldenspike.cli.terminal.reference import rules_lines, statistics_lines
from goldenspike.cli.terminal.replaying import replay_game
from goldenspike.cli.terminal.scoring import score_lines
from goldenspike.cli.terminal.story import tell_ending, tell_result
from goldenspike.cli.terminal.table import GameTable
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.datafiles.words import suggest

_LEAVE = {"q", "quit", "exit", "n", "no"}


def end_game(terminal: Terminal, table: GameTable) -> bool:
    """Show the end of a game; return whether a rematch is wanted."""
    return EndMenu(terminal, table).run()


class EndMenu:
    """The menu after a game, until there is a rematch or the players leave."""

    def __init__(self, terminal: Terminal, table: GameTable) -> None:
        self._terminal = terminal
        self._table = table
        self._reader: Reader | None = None
        self._is_elsewhere = False
        """Whether the screen shows something other than the result."""

    def run(self) -> bool:
        """Ask what to do; return whether a rematch is wanted."""
        self._show_end()
        while True:
            word, _, rest = self._terminal.ask(texts.NEXT if self._is_elsewhere else texts.REMATCH).partition(
                " "
            )
            word = word.lower()
            if word in {"y", "yes", "rematch"} or (not word and not self._is_elsewhere):
                self._table.drop()
                return True
            if word in _LEAVE:
                self._table.drop()
                self._terminal.say(texts.GOODBYE)
                return False
            self._look(word, rest.strip())

    def _look(self, word: str, rest: str) -> None:
        terminal, table = self._terminal, self._table
        answer = CommandAnswer(texts.PAGE_TITLE.format(edition=table.game.edition.name, what=word))
        if not word and self._reader is not None and self._reader.turn_page():
            terminal.show_page(self._reader.draw)
        elif word == "save":
            self._show_end(save_as(terminal, table, rest)[1] if rest else texts.SAVE_WHERE)
        elif word == "replay":
            replay_game(terminal, table, None)
            self._show_end()
        elif word in _PAGES:
            _PAGES[word](terminal, table, answer)
            self._show(answer)
        else:
            advice = suggest(word, [*_PAGES, "save", "replay", "rematch", "quit"]) if word else ""
            self._show_end(texts.NO_SUCH_COMMAND_AT_END.format(word=word, suggestion=advice) if word else "")

    def _show(self, answer: CommandAnswer) -> None:
        """Show a page; where nothing is drawn, print it."""
        if not self._terminal.look.is_drawn:
            say_plainly(self._terminal, answer)
            return
        self._is_elsewhere = True
        self._reader = Reader(self._terminal, answer.title, answer.lines, texts.BACK_TO_END)
        self._terminal.show_page(answer.draw or self._reader.draw)

    def _show_end(self, note: str = "") -> None:
        self._reader, self._is_elsewhere = None, False
        if note and not self._terminal.look.is_drawn:
            self._terminal.say_all(wrap(note, self._terminal.width))
        else:
            self._terminal.show_page(lambda: draw_end(self._terminal, self._table, note))


def draw_end(terminal: Terminal, table: GameTable, note: str = "") -> None:
    """Draw the end screen, with a note below."""
    result = table.game.result
    assert result is not None
    terminal.say(Text(tell_ending(table.game.edition, result), "bold"))
    terminal.say()
    terminal.say_all([*_tickets(table, terminal.width), Text(), *score_lines(table, None), Text()])
    for line in tell_result(table.game.edition, table.names, result):
        terminal.say_all(wrap(line, terminal.width, style="bold"))
    terminal.say_all(wrap(note, terminal.width))


def _board(terminal: Terminal, table: GameTable, answer: CommandAnswer) -> None:
    show_board(terminal, table, table.game.view(None), answer)


def _statistics(terminal: Terminal, table: GameTable, answer: CommandAnswer) -> None:
    answer.say(*statistics_lines(table, None, terminal.width))


def _rules(_terminal: Terminal, table: GameTable, answer: CommandAnswer) -> None:
    answer.say(*rules_lines(table.game.edition))


def _log(_terminal: Terminal, table: GameTable, answer: CommandAnswer) -> None:
    answer.say(*table.story(None))


_PAGES: dict[str, Callable[[Terminal, GameTable, CommandAnswer], None]] = {
    "board": _board,
    "statistics": _statistics,
    "stats": _statistics,
    "rules": _rules,
    "log": _log,
}


def _tickets(table: GameTable, width: int) -> list[Text]:
    view = table.game.view(None)
    edition = table.game.edition
    widest = max(map(len, table.names))
    lines: list[Text] = [Text(texts.REVEALED, "dim")]
    for seat, name in enumerate(table.names):
        made = view.completed_of(seat)
        failed = [ticket for ticket in view.tickets_of(seat) if ticket not in made]
        items = [
            Text(f"{sign}{ticket}{_points(table, ticket)}", style)
            for sign, tickets, style in (
                (texts.TICKET_MADE, made, "#4cc35a"),
                (texts.TICKET_FAILED, failed, "#f0524a"),
            )
            for ticket in tickets
        ]
        if edition.bonuses.coast_to_coast and int(view.struct.coast_to_coast[seat]):
            items.append(Text(texts.COAST_TICKET, "#4cc35a"))
        told = flow(items or [Text(texts.NO_TICKETS_AT_END, "dim")], width, f"  {name.ljust(widest)}  ")
        told[0].stylize(TOKENS[seat].style, 2, widest + 2)
        lines += told
    return lines


def _points(table: GameTable, name: str) -> str:
    points = ticket_called(table.game.edition, name).points
    return f" {points}" if points else ""
