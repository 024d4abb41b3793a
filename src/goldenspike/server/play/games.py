"""All games of a process: loading them, adding entries to their logs, and maintaining them.

An entry takes effect only after it was written to the database under the next number. If another process
wrote that number first, this process reads the log and retries the command or refuses it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

import msgspec

from goldenspike.engine.state import CHOOSING
from goldenspike.server.metrics import LIVE_GAMES, count_entry
from goldenspike.server.play.automation import RETRY, Automation, is_up
from goldenspike.server.play.bot_pool import BotPool
from goldenspike.server.play.catalogue import Catalogue
from goldenspike.server.play.commands import decide, hash_command, require_same
from goldenspike.server.play.entry import Entry, now, with_chains
from goldenspike.server.play.game_loader import GameLoader
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.protocol.links import split_link
from goldenspike.server.protocol.messages import Ack, Command, Play
from goldenspike.server.protocol.problems import Problem, removed_game
from goldenspike.server.settings import Settings
from goldenspike.server.storage.store import Store

if TYPE_CHECKING:
    from goldenspike.server.storage.bus import Bus

_LOGGER = logging.getLogger(__name__)
_TRIES = 4
_TOO_LATE = 5.0
"""Seconds after which this process no longer relies on others: it runs the automatic actions of a game
itself, and looks for entries that were not announced. Also the timeout of the database check."""
_PRESENCE_SECONDS = 10.0
"""Seconds between presence messages to other processes. Presence expires after 2.5 times as long."""


class Games:
    """The games that this process has in memory; loads others from the database."""

    def __init__(self, settings: Settings, store: Store, catalogue: Catalogue, bot_pool: BotPool) -> None:
        self.settings = settings
        self.store = store
        self.catalogue = catalogue
        self.bot_pool = bot_pool
        self._automation = Automation(settings, catalogue, bot_pool, self.write)
        self.is_away = False
        """Whether the database or Redis cannot be reached."""
        self._live: dict[str, LiveGame] = {}
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.bus: Bus | None = None
        if settings.redis is not None:
            from goldenspike.server.storage.bus import Bus  # noqa: PLC0415  # needs redis, which one process does not

            self.bus = Bus(settings.redis, self, self._start_outage, self._on_reconnect)
        self.loader = GameLoader(store, catalogue, self.bus, settings.undo_seconds, self.forget)
        self._announced: set[str] = set()
        """Games whose logs another process has announced new entries for."""
        self._reading: asyncio.Task[None] | None = None
        self._entries_checked = 0.0
        self._presence_published = 0.0
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Stop all tasks. All acknowledged entries are in the database."""
        self._sweeper.cancel()
        for live in self._live.values():
            if live.automatic_action is not None:
                live.automatic_action.cancel()
        await self.store.stop_writing()
        if self._tasks:  # let them finish, but do not wait for an unreachable database
            await asyncio.wait(self._tasks, timeout=RETRY)
        for task in self._tasks:
            task.cancel()
        if self.bus is not None:
            await self.bus.close()

    # Loading games

    async def open(self, game: str) -> LiveGame:
        """Return a game from memory or from the database; raise a :class:`Problem` if there is none."""
        live = self._live.get(game)
        if live is not None:
            live.opened = time.monotonic()
            return live
        if game not in self._loading:
            loading = asyncio.create_task(self._load(game))
            self._loading[game] = loading
            loading.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(self._loading[game])

    async def _load(self, game: str) -> LiveGame:
        live = await self.loader.load(game)
        live.opened = time.monotonic()
        self._live[game] = live
        LIVE_GAMES.set(len(self._live))
        if self.bus is not None:
            live.audience.on_presence = self.bus.publish_presence
            self.bus.request_presence(game)
            live.is_uncertain = True  # announcements were ignored while the log was being read
            async with live.lock:
                await self.loader.catch_up(live)
        return live

    async def open_link(self, link: str) -> tuple[LiveGame, int | None]:
        """Return the game that a link opens, and the seat, or None for a spectator."""
        game, secret_hash = split_link(link)
        live = await self.open(game)
        try:
            return live, live.viewer_of(secret_hash)
        except Problem:  # the seat may have been taken in another process
            await self.loader.read_keys(live)
            return live, live.viewer_of(secret_hash)

    # Changing games

    async def command(self, live: LiveGame, seat: int, command: Command) -> Ack:
        """Carry out a command that changes a game, and acknowledge it after it was committed."""
        token, request = f"{seat}.{command.id}", hash_command(command)

        def make() -> Entry:
            is_late = command.after is not None and command.after < live.moved
            if is_late and live.position.number("phase") != CHOOSING:
                raise Problem(
                    "conflict", "The game has changed since; look at the table again.", reason="game_changed"
                )
            entry = decide(live, seat, command, token, now(), self.settings.patience)
            return msgspec.structs.replace(entry, request=request)

        entry = await self.write(live, make, token, is_lasting=not isinstance(command, Play))
        require_same(entry, request)
        return Ack(command.id, entry.number, entry.state_hash)

    async def write(
        self,
        live: LiveGame,
        make: Callable[[], Entry],
        token: str | None = None,
        *,
        is_lasting: bool = False,
        keep: Callable[[Entry], Awaitable[bool]] | None = None,
    ) -> Entry:
        """Add the entry that `make` computes from the current state of the game, and return it.

        If another writer was first, its entries are applied. Then `make` is called again if the entry is
        lasting, if no seat has moved, or if all seats are choosing tickets, where the order does not matter;
        otherwise the entry is refused. `keep` writes an entry with its related rows, and returns whether it
        was stored.
        """
        async with live.lock:
            for _ in range(_TRIES):
                if live.is_uncertain:
                    await self.loader.catch_up(live)
                if (done := await self._done_before(live, token)) is not None:
                    return done
                try:
                    entry = make()
                except Problem:
                    if self.bus is not None and await self.loader.catch_up(live):
                        continue
                    raise
                if await self._append(live, entry, keep or self.store.append):
                    return entry
                await self.loader.catch_up(live)
                if (done := await self._done_before(live, token)) is not None:
                    return done
                is_same = live.moved < entry.number or live.position.view(None).phase == "choosing"
                if not (is_lasting or is_same):
                    break
        raise Problem(
            "conflict", "Another player was faster; look at the table again.", reason="game_changed"
        )

    async def _done_before(self, live: LiveGame, token: str | None) -> Entry | None:
        """Return the entry of a command that was carried out before, however long ago; None if it was not.

        An entry is stored only if it follows the last entry known here, and this process has the tokens of
        all known entries. So no command is carried out twice, and tokens need no unique index.
        """
        if token is None or not live.may_know(token):
            return None
        return live.find_recent(token) or await self.store.by_token(live.id, token)

    async def _append(self, live: LiveGame, entry: Entry, keep: Callable[[Entry], Awaitable[bool]]) -> bool:
        """Write an entry after the last known one; return whether it was stored."""
        [entry] = with_chains([entry], live.chain)
        try:
            is_kept = await keep(entry)
        except Problem as problem:
            live.is_uncertain = True
            if problem.code == "unavailable":
                self._start_outage(problem.__cause__)
            raise
        if is_kept:
            live.apply(entry)
            live.audience.notify()
            count_entry(entry.kind)
            self._after_write(live, entry)
        return is_kept

    def _after_write(self, live: LiveGame, entry: Entry) -> None:
        """Announce an entry that this process wrote, and start what follows from it."""
        if self.bus is not None:
            self.bus.publish(entry.game, entry.number)
        if live.position.is_over and entry.kind == "moved":
            self._spawn(self._finish(live))
        self.start_automation(live)

    async def _finish(self, live: LiveGame) -> None:
        try:
            await self.store.finish(live.id, live.recent[-1].at)
        except Problem:
            _LOGGER.warning("the end of a game could not be stored", extra={"game": live.id})

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Maintaining games

    def start_automation(self, live: LiveGame) -> None:
        """Start a game's automatic actions, if there are any."""
        self._automation.start(live)

    async def _sweep(self) -> None:
        """Check turn timers and overdue automatic actions, and drop idle games, every second."""
        while True:
            await asyncio.sleep(1.0)
            try:
                await self._check_database()
                await self._find_unannounced()
                self._publish_presence()
                self._maintain()
            except Exception:
                _LOGGER.exception("maintenance of the games failed; it is retried")

    def _maintain(self) -> None:
        """Start overdue automatic actions, and drop idle games from memory."""
        time_now = time.monotonic()
        for live in tuple(self._live.values()):
            live.audience.expire_presence(time_now)
            listeners = live.audience.listeners
            is_late = time_now - live.changed > _TOO_LATE
            if (is_up(live) or is_late) and listeners:
                self.start_automation(live)
            is_idle = time_now - max(live.changed, live.opened) > self.settings.idle_seconds
            if is_idle and not listeners and live.automatic_action is None and not live.lock.locked():
                del self._live[live.id]
        LIVE_GAMES.set(len(self._live))

    async def _find_unannounced(self) -> None:
        """Look for entries that were written by another process but not announced, or not received here."""
        if self.bus is None or self.is_away or time.monotonic() - self._entries_checked < _TOO_LATE:
            return
        self._entries_checked = time.monotonic()
        known = {live.id: live.number for live in self._live.values() if live.audience.listeners}
        try:
            for game in await self.store.longer(known):
                if (live := self._live.get(game)) is not None:
                    await self._catch_up_if_possible(live)
        except Problem:
            self._start_outage()

    async def _check_database(self) -> None:
        """Notice that a remote database is unreachable even while no entries are written."""
        if self.is_away or not self.store.is_remote:
            return
        try:
            await asyncio.wait_for(self.store.ping(), _TOO_LATE)
        except (Problem, TimeoutError) as error:
            self._start_outage(error.__cause__ or error)

    # Other processes and outages

    def find(self, game: str) -> LiveGame | None:
        """Return a game that is in memory; None if it is not."""
        return self._live.get(game)

    def ids_in_memory(self) -> list[str]:
        """Return the games that are in memory."""
        return list(self._live)

    def forget(self, game: str) -> None:
        """Drop a game that was removed from the database, and close its connections."""
        live = self._live.pop(game, None)
        if live is None:
            return
        if live.automatic_action is not None:
            live.automatic_action.cancel()
        for listener in tuple(live.audience.listeners):
            listener.dismiss(removed_game())

    def on_entries(self, game: str, number: int) -> None:
        """Schedule a read of entries that another process has announced."""
        live = self._live.get(game)
        if live is not None and number > live.number:
            self._announced.add(game)
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read_announced())

    async def _read_announced(self) -> None:
        """Read announced entries, of all games in one query, until there are no more."""
        while self._announced:
            games, self._announced = self._announced, set()
            open_games = [live for game in games if (live := self._live.get(game)) is not None]
            known = {live.id: live.number for live in open_games}
            try:
                found = await self.store.entries_after(known)
            except Problem:
                for live in open_games:
                    live.is_uncertain = True
                self._start_outage()
                return
            for live in open_games:
                news = [entry for entry in found.get(live.id, ()) if entry.number > live.number]
                if not news:
                    continue
                if live.lock.locked():
                    self._spawn(self._catch_up_later(live, news[-1].number))  # do not delay other games
                else:
                    async with live.lock:
                        with contextlib.suppress(Problem):
                            await self.loader.apply(live, news)

    async def _catch_up_later(self, live: LiveGame, number: int) -> None:
        async with live.lock:
            if number > live.number:
                try:
                    await self.loader.catch_up(live)
                except Problem:
                    live.is_uncertain = True

    def on_presence(self, game: str, sender: bytes, seats: int) -> None:
        """Record which seats are connected to another process."""
        if (live := self._live.get(game)) is not None:
            live.audience.set_remote_seats(sender, seats, time.monotonic() + 2.5 * _PRESENCE_SECONDS)

    def on_presence_request(self, game: str) -> None:
        """Announce which seats are connected here, because another process asked."""
        if self.bus is not None and (live := self._live.get(game)) is not None and live.audience.local_seats:
            self.bus.publish_presence(game, live.audience.local_seats)

    def _publish_presence(self) -> None:
        if self.bus is None or time.monotonic() - self._presence_published < _PRESENCE_SECONDS:
            return
        self._presence_published = time.monotonic()
        for live in self._live.values():
            if live.audience.local_seats:
                self.bus.publish_presence(live.id, live.audience.local_seats)

    async def _catch_up_if_possible(self, live: LiveGame) -> None:
        """Read and apply new entries; leave a game unchanged if its log cannot be applied."""
        async with live.lock:
            try:
                await self.loader.catch_up(live)
            except Problem as problem:
                if problem.code == "unavailable":
                    raise

    def _start_outage(self, cause: BaseException | None = None) -> None:
        if not self.is_away:
            self.is_away = True
            reason = "" if cause is None else str(cause).partition("\n")[0]
            _LOGGER.warning("the database or Redis is unreachable", extra={"reason": reason})
            self._notify_all()
            self._spawn(self._wait_until_reachable())

    async def _wait_until_reachable(self) -> None:
        while self.is_away:
            await asyncio.sleep(RETRY)
            if self.bus is not None and not self.bus.is_up:
                continue
            try:
                await self.store.try_writing()
                for live in tuple(self._live.values()):
                    await self._catch_up_if_possible(live)
                    live.restart_turn()
            except Problem:
                continue
            self.is_away = False
            _LOGGER.warning("the database and Redis are reachable again")
            self._notify_all()

    async def _on_reconnect(self) -> None:
        """Read the entries that were missed while Redis was unreachable."""
        for live in tuple(self._live.values()):
            live.is_uncertain = True
        if not self.is_away:
            self.is_away = True
            self._spawn(self._wait_until_reachable())

    def _notify_all(self) -> None:
        for live in tuple(self._live.values()):
            live.audience.notify()
