"""The look of cards, routes and seats: colours, always with a sign that works without colour."""

from __future__ import annotations

from typing import NamedTuple

from goldenspike.boards.limits import GREY, PALETTE

LOCO = "loco"
"""The name of the locomotive in views and in the notation."""


class Paint(NamedTuple):
    """The look of a colour: its letter, its line on the board, its text chip."""

    letter: str
    line: str
    chip: str


_DARK, _LIGHT = "#101010", "#ffffff"

PAINTS: dict[str, Paint] = {
    "purple": Paint("P", "#b070d8", f"{_LIGHT} on #7a3aa8"),
    "blue": Paint("B", "#4f9bff", f"{_LIGHT} on #1f5fc0"),
    "orange": Paint("O", "#ff9a2e", f"{_DARK} on #ff9a2e"),
    "white": Paint("W", "#f4f4f4", f"{_DARK} on #f4f4f4"),
    "green": Paint("G", "#4cc35a", f"{_DARK} on #4cc35a"),
    "yellow": Paint("Y", "#f5dd3c", f"{_DARK} on #f5dd3c"),
    "black": Paint("K", "#76869a", f"{_LIGHT} on #303030"),
    "red": Paint("R", "#f0524a", f"{_LIGHT} on #c02a22"),
    "pink": Paint("I", "#ff8fc0", f"{_DARK} on #ff8fc0"),
    "brown": Paint("N", "#b5814a", f"{_LIGHT} on #7c4f22"),
    "teal": Paint("T", "#35b8b0", f"{_DARK} on #35b8b0"),
    GREY: Paint("*", "#b3a994", f"{_DARK} on #b3a994"),
    LOCO: Paint("L", "#ffffff", f"bold {_DARK} on #e8c66a"),
}
"""Every card colour a board may have, grey routes, and the locomotive."""

assert set(PALETTE) <= set(PAINTS)


GROUND = "#1b1f23"
"""The board's own background, so that white and yellow are visible on light terminals too."""

INK = "#f0f0f0"
"""Names of cities on that background."""

LIT = "#ffd83d"
"""The path of a ticket."""

FAINT = "#4d555e"
"""Routes that are not on the highlighted path."""


class Token(NamedTuple):
    """The look of a seat: its shape, the letter for terminals without shapes, and its colour."""

    shape: str
    letter: str
    colour: str

    @property
    def style(self) -> str:
        """The style of the seat's name and sign."""
        return f"bold {self.colour} on {GROUND}"


TOKENS = (
    Token("●", "a", "#58d0ff"),
    Token("■", "b", "#ff6fae"),
    Token("▲", "c", "#b4e34c"),
    Token("◆", "d", "#ffb347"),
    Token("✚", "e", "#c9a2ff"),
)
"""The seats' tokens. Lower-case letters, because the colours of routes have upper-case ones."""


class Look(NamedTuple):
    """What a terminal can show: a drawing of the board or a list, Unicode signs or only ASCII."""

    is_drawn: bool
    has_signs: bool

    def token(self, seat: int) -> str:
        """Return the sign of a seat.

        >>> Look(True, True).token(1), Look(False, False).token(1)
        ('■', 'b')
        """
        return TOKENS[seat].shape if self.has_signs else TOKENS[seat].letter
