"""Watching bots play, at a pace that can be changed, paused and stepped through."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rich.text import Text

from goldenspike.bots import Choice
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.layout import styled, wrap
from goldenspike.cli.terminal.palette import TOKENS
from goldenspike.cli.terminal.panels import ticket_called, ticket_line
from goldenspike.cli.terminal.screen import Watched, draw_watched
from goldenspike.cli.terminal.table import GameTable
from goldenspike.cli.terminal.terminal import Terminal

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.key_binding import KeyBindings

PACES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""The paces that the keys step through, in seconds per turn."""

_BLINK_S = 0.5
"""The shortest interval between two redraws and saves, however fast the moves are."""


class Watch:
    """Plays the bots' turns at one table. It keeps its pace between calls of :meth:`play`."""

    def __init__(self, terminal: Terminal, pace: float) -> None:
        self._terminal = terminal
        self._pace = pace
        self._is_paused = False

    def play(self, table: GameTable, is_interrupted: Callable[[], bool]) -> None:
        """Play until a person is to move or the game is over; raise `EOFError` if the watcher leaves.

        Return between two turns when `is_interrupted` says so, but not while the watcher pauses.
        """
        if self._terminal.is_live:
            _Live(self._terminal, table, self, is_interrupted).run()
        else:
            self._play_plainly(table, is_interrupted)

    def _play_plainly(self, table: GameTable, is_interrupted: Callable[[], bool]) -> None:
        for sentence in _take_notes(table):
            self._terminal.say_all(wrap(sentence, self._terminal.width))
        kept = time.monotonic()
        while is_bots_turn(table) and not is_interrupted():
            start, first = time.monotonic(), len(table.game.played) + 1
            play_turn(table)
            if start - kept > _BLINK_S or not is_bots_turn(table):
                kept = start
                table.keep()
            for sentence in table.tell_moves(None, first, len(table.game.played)):
                self._terminal.say_all(wrap(sentence, self._terminal.width))
            time.sleep(max(0.0, self._pace - (time.monotonic() - start)))

    @property
    def pace(self) -> float:
        """Seconds per turn."""
        return self._pace

    @property
    def is_paused(self) -> bool:
        """Whether turns wait for a key."""
        return self._is_paused

    def go_faster(self) -> None:
        """Use the next shorter time per turn."""
        self._pace = max((pace for pace in PACES if pace < self._pace), default=PACES[0])

    def go_slower(self) -> None:
        """Use the next longer time per turn."""
        self._pace = min((pace for pace in PACES if pace > self._pace), default=PACES[-1])

    def pause_or_go_on(self) -> None:
        """Pause before the next turn, or resume."""
        self._is_paused = not self._is_paused


def is_bots_turn(table: GameTable) -> bool:
    """Tell whether a bot is to move."""
    return not table.game.is_over and not table.seats[table.next_seat].is_person


def play_turn(table: GameTable) -> None:
    """Let a bot make all moves of its turn; the game is not saved yet."""
    seat = table.next_seat
    while is_bots_turn(table) and table.next_seat == seat:
        table.play_bot(seat, is_kept=False)


class _Live:
    """The watcher's screen, with a line below that lists the keys."""

    def __init__(
        self, terminal: Terminal, table: GameTable, watch: Watch, is_interrupted: Callable[[], bool]
    ) -> None:
        self._terminal = terminal
        self._table = table
        self._watch = watch
        self._is_interrupted = is_interrupted
        self._notes = _take_notes(table)
        """Sentences that stay on the screen."""
        self._wake = asyncio.Event()
        self._is_step = False
        self._first = max(len(table.game.played), 1)
        """The first action of the turn that is shown."""

    def run(self) -> None:
        from prompt_toolkit.application import Application  # noqa: PLC0415  # only a person at a terminal waits for it
        from prompt_toolkit.layout import FormattedTextControl, Layout, Window  # noqa: PLC0415

        self._show()
        app: Application[None] = Application(
            layout=Layout(Window(FormattedTextControl(self._status), height=1)),
            key_bindings=self._keys(),
            output=self._terminal.output(),
            erase_when_done=True,
        )
        self._terminal.follow_size(app)
        app.run(pre_run=lambda: app.create_background_task(self._play(app)) and None)

    def _status(self) -> str:
        watch = self._watch
        pace = texts.PAUSED if watch.is_paused else texts.PACE.format(seconds=f"{watch.pace:g}")
        text = texts.WATCH_KEYS.format(pace=pace)
        return text[: self._terminal.width - 1]

    def _keys(self) -> KeyBindings:
        from prompt_toolkit.key_binding import KeyBindings  # noqa: PLC0415

        keys = KeyBindings()

        def bind(names: tuple[str, ...], do: Callable[[], None]) -> None:
            def pressed(event: Any) -> None:
                do()
                self._wake.set()
                event.app.invalidate()

            for name in names:
                keys.add(name)(pressed)

        bind((" ", "p"), self._watch.pause_or_go_on)
        bind(("+", "=", "up"), self._watch.go_faster)
        bind(("-", "_", "down"), self._watch.go_slower)
        bind(("enter", "n", "right"), self._step)

        def leave(event: Any) -> None:
            event.app.exit(exception=EOFError())

        def interrupt(event: Any) -> None:
            event.app.exit(exception=KeyboardInterrupt())

        keys.add("q")(leave)
        keys.add("c-d")(leave)
        keys.add("c-c")(interrupt)
        return keys

    def _step(self) -> None:
        self._is_step = True

    async def _play(self, app: Application[None]) -> None:
        """Play turn after turn; an error ends the application and is passed on."""
        try:
            drawn = 0.0
            while is_bots_turn(self._table) and (self._watch.is_paused or not self._is_interrupted()):
                start = time.monotonic()
                await self._play_turn()
                is_last = not is_bots_turn(self._table)
                if self._watch.pace or self._watch.is_paused or is_last or start - drawn > _BLINK_S:
                    drawn = time.monotonic()
                    self._table.keep()
                    app.renderer.erase()
                    self._show()
                    app.invalidate()
                await self._wait(start)
        except Exception as error:  # noqa: BLE001  # the caller's, who waits for the application to end
            app.exit(exception=error)
        else:
            app.exit()

    async def _wait(self, start: float) -> None:
        """Wait until the next turn may begin, after one that began at `start`."""
        while not self._is_step:
            left = start + self._watch.pace - time.monotonic()
            if not self._watch.is_paused and left <= 0:
                break
            self._wake.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), None if self._watch.is_paused else left)
        self._is_step = False

    async def _play_turn(self) -> None:
        table = self._table
        seat, self._first = table.next_seat, len(table.game.played) + 1
        while is_bots_turn(table) and table.next_seat == seat:
            choice = await asyncio.wrap_future(_in_thread(lambda: table.choose_for_bot(seat)))
            table.play_bot(seat, choice, is_kept=False)

    def _show(self) -> None:
        table = self._table
        view, count = table.game.view(None), len(table.game.played)
        title = texts.WATCH_TITLE.format(edition=table.game.edition.name, turn=int(view.struct.turns))
        if view.turns_left is not None:
            title = f"{title}. {texts.LAST_ROUND.format(turns=texts.TURNS.of(view.turns_left))}"
        told = table.tell_moves(None, self._first, count) if count else []
        before = table.tell_moves(None, max(self._first - 60, 1), self._first - 1) if self._first > 1 else []
        watched = Watched(title, told, before, [] if table.people else _tickets(table), self._notes)
        self._terminal.show_page(lambda: draw_watched(self._terminal, table, view, watched))


def _take_notes(table: GameTable) -> list[str]:
    """Take the sentences for a person who only watches; one who plays gets them with the next turn."""
    if table.people:
        return []
    notes, table.to_say = table.to_say, []
    return notes


def _tickets(table: GameTable) -> list[Text]:
    """Return the tickets of all seats, which are not secret if only bots play."""
    lines: list[Text] = []
    for seat, name in enumerate(table.names):
        view = table.game.view(seat)
        if view.tickets:
            lines.append(styled(name, TOKENS[seat].style))
            lines += [ticket_line(view, ticket_called(view.edition, ticket)) for ticket in view.tickets]
    return [*lines, Text()] if lines else []


def _in_thread(think: Callable[[], Choice]) -> Future[Choice]:
    """Start a bot's decision in a daemon thread, so that a person can leave meanwhile."""
    future: Future[Choice] = Future()

    def run() -> None:
        try:
            future.set_result(think())
        except BaseException as error:  # noqa: BLE001  # the waiting side's
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future
