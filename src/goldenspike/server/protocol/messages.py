"""The messages between clients and the server, over WebSocket and HTTP.

`tools/message_types` generates the types of the browser client from these.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from goldenspike.game.description import PrivateView, PublicView
from goldenspike.game.events import Event
from goldenspike.server.play.entry import Kind
from goldenspike.server.protocol.problems import Code, Details, Problem, Reason

TEXT = "^[^\\u0000]*$"
"""Any text without NUL, which PostgreSQL cannot store."""

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=TEXT, description="A player's name.")]
Link = Annotated[str, Meta(description="A secret link: GAME.SECRET.")]
Id = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=TEXT,
        description="An id for the command, chosen by the client; a command sent twice runs once.",
    ),
]
Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Seat = Annotated[int, Meta(ge=0, le=4)]
Colour = Literal["blue", "red", "green", "yellow", "black"]
"""The colours of pieces. A seat without a wish gets the one at its number, if that is free."""
COLOURS: tuple[Colour, ...] = get_args(Colour)
Style = Literal["blocker", "hoarder", "racer"]
"""The styles of medium bots, besides the balanced one."""

# New games


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who gets a seat: a person at this device, an invited person, any player from the lobby, or a bot."""

    who: Literal["here", "link", "open", "bot"]
    name: Name | None = None
    level: Annotated[str, Meta(max_length=20, description="Of a bot: easy, medium or hard.")] | None = None
    colour: (
        Annotated[Colour, Meta(description="The colour of the pieces, if no earlier seat has it.")] | None
    ) = None
    style: Annotated[Style, Meta(description="Of a medium bot; by its name if left out.")] | None = None


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of a new game, besides its edition and seats."""

    first: Annotated[Seat, Meta(description="The seat that begins; random if left out.")] | None = None
    aids: Annotated[
        bool, Meta(description="Whether players may ask for hints and for the shortest paths of tickets.")
    ] = True
    clock: (
        Annotated[int, Meta(ge=5, le=86_400, description="Seconds per turn; no limit if left out.")] | None
    ) = None
    seed: (
        Annotated[str, Meta(min_length=1, max_length=100, description="The same seed deals the same cards.")]
        | None
    ) = None
    public: Annotated[bool, Meta(description="Whether the lobby lists the game.")] = False


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to deal a game."""

    edition: Annotated[str, Meta(max_length=64)]
    seats: Annotated[list[SeatWish], Meta(min_length=2, max_length=5)]
    options: Options = Options()


class Branch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new game that continues a finished one after a given number of its actions."""

    after: Number
    seats: Annotated[list[SeatWish], Meta(min_length=2, max_length=5)]
    options: Options = Options()


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a free seat of a public game; without a name, the player gets the seat's name.

    The player gets the colour, unless another person has it.
    """

    name: Name | None = None
    seat: Seat | None = None
    colour: Colour | None = None


class Created(msgspec.Struct, frozen=True):
    """A new game: the links to its seats, the invitations, and the spectator link."""

    game: str
    seats: list[str | None]
    """A link for each seat at this device; None for all others."""
    invitations: list[str | None]
    """An invitation for each seat of kind "link"; the first device that accepts it gets the seat's link."""
    watch: str
    commitment: str
    """The SHA-256 of the seed; the seed is revealed at the end."""


class Accept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Accept an invitation; without a name, the seat keeps the name that the host gave it.

    The player gets the colour, unless another person has it.
    """

    name: Name | None = None
    colour: Colour | None = None


class UseCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Add this device to a seat, with a code from another device of the seat."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]


class Joined(msgspec.Struct, frozen=True):
    """A seat that this device has taken, with a link that only this device gets."""

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
    """The public games with free seats."""

    games: list[Listed]


# Commands of a seat


class _Expecting(msgspec.Struct, frozen=True, kw_only=True):
    after: (
        Annotated[
            int,
            Meta(
                ge=-1,
                le=2**31 - 1,
                description="The last entry that the sender knows: the command is refused if a move was made"
                " since. Ignored while all players choose tickets at setup.",
            ),
        ]
        | None
    ) = None


class Command(_Expecting, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """A request of a seat; the server acknowledges it after the database has stored it."""

    id: Id


class Play(Command, frozen=True, tag="play"):
    """Play a move, given by number or as text."""

    move: Annotated[int, Meta(ge=0, le=100_000)] | Annotated[str, Meta(max_length=200)]


class Undo(Command, frozen=True, tag="undo"):
    """Undo this seat's last action: at once against bots; otherwise the other players must agree."""


class Answer(Command, frozen=True, tag="answer"):
    """Agree to an undo, or refuse it."""

    agree: bool


class Say(Command, frozen=True, tag="say"):
    """Send a chat message to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=TEXT)]


class Leave(Command, frozen=True, tag="leave"):
    """Leave the seat to a bot; the seat's link stays valid."""


class Return(Command, frozen=True, tag="return"):
    """Take the seat back from the bot."""


class Replace(Command, frozen=True, tag="replace"):
    """Replace a player by a bot: one whose time is up or, without a turn timer, who is absent."""

    seat: Seat


class Rematch(Command, frozen=True, tag="rematch"):
    """Deal another game for the same players, each one seat further; the same secrets open it."""


class Invite(Command, frozen=True, tag="invite"):
    """Make a new invitation for a seat. Only the host may; all players see it; the old one is void.

    When it is accepted, the seat's old devices lose the seat.
    """

    seat: Seat


class MakeCode(Command, frozen=True, tag="code"):
    """Request a code that adds another device of the same person to this seat."""


class Why(Command, frozen=True, tag="why"):
    """Ask why a move is not legal."""

    move: Annotated[int, Meta(ge=0, le=100_000)] | Annotated[str, Meta(max_length=200)]


class Ways(Command, frozen=True, tag="ways"):
    """Ask for the shortest paths of this seat's tickets and of those it is offered."""


class Hint(Command, frozen=True, tag="hint"):
    """Ask which move a strong bot would play."""


class Ping(Command, frozen=True, tag="ping"):
    """Check the connection."""


AnyCommand = (
    Play
    | Undo
    | Answer
    | Say
    | Leave
    | Return
    | Replace
    | Rematch
    | Invite
    | MakeCode
    | Why
    | Ways
    | Hint
    | Ping
)


class Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first message on a socket: a link, and the last entry that this client has, if any."""

    link: Link
    last: Annotated[int, Meta(ge=-1, le=2**31 - 1)] | None = None


# Views


class SeatInfo(msgspec.Struct, frozen=True):
    """The player of a seat."""

    who: Literal["person", "bot", "free", "invited"]
    """An invited seat waits for its invitation to be accepted; any player can take a free one."""
    name: str
    colour: Colour
    """The colour of the pieces; no two seats of a game have the same."""
    level: str | None = None
    """The level of the bot that plays, including one that replaces a person."""
    style: Style | None = None
    """The style of a medium bot; None for the balanced one, and for the other levels."""
    is_here: bool = False
    """Whether the player is connected."""
    devices: int = 0
    """How many devices hold the seat."""
    is_out_of_time: bool = False
    """Whether the seat's turn time ran out, so that the player may be replaced."""


class Ending(msgspec.Struct, frozen=True):
    """The end of a game: points by seat and term, all tickets, and the seed for verification."""

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


class TableView(PublicView, frozen=True):
    """The public part of a game."""

    deadline: int | None
    """When the turn time runs out, in milliseconds since 1970."""
    ending: Ending | None = None


class OwnView(PrivateView, frozen=True):
    """The private part of a seat."""

    can_undo: bool


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry of the log, without what its reader may not see."""

    n: int
    kind: Kind
    at: int
    seat: int | None = None
    move: int | None = None
    text: str | None = None
    events: list[Event] = []


class GameInfo(msgspec.Struct, frozen=True):
    """The properties of a game that do not depend on its position."""

    game: str
    edition: str
    players: int
    aids: bool
    clock: int | None
    public: bool
    commitment: str
    is_seed_chosen: bool
    """Whether the creator chose the seed, and so may know the deal."""
    created: int
    branch_of: str | None
    rematch: str | None
    host: int | None
    """The seat that may invite; None if the creator has no seat."""
    undo_seconds: float
    """Seconds that bots wait after a claim, so that it can be undone."""


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type"):
    """A message from the server on a socket."""


class Welcome(ServerMessage, frozen=True, tag="welcome"):
    """The answer to a hello: the current game, and the entries that the client has missed."""

    version: str
    game: GameInfo
    you: int | None
    """This reader's seat; None for a spectator."""
    last: int
    entries: list[Told]
    seats: list[SeatInfo]
    asked: int | None
    """The seat that has asked for an undo, until the others have answered."""
    view: TableView
    own: OwnView | None


class Update(ServerMessage, frozen=True, tag="update"):
    """New entries, and the game after them. The numbers of entries have no gaps."""

    entries: list[Told]
    seats: list[SeatInfo]
    asked: int | None
    view: TableView
    own: OwnView | None


class Ack(ServerMessage, frozen=True, tag="ack"):
    """A command was executed and stored: the number of its entry, the hash of the state after it."""

    id: str
    n: int
    state_hash: str | None = None
    game: str | None = None
    """After a rematch, the id of the new game."""
    invitation: str | None = None
    """After an invite, the invitation; left out if the command was sent again."""


class TicketWay(msgspec.Struct, frozen=True):
    """The shortest path of a ticket: the pieces still needed (None if it is cut off) and the routes."""

    ticket: str
    points: int
    pieces: int | None
    routes: list[str]


class Reply(ServerMessage, frozen=True, omit_defaults=True, tag="reply"):
    """The answer to a question; it has only the fields that were asked for."""

    id: str
    reason: Reason | Code | None = None
    """Why the move is not legal."""
    rule: str | None = None
    details: Details = {}
    """The details of the reason."""
    ways: list[TicketWay] | None = None
    hint: str | None = None
    hint_move: int | None = None
    win_chance: float | None = None
    reasons: list[str] | None = None
    code: str | None = None
    """The code for another device."""
    seconds: int | None = None
    """How long the code is valid."""


class Refusal(ServerMessage, frozen=True, omit_defaults=True, tag="refused"):
    """A refused command. Pages show `reason` and `details` in their own words; `message` is for logs."""

    code: Code
    message: str
    id: str | None = None
    rule: str | None = None
    options: list[str] | None = None
    retry_after: float | None = None
    reason: Reason | None = None
    """More exact than the code, where there is more to say."""
    details: Details = {}


class Status(ServerMessage, frozen=True, tag="status"):
    """Whether the server can reach its database and its other processes."""

    status: Literal["reconnecting", "connected"]


AnyServerMessage = Welcome | Update | Ack | Reply | Refusal | Status


class Entries(msgspec.Struct, frozen=True):
    """Entries of a game's log, without what their reader may not see."""

    entries: list[Told]
    last: int


class Health(msgspec.Struct, frozen=True):
    """The health of the server, as one word."""

    status: str


def refusal(problem: Problem, command: str | None = None) -> Refusal:
    """Return the message for a problem."""
    return Refusal(
        problem.code,
        problem.message,
        command,
        problem.rule,
        list(problem.options) or None,
        problem.retry_after,
        problem.reason,
        problem.details,
    )
