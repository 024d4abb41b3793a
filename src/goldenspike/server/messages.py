"""What clients and the server say to each other, over the socket and over HTTP alike.

The types of the browser client are made from these.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from goldenspike.event import Event
from goldenspike.server.entry import Kind
from goldenspike.server.problems import Code, Problem

TEXT = "^[^\\u0000]*$"
"""What a text may hold: not the one character that PostgreSQL cannot keep."""

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=TEXT, description="What a player is called.")]
Link = Annotated[str, Meta(description="A secret link: GAME.SECRET.")]
Id = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=TEXT,
        description="A name for the command that the client chooses; what is sent twice is done once.",
    ),
]
Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Seat = Annotated[int, Meta(ge=0, le=4)]

# A new game


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who is to sit somewhere: a person at this device, by link, anybody from the lobby, or a bot."""

    who: Literal["here", "link", "open", "bot"]
    name: Name | None = None
    level: Annotated[str, Meta(max_length=20, description="Of a bot: easy, medium or hard.")] | None = None


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What can be chosen for a game, beside its edition and seats."""

    first: Annotated[Seat, Meta(description="Who begins; chance decides if it is left out.")] | None = None
    aids: Annotated[bool, Meta(description="Whether the ways of tickets and hints may be asked for.")] = True
    clock: Annotated[int, Meta(ge=5, le=86_400, description="Seconds for a turn, or none.")] | None = None
    seed: (
        Annotated[str, Meta(min_length=1, max_length=100, description="The same seed deals the same cards.")]
        | None
    ) = None
    public: Annotated[bool, Meta(description="Whether the lobby shows the game.")] = False


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game to be dealt."""

    edition: Annotated[str, Meta(max_length=64)]
    seats: Annotated[list[SeatWish], Meta(min_length=2, max_length=5)]
    options: Options = Options()


class Branch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new game that goes on from a finished one, after so many of its actions."""

    after: Number
    seats: Annotated[list[SeatWish], Meta(min_length=2, max_length=5)]
    options: Options = Options()


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wish to take a free seat of a public game; without a name, one is called as the seat is."""

    name: Name | None = None
    seat: Seat | None = None


class Created(msgspec.Struct, frozen=True):
    """A game that was dealt, with the links to its seats and the one to watch."""

    game: str
    seats: list[str | None]
    """A link for each seat; None for bots and for seats that anybody may take."""
    watch: str
    commitment: str
    """The SHA-256 of the seed, which is revealed at the end."""


class Joined(msgspec.Struct, frozen=True):
    """A seat that was taken."""

    game: str
    seat: int
    link: str


class Listed(msgspec.Struct, frozen=True):
    """A public game with free seats."""

    game: str
    edition: str
    seats: list[SeatInfo]
    clock: int | None
    created: int


class Lobby(msgspec.Struct, frozen=True):
    """The public games that wait for somebody."""

    games: list[Listed]


# Commands of a seat


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Something that a seat wants. Each is acknowledged once it is safe in the database."""

    id: Id


class Play(Command, frozen=True, tag="play"):
    """Play a move, by its number or in words."""

    move: Annotated[int, Meta(ge=0, le=100_000)] | Annotated[str, Meta(max_length=200)]


class Undo(Command, frozen=True, tag="undo"):
    """Take back this seat's last action: at once among bots, if all agree among people."""


class Answer(Command, frozen=True, tag="answer"):
    """Agree, or not, that an action is taken back."""

    agree: bool


class Say(Command, frozen=True, tag="say"):
    """Say something to everybody at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=TEXT)]


class Leave(Command, frozen=True, tag="leave"):
    """Leave the seat to a bot; its link still opens it."""


class Return(Command, frozen=True, tag="return"):
    """Take the seat back from the bot."""


class Replace(Command, frozen=True, tag="replace"):
    """Seat a bot where nobody has moved for long."""

    seat: Seat


class Rematch(Command, frozen=True, tag="rematch"):
    """Deal another game for the same people, each a seat further; the same secrets open it."""


class Why(Command, frozen=True, tag="why"):
    """Ask why a move may not be played."""

    move: Annotated[int, Meta(ge=0, le=100_000)] | Annotated[str, Meta(max_length=200)]


class Ways(Command, frozen=True, tag="ways"):
    """Ask how far this seat's tickets, and those it is offered, are from being made."""


class Hint(Command, frozen=True, tag="hint"):
    """Ask a strong bot what it would play here."""


class Ping(Command, frozen=True, tag="ping"):
    """Ask whether anybody is there."""


AnyCommand = Play | Undo | Answer | Say | Leave | Return | Replace | Rematch | Why | Ways | Hint | Ping


class Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first message on a socket: a link, and the last entry that this client has, if any."""

    link: Link
    last: Annotated[int, Meta(ge=-1, le=2**31 - 1)] | None = None


# What is seen


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits somewhere."""

    who: Literal["person", "bot", "free"]
    name: str
    level: str | None = None
    """The bot that plays, also while it only stands in for a person."""
    is_here: bool = False
    """Whether somebody is connected."""


class SeatView(msgspec.Struct, frozen=True):
    """What all can see of a seat."""

    cards: int
    known: dict[str, int]
    tickets: int
    completed: list[str]
    """Tickets that all have seen completed."""
    has_bonus_ticket: bool
    pieces: int
    points: int
    routes: list[str]


class Ending(msgspec.Struct, frozen=True):
    """How a game ended: points by seat and term, everybody's tickets, and the seed, to be checked."""

    winners: list[int]
    reason: str
    tie_break: str
    terms: list[str]
    points: list[list[int]]
    totals: list[int]
    tickets: list[list[str]]
    longest: list[list[str]]
    """The routes of each seat's longest path."""
    seed: str


class TableView(msgspec.Struct, frozen=True):
    """What all can see of a game."""

    phase: str
    to_move: list[int]
    turns: int
    turns_left: int | None
    row: list[str | None]
    deck: int
    discards: dict[str, int]
    ticket_deck: int
    seats: list[SeatView]
    closed: list[str]
    """Routes that nobody owns and nobody may claim: the other lanes of doubles (C-6)."""
    deadline: int | None
    """When the turn's time is up, in milliseconds since 1970."""
    ending: Ending | None = None


class OwnView(msgspec.Struct, frozen=True):
    """What only one seat can see."""

    hand: dict[str, int]
    tickets: list[str]
    joined: list[str]
    """Those of the tickets whose cities are joined."""
    offer: list[str]
    legal: list[int]
    """The numbers of the moves that can be played; the edition has the table that says what they are."""
    can_undo: bool


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry of the log, as far as its reader may know it."""

    n: int
    kind: Kind
    at: int
    seat: int | None = None
    move: int | None = None
    text: str | None = None
    events: list[Event] = []


class GameInfo(msgspec.Struct, frozen=True):
    """What a game is, apart from how it stands."""

    game: str
    edition: str
    players: int
    aids: bool
    clock: int | None
    public: bool
    commitment: str
    is_seed_chosen: bool
    """Whether whoever made the game chose the deal, and so may know it."""
    created: int
    branch_of: str | None
    rematch: str | None


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type"):
    """Something that the server says on a socket."""


class Welcome(ServerMessage, frozen=True, tag="welcome"):
    """The answer to a hello: the game as it stands, and what was missed since the last entry."""

    version: str
    game: GameInfo
    you: int | None
    """This reader's seat; None for a spectator."""
    last: int
    entries: list[Told]
    seats: list[SeatInfo]
    asked: int | None
    """The seat that has asked to take back an action, while others have not answered."""
    view: TableView
    own: OwnView | None


class Update(ServerMessage, frozen=True, tag="update"):
    """What happened, and the game as it stands after it. The numbers of entries have no gaps."""

    entries: list[Told]
    seats: list[SeatInfo]
    asked: int | None
    view: TableView
    own: OwnView | None


class Ack(ServerMessage, frozen=True, tag="ack"):
    """A command that is done and kept, and the number of its entry; the hash is of the state after it."""

    id: str
    n: int
    state_hash: str | None = None
    game: str | None = None
    """After a rematch, the game that was dealt."""


class TicketWay(msgspec.Struct, frozen=True):
    """How far a ticket is from being made: pieces to place, and where; None if it is cut off."""

    ticket: str
    points: int
    pieces: int | None
    routes: list[str]


class Reply(ServerMessage, frozen=True, omit_defaults=True, tag="reply"):
    """The answer to a question; only what was asked for is in it."""

    id: str
    reason: str | None = None
    """Why the move may not be played."""
    rule: str | None = None
    ways: list[TicketWay] | None = None
    hint: str | None = None
    hint_move: int | None = None
    win_chance: float | None = None
    reasons: list[str] | None = None


class Refusal(ServerMessage, frozen=True, omit_defaults=True, tag="refused"):
    """Something that was not done: a code for programs and a sentence for people."""

    code: Code
    message: str
    id: str | None = None
    rule: str | None = None
    options: list[str] | None = None
    retry_after: float | None = None


class Status(ServerMessage, frozen=True, tag="status"):
    """Whether the server reaches its database and its other processes."""

    status: Literal["reconnecting", "connected"]


AnyServerMessage = Welcome | Update | Ack | Reply | Refusal | Status


class Entries(msgspec.Struct, frozen=True):
    """Entries of a game's log, as far as their reader may know them."""

    entries: list[Told]
    last: int


class Health(msgspec.Struct, frozen=True):
    """Whether the server is well, in a word."""

    status: str


def refusal(problem: Problem, command: str | None = None) -> Refusal:
    """Return a problem as a message."""
    return Refusal(
        problem.code,
        problem.message,
        command,
        problem.rule,
        list(problem.options) or None,
        problem.retry_after,
    )
