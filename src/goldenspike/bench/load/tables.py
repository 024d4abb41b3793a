"""Games under load: each seat is a socket that plays random moves when it is to move."""

from __future__ import annotations

import asyncio
import time
from array import array
from random import Random

from goldenspike.bench.load.client_socket import ClientSocket, Tally
from goldenspike.bench.load.replies import LoadAck, LoadRefused, LoadUpdate, LoadWelcome, read_message
from goldenspike.bench.load.requests import Address

_WORTH_WAITING = 0.001
"""Below this many seconds a timer would fire too late."""


class Figures:
    """What all players of a process have measured since the last :meth:`clear`."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.refused: dict[str, int] = {}
        self.lost = 0
        self.clear()

    def clear(self) -> None:
        """Start a new measurement."""
        self.acknowledged = array("d")
        """From sending a move to its acknowledgement, in seconds."""
        self.told = array("d")
        """From sending a move to each other seat's update."""
        self.ended = 0
        self.tally.received = self.tally.sent = 0


class Pace:
    """How soon moves follow each other: at once, or at a rate over all games together."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.interval = 0.0
        """Seconds between two moves of a game, on average."""
        self.is_on = False

    def next_due(self, due: float, now: float) -> float:
        """Return when a game's next move is due, given when the last was."""
        return max(now, due + self.interval * self.random.uniform(0.5, 1.5)) if self.interval else now


class LoadGame:
    """One game with all its seats."""

    def __init__(self, links: list[str], figures: Figures, pace: Pace) -> None:
        self.figures, self.pace = figures, pace
        self.seats = [LoadSeat(self, seat, link) for seat, link in enumerate(links)]
        self.due = 0.0
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the game is over and all seats know."""

    async def connect(self, address: Address) -> None:
        """Connect all seats, and return once each has been welcomed."""
        loop = asyncio.get_running_loop()
        for seat in self.seats:
            await loop.create_connection(lambda s=seat: s, *address)
        await asyncio.gather(*(seat.welcomed for seat in self.seats))

    def start(self) -> None:
        """Begin to play, at a random time within the first interval."""
        self.due = time.perf_counter() - self.pace.interval * self.pace.random.random()
        for seat in self.seats:
            seat.go_on()

    async def move_once(self) -> float:
        """Let the seat to move make a move, and return when it was sent."""
        while True:
            for seat in self.seats:
                if seat.is_ready:
                    return seat.move()
            await asyncio.sleep(0.001)

    def close(self) -> None:
        """Close all connections."""
        for seat in self.seats:
            seat.close()

    def abort(self) -> None:
        """Close all connections immediately."""
        for seat in self.seats:
            seat.abort()

    def check_over(self) -> None:
        """Resolve `over` once all seats know of the end."""
        if all(seat.is_over or seat.closed for seat in self.seats) and not self.over.done():
            self.over.set_result(None)


class LoadSeat(ClientSocket):
    """A player: moves at random, as soon as the server says that it is to move."""

    __slots__ = (
        "_acked",
        "_has_missed",
        "_is_busy",
        "_last",
        "_legal",
        "_seat",
        "_seen",
        "_sent",
        "_table",
        "is_over",
        "waits_since",
        "welcomed",
    )

    def __init__(self, table: LoadGame, seat: int, link: str) -> None:
        super().__init__(link, table.figures.tally)
        self._table, self._seat = table, seat
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_over = False
        self.waits_since: float | None = None
        """When the move that the server has not answered yet was sent."""
        self._sent: list[float] = []
        """When each of this seat's moves was sent."""
        self._seen: dict[int, int] = {}
        """How many moves of each other seat have been received here."""
        self._has_missed = False
        """Whether moves were skipped here; then an entry can no longer be matched with the move it
        reports."""
        self._legal: list[int] = []
        self._last = self._acked = -1
        """The last entry received, and that of the last own move: a view before it is out of date."""
        self._is_busy = False
        """Whether a move is in flight or scheduled."""

    def hear(self, data: bytes) -> None:
        """Handle a message of the server."""
        now = time.perf_counter()
        message = read_message(data)
        if isinstance(message, LoadAck | LoadRefused):
            self.waits_since = None
        match message:
            case LoadUpdate():
                self._take_entries(message, now)
                self._take_view(message)
            case LoadAck():
                self._table.figures.acknowledged.append(now - self._sent[-1])
                self._acked, self._is_busy = message.n, False
            case LoadWelcome():
                self._last = message.last
                self._take_view(message)
                if self.welcomed.done():  # a client that lags far behind is welcomed again
                    self._has_missed = True
                else:
                    self.welcomed.set_result(None)
            case LoadRefused():
                self._take_refusal(message)
            case _:
                return
        self.go_on()

    def _take_entries(self, update: LoadUpdate, now: float) -> None:
        table, told = self._table, self._table.figures.told
        for entry in update.entries:
            self._last = entry.n
            seat = entry.seat
            if entry.kind == "moved" and seat is not None and seat != self._seat and not self._has_missed:
                number = self._seen.get(seat, 0)
                self._seen[seat] = number + 1
                told.append(now - table.seats[seat].sent_at(number))

    def _take_view(self, message: LoadUpdate | LoadWelcome) -> None:
        self._legal = [] if message.own is None else message.own.legal
        if message.view.phase == "over":
            self.is_over = True
            self._table.check_over()

    def _take_refusal(self, message: LoadRefused) -> None:
        refused = self._table.figures.refused
        refused[message.message] = refused.get(message.message, 0) + 1
        if not self.welcomed.done():
            self.welcomed.set_exception(ConnectionError(message.message))
        elif self._sent:
            self._sent.pop()
            self._legal, self._is_busy = [], False

    def sent_at(self, number: int) -> float:
        """Return when a move of this seat was sent; the first is number 0."""
        return self._sent[number]

    def lose(self) -> None:
        """Handle the end of the connection."""
        if not self.welcomed.done():
            self.welcomed.set_exception(ConnectionError("The server closed a connection at once."))
        if not self.is_over:
            self._table.figures.lost += 1
        self._table.check_over()

    @property
    def is_ready(self) -> bool:
        """Whether this seat can move now."""
        return not self._is_busy and bool(self._legal) and self._last >= self._acked and not self.closed

    def go_on(self) -> None:
        """Make a move if one is due."""
        table = self._table
        if not table.pace.is_on or not self.is_ready:
            return
        now = time.perf_counter()
        table.due = table.pace.next_due(table.due, now)
        if table.due - now < _WORTH_WAITING:
            self.move()
        else:
            self._is_busy = True
            asyncio.get_running_loop().call_later(table.due - now, self._move_in_time)

    def _move_in_time(self) -> None:
        self._is_busy = False
        if self.is_ready and self._table.pace.is_on:
            self.move()

    def move(self) -> float:
        """Send a move, and return the time."""
        move = self._legal[int(self._table.pace.random.random() * len(self._legal))]
        self._legal, self._is_busy = [], True
        self.waits_since = now = time.perf_counter()
        self._sent.append(now)
        self.say(b'{"type":"play","id":"%d","move":%d}' % (len(self._sent), move))
        return now
