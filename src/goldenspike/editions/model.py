"""The edition model: the numbers and named choices in which editions differ."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from goldenspike.boards.model import Board, Ticket

Flow = Literal["offer", "swap"]
"""How tickets flow. "offer": draw some, keep some, secret until the end (T-1 to T-4). "swap": every ticket
dealt is kept, a completed one is shown and replaced, and a turn may exchange all of them (J-2, J-4)."""

EndWhen = Literal["few-pieces", "race"]
"""What ends the game. "few-pieces": a player with few pieces left starts the last round (E-1). "race": enough
completed tickets, or the last piece placed, end it at once (J-6, J-7)."""

TieBreak = Literal["completed-tickets", "longest-path"]
"""What decides between players with equal points, in order (F-4, F-6)."""


@dataclass(frozen=True, slots=True)
class Deck:
    """The number of cards of each colour, and of locomotives (S-1, J-1)."""

    colour: int
    locomotive: int


@dataclass(frozen=True, slots=True)
class TicketRules:
    """Which of the board's tickets are used, and how players receive them.

    With the flow "swap" every number is the number of tickets dealt, because all are kept and all exchanged.
    """

    flow: Flow
    sets: tuple[str, ...]
    printing: str | None
    naming: str | None
    deal: int
    deal_keep: int
    draw: int
    draw_keep: int


@dataclass(frozen=True, slots=True)
class EndRule:
    """What ends the game: this many pieces or fewer left, or, in a race, this many completed tickets.

    In a race `pieces` is 0, because the last piece ends it too (J-7); otherwise `tickets` is 0.
    """

    when: EndWhen
    pieces: int
    tickets: int


@dataclass(frozen=True, slots=True)
class Bonuses:
    """Points besides routes and tickets; 0 or nothing if the edition does not have the bonus.

    `attraction` is for each city with that mark that a player's routes touch (F-5). `coast_to_coast` names
    two marks; joining a city of each earns one bonus ticket (J-5).
    """

    longest_path: int = 0
    globetrotter: int = 0
    attraction: int = 0
    coast_to_coast: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class EditionWords:
    """The edition's words for game items in messages."""

    locomotive: str = "locomotive"
    piece: str = "train"
    city: str = "city"

    @property
    def wild_card(self) -> str:
        """The word for a locomotive in a sentence; if the pieces have the same name, "card" is added.

        >>> EditionWords().wild_card, EditionWords("taxi", "taxi").wild_card
        ('locomotive', 'taxi card')
        """
        return f"{self.locomotive} card" if self.locomotive == self.piece else self.locomotive


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition: a board, a deck of tickets, and the numbers and choices of its rules.

    `players` and `minutes` are inclusive ranges. `route_points[n - 1]` is the score of a route of length n;
    empty if routes score nothing. With `doubles_close_up_to` players or fewer, claiming one lane of
    a double closes the other (C-6). `tickets` is the ticket deck: filtered, and with the points of
    the right printing. `digest` is the SHA-256 of everything that affects the rules.
    """

    id: str
    name: str
    minutes: tuple[int, int]
    players: tuple[int, int]
    pieces: int
    opening_hand: int
    face_up: int
    deck: Deck
    route_points: tuple[int, ...]
    doubles_close_up_to: int
    tie_breaks: tuple[TieBreak, ...]
    words: EditionWords
    ticket_rules: TicketRules
    end: EndRule
    bonuses: Bonuses
    board: Board
    tickets: tuple[Ticket, ...]
    digest: str

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def cards(self) -> int:
        """The number of cards in the full deck (S-1).

        >>> from goldenspike.editions import load_edition
        >>> load_edition("usa-classic").cards
        110
        """
        return len(self.board.colours) * self.deck.colour + self.deck.locomotive

    def require_players(self, players: int) -> int:
        """Return a number of players as a plain integer; raise ValueError if the edition does not allow it.

        >>> from goldenspike.editions import load_edition
        >>> load_edition("new-york").require_players(5)
        Traceback (most recent call last):
        ValueError: New York is for 2 to 4 players, not 5.
        """
        players = operator.index(players)
        least, most = self.players
        if not least <= players <= most:
            raise ValueError(f"{self.name} is for {least} to {most} players, not {players}.")
        return players
