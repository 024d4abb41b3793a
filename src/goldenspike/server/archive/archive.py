"""The archive: records, replays and statistics of finished games, branches from them, and imports."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from itertools import islice

import msgspec

from goldenspike.errors import RecordError
from goldenspike.game.events import Event, read_events
from goldenspike.game.game import Game
from goldenspike.game.record import fit_name, record_game
from goldenspike.game.replay import read_only_one
from goldenspike.game.statistics import Statistics, game_statistics
from goldenspike.server.archive.history import list_actions, list_positions, log_of
from goldenspike.server.http.page import StaticFile, pack_json, pack_text
from goldenspike.server.play.entry import Entry, now, unpack_rows
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.service import GameService, check_seats
from goldenspike.server.protocol.links import new_game_id
from goldenspike.server.protocol.messages import (
    Branch,
    Colour,
    Created,
    Options,
    OwnView,
    SeatWish,
    TableView,
)
from goldenspike.server.protocol.problems import Problem, removed_game
from goldenspike.server.views.view_messages import show_own, show_table

MOST_FRAMES = 400
_MOST_KEPT_BYTES = 32_000_000


class ReplayFrame(msgspec.Struct, frozen=True):
    """A moment of a replay: an action, what came of it, and everything as it stood then, nothing hidden."""

    n: int
    """How many actions had been played."""
    seat: int | None
    text: str | None
    events: list[Event]
    view: TableView
    own: list[OwnView]


class Replay(msgspec.Struct, frozen=True):
    """Some frames of a game, with its edition, its players and its number of actions."""

    edition: str
    names: list[str]
    """The players by seat. Replays are public, so nothing here gives access to a seat or a rematch."""
    colours: list[Colour]
    actions: int
    frames: list[ReplayFrame]


class Archive:
    """Games that are over, or were imported from a record."""

    def __init__(self, service: GameService) -> None:
        self._service = service
        self._games = service.games
        self._working = asyncio.Semaphore(1)
        """Allows one computation at a time, because it takes processor time from running games."""
        self._kept: OrderedDict[tuple[object, ...], StaticFile] = OrderedDict()
        """Cache of the last responses, compressed. A finished game does not change."""
        self._kept_bytes = 0

    async def packed(
        self, what: tuple[object, ...], live: LiveGame, make: Callable[[], Awaitable[object]]
    ) -> StaticFile:
        """Return the compressed result of `make`, from the cache if possible.

        A text is stored as plain text, anything else as JSON.
        """
        names = tuple(
            seat_state.name for seat_state in live.seat_states
        )  # an operator may have removed them since
        key = (live.id, live.epoch, names, *what)
        async with self._working:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            made = await make()
            packed = await asyncio.to_thread(_pack, made)
            self._kept[key] = packed
            self._kept_bytes += packed.size
            while self._kept_bytes > _MOST_KEPT_BYTES:
                self._kept_bytes -= self._kept.popitem(last=False)[1].size
            return packed

    async def record(self, live: LiveGame) -> str:
        """Return the record of a game."""
        _require_over(live)
        return await asyncio.to_thread(record_of, live, await self._entries(live))

    async def replay(self, live: LiveGame, first: int, count: int) -> Replay:
        """Return `count` frames of a game, beginning after `first` actions."""
        _require_over(live)
        entries = await self._entries(live)
        actions = list_actions(entries)
        if first > len(actions):
            raise Problem("unknown_entry", f"The game has {len(actions)} moves; choose one of those.")

        def make() -> list[ReplayFrame]:
            positions = list_positions(live.stored, live.edition, actions)
            frames: list[ReplayFrame] = []
            for n, position in enumerate(islice(positions, first + count)):
                if n >= first:
                    action = actions[n - 1] if n else entries[0]
                    frames.append(
                        ReplayFrame(
                            n,
                            action.seat,
                            action.move_text if n else None,
                            list(read_events(live.edition, unpack_rows(action.events))),
                            show_table(position, live.stored.seed),
                            [show_own(position, seat) for seat in range(live.stored.players)],
                        )
                    )
            return frames

        names = [seat_state.name for seat_state in live.seat_states]
        colours: list[Colour] = [seat_state.colour for seat_state in live.seat_states]
        return Replay(live.edition.id, names, colours, len(actions), await asyncio.to_thread(make))

    async def statistics(self, live: LiveGame) -> Statistics:
        """Return the statistics of a game."""
        _require_over(live)
        entries = await self._entries(live)
        history = [unpack_rows(entry.events) for entry in (entries[0], *list_actions(entries))]
        return await asyncio.to_thread(game_statistics, live.edition, history)

    async def _entries(self, live: LiveGame) -> list[Entry]:
        entries = await self._games.store.entries(live.id)
        if not entries:
            raise removed_game()
        return entries

    async def branch(self, live: LiveGame, wish: Branch, address: str = "") -> Created:
        """Create a new game that continues a finished one, for a client at an address."""
        _require_over(live)
        if wish.options.public:
            raise Problem(
                "malformed",
                "A game that continues another one cannot be public, because its seed is known.",
                reason="public_branch",
            )
        check_seats(live.edition, wish.seats, wish.options)
        if len(wish.seats) != live.stored.players:
            raise Problem("malformed", f"The game has {live.stored.players} seats, not {len(wish.seats)}.")
        game = await asyncio.to_thread(Game.from_record, await self.record(live), live.edition)
        if wish.after > len(game.played):
            raise Problem(
                "unknown_entry", f"The game has {len(game.played)} moves; continue from one of those."
            )
        name = new_game_id()
        entries = log_of(game, name, now())[: wish.after + 1]
        options = msgspec.structs.replace(wish.options, first=live.stored.first)
        return await self._service.keep(
            name,
            live.edition,
            wish.seats,
            options,
            game.seed,
            entries,
            is_seed_chosen=True,
            is_over=game.is_over and wish.after == len(game.played),
            branch_of=live.id,
            address=address,
        )

    async def bring(self, text: str) -> Created:
        """Import a record as a game that can be replayed and continued."""

        def play_again() -> Game:
            saved = read_only_one(text)
            return Game.from_record(saved, self._games.catalogue.get(saved.header.edition))

        try:
            game = await asyncio.to_thread(play_again)
        except RecordError as error:
            raise Problem("bad_record", f"This game file cannot be used: {error}") from None
        name = new_game_id()
        bots = [SeatWish("bot", name, "easy") for name in game.names]
        return await self._service.keep(
            name,
            game.edition,
            bots,
            Options(first=game.first),
            game.seed,
            log_of(game, name, now()),
            is_seed_chosen=True,
            is_imported=True,
            is_over=game.is_over,
        )


def record_of(live: LiveGame, entries: Iterable[Entry]) -> str:
    """Return the record of a game, given its log."""
    names = [fit_name(seat_state.name, seat) for seat, seat_state in enumerate(live.seat_states)]
    actions = [
        (entry.seat or 0, entry.move_text, unpack_rows(entry.events), entry.state_hash or "")
        for entry in list_actions(entries)
    ]
    seed = bytes.fromhex(live.stored.seed)
    return record_game(live.edition, names, live.stored.first, seed, actions, live.position.result)


def _pack(made: object) -> StaticFile:
    return pack_text(made) if isinstance(made, str) else pack_json(msgspec.json.encode(made))


def _require_over(live: LiveGame) -> None:
    if not (live.position.is_over or live.setup.is_imported):
        raise Problem("not_over", "The game is not over yet; its hidden cards are shown afterwards.")
