"""Reads games from the database: whole games, and the entries that other processes have written."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from goldenspike.server.archive.history import complete_states, restore_states
from goldenspike.server.play.catalogue import Catalogue
from goldenspike.server.play.entry import Entry, follows, intact_prefix, now, with_chains
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.protocol.links import Key
from goldenspike.server.protocol.problems import Problem, removed_game
from goldenspike.server.storage.database import StoredGame
from goldenspike.server.storage.store import Store

if TYPE_CHECKING:
    from goldenspike.server.storage.bus import Bus

_LOGGER = logging.getLogger(__name__)
_LOST_KEY = "The server lost the entry with which you took this seat; take a seat again."


class GameLoader:
    """Loads games, and applies new entries to them; `on_removed` is called for a game without a log.

    The caller holds the lock of a game while entries are applied to it.
    """

    def __init__(
        self,
        store: Store,
        catalogue: Catalogue,
        bus: Bus | None,
        undo_seconds: float,
        on_removed: Callable[[str], None],
    ) -> None:
        self._store, self._catalogue, self._bus, self._on_removed = store, catalogue, bus, on_removed
        self._undo_seconds = undo_seconds

    async def load(self, game: str) -> LiveGame:
        """Return a game from the database; raise a :class:`Problem` if there is none."""
        stored = await self._store.game(game)
        if stored is None:
            raise Problem("unknown_game", "This game does not exist; it may have been removed.")
        return self._create(stored, await self._whole_log(game))

    async def _whole_log(self, game: str) -> Sequence[Entry]:
        """Read a log. If it has a gap, cut off the part after the gap, because it cannot be replayed."""
        entries = await self._store.entries(game)
        if not entries:
            self._on_removed(game)
            raise removed_game()
        whole = intact_prefix(entries)
        if 0 < len(whole) < len(entries):
            lost = entries[len(whole) :]
            _LOGGER.error(
                "a log has a gap and is cut back",
                extra={"game": game, "last": whole[-1].number, "lost": len(lost), "until": lost[-1].number},
            )
            whole = await self._store.cut(game)
        if not whole:
            raise Problem("unknown_game", "The start of this game is lost; create a new game.")
        return whole

    def _create(self, stored: StoredGame, entries: Sequence[Entry]) -> LiveGame:
        edition = self._catalogue.get(stored.edition)
        if edition.digest != stored.rules:  # its positions would be misread
            raise Problem(
                "unknown_edition",
                f"This game was created with another version of {stored.edition!r} than the server has now; "
                "restore that version, or create a new game.",
                reason="other_edition",
            )
        try:
            entries = complete_states(stored, edition, entries)
            return LiveGame(stored, edition, entries, self._undo_seconds)
        except ValueError:  # the layout of positions has changed since: replay the moves
            return LiveGame(stored, edition, restore_states(stored, edition, entries), self._undo_seconds)

    async def read_keys(self, live: LiveGame) -> None:
        """Read the keys of a game from the database, and close connections whose key was removed."""
        stored = await self._store.game(live.id)
        if stored is not None:
            _use_keys(live, stored.keys, "Another device took the seat with a new invitation.")

    async def catch_up(self, live: LiveGame) -> int:
        """Read and apply the entries after the last known one; return how many there were.

        If the log in the database differs from the one in memory, read the game again from its beginning.
        """
        entries = await self._store.entries(live.id, live.number - 1)
        if not entries or (entries[0].number, entries[0].chain) != (live.number, live.chain):
            await self._restart(live)
            return 1
        return await self.apply(live, entries[1:])

    async def apply(self, live: LiveGame, entries: Sequence[Entry]) -> int:
        """Apply the next entries of a log; return how many."""
        if any(entry.number != live.number + 1 + i for i, entry in enumerate(entries)) or (
            entries and not follows(live.chain, entries[0])
        ):
            await self._restart(live)
            return 1
        try:
            for entry in entries:
                live.apply(entry)
        except ValueError:  # a process of another version wrote it with another layout of positions
            await self._replay(live)
        live.is_uncertain = False
        if any(entry.kind == "device added" for entry in entries):
            await self.read_keys(live)
        if entries:
            live.audience.notify()
        return len(entries)

    async def _restart(self, live: LiveGame) -> None:
        """Go back to the log in the database, because it is older than the one in memory, or different.

        This happens when the database is replaced by a copy that lacks the last entries. A log entry tells
        players how many were lost. Another process may have written it already. The keys are read as well,
        because the seats of lost joins are free again.
        """
        log = await self._whole_log(live.id)
        stored = await self._store.game(live.id)
        if stored is None:
            self._on_removed(live.id)
            raise removed_game()
        shared = live.count_shared(log)
        lost = live.number + 1 - shared
        notice = next((entry.number for entry in log[shared:] if entry.kind == "restored"), len(log))
        _LOGGER.error(
            "the database lacks entries; the game goes on from what it holds",
            extra={"game": live.id, "known": live.number, "found": log[-1].number, "lost": lost},
        )
        live.stored = stored
        _use_keys(live, stored.keys, _LOST_KEY)
        try:
            log = complete_states(stored, live.edition, log)
            live.read_again(log[:notice])
        except ValueError:
            log = list(restore_states(stored, live.edition, log))
            live.read_again(log[:notice])
        await asyncio.sleep(0)  # clients get the view of the older position first, then the notice
        for entry in log[notice:]:
            live.apply(entry)
        live.audience.notify()
        await self._tell_lost(live, lost - _count_lost(log[notice:]))

    async def _tell_lost(self, live: LiveGame, lost: int) -> None:
        """Write an entry that tells players how many entries were lost, unless another process does."""
        while lost > 0:
            [note] = with_chains([Entry.restored(live.id, live.number + 1, now(), lost)], live.chain)
            if await self._store.append(note):
                live.apply(note)
                live.audience.notify()
                if self._bus is not None:
                    self._bus.publish(note.game, note.number)
                return
            entries = await self._store.entries(live.id, live.number)
            if not await self.apply(live, entries):
                return  # the game was removed
            lost -= _count_lost(entries)

    async def _replay(self, live: LiveGame) -> None:
        """Apply entries whose positions cannot be read, by replaying the moves of the log."""
        log = await self._store.entries(live.id)
        try:
            for entry in restore_states(live.stored, live.edition, log):
                if entry.number > live.number:
                    live.apply(entry)
        except ValueError as error:
            _LOGGER.exception("a log cannot be followed", extra={"game": live.id})
            live.is_uncertain = True
            raise Problem(
                "conflict",
                "Another version of this server plays the game differently; try again later.",
                reason="other_server",
            ) from error


def _use_keys(live: LiveGame, keys: tuple[Key, ...], sentence: str) -> None:
    """Replace the keys of a game, and close connections whose key is gone."""
    live.keys = keys
    devices = {key.secret_hash for key in keys if key.kind == "device"}
    for listener in tuple(live.audience.listeners):
        if listener.viewer is not None and listener.key not in devices:
            listener.dismiss(Problem("bad_link", sentence, reason="lost_seat"))


def _count_lost(entries: Sequence[Entry]) -> int:
    return sum(entry.lost_count for entry in entries if entry.kind == "restored")
