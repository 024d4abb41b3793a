"""The screen of a turn, fitted to the terminal: the board above or beside everything else."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from rich.text import Text

from goldenspike.cli.seating import YOU
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.drawing import draw_board, list_board
from goldenspike.cli.terminal.layout import beside, chip, flow, styled, wrap
from goldenspike.cli.terminal.menu import Claim, MenuEntry
from goldenspike.cli.terminal.palette import Look
from goldenspike.cli.terminal.panels import (
    hand_lines,
    key_lines,
    scene_of,
    seat_strip,
    seat_table,
    ticket_called,
    ticket_line,
    ticket_lines,
)
from goldenspike.cli.terminal.story import payment_in_words
from goldenspike.cli.terminal.table import GameTable
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.editions import Edition
from goldenspike.game.view import View

_WIDE, _TALL = 120, 28
"""From this many columns and rows on, the board is on the left and everything else on the right."""

_SIDE = 46
_LEAST_BOARD = 12
_LEAST_WIDE = 22
_NEWS_LINES = 3
_WATCHED_LINES = 5
_PROMPT_LINES = 1


@dataclass(frozen=True, slots=True)
class Shown:
    """What the screen of a turn shows besides the table: the menu, and text.

    With `is_answer` the text was asked for and is shown whole; else it is news, of which the latest is shown.
    With `is_choice` the menu is a list to choose from, and the board is more useful than the other seats.
    """

    menu: Sequence[Text]
    told: Sequence[str | Text] = ()
    is_answer: bool = False
    is_choice: bool = False
    claims: Sequence[Claim] = ()
    path: Set[int] = frozenset()


def told_lines(told: Sequence[str | Text], width: int, style: str = "") -> list[Text]:
    """Return texts as lines of a width: sentences are wrapped, lines are cut."""
    lines: list[Text] = []
    for each in told:
        if isinstance(each, Text):
            lines.append(fitted(each, width))
        else:
            lines += wrap(each, width, style=style) or [Text()]
    return lines


def spare_lines(terminal: Terminal, table: GameTable, view: View, shown: Shown) -> int:
    """Return how many lines remain for the board beyond its minimum; negative if there are too few."""
    told = told_lines(shown.told, terminal.width) if shown.is_answer else []
    left = terminal.height - _PROMPT_LINES - 1 - len(shown.menu) - len(told)
    if _is_wide(terminal):
        return left - _LEAST_WIDE
    return left - len(_below(terminal, table, view, shown)) - _LEAST_BOARD


def draw_turn(terminal: Terminal, table: GameTable, view: View, shown: Shown) -> None:
    """Draw everything a seat needs for its decision."""
    if not terminal.look.is_drawn:
        _draw_plain(terminal, table, view, shown)
    elif _is_wide(terminal):
        _draw_wide(terminal, table, view, shown)
    else:
        _draw_narrow(terminal, table, view, shown)


def _is_wide(terminal: Terminal) -> bool:
    return terminal.width >= _WIDE and terminal.height >= _TALL


def _title(table: GameTable, view: View, width: int) -> Text:
    heading = _heading(table, view)
    if view.turns_left is not None:
        return fitted(Text(f" {heading} ".ljust(width), "bold #ffffff on #b3261e"), width)
    return title_bar(f"{heading} {texts.TYPE_HELP.rjust(width - len(heading) - 3)}", width)


def _heading(table: GameTable, view: View) -> str:
    """Return the game's name and whose move it is; in the last round, how many turns are left."""
    assert view.seat is not None
    name = table.names[view.seat]
    title = texts.TITLE_YOU if name == YOU else texts.TITLE
    heading = title.format(edition=view.edition.name, name=name)
    left = view.turns_left
    if left is None:
        return heading
    banner = texts.LAST_TURN if left == 1 else texts.LAST_ROUND.format(turns=texts.TURNS.of(left))
    return f"{heading}. {banner}"


def title_bar(text: str, width: int) -> Text:
    """Return the title line of a page."""
    return fitted(Text(f" {text} ".ljust(width), "bold #101010 on #d9b65c"), width)


def _draw_plain(terminal: Terminal, table: GameTable, view: View, shown: Shown) -> None:
    width = terminal.width
    terminal.say(_heading(table, view))
    terminal.say_all(told_lines(shown.told, width))
    terminal.say_all(seat_table(table, view, terminal.look))
    terminal.say_all([*hand_lines(view, width, terminal.look), *ticket_lines(view, width), *shown.menu])


def _below(terminal: Terminal, table: GameTable, view: View, shown: Shown) -> list[Text]:
    """Return the lines below the board on a small screen."""
    width, look = terminal.width, terminal.look
    hand = hand_lines(view, width, look)
    if shown.is_choice:
        return hand
    return [*seat_strip(table, view, look, width), *hand, *ticket_lines(view, width, is_short=True)]


def _draw_narrow(terminal: Terminal, table: GameTable, view: View, shown: Shown) -> None:
    width, below = terminal.width, _below(terminal, table, view, shown)
    height = terminal.height - _PROMPT_LINES - 1 - len(below) - len(shown.menu)
    if shown.is_answer:
        told = told_lines(shown.told, width)
    else:
        told = _latest(shown.told, width, min(_NEWS_LINES, max(height - _LEAST_BOARD, 1)))
    scene = scene_of(view, shown.path)
    board = draw_board(scene, terminal.look, width, max(height - len(told), _LEAST_BOARD))
    terminal.say_all([_title(table, view, width), *board, *below, *told, *shown.menu])


def _draw_wide(terminal: Terminal, table: GameTable, view: View, shown: Shown) -> None:
    side = _SIDE + max(0, terminal.width - _WIDE) // 6
    width = terminal.width - side - 3
    told = told_lines(shown.told, terminal.width) if shown.is_answer else []
    height = terminal.height - _PROMPT_LINES - 1 - len(shown.menu) - len(told)
    board = draw_board(scene_of(view, shown.path), terminal.look, width, height)
    panel = [
        *seat_table(table, view, terminal.look),
        Text(),
        *hand_lines(view, side, terminal.look),
        Text(),
        Text(texts.OWN_TICKETS, "dim"),
        *(ticket_line(view, ticket_called(view.edition, name)) for name in view.tickets),
        Text(),
        *_claims_panel(view.edition, shown.claims, terminal.look, side, max(height - 25, 3)),
    ]
    if not shown.is_answer:
        panel += [Text(), Text(texts.SINCE, "dim")]
        panel += _latest(shown.told, side, max(height - len(panel), 0))
    lines = beside(board, [fitted(line, side) for line in panel][:height], width)
    terminal.say_all([_title(table, view, terminal.width), *lines, *told, *shown.menu])


@dataclass(frozen=True, slots=True)
class Watched:
    """The screen of a watched game: its title, the last move, those before, further lines, notes."""

    title: str
    told: Sequence[str]
    before: Sequence[str] = ()
    beside: Sequence[Text] = ()
    notes: Sequence[str] = ()


def draw_watched(terminal: Terminal, table: GameTable, view: View, watched: Watched) -> None:
    """Draw a game for spectators: the board, the seats, and the latest events."""
    width, look = terminal.width, terminal.look
    title, height = title_bar(watched.title, width), terminal.height - _PROMPT_LINES - 1
    if _is_wide(terminal):
        side = _SIDE + max(0, width - _WIDE) // 6
        told = [*told_lines(watched.before, side, "dim"), *told_lines(watched.told, side, "bold")]
        notes = told_lines(watched.notes, side, "dim")
        panel = [*seat_table(table, view, look), Text(), *watched.beside]
        panel += [Text(texts.SINCE, "dim"), *told[-max(height - len(panel) - len(notes) - 1, 1) :]]
        panel = [*panel[: height - len(notes)], *notes]
        board = draw_board(scene_of(view), look, width - side - 3, height)
        lines = beside(board, [fitted(line, side) for line in panel], width - side - 3)
        terminal.say_all([title, *lines])
        return
    below = [*seat_strip(table, view, look, width), *told_lines(watched.notes, width, "dim")]
    room = min(_WATCHED_LINES, max(height - len(below) - _LEAST_BOARD, 1))
    told = [*told_lines(watched.before, width, "dim"), *told_lines(watched.told, width, "bold")][-room:]
    told += [Text()] * (room - len(told))  # so that the board keeps its size from move to move
    board = draw_board(scene_of(view), look, width, max(height - len(below) - room, _LEAST_BOARD))
    terminal.say_all([title, *board, *below, *told])


def fitted(line: Text, width: int) -> Text:
    """Return a line, cut if it is too wide."""
    line = line.copy()
    line.truncate(width, overflow="ellipsis")
    return line


def _latest(news: Sequence[str | Text], width: int, most: int) -> list[Text]:
    lines = told_lines(news, width, style="italic")
    return lines[-most:] if most else []


def _claims_panel(edition: Edition, claims: Sequence[Claim], look: Look, width: int, most: int) -> list[Text]:
    if not claims:
        return [Text(texts.NO_CLAIMS, "dim")]
    lines = [Text(texts.CLAIMS, "dim"), *(claim_line(edition, claim, look) for claim in claims[:most])]
    if len(claims) > most:
        lines.append(Text(texts.MORE_CLAIMS.format(count=len(claims) - most), "dim"))
    return [fitted(line, width) for line in lines]


def claim_line(edition: Edition, claim: Claim, look: Look) -> Text:
    """Return a route that can be claimed, with its cheapest payment, points and the tickets it serves."""
    best = claim.payments[0]
    line = Text(f"{claim.route} ")
    line.append_text(chip(payment_in_words(edition, best), best.colour or "loco", look))
    if claim.points:
        line.append(f" {texts.POINTS.of(claim.points)}")
    if claim.tickets:
        line.append(f" {texts.FOR_TICKET.format(tickets=', '.join(claim.tickets))}", "#4cc35a")
    return line


def menu_lines(view: View, entries: Sequence[MenuEntry], width: int) -> list[Text]:
    """Return the menu of a turn."""
    items: list[Text] = []
    for entry in entries:
        if entry.is_open:
            items.append(styled(f"{entry.number} ", "bold").append_text(entry.shown))
        elif entry.is_card:
            items.append(Text(f"{entry.number} ({entry.shown.plain.strip()})", "dim"))
    lead = texts.SECOND_CARD if view.phase == "second card" else texts.CHOOSE
    return flow(items, width, f"{lead} ")


def offer_lines(view: View, least: int) -> list[Text]:
    """Return the menu of an offer: the tickets by number."""
    lines = [Text(texts.KEEP.format(least=least), "dim")]
    for number, name in enumerate(view.offer, start=1):
        line = styled(f"{number} ", "bold")
        lines.append(line.append_text(ticket_line(view, ticket_called(view.edition, name), is_long=True)))
    return lines


def draw_board_page(terminal: Terminal, table: GameTable, view: View) -> None:
    """Draw the board alone, as large as possible, with a key to its signs."""
    footer = texts.BACK_TO_END if table.game.is_over else texts.BACK_TO_GAME
    key = told_lines([*key_lines(table, terminal.look), Text(footer, "dim")], terminal.width)
    height = max(terminal.height - len(key) - _PROMPT_LINES, _LEAST_BOARD)
    terminal.say_all([*draw_board(scene_of(view), terminal.look, terminal.width, height), *key])


def listed_board(table: GameTable, view: View) -> list[str]:
    """Return the board as a list, for terminals without drawing."""
    return list_board(scene_of(view), table.names)
