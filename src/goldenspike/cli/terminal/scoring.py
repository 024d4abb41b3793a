"""Score tables: so far, as one seat may know them, and final."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.layout import styled
from goldenspike.cli.terminal.palette import TOKENS
from goldenspike.cli.terminal.table import GameTable

_SECRET = {"tickets made", "tickets failed"}
"""Terms that only the seat itself knows before the end."""

_UNKNOWN = {"globetrotter"}
"""Terms that no seat knows before the end, because they compare secrets."""


def score_lines(table: GameTable, seat: int | None) -> list[Text]:
    """Return the points by term, without what a seat may not know; after the end everything."""
    scores, is_over = table.game.scores(), table.game.is_over
    rows: list[list[str]] = []
    totals: list[str] = []
    for number in range(table.game.players):
        known = {
            term: is_over or (term not in _UNKNOWN and (term not in _SECRET or number == seat))
            for term in scores.terms
        }
        points = scores.of(number)
        rows.append([str(points[term]) if known[term] else texts.UNKNOWN_SCORE for term in scores.terms])
        total = sum(points[term] for term in scores.terms if known[term])
        totals.append(f"{total}{'' if all(known.values()) else texts.UNKNOWN_SCORE}")
    terms = [texts.TERMS.get(term, term) for term in scores.terms]
    return seat_columns(
        table, [*terms, texts.TOTAL], [[*row, total] for row, total in zip(rows, totals, strict=True)]
    )


def seat_columns(
    table: GameTable, terms: Sequence[str], seats: Sequence[Sequence[str]], has_total: bool = True
) -> list[Text]:
    """Return a table with a line for each term and a column for each seat; a total is the last line."""
    widths = [max(len(name), *map(len, cells)) for name, cells in zip(table.names, seats, strict=True)]
    first = max(map(len, terms))
    head = Text(" " * first)
    for seat, (name, width) in enumerate(zip(table.names, widths, strict=True)):
        head.append("  ").append(name.rjust(width), TOKENS[seat].style)
    lines = [head]
    for i, term in enumerate(terms):
        is_total = has_total and i == len(terms) - 1
        line = styled(term.ljust(first), "bold" if is_total else "")
        for cells, width in zip(seats, widths, strict=True):
            line.append("  ").append(cells[i].rjust(width), "bold" if is_total else "")
        lines.append(line)
    return lines
