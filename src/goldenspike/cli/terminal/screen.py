"""The whole screen of a turn, fitted to the terminal: the board above or beside everything else."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.drawing import draw_board
from goldenspike.cli.terminal.layout import beside, chip, flow, styled, wrap
from goldenspike.cli.terminal.listing import list_board
from goldenspike.cli.terminal.menu import Claim, Entry
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
from goldenspike.cli.terminal.table import Table
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.cli.texts import YOU
from goldenspike.editions import Edition
from goldenspike.view import View

_WIDE, _TALL = 120, 28
"""From this many columns and rows on, the board has the left side and everything else the right."""

_SIDE = 46
_LEAST_BOARD = 12
_NEWS_LINES = 3
_PROMPT_LINES = 1


def show_turn(
    terminal: Terminal,
    table: Table,
    view: View,
    menu: Sequence[Text],
    claims: Sequence[Claim],
    news: Sequence[str],
) -> None:
    """Show a seat everything it needs for its decision."""
    terminal.fresh_page()
    if not terminal.look.is_drawn:
        _show_plain(terminal, table, view, menu, news)
    elif terminal.width >= _WIDE and terminal.height >= _TALL:
        _show_wide(terminal, table, view, menu, claims, news)
    else:
        _show_narrow(terminal, table, view, menu, news)


def _title(table: Table, view: View, width: int) -> Text:
    assert view.seat is not None
    name = table.names[view.seat]
    title = texts.TITLE_YOU if name == YOU else texts.TITLE
    name = title.format(edition=view.edition.name, name=name)
    left = view.turns_left
    if left is None:
        return Text(f" {name} ".ljust(width), "bold #101010 on #d9b65c")
    banner = texts.LAST_TURN if left == 1 else texts.LAST_ROUND.format(turns=texts.TURNS.of(left))
    return Text(f" {name}. {banner} ".ljust(width), "bold #ffffff on #b3261e")


def _show_plain(
    terminal: Terminal, table: Table, view: View, menu: Sequence[Text], news: Sequence[str]
) -> None:
    width = terminal.width
    title = _title(table, view, 0)
    title.stylize("none")
    terminal.say(title.plain.strip())
    for sentence in news:
        terminal.say_all(wrap(sentence, width))
    terminal.say_all(seat_table(table, view, terminal.look))
    terminal.say_all([*hand_lines(view, width, terminal.look), *ticket_lines(view, width), *menu])


def _show_narrow(
    terminal: Terminal, table: Table, view: View, menu: Sequence[Text], news: Sequence[str]
) -> None:
    width = terminal.width
    below = [
        *seat_strip(table, view, terminal.look, width),
        *hand_lines(view, width, terminal.look),
        *ticket_lines(view, width, is_short=True),
    ]
    height = terminal.height - _PROMPT_LINES - 1 - len(below) - len(menu)
    latest = _latest(news, width, min(_NEWS_LINES, max(height - _LEAST_BOARD, 1)))
    board = draw_board(scene_of(view), terminal.look, width, max(height - len(latest), _LEAST_BOARD))
    terminal.say_all([_title(table, view, width), *board, *below, *latest, *menu])


def _show_wide(
    terminal: Terminal,
    table: Table,
    view: View,
    menu: Sequence[Text],
    claims: Sequence[Claim],
    news: Sequence[str],
) -> None:
    side = _SIDE + max(0, terminal.width - _WIDE) // 6
    width = terminal.width - side - 3
    height = terminal.height - _PROMPT_LINES - 1 - len(menu)
    board = draw_board(scene_of(view), terminal.look, width, height)
    panel = [
        *seat_table(table, view, terminal.look),
        Text(),
        *hand_lines(view, side, terminal.look),
        Text(),
        Text(texts.OWN_TICKETS, "dim"),
        *(ticket_line(view, ticket_called(view.edition, name)) for name in view.tickets),
        Text(),
        *_claims_panel(view.edition, claims, terminal.look, side, max(height - 25, 3)),
        Text(),
        Text(texts.SINCE, "dim"),
    ]
    panel += _latest(news, side, max(height - len(panel), 0))
    lines = beside(board, [fitted(line, side) for line in panel][:height], width)
    terminal.say_all([_title(table, view, terminal.width), *lines, *menu])


def fitted(line: Text, width: int) -> Text:
    """Return a line that is cut where it is too wide."""
    line = line.copy()
    line.truncate(width, overflow="ellipsis")
    return line


def _latest(news: Sequence[str], width: int, most: int) -> list[Text]:
    lines = [line for sentence in news for line in wrap(sentence, width, style="italic")]
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


def menu_lines(view: View, entries: Sequence[Entry], width: int) -> list[Text]:
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


def show_board(terminal: Terminal, table: Table, view: View) -> None:
    """Show the board alone, as large as it fits, with what its signs mean; or as a list."""
    scene = scene_of(view)
    if not terminal.look.is_drawn:
        terminal.say_all(
            wrapped for line in list_board(scene, table.names) for wrapped in wrap(line, terminal.width)
        )
        return
    key = [line for text in key_lines(table, terminal.look) for line in wrap(text, terminal.width, "")]
    terminal.fresh_page()
    height = max(terminal.height - len(key) - _PROMPT_LINES - 1, _LEAST_BOARD)
    terminal.say_all([*draw_board(scene, terminal.look, terminal.width, height), *key])
