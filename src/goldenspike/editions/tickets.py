"""Build an edition's deck of tickets from its board's ticket sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldenspike.datafiles.words import listed, show, suggest
from goldenspike.editions.verify import advise_mark

if TYPE_CHECKING:
    from goldenspike.boards.model import Board, Ticket, TicketEntry
    from goldenspike.datafiles.reader import TomlTable
    from goldenspike.editions.model import TicketRules


def resolve_tickets(top: TomlTable, rules: TicketRules, board: Board) -> tuple[Ticket, ...]:
    """Return the tickets of the sets, in order, filtered and with the points of the printing (V-1 to V-4)."""
    entries: list[TicketEntry] = []
    for name in rules.sets:
        if name in board.ticket_sets:
            entries += board.ticket_sets[name]
        else:
            known = [*board.ticket_sets]
            others = f"its sets are {listed(map(show, known), 'and')}" if known else "add [tickets] to it"
            fix = suggest(name, known) or others
            _note(top, "sets", f"the board has no ticket set {show(name)}", fix)
    if top.is_clean("tickets"):
        _verify_printing(top, rules.printing, entries)
        _verify_naming(top, rules.naming, board)
        _verify_pairs(top, entries)
    if rules.naming is not None:
        named = board.marked(rules.naming)
        entries = [entry for entry in entries if entry.a in named or entry.b in named]
    return tuple(entry.printed(rules.printing) for entry in entries)


def _verify_printing(top: TomlTable, printing: str | None, entries: list[TicketEntry]) -> None:
    known = sorted({key for entry in entries for key in entry.printings})
    if printing is not None and printing not in known:
        fix = suggest(printing, known) or f"the printings are {listed(known, 'and')}"
        _note(top, "printing", f"no ticket has points for the printing {show(printing)}", fix)


def _verify_naming(top: TomlTable, naming: str | None, board: Board) -> None:
    if naming is not None and not board.marked(naming):
        what = f"no city of the board has the mark {show(naming)}"
        _note(top, "naming", what, advise_mark(board, naming))


def _verify_pairs(top: TomlTable, entries: list[TicketEntry]) -> None:
    seen: dict[frozenset[int], str] = {}
    for entry in entries:
        other = seen.setdefault(frozenset((entry.a, entry.b)), entry.name)
        if other is not entry.name:
            what = f"the sets together hold two tickets for the same two cities, {other} and {entry.name}"
            _note(top, "sets", what, "leave a set out, or the ticket out of one of them")


def _note(top: TomlTable, key: str, what: str, fix: str) -> None:
    top.report.add(("tickets", key), "tickets", what, fix)
