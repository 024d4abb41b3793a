"""How large a board or an edition may be, and the colours there are.

The engine keeps a game in one record of fixed size and its numbers in 16 bits; these limits are what that
record holds, with room for home-made boards. Everything here is a plain constant so that compiled code can
use it too.
"""

from typing import Final

SEATS: Final = 5
"""Players at one table, at most."""

ROUTES: Final = 128
"""Routes on a board (a double counts two), at most."""

CITIES: Final = 64
"""Cities on a board, at most."""

TICKETS: Final = 96
"""Tickets in the deck of one edition, at most."""

COLOURS: Final = 8
"""Card colours of a board, at most; locomotives and grey are not counted."""

LENGTH: Final = 9
"""Spaces of one route, at most."""

OFFER: Final = 6
"""Tickets offered to a seat at once, at most."""

HAND: Final = 99
"""Cards in an opening hand, at most."""

FACE_UP: Final = 5
"""Cards in the face-up row, at most."""

DECK: Final = 999
"""Cards in the deck, locomotives included, at most."""

LOCOMOTIVES: Final = 100
"""Locomotives in a deck with a face-up row, at most: with more of them, and all else in hands, one move could
wipe the row a hundred thousand times."""

PIECES: Final = 64
"""Pieces (trains, taxis) of one player, at most; also the most routes one can own, a word of bits."""

POINTS: Final = 999
"""Points of one route, ticket or bonus, at most."""

SCORE: Final = 32_000
"""Points of all routes, tickets and bonuses together, at most: a score is a 16-bit number."""

CANVAS: Final = 10_000
"""Width or height of the drawing canvas, at most."""

FILE_BYTES: Final = 1 << 20
"""Size of a board or edition file, at most."""

PALETTE: Final = (
    "purple",
    "blue",
    "orange",
    "white",
    "green",
    "yellow",
    "black",
    "red",
    "pink",
    "brown",
    "teal",
)
"""The card colours a board may choose from."""

GREY: Final = "grey"
"""The colour word of a route that takes any one colour (C-2); never a card colour."""
