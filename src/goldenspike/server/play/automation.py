"""Actions without a command: bots move, agreed undos are done, turns end when their time is up."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable

from goldenspike.server.play.bot_pool import BotPool, ask
from goldenspike.server.play.catalogue import Catalogue
from goldenspike.server.play.commands import decide_move, decide_undone
from goldenspike.server.play.entry import Entry, now
from goldenspike.server.play.live_game import Asked, LiveGame
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.settings import Settings
from goldenspike.server.socket.rate_limits import Buckets

_LOGGER = logging.getLogger(__name__)
RETRY = 0.5
"""Seconds until a failed action is tried again."""
_MOVES_A_MESSAGE = 5
"""The bots of an address may move at this many times the rate of commands of one socket."""
_BURST_SECONDS = 3


def is_up(live: LiveGame) -> bool:
    """Tell whether the time of this turn is up."""
    left = live.seconds_left
    return left is not None and left <= 0


def _is_held(live: LiveGame) -> bool:
    """Tell whether bots wait because a player has asked for an undo. The turn timer does not wait."""
    return live.asked is not None and not is_up(live)


class Automation:
    """Runs the automatic actions of games; `write` adds an entry to a game's log.

    A game without connected clients is paused: its bots do not move, and no turn ends.
    """

    def __init__(
        self,
        settings: Settings,
        catalogue: Catalogue,
        bot_pool: BotPool,
        write: Callable[[LiveGame, Callable[[], Entry]], Awaitable[Entry]],
    ) -> None:
        self._settings, self._catalogue, self._bot_pool = settings, catalogue, bot_pool
        self._write = write
        rate = settings.message_rate * _MOVES_A_MESSAGE
        self._moves = Buckets(rate, rate * _BURST_SECONDS)
        """For the moves of bots, by the address that they count for."""

    def start(self, live: LiveGame) -> None:
        """Start a game's automatic actions if there are any and they are not running yet."""
        if live.automatic_action is None and self._automatic_action(live) is not None:
            live.automatic_action = asyncio.create_task(self._run_automatic_actions(live))

    def _automatic_action(self, live: LiveGame) -> Callable[[], Awaitable[object]] | None:
        if live.position.is_over or live.is_waiting:
            return None
        if live.asked is not None and not live.asked.waiting:
            asked = live.asked
            return lambda: self._take_back(live, asked)
        if _is_held(live) or not live.audience.is_present:
            return None
        for seat in live.position.to_move:
            bot = live.seat_states[seat].bot
            if bot is not None:
                if (left := self._seconds_to_undo(live)) > 0:
                    return lambda: asyncio.sleep(left)
                return lambda: self._move_bot(live, seat, bot)
        if is_up(live):
            seat = live.position.to_move[0]
            return lambda: self._move_bot(live, seat, "easy")
        return None

    def _seconds_to_undo(self, live: LiveGame) -> float:
        """Return how long bots still wait, because a player can undo a claim until a bot has moved."""
        last = live.trail[-1] if live.trail else None
        if last is None or not last.is_claim or not live.seat_states[last.seat].waits_for_person:
            return 0.0
        return live.moved_at + live.undo_seconds - time.monotonic()

    async def _run_automatic_actions(self, live: LiveGame) -> None:
        try:
            while (automatic_action := self._automatic_action(live)) is not None:
                try:
                    await automatic_action()
                except Problem as problem:
                    if problem.code != "conflict":  # after a conflict, retry at once with the new position
                        await asyncio.sleep(RETRY)
        except Exception:
            _LOGGER.exception("an automatic action of a game failed", extra={"game": live.id})
        finally:
            live.automatic_action = None

    async def _take_back(self, live: LiveGame, asked: Asked) -> None:
        def make() -> Entry:
            if live.asked != asked:
                raise Problem("conflict", "A player moved before the undo.")
            return decide_undone(live, asked.seat, asked.actions, now())

        await self._write(live, make)

    async def _move_bot(self, live: LiveGame, seat: int, bot: str) -> None:
        number, address = live.number, live.audience.address
        seed = hashlib.sha256(f"{live.stored.seed} {number} {seat}".encode()).digest()
        view = live.position.view(seat)
        source = self._catalogue.source(live.stored.edition)
        choice = await self._bot_pool.choose(
            ask(source, view, bot, seed, self._settings.bot_seconds),
            address,
            live.id,
            is_wanted=lambda: live.audience.is_present,
        )

        def make() -> Entry:
            is_bots = live.seat_states[seat].bot == bot or is_up(live)
            is_wanted = is_bots and live.audience.is_present
            if live.position.view(seat) != view or _is_held(live) or not is_wanted:
                raise Problem("conflict", "The game continued while a bot was thinking.")
            return decide_move(live, seat, choice.move, now(), None)

        await self._write(live, make)
        if address:  # wait here, because the next action depends on what has happened until then
            await asyncio.sleep(self._moves.of(address).reserve())
