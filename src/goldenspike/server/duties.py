"""What games must do by themselves: move bots, take back what all agreed on, end turns whose time is up."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable

from goldenspike.server.decide import decide_move, decide_undone
from goldenspike.server.entry import Entry, now
from goldenspike.server.live import Asked, LiveGame
from goldenspike.server.problems import Problem
from goldenspike.server.settings import Settings
from goldenspike.server.shelf import Shelf
from goldenspike.server.thinkers import Thinkers, ask

_LOGGER = logging.getLogger(__name__)
RETRY = 0.5
"""Seconds until something that failed is tried again."""


def is_up(live: LiveGame) -> bool:
    """Tell whether the time of this turn is up."""
    return live.deadline is not None and now() >= live.deadline


def _is_held(live: LiveGame) -> bool:
    """Tell whether bots wait because somebody asks to take back an action; the clock waits for nobody."""
    return live.asked is not None and not is_up(live)


class Duties:
    """Does for games what nobody else does; `write` adds an entry to a game's log."""

    def __init__(
        self,
        settings: Settings,
        shelf: Shelf,
        thinkers: Thinkers,
        write: Callable[[LiveGame, Callable[[], Entry]], Awaitable[Entry]],
    ) -> None:
        self._settings, self._shelf, self._thinkers, self._write = settings, shelf, thinkers, write

    def see_to(self, live: LiveGame) -> None:
        """Have a game do what it must, if there is anything."""
        if live.duty is None and self._duty_of(live) is not None:
            live.duty = asyncio.create_task(self._do_duties(live))

    def _duty_of(self, live: LiveGame) -> Callable[[], Awaitable[object]] | None:
        if live.position.is_over or live.is_waiting:
            return None
        if live.asked is not None and not live.asked.waiting:
            asked = live.asked
            return lambda: self._take_back(live, asked)
        if _is_held(live):
            return None
        for seat in live.position.to_move:
            level = live.chairs[seat].level
            if level is not None:
                return lambda: self._move_bot(live, seat, level)
        if is_up(live):
            seat = live.position.to_move[0]
            return lambda: self._move_bot(live, seat, "easy")
        return None

    async def _do_duties(self, live: LiveGame) -> None:
        try:
            while (duty := self._duty_of(live)) is not None:
                try:
                    await duty()
                except Problem as problem:
                    if problem.code != "conflict":  # what is only late by now can be done at once
                        await asyncio.sleep(RETRY)
        except Exception:
            _LOGGER.exception("a game's duty failed", extra={"game": live.id})
        finally:
            live.duty = None

    async def _take_back(self, live: LiveGame, asked: Asked) -> None:
        def make() -> Entry:
            if live.asked != asked:
                raise Problem("conflict", "Somebody moved before the action was taken back.")
            return decide_undone(live, asked.seat, asked.actions, now())

        await self._write(live, make)

    async def _move_bot(self, live: LiveGame, seat: int, level: str) -> None:
        number = live.number
        seed = hashlib.sha256(f"{live.stored.seed} {number} {seat}".encode()).digest()
        view = live.position.view(seat)
        source = self._shelf.source(live.stored.edition)
        choice = await self._thinkers.choose(ask(source, view, level, seed, self._settings.bot_seconds))

        def make() -> Entry:
            is_wanted = live.chairs[seat].level == level or is_up(live)
            if live.position.view(seat) != view or _is_held(live) or not is_wanted:
                raise Problem("conflict", "The game went on while a bot was thinking.")
            return decide_move(live, seat, choice.move, now(), None)

        await self._write(live, make)
