"""The same games over plain HTTP, for scripts and for what is asked once. Links travel in a header."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from litestar import Controller, MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.openapi.spec import (
    Example,
    OpenAPIMediaType,
    OpenAPIType,
    Operation,
    RequestBody,
    Schema,
)
from litestar.params import Body, HeaderParameter, Parameter

from goldenspike.server.answers import refusals
from goldenspike.server.archive import MOST_FRAMES, Archive, Replay
from goldenspike.server.desk import Desk
from goldenspike.server.face import tell_entry
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import (
    Ack,
    AnyCommand,
    Branch,
    Created,
    Entries,
    Join,
    Joined,
    Lobby,
    NewGame,
    Reply,
    Welcome,
)
from goldenspike.server.problems import Problem
from goldenspike.server.shelf import EditionCards, EditionInfo
from goldenspike.server.written import encode_welcome
from goldenspike.statistics import Statistics

_Request = Request[Any, Any, State]
_LONGEST_LIST = 500
_LARGEST = 2**31 - 1
"""The largest number of an entry that every database takes."""

LinkHeader = Annotated[
    str | None,
    HeaderParameter(
        name="Authorization",
        required=False,
        description="Bearer GAME.SECRET: a seat's link, or the one to watch.",
    ),
]
GameId = Annotated[str, Parameter(max_length=16, pattern="^[A-Za-z0-9_-]+$", description="A game's name.")]


def _desk(request: _Request) -> Desk:
    return request.app.state.desk


def _archive(request: _Request) -> Archive:
    return request.app.state.archive


async def _open(request: _Request, game: str, authorization: str | None) -> tuple[LiveGame, int | None]:
    """Return the game that the link in the header opens, which must be the one in the address."""
    _desk(request).readers.require(_address(request))
    scheme, _, link = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not link:
        raise Problem(
            "bad_link", "Send the link to your seat, or to watch, as: Authorization: Bearer GAME.SECRET."
        )
    if link.partition(".")[0] != game:
        raise Problem("bad_link", "This link is for another game.")
    games = _desk(request).games
    live, viewer = await games.open_link(link.strip())
    games.see_to(live)  # who only asks now and then is no listener, but has bots to wait for as well
    return live, viewer


class EditionsController(Controller):
    """What can be played."""

    path = "/api/editions"
    tags = ("editions",)

    @get("/", operation_id="listEditions", summary="All editions at a glance")
    async def list_all(self, request: _Request) -> EditionCards:
        """Return all editions at a glance."""
        return _desk(request).games.shelf.cards()

    @get(
        "/{edition:str}",
        responses=refusals("unknown_edition", "malformed"),
        operation_id="showEdition",
        summary="An edition in full",
        media_type=MediaType.JSON,
    )
    async def show(self, request: _Request, edition: str) -> Response[EditionInfo]:
        """Return an edition: cities, routes, tickets, and what the numbers of moves mean."""
        return _ready(_desk(request).games.shelf.info(edition))


def _ready(data: bytes) -> Response[Any]:
    """Return JSON that is written already."""
    return Response(msgspec.Raw(data), media_type=MediaType.JSON)


class GamesController(Controller):
    """Making games, taking seats, playing."""

    path = "/api/games"
    tags = ("games",)

    @post(
        "/",
        responses=refusals("malformed", "unknown_edition", "too_large", "too_fast", "unavailable"),
        operation_id="createGame",
        summary="Deal a game",
    )
    async def create(self, request: _Request, data: NewGame) -> Created:
        """Deal a game, and return the links to its seats and the one to watch."""
        desk = _desk(request)
        desk.makers.require(_address(request))
        return await desk.create(data)

    @get(
        "/",
        responses=refusals("too_fast", "unavailable"),
        operation_id="listGames",
        summary="Public games with a free seat",
    )
    async def lobby(self, request: _Request) -> Lobby:
        """Return the public games that wait for somebody."""
        desk = _desk(request)
        desk.readers.require(_address(request))
        return await desk.lobby()

    @post(
        "/{game:str}/join",
        responses=refusals("malformed", "not_allowed", "unknown_game", "conflict", "too_fast", "unavailable"),
        operation_id="joinGame",
        summary="Take a free seat of a public game",
    )
    async def join(self, request: _Request, game: GameId, data: Join) -> Joined:
        """Take a free seat."""
        desk = _desk(request)
        desk.makers.require(_address(request))
        return await desk.join(game, data)

    @get(
        "/{game:str}",
        responses=refusals("malformed", "bad_link", "unknown_game", "too_fast", "unavailable"),
        operation_id="showGame",
        summary="A game as it stands",
        media_type=MediaType.JSON,
    )
    async def show(
        self, request: _Request, game: GameId, authorization: LinkHeader = None
    ) -> Response[Welcome]:
        """Return a game as the holder of the link may see it."""
        live, viewer = await _open(request, game, authorization)
        return _ready(encode_welcome(live, viewer, []))

    @get(
        "/{game:str}/entries",
        responses=refusals("malformed", "bad_link", "unknown_game", "too_fast", "unavailable"),
        operation_id="listEntries",
        summary="What happened",
    )
    async def entries(
        self,
        request: _Request,
        game: GameId,
        authorization: LinkHeader = None,
        after: Annotated[int, Parameter(ge=-1, le=_LARGEST, description="The last entry you have.")] = -1,
        count: Annotated[int, Parameter(ge=1, le=_LONGEST_LIST)] = _LONGEST_LIST,
    ) -> Entries:
        """Return entries of the log after a number, as the holder of the link may know them."""
        live, viewer = await _open(request, game, authorization)
        games = _desk(request).games
        found = await games.pool.run(games.store.entries, live.id, after, min(after + count, _LARGEST))
        return Entries([tell_entry(live.edition, entry, viewer) for entry in found], live.number)

    @post(
        "/{game:str}/commands",
        responses=refusals(
            "malformed",
            "bad_link",
            "unknown_game",
            "not_allowed",
            "illegal_move",
            "ambiguous_move",
            "conflict",
            "not_over",
            "too_large",
            "too_fast",
            "unavailable",
        ),
        operation_id="sendCommand",
        summary="Play, take back, say something, ask: the commands of the socket",
        status_code=200,
    )
    async def command(
        self,
        request: _Request,
        game: GameId,
        data: Annotated[
            AnyCommand, Body(examples=[Example(value={"type": "play", "id": "1", "move": "draw deck"})])
        ],
        authorization: LinkHeader = None,
    ) -> Ack | Reply:
        """Carry out a command of a seat."""
        desk = _desk(request)
        desk.senders.require(_address(request))
        live, viewer = await _open(request, game, authorization)
        return await desk.do(live, viewer, data)

    @get(
        "/{game:str}/record",
        responses=refusals("malformed", "bad_link", "unknown_game", "not_over", "too_fast", "unavailable"),
        operation_id="getRecord",
        summary="The record of a finished game",
        media_type=MediaType.TEXT,
    )
    async def record(self, request: _Request, game: GameId, authorization: LinkHeader = None) -> str:
        """Return the record, which `goldenspike verify` can check."""
        live, _ = await _open(request, game, authorization)
        return await _archive(request).record(live)

    @get(
        "/{game:str}/replay",
        responses=refusals(
            "malformed", "bad_link", "unknown_game", "unknown_entry", "not_over", "too_fast", "unavailable"
        ),
        operation_id="getReplay",
        summary="Moments of a finished game, nothing hidden",
    )
    async def replay(
        self,
        request: _Request,
        game: GameId,
        authorization: LinkHeader = None,
        first: Annotated[
            int, Parameter(ge=0, le=2**31 - 1, description="After how many actions to begin.")
        ] = 0,
        count: Annotated[int, Parameter(ge=1, le=MOST_FRAMES)] = MOST_FRAMES,
    ) -> Replay:
        """Return everything as it stood after each action."""
        live, _ = await _open(request, game, authorization)
        return await _archive(request).replay(live, first, count)

    @get(
        "/{game:str}/statistics",
        responses=refusals("malformed", "bad_link", "unknown_game", "not_over", "too_fast", "unavailable"),
        operation_id="getStatistics",
        summary="The statistics of a finished game",
    )
    async def statistics(
        self, request: _Request, game: GameId, authorization: LinkHeader = None
    ) -> Statistics:
        """Return what every seat did and what came of it, and how the game went."""
        live, _ = await _open(request, game, authorization)
        return await _archive(request).statistics(live)

    @post(
        "/{game:str}/branch",
        responses=refusals(
            "malformed",
            "bad_link",
            "unknown_game",
            "unknown_entry",
            "not_over",
            "too_large",
            "too_fast",
            "unavailable",
        ),
        operation_id="branchGame",
        summary="Go on from a moment of a finished game",
    )
    async def branch(
        self, request: _Request, game: GameId, data: Branch, authorization: LinkHeader = None
    ) -> Created:
        """Deal a new game that goes on from a finished one."""
        live, _ = await _open(request, game, authorization)
        _desk(request).makers.require(_address(request))
        return await _archive(request).branch(live, data)


@dataclass
class _ImportOperation(Operation):
    """Says that a record is sent as plain text: it is read by hand, so the framework cannot know."""

    def __post_init__(self) -> None:
        text = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))
        self.request_body = RequestBody({"text/plain": text}, description="A record.", required=True)


class RecordsController(Controller):
    """Saved games that come from elsewhere."""

    path = "/api/records"
    tags = ("records",)

    @post(
        "/",
        operation_class=_ImportOperation,
        responses=refusals("bad_record", "unknown_edition", "too_large", "too_fast", "unavailable"),
        operation_id="importRecord",
        summary="Import a record",
    )
    async def bring(self, request: _Request) -> Created:
        """Check a record, sent as plain text, and keep it as a game to look at and to go on from."""
        desk = _desk(request)
        desk.makers.require(_address(request))
        text = (await request.body()).decode(errors="replace")
        return await _archive(request).bring(text)


def _address(request: _Request) -> str:
    return request.client.host if request.client else ""
