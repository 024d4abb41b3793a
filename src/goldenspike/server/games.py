"""All games of a process: waking them, changing them, and looking after them.

The one rule: an entry is written to the database under the number after the last, and only then it
counts. If another process was first, this one reads what happened and says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

from goldenspike.server.decide import decide
from goldenspike.server.duties import RETRY, Duties, is_up
from goldenspike.server.entry import Entry, now
from goldenspike.server.history import restore_states
from goldenspike.server.links import split_link
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import Ack, Command, Play
from goldenspike.server.metrics import LIVE_GAMES, count_entry
from goldenspike.server.pool import Pool
from goldenspike.server.problems import Problem
from goldenspike.server.settings import Settings
from goldenspike.server.shelf import Shelf
from goldenspike.server.store import Store, StoredGame
from goldenspike.server.thinkers import Thinkers
from goldenspike.server.writer import Writer

if TYPE_CHECKING:
    from goldenspike.server.bus import Bus

_LOGGER = logging.getLogger(__name__)
_TRIES = 4
_TOO_LATE = 5.0
"""Seconds after which another process is taken to have forgotten its duty."""
_PRESENCE = 10.0
"""Seconds after which processes are told again who is connected here; what is two and a half times as old is
not believed any more."""


class Games:
    """The games that this process has in memory, and the way to all others."""

    def __init__(self, settings: Settings, store: Store, shelf: Shelf, thinkers: Thinkers) -> None:
        self.settings = settings
        self.store = store
        self.shelf = shelf
        self.thinkers = thinkers
        self.pool = Pool(settings.database_connections - 1)
        self.writer = Writer(store)
        self._duties = Duties(settings, shelf, thinkers, self.write)
        self.is_away = False
        """Whether the database or Redis cannot be reached."""
        self._live: dict[str, LiveGame] = {}
        self._waking: dict[str, asyncio.Task[LiveGame]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.bus: Bus | None = None
        if settings.redis is not None:
            from goldenspike.server.bus import Bus  # noqa: PLC0415  # needs redis, which one process does not

            self.bus = Bus(settings.redis, self, self._go_away, self._come_back)
        self._looked = 0
        self._presented = 0
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Stop everything; what was acknowledged is in the database."""
        self._sweeper.cancel()
        for live in self._live.values():
            if live.duty is not None:
                live.duty.cancel()
        await self.writer.close()
        if self._tasks:  # time to tidy up, but not to wait for better times
            await asyncio.wait(self._tasks, timeout=RETRY)
        for task in self._tasks:
            task.cancel()
        if self.bus is not None:
            await self.bus.close()
        self.pool.close()

    # Waking games

    async def open(self, game: str) -> LiveGame:
        """Return a game, from memory or from the database; a :class:`Problem` if there is none."""
        live = self._live.get(game)
        if live is not None:
            live.opened = now()
            return live
        if game not in self._waking:
            waking = asyncio.create_task(self._wake(game))
            self._waking[game] = waking
            waking.add_done_callback(lambda _: self._waking.pop(game, None))
        return await asyncio.shield(self._waking[game])

    async def _wake(self, game: str) -> LiveGame:
        stored = await self.pool.run(self.store.game, game)
        if stored is None:
            raise Problem("unknown_game", "There is no such game; it may have been removed.")
        entries = await self.pool.run(self.store.entries, game)
        live = self._revive(stored, entries)
        live.opened = now()
        self._live[game] = live
        LIVE_GAMES.set(len(self._live))
        if self.bus is not None:
            live.on_presence = self._tell_present
            self.bus.ask_present(game)
            live.is_uncertain = True  # nobody has heard what was told while the log was being read
            async with live.lock:
                await self.catch_up(live)
        return live

    def _revive(self, stored: StoredGame, entries: list[Entry]) -> LiveGame:
        edition = self.shelf.get(stored.edition)
        if edition.digest != stored.rules:  # its positions would be read as others than they are
            raise Problem(
                "unknown_edition",
                f"This game was dealt with another version of {stored.edition!r} than is offered here now; "
                "put that version back, or deal a new game.",
            )
        try:
            return LiveGame(stored, edition, entries)
        except ValueError:  # the layout of positions has changed since: play the moves again
            return LiveGame(stored, edition, restore_states(stored, edition, entries))

    async def open_link(self, link: str) -> tuple[LiveGame, int | None]:
        """Return the game that a link opens, and the seat, None to watch."""
        game, secret_hash = split_link(link)
        live = await self.open(game)
        try:
            return live, live.viewer_of(secret_hash)
        except Problem:  # somebody may have taken the seat at another process
            stored = await self.pool.run(self.store.game, game)
            if stored is not None:
                live.hashes = list(stored.secret_hashes)
            return live, live.viewer_of(secret_hash)

    async def catch_up(self, live: LiveGame) -> int:
        """Read what the log holds beyond what is known; return how many entries that were."""
        entries = await self.pool.run(self.store.entries, live.id, live.number)
        try:
            for entry in entries:
                live.apply(entry)
        except ValueError:  # a process of another version wrote it, with another layout of positions
            await self._play_again(live)
        live.is_uncertain = False
        if entries:
            live.wake_all()
        return len(entries)

    async def _play_again(self, live: LiveGame) -> None:
        """Take in entries whose positions cannot be read, by playing the moves of the log."""
        log = await self.pool.run(self.store.entries, live.id)
        try:
            for entry in restore_states(live.stored, live.edition, log):
                if entry.number > live.number:
                    live.apply(entry)
        except ValueError as error:
            _LOGGER.exception("a log cannot be followed", extra={"game": live.id})
            live.is_uncertain = True
            raise Problem(
                "conflict", "Another version of this server plays the game differently; try again later."
            ) from error

    # Changing games

    async def command(self, live: LiveGame, seat: int, command: Command) -> Ack:
        """Carry out a command that changes a game, and acknowledge it once it is safe."""
        token = f"{seat}.{command.id}"

        def make() -> Entry:
            return decide(live, seat, command, token, now(), round(self.settings.patience * 1000))

        entry = await self.write(live, make, token, is_lasting=not isinstance(command, Play))
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
        """Add the entry that `make` works out from the game as it stands, and return it.

        If somebody else was first, what they did is taken in. Then the entry is made anew if it is lasting,
        if nobody has moved, or if all are choosing tickets, where others do not matter; any other is refused.
        `keep` writes an entry together with what belongs to it, and tells whether it was kept.
        """
        async with live.lock:
            for _ in range(_TRIES):
                if live.is_uncertain:
                    await self.catch_up(live)
                if (done := await self._done_before(live, token)) is not None:
                    return done
                try:
                    entry = make()
                except Problem:
                    if self.bus is not None and await self.catch_up(live):
                        continue
                    raise
                if await self._append(live, entry, keep or self.writer.append):
                    return entry
                await self.catch_up(live)
                if (done := await self._done_before(live, token)) is not None:
                    return done
                is_same = live.moved < entry.number or live.position.view(None).phase == "choosing"
                if not (is_lasting or is_same):
                    break
        raise Problem("conflict", "Somebody else was faster; look at the table again.")

    async def _done_before(self, live: LiveGame, token: str | None) -> Entry | None:
        """Return the entry of a command that was sent again, however long after it was done.

        An entry is kept only if it follows all others, and of those that are known here so are their tokens.
        So nothing is done twice, and the database needs to know no tokens apart.
        """
        if token is None or not live.may_know(token):
            return None
        return live.find_recent(token) or await self.pool.run(self.store.by_token, live.id, token)

    async def _append(self, live: LiveGame, entry: Entry, keep: Callable[[Entry], Awaitable[bool]]) -> bool:
        try:
            is_kept = await keep(entry)
        except Problem as problem:
            live.is_uncertain = True
            if problem.code == "unavailable":
                self._go_away()
            raise
        if is_kept:
            live.apply(entry)
            live.wake_all()
            count_entry(entry.kind)
            self.after(live, entry)
        return is_kept

    def after(self, live: LiveGame, entry: Entry) -> None:
        """See to what follows from an entry of this process."""
        if self.bus is not None:
            self.bus.publish(entry)
        if live.position.is_over and entry.kind == "moved":
            self._spawn(self._finish(live))
        self.see_to(live)

    async def _finish(self, live: LiveGame) -> None:
        try:
            await self.pool.run(self.store.finish, live.id, live.changed)
        except Problem:
            _LOGGER.warning("a finished game was not tidied", extra={"game": live.id})

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Looking after games

    def see_to(self, live: LiveGame) -> None:
        """Have a game do what it must do by itself."""
        self._duties.see_to(live)

    async def _sweep(self) -> None:
        """Every second: clocks, duties that were forgotten, games that nobody needs in memory."""
        while True:
            await asyncio.sleep(1.0)
            try:
                await self._check_database()
                await self._find_untold()
                self._tell_all_present()
                self._look_after()
            except Exception:
                _LOGGER.exception("the games could not be looked after; it is tried again")

    def _look_after(self) -> None:
        """Look after all games once."""
        time_now = now()
        for live in tuple(self._live.values()):
            live.doubt_elsewhere(time_now)
            is_late = time_now - live.changed > _TOO_LATE * 1000
            if (is_up(live) or is_late) and live.listeners:
                self.see_to(live)
            is_idle = time_now - max(live.changed, live.opened) > self.settings.idle_seconds * 1000
            if is_idle and not live.listeners and live.duty is None and not live.lock.locked():
                del self._live[live.id]
        LIVE_GAMES.set(len(self._live))

    async def _find_untold(self) -> None:
        """Look for entries whose writer died before it could tell of them, or was not heard."""
        if self.bus is None or self.is_away or now() - self._looked < _TOO_LATE * 1000:
            return
        self._looked = now()
        known = {live.id: live.number for live in self._live.values() if live.listeners}
        try:
            for game in await self.pool.run(self.store.longer, known):
                if (live := self._live.get(game)) is not None:
                    await self._catch_up_if_possible(live)
        except Problem:
            self._go_away()

    async def _check_database(self) -> None:
        """Notice that a database on another machine is away also while nobody moves."""
        if self.is_away or not self.store.is_remote:
            return
        try:
            await asyncio.wait_for(self.pool.run(self.store.ping), _TOO_LATE)
        except (Problem, TimeoutError):
            self._go_away()

    # Other processes, and bad times

    def is_open(self, game: str) -> bool:
        """Tell whether a game is in memory."""
        return game in self._live

    def hear(self, entry: Entry) -> None:
        """Take in an entry that another process has written."""
        live = self._live.get(entry.game)
        if live is None or entry.number <= live.number:
            return
        if entry.number == live.number + 1 and not live.lock.locked():
            with contextlib.suppress(ValueError):
                live.apply(entry)
                live.wake_all()
                return
        self._spawn(self._hear_later(live, entry.number))  # other games do not wait for this one

    async def _hear_later(self, live: LiveGame, number: int) -> None:
        async with live.lock:
            if number > live.number:
                try:
                    await self.catch_up(live)
                except Problem:
                    live.is_uncertain = True

    def hear_present(self, game: str, sender: bytes, seats: int) -> None:
        """Take in which seats' people are connected to another process."""
        if (live := self._live.get(game)) is not None:
            live.note_elsewhere(sender, seats, now() + round(2500 * _PRESENCE))

    def hear_asked(self, game: str) -> None:
        """Tell another process who is connected here."""
        if (live := self._live.get(game)) is not None and live.seats_here:
            self._tell_present(live)

    def _tell_present(self, live: LiveGame) -> None:
        if self.bus is not None:
            self.bus.tell_present(live.id, live.seats_here)

    def _tell_all_present(self) -> None:
        if self.bus is None or now() - self._presented < _PRESENCE * 1000:
            return
        self._presented = now()
        for live in self._live.values():
            if live.seats_here:
                self._tell_present(live)

    async def _catch_up_if_possible(self, live: LiveGame) -> None:
        """Read what a log holds beyond what is known; one that makes no sense here is left as it is."""
        async with live.lock:
            try:
                await self.catch_up(live)
            except Problem as problem:
                if problem.code == "unavailable":
                    raise

    def _go_away(self) -> None:
        if not self.is_away:
            self.is_away = True
            _LOGGER.warning("the database or redis is away")
            self._wake_everybody()
            self._spawn(self._wait_for_better_times())

    async def _wait_for_better_times(self) -> None:
        while self.is_away:
            await asyncio.sleep(RETRY)
            if self.bus is not None and not self.bus.is_up:
                continue
            try:
                await self.pool.run(self.store.ping)
                for live in tuple(self._live.values()):
                    await self._catch_up_if_possible(live)
            except Problem:
                continue
            self.is_away = False
            _LOGGER.warning("the database and redis are back")
            self._wake_everybody()

    async def _come_back(self) -> None:
        """Read what was missed while Redis was away."""
        for live in tuple(self._live.values()):
            live.is_uncertain = True
        if not self.is_away:
            self.is_away = True
            self._spawn(self._wait_for_better_times())

    def _wake_everybody(self) -> None:
        for live in tuple(self._live.values()):
            live.wake_all()
