"""The end of a game: tickets revealed, every term of the score, who won, and what to do next."""

from __future__ import annotations

from rich.text import Text

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.commands import save_as
from goldenspike.cli.terminal.layout import flow, wrap
from goldenspike.cli.terminal.palette import TOKENS
from goldenspike.cli.terminal.panels import ticket_called
from goldenspike.cli.terminal.scoring import score_lines
from goldenspike.cli.terminal.screen import show_board
from goldenspike.cli.terminal.table import Table
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.result import Result

_LEAVE = {"q", "quit", "exit", "n", "no"}


def end_game(terminal: Terminal, table: Table) -> bool:
    """Show how a game ended; return whether a rematch is wanted."""
    show_end(terminal, table)
    while True:
        answer = terminal.ask(texts.REMATCH)
        word, _, rest = answer.partition(" ")
        if word.lower() in {"", "y", "yes", "rematch"}:
            table.drop()
            return True
        if word.lower() in _LEAVE:
            table.drop()
            terminal.say(texts.GOODBYE)
            return False
        if word.lower() == "save":
            if rest.strip():
                save_as(terminal, table, rest.strip())
            else:
                terminal.say(texts.SAVE_WHERE)
        elif word.lower() == "board":
            show_board(terminal, table, table.game.view(None))
        else:
            show_end(terminal, table)


def show_end(terminal: Terminal, table: Table) -> None:
    """Show the end screen."""
    result = table.game.result
    assert result is not None
    terminal.fresh_page()
    reason = texts.ENDINGS.get(result.reason, result.reason).format(piece=table.game.edition.words.piece)
    terminal.say(Text(texts.END_TITLE.format(reason=reason), "bold"))
    terminal.say()
    terminal.say_all([*_tickets(table, terminal.width), Text(), *score_lines(table, None), Text()])
    for line in winner_lines(table, result):
        terminal.say_all(wrap(line, terminal.width, style="bold"))


def _tickets(table: Table, width: int) -> list[Text]:
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
        if edition.bonuses.coast_to_coast and int(view.record.coast_to_coast[seat]):
            items.append(Text(texts.COAST_TICKET, "#4cc35a"))
        told = flow(items or [Text(texts.NO_TICKETS_AT_END, "dim")], width, f"  {name.ljust(widest)}  ")
        told[0].stylize(TOKENS[seat].style, 2, widest + 2)
        lines += told
    return lines


def _points(table: Table, name: str) -> str:
    points = ticket_called(table.game.edition, name).points
    return f" {points}" if points else ""


def winner_lines(table: Table, result: Result) -> list[str]:
    """Return who won, and what broke a tie."""
    is_race = table.game.edition.end.when == "race"
    plural = texts.COMPLETED_SCORE if is_race else texts.POINTS
    names = [table.names[seat] for seat in result.winners]
    score = plural.of(result.totals[result.winners[0]]) if result.winners else ""
    if len(names) > 1:
        return [texts.WINNERS.format(names=texts.AND.join(names), score=score)]
    lines = [texts.WINNER.format(name=names[0], score=score)]
    if result.tie_break in texts.TIE_BREAKS:
        lines.append(texts.TIE_BREAK.format(tie_break=texts.TIE_BREAKS[result.tie_break]))
    return lines
