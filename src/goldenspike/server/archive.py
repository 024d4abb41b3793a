"""Games to look back on: records, every move of a replay, statistics; and what can be made of them."""

from __future__ import annotations

import asyncio
from itertools import islice

import msgspec

from goldenspike.errors import RecordError
from goldenspike.event import Event, read_events
from goldenspike.game import Game
from goldenspike.record import End
from goldenspike.replay import read_only_one
from goldenspike.server.desk import Desk, check_seats
from goldenspike.server.entry import now, unpack_rows
from goldenspike.server.face import show_own, show_table
from goldenspike.server.history import list_actions, list_positions, log_of, write_history
from goldenspike.server.links import new_game_id
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import Branch, Created, Options, OwnView, SeatWish, TableView
from goldenspike.server.problems import Problem
from goldenspike.statistics import Statistics, game_statistics

MOST_FRAMES = 400


class Frame(msgspec.Struct, frozen=True):
    """A moment of a replay: an action, what came of it, and everything as it stood then, nothing hidden."""

    n: int
    """How many actions had been played."""
    seat: int | None
    text: str | None
    events: list[Event]
    view: TableView
    own: list[OwnView]


class Replay(msgspec.Struct, frozen=True):
    """Some moments of a game, and how many actions there are in all."""

    actions: int
    frames: list[Frame]


class Archive:
    """The games that are over, or were brought here as a record."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._games = desk.games

    async def record(self, live: LiveGame) -> str:
        """Return the record of a game."""
        _require_over(live)
        entries = await self._games.pool.run(self._games.store.entries, live.id)
        return write_history(live.stored, live.edition, entries, _end_of(live))

    async def replay(self, live: LiveGame, first: int, count: int) -> Replay:
        """Return moments of a game: the first after so many actions, and so many of them."""
        _require_over(live)
        entries = await self._games.pool.run(self._games.store.entries, live.id)
        actions = list_actions(entries)
        if first > len(actions):
            raise Problem("unknown_entry", f"The game has {len(actions)} actions; ask for one of those.")

        def make() -> list[Frame]:
            positions = list_positions(live.stored, live.edition, actions)
            frames: list[Frame] = []
            for n, position in enumerate(islice(positions, first + count)):
                if n >= first:
                    action = actions[n - 1] if n else entries[0]
                    frames.append(
                        Frame(
                            n,
                            action.seat,
                            action.text,
                            list(read_events(live.edition, unpack_rows(action.events))),
                            show_table(position, live.stored.seed),
                            [show_own(position, seat) for seat in range(live.stored.players)],
                        )
                    )
            return frames

        return Replay(len(actions), await asyncio.to_thread(make))

    async def statistics(self, live: LiveGame) -> Statistics:
        """Return the statistics of a game."""
        _require_over(live)
        entries = await self._games.pool.run(self._games.store.entries, live.id)
        history = [unpack_rows(entry.events) for entry in (entries[0], *list_actions(entries))]
        return await asyncio.to_thread(game_statistics, live.edition, history)

    async def branch(self, live: LiveGame, wish: Branch) -> Created:
        """Deal a new game that goes on from a finished one."""
        _require_over(live)
        check_seats(live.edition, wish.seats, wish.options)
        if len(wish.seats) != live.stored.players:
            raise Problem("malformed", f"The game has {live.stored.players} seats, not {len(wish.seats)}.")
        game = await asyncio.to_thread(Game.from_record, await self.record(live), live.edition)
        if wish.after > len(game.played):
            raise Problem(
                "unknown_entry", f"The game has {len(game.played)} actions; go on from one of those."
            )
        name = new_game_id()
        entries = log_of(game, name, now())[: wish.after + 1]
        options = msgspec.structs.replace(wish.options, first=live.stored.first)
        return await self._desk.keep(
            name,
            live.edition,
            wish.seats,
            options,
            game.seed,
            entries,
            is_seed_chosen=True,
            is_over=game.is_over and wish.after == len(game.played),
            branch_of=live.id,
        )

    async def bring(self, text: str) -> Created:
        """Keep a record as a game to look at and to go on from."""

        def play_again() -> Game:
            saved = read_only_one(text)
            return Game.from_record(saved, self._games.shelf.get(saved.header.edition))

        try:
            game = await asyncio.to_thread(play_again)
        except RecordError as error:
            raise Problem("bad_record", f"This record cannot be used: {error}") from None
        name = new_game_id()
        nobody = [SeatWish("bot", f"Seat {seat + 1}", "easy") for seat in range(game.players)]
        return await self._desk.keep(
            name,
            game.edition,
            nobody,
            Options(first=game.first),
            game.seed,
            log_of(game, name, now()),
            is_seed_chosen=True,
            is_imported=True,
            is_over=game.is_over,
        )


def _require_over(live: LiveGame) -> None:
    if not (live.position.is_over or live.setup.is_imported):
        raise Problem("not_over", "The game is not over yet; until then its secrets are kept.")


def _end_of(live: LiveGame) -> End | None:
    result = live.position.result
    if result is None:
        return None
    return End(result.reason, list(result.winners), result.tie_break, list(result.totals))
