"""Size limits of boards and editions, and the possible card colours.

The engine keeps a game in one struct of fixed size with 16-bit numbers. These limits are the capacity of that
struct, with space for custom boards. Everything here is a plain constant, so that compiled code can use it.
"""

from typing import Final

SEATS: Final = 5
"""Maximum number of players."""

ROUTES: Final = 128
"""Maximum number of routes on a board; a double counts as two."""

CITIES: Final = 64
"""Maximum number of cities on a board."""

TICKETS: Final = 96
"""Maximum number of tickets in the deck of one edition."""

COLOURS: Final = 8
"""Maximum number of card colours of a board, without locomotives and grey."""

LENGTH: Final = 9
"""Maximum number of spaces of one route."""

OFFER: Final = 6
"""Maximum number of tickets offered to a seat at once."""

HAND: Final = 99
"""Maximum number of cards in an opening hand."""

FACE_UP: Final = 5
"""Maximum number of cards in the face-up row."""

DECK: Final = 999
"""Maximum number of cards in the deck, including locomotives."""

LOCOMOTIVES: Final = 100
"""Maximum number of locomotives in a deck with a face-up row. With more, and all other cards in hands, one
move could wipe the row a hundred thousand times."""

PIECES: Final = 64
"""Maximum number of pieces (trains, taxis) of one player, and so of owned routes, which fit one word."""

POINTS: Final = 999
"""Maximum number of points of one route, ticket or bonus."""

SCORE: Final = 32_000
"""Maximum sum of points of all routes, tickets and bonuses, because a score is a 16-bit number."""

CANVAS: Final = 10_000
"""Maximum width or height of the drawing canvas."""

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
"""The colour of a route that takes any one colour (C-2); never a card colour."""
