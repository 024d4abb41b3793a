"""Text layout: flowing items, columns side by side, coloured chips."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rich.text import Text

from goldenspike.cli.terminal.palette import PAINTS, Look


def chip(text: str, colour: str, look: Look) -> Text:
    """Return a text on the colour of a card, or the text alone where there are no colours.

    >>> chip("3 red", "red", Look(True, True)).plain, chip("3 red", "red", Look(False, True)).plain
    (' 3 red ', '3 red')
    """
    return Text(f" {text} ", PAINTS[colour].chip) if look.is_drawn else Text(text)


def styled(text: str, style: str) -> Text:
    """Return a text of this style; texts appended to it do not inherit the style."""
    return Text().append(text, style)


def flow(items: Iterable[Text], width: int, lead: str = "", gap: str = "  ") -> list[Text]:
    """Return items one after the other, on as many lines as needed; `lead` begins the first.

    >>> [line.plain for line in flow([Text("one"), Text("two"), Text("three")], 12, "Say: ")]
    ['Say: one', '     two', '     three']
    """
    indent = " " * len(lead)
    lines = [styled(lead, "dim")]
    is_first = True
    for item in items:
        if not is_first and len(lines[-1]) + len(gap) + len(item) > width:
            lines.append(Text(indent))
            is_first = True
        if not is_first:
            lines[-1].append(gap)
        lines[-1].append_text(item)
        is_first = False
    return lines


def wrap(text: str, width: int, indent: str = "  ", style: str = "") -> list[Text]:
    """Return a sentence on as many lines as needed, all but the first one indented.

    Names of files, routes and tickets stay whole, so that they can be copied.
    """
    lines = textwrap.wrap(
        text,
        max(width, 20),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [Text(line, style) for line in lines]


def beside(left: Sequence[Text], right: Sequence[Text], width: int, gap: int = 2) -> list[Text]:
    """Return two columns as lines; the left one is `width` wide.

    >>> [line.plain for line in beside([Text("ab")], [Text("1"), Text("2")], 3)]
    ['ab   1', '     2']
    """
    lines: list[Text] = []
    for one, other in zip_longest(left, right, fillvalue=Text()):
        line = one.copy()
        line.truncate(width)
        if other.plain:
            line.append(" " * (width - len(line) + gap))
            line.append_text(other)
        lines.append(line)
    return lines


def columns(cells: Sequence[Text], width: int, gap: int = 3) -> list[Text]:
    """Return a list in as many columns as fit, read from top to bottom.

    >>> [line.plain for line in columns([Text(c) for c in "abcde"], 9)]
    ['a   c   e', 'b   d']
    """
    if not cells:
        return []
    widest = max(len(cell) for cell in cells)
    across = max(1, (width + gap) // (widest + gap))
    down = -(-len(cells) // across)
    rows: list[Text] = []
    for i in range(down):
        row = Text()
        for cell in cells[i::down]:
            if row.plain:
                row.append(" " * gap)
            row.append_text(cell)
            row.append(" " * (widest - len(cell)))
        row.rstrip()
        rows.append(row)
    return rows
