"""A canvas of character cells: lines of braille dots, with text over them."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from rich.text import Text

_BRAILLE = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
DOTS_ACROSS, DOTS_DOWN = 2, 4
"""The dots of a cell."""


class Canvas:
    """Cells in rows, on one background colour. A cell has dots or a character, which covers the dots.

    >>> canvas = Canvas(4, 1, "black")
    >>> canvas.dot(0, 0, "red")
    >>> canvas.write(1, 0, "CHI", "bold")
    >>> print(canvas.lines()[0])
    ⠁CHI
    """

    def __init__(self, width: int, height: int, ground: str) -> None:
        self.width = width
        self.height = height
        self._ground = ground
        self._dots = [[0] * width for _ in range(height)]
        self._text = [[""] * width for _ in range(height)]
        self._styles = [[""] * width for _ in range(height)]

    def dot(self, x: float, y: float, style: str) -> None:
        """Set a dot, in dot coordinates; the cell takes the style. Dots outside the canvas are ignored."""
        across, down = int(x), int(y)
        column, row = across // DOTS_ACROSS, down // DOTS_DOWN
        if 0 <= column < self.width and 0 <= row < self.height:
            self._dots[row][column] |= _DOTS[down % DOTS_DOWN][across % DOTS_ACROSS]
            if not self._text[row][column]:
                self._styles[row][column] = style

    def write(self, column: int, row: int, text: str, style: str) -> None:
        """Write a text over the cells from a position on; these cells are then taken."""
        for i, character in enumerate(text):
            self._text[row][column + i] = character
            self._styles[row][column + i] = style

    def is_free(self, column: int, row: int, width: int) -> bool:
        """Tell whether a text of this width would fit here without covering another."""
        if not (0 <= row < self.height and column >= 0 and column + width <= self.width):
            return False
        return not any(self._text[row][column : column + width])

    def lines(self) -> list[Text]:
        """Return the rows from top to bottom."""
        return [self._line(row) for row in range(self.height)]

    def _line(self, row: int) -> Text:
        line = Text(no_wrap=True, end="")
        cells = zip(self._text[row], self._dots[row], self._styles[row], strict=True)
        for style, run in groupby(cells, key=itemgetter(2)):
            characters = (text or (chr(_BRAILLE + dots) if dots else " ") for text, dots, _ in run)
            line.append("".join(characters), self._grounded(style))
        return line

    def _grounded(self, style: str) -> str:
        return style if " on " in style else f"{style} on {self._ground}".lstrip()
