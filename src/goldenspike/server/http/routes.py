"""The HTTP API: editions, games, codes and records. Links are sent in a header."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

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

from goldenspike.game.statistics import Statistics
from goldenspike.server.archive.archive import MOST_FRAMES, Archive, Replay
from goldenspike.server.http.errors import refusals
from goldenspike.server.http.page import PACKED, answer_static
from goldenspike.server.play.catalogue import EditionCards, EditionInfo
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.service import ENTRY_COST, GameService
from goldenspike.server.protocol.messages import (
    Accept,
    Ack,
    AnyCommand,
    Branch,
    Created,
    Entries,
    Hint,
    Join,
    Joined,
    Lobby,
    NewGame,
    Reply,
    UseCode,
    Welcome,
)
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.socket.rate_limits import limited_address
from goldenspike.server.views.encode import encode_welcome, reader_of
from goldenspike.server.views.view_messages import tell_entry

T = TypeVar("T")
_Request = Request[Any, Any, State]
_LONGEST_LIST = 500
_LARGEST = 2**31 - 1
"""The largest entry number that every database accepts."""

LinkHeader = Annotated[
    str | None,
    HeaderParameter(
        name="Authorization",
        required=False,
        description="Bearer GAME.SECRET: a seat's link, or the one to watch.",
    ),
]
GameId = Annotated[str, Parameter(max_length=16, pattern="^[A-Za-z0-9_-]+$", description="A game's name.")]


def _service(request: _Request) -> GameService:
    return request.app.state.service


def _archive(request: _Request) -> Archive:
    return request.app.state.archive


async def _open(request: _Request, game: str, authorization: str | None) -> tuple[LiveGame, int | None]:
    """Return the game that the link in the header opens; it must be the game in the path."""
    service = _service(request)
    games = service.games
    live, viewer = await games.open_link(_link(game, authorization))
    service.require_bots(live, _address(request))
    live.audience.note_seen(viewer)
    live.resume()
    live.audience.visit(_address(request))
    games.start_automation(live)  # a client that only polls is no listener, but its bots must move as well
    return live, viewer


def _link(game: str, authorization: str | None) -> str:
    """Return the link in the header, which must be for the game in the path."""
    scheme, _, link = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not link:
        raise Problem(
            "bad_link",
            "Send the link to your seat, or the spectator link, as: Authorization: Bearer GAME.SECRET.",
        )
    if link.partition(".")[0] != game:
        raise Problem("bad_link", "This link is for another game.", reason="other_game")
    return link.strip()


async def _unless_gone(request: _Request, doing: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine; cancel it if the client disconnects first."""
    task, gone = asyncio.create_task(doing), asyncio.create_task(_wait_until_gone(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Problem("conflict", "The connection was closed before the answer.")
        return task.result()
    finally:
        task.cancel()
        gone.cancel()


async def _wait_until_gone(request: _Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _open_public(request: _Request, game: str) -> LiveGame:
    """Return a game by its id, for replays.

    Nothing in a finished game is secret, so its id is enough, and shared replay links contain no secret of a
    seat. The archive refuses games that are not over.
    """
    return await _service(request).games.open(game)


class EditionsController(Controller):
    """Editions."""

    path = "/api/editions"
    tags = ("editions",)

    @get(
        "/",
        responses=refusals("too_fast"),
        operation_id="listEditions",
        summary="All editions at a glance",
        media_type=MediaType.JSON,
        opt={PACKED: True},
    )
    async def list_all(self, request: _Request) -> Response[EditionCards]:
        """Return short descriptions of all editions."""
        return answer_static(_service(request).games.catalogue.packed_cards(), request)

    @get(
        "/{edition:str}",
        responses=refusals("unknown_edition", "malformed", "too_fast"),
        operation_id="showEdition",
        summary="An edition in full",
        media_type=MediaType.JSON,
        opt={PACKED: True},
    )
    async def show(self, request: _Request, edition: str) -> Response[EditionInfo]:
        """Return an edition: cities, routes, tickets, and what the numbers of moves mean."""
        return answer_static(_service(request).games.catalogue.info(edition), request)


def _ready(data: bytes) -> Response[Any]:
    """Return a response with JSON that is already encoded."""
    return Response(msgspec.Raw(data), media_type=MediaType.JSON)


class GamesController(Controller):
    """Creating games, taking seats, playing."""

    path = "/api/games"
    tags = ("games",)

    @post(
        "/",
        responses=refusals(
            "malformed", "unknown_edition", "not_allowed", "too_large", "too_fast", "unavailable"
        ),
        operation_id="createGame",
        summary="Deal a game",
    )
    async def create(self, request: _Request, data: NewGame) -> Created:
        """Deal a game, and return the links to its seats and the one to watch."""
        service = _service(request)
        service.makers.require(_address(request))
        return await service.create(data, _address(request))

    @get(
        "/",
        responses=refusals("too_fast", "unavailable"),
        operation_id="listGames",
        summary="Public games with a free seat",
        media_type=MediaType.JSON,
    )
    async def lobby(self, request: _Request) -> Response[Lobby]:
        """Return the public games with a free seat."""
        return _ready(await _service(request).lobby.encoded())

    @post(
        "/{game:str}/join",
        responses=refusals("malformed", "not_allowed", "unknown_game", "conflict", "too_fast", "unavailable"),
        operation_id="joinGame",
        summary="Take a free seat of a public game",
    )
    async def join(self, request: _Request, game: GameId, data: Join) -> Joined:
        """Take a free seat."""
        service = _service(request)
        service.makers.require(_address(request))
        joined = await service.seat_access.join(game, data, _address(request))
        service.lobby.invalidate()
        return joined

    @post(
        "/{game:str}/accept",
        responses=refusals(
            "malformed", "bad_link", "not_allowed", "unknown_game", "conflict", "too_fast", "unavailable"
        ),
        operation_id="acceptInvitation",
        summary="Accept an invitation",
    )
    async def accept(
        self, request: _Request, game: GameId, data: Accept, authorization: LinkHeader = None
    ) -> Joined:
        """Return a link to the seat for this device only."""
        service = _service(request)
        service.makers.require(_address(request))
        return await service.seat_access.accept(_link(game, authorization), data)

    @get(
        "/{game:str}",
        responses=refusals("malformed", "bad_link", "unknown_game", "full", "too_fast", "unavailable"),
        operation_id="showGame",
        summary="The current state of a game",
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
        responses=refusals("malformed", "bad_link", "unknown_game", "full", "too_fast", "unavailable"),
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
        """Return entries of the log after a number, as the holder of the link may see them."""
        live, viewer = await _open(request, game, authorization)
        service = _service(request)
        service.readers.require(_address(request), max(0, min(count, live.number - after)) * ENTRY_COST)
        found = await service.games.store.entries(live.id, after, min(after + count, _LARGEST))
        return Entries(
            [tell_entry(live.edition, entry, reader_of(live, viewer)) for entry in found], live.number
        )

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
            "full",
            "too_fast",
            "unavailable",
        ),
        operation_id="sendCommand",
        summary="Send a command: play, undo, say, ask; the same as on the socket",
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
        service = _service(request)
        service.senders.require(_address(request))
        live, viewer = await _open(request, game, authorization)
        doing = service.do(live, viewer, data, _address(request))
        return await (_unless_gone(request, doing) if isinstance(data, Hint) else doing)

    @get(
        "/{game:str}/record",
        responses=refusals("malformed", "unknown_game", "not_over", "too_fast", "unavailable"),
        operation_id="getRecord",
        summary="The record of a finished game",
        media_type=MediaType.TEXT,
        opt={PACKED: True},
    )
    async def record(self, request: _Request, game: GameId) -> Response[str]:
        """Return the record, which `goldenspike verify` can check."""
        live, archive = await _open_public(request, game), _archive(request)
        packed = await archive.packed(("record",), live, lambda: archive.record(live))
        return answer_static(packed, request)

    @get(
        "/{game:str}/replay",
        responses=refusals(
            "malformed", "unknown_game", "unknown_entry", "not_over", "too_fast", "unavailable"
        ),
        operation_id="getReplay",
        summary="Replay frames of a finished game",
        media_type=MediaType.JSON,
        opt={PACKED: True},
    )
    async def replay(
        self,
        request: _Request,
        game: GameId,
        first: Annotated[
            int, Parameter(ge=0, le=2**31 - 1, description="After how many actions to begin.")
        ] = 0,
        count: Annotated[int, Parameter(ge=1, le=MOST_FRAMES)] = MOST_FRAMES,
    ) -> Response[Replay]:
        """Return the whole state of the game after each action."""
        live, archive = await _open_public(request, game), _archive(request)
        packed = await archive.packed(
            ("replay", first, count), live, lambda: archive.replay(live, first, count)
        )
        return answer_static(packed, request)

    @get(
        "/{game:str}/statistics",
        responses=refusals("malformed", "unknown_game", "not_over", "too_fast", "unavailable"),
        operation_id="getStatistics",
        summary="The statistics of a finished game",
        media_type=MediaType.JSON,
        opt={PACKED: True},
    )
    async def statistics(self, request: _Request, game: GameId) -> Response[Statistics]:
        """Return statistics of every seat and of the course of the game."""
        live, archive = await _open_public(request, game), _archive(request)
        packed = await archive.packed(("statistics",), live, lambda: archive.statistics(live))
        return answer_static(packed, request)

    @post(
        "/{game:str}/branch",
        responses=refusals(
            "malformed",
            "unknown_game",
            "unknown_entry",
            "not_allowed",
            "not_over",
            "too_large",
            "too_fast",
            "unavailable",
        ),
        operation_id="branchGame",
        summary="Continue from a position of a finished game",
    )
    async def branch(self, request: _Request, game: GameId, data: Branch) -> Created:
        """Create a new game that continues a finished one."""
        live = await _open_public(request, game)
        _service(request).makers.require(_address(request))
        return await _archive(request).branch(live, data, _address(request))


class CodesController(Controller):
    """Codes that give another device access to a seat."""

    path = "/api/codes"
    tags = ("games",)

    @post(
        "/",
        responses=refusals("malformed", "bad_link", "unknown_game", "too_fast", "unavailable"),
        operation_id="useCode",
        summary="Add this device to a seat by code",
    )
    async def use(self, request: _Request, data: UseCode) -> Joined:
        """Return a link to the seat for this device only. A code works once."""
        service = _service(request)
        service.makers.require(_address(request))
        return await service.seat_access.use_code(data.code)


@dataclass
class _ImportOperation(Operation):
    """Declares the body as plain text: the handler reads it itself, so Litestar cannot infer that."""

    def __post_init__(self) -> None:
        text = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))
        self.request_body = RequestBody({"text/plain": text}, description="A record.", required=True)


class RecordsController(Controller):
    """Imported records."""

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
        """Check a record, sent as plain text, and store it as a game that can be replayed and continued."""
        service = _service(request)
        service.makers.require(_address(request))
        text = (await request.body()).decode(errors="replace")
        return await _archive(request).bring(text)


def _address(request: _Request) -> str:
    return limited_address(request.client.host) if request.client else ""
