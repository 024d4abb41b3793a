"""Sharing bots between client addresses: a fair queue, and a limit on hard bots."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from goldenspike.server.protocol.problems import Problem

T = TypeVar("T")
_NEW_SECONDS = 30.0
"""How long a new game counts as running before a client has opened it."""


class FairQueue(Generic[T]):
    """A queue in which addresses take turns, and so do the games of one address.

    However many items an address queues, it delays another address by at most the item being processed.

    >>> queue = FairQueue[str]()
    >>> for game in ("a", "a", "b"):
    ...     queue.put("10.0.0.1", game, f"question of {game}")
    >>> queue.take()
    ('10.0.0.1', 'question of a')
    >>> queue.put("10.0.0.2", "c", "question of c")
    >>> queue.done("10.0.0.1")
    >>> queue.take(), queue.take()
    (('10.0.0.2', 'question of c'), ('10.0.0.1', 'question of b'))
    """

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, deque[T]]] = {}
        """Items by address and game. The first address has waited longest for its turn. The same holds for
        the first game of each address."""
        self._working: Counter[str] = Counter()
        """How many items of each address are being processed."""
        self._count = 0

    def __len__(self) -> int:
        """Return how many items are waiting."""
        return self._count

    def put(self, address: str, game: str, item: T) -> None:
        """Add an item behind the others of its game."""
        self._waiting.setdefault(address, {}).setdefault(game, deque()).append(item)
        self._count += 1

    def take(self) -> tuple[str, T] | None:
        """Remove the next item and return it with its address, for :meth:`done`; None if nothing is waiting.

        The next address is the one with the fewest items being processed; among equals, the one that has
        waited longest for its turn.
        """
        if not self._waiting:
            return None
        address = min(self._waiting, key=self._working.__getitem__)
        games = self._waiting[address]
        game = next(iter(games))
        items = games.pop(game)
        item = items.popleft()
        if items:
            games[game] = items  # behind the other games
        self._move_to_end(address)
        self._count -= 1
        self._working[address] += 1
        return address, item

    def done(self, address: str) -> None:
        """Mark an item as processed, and move its address behind the addresses that are waiting."""
        self._working[address] -= 1
        if not self._working[address]:
            del self._working[address]
        self._move_to_end(address)

    def discard(self, address: str, game: str, item: T) -> None:
        """Remove an item if it is still waiting."""
        games = self._waiting.get(address, {})
        if item not in games.get(game, ()):
            return
        games[game].remove(item)
        self._count -= 1
        if not games[game]:
            del games[game]
        if not games:
            del self._waiting[address]

    def _move_to_end(self, address: str) -> None:
        games = self._waiting.pop(address, None)
        if games:
            self._waiting[address] = games


class _Counted(NamedTuple):
    address: str
    bots: int
    created: float


class HardBotLimit:
    """Limits the hard bots in the running games of one address.

    `worked_for` returns the address that a game counts for: empty if the game is paused or over, None if it
    is not in memory. The limit is checked when a game is created, and again whenever a client opens it,
    because paused games do not count.

    >>> limit = HardBotLimit(4, worked_for={"first": "10.0.0.1", "second": "10.0.0.2"}.get)
    >>> limit.add("first", "10.0.0.1", 3)
    >>> limit.add("second", "10.0.0.2", 3)
    >>> limit.add("third", "10.0.0.1", 3)
    Traceback (most recent call last):
    goldenspike.server.protocol.problems.Problem: Your running games have 3 hard bots; ...
    """

    def __init__(self, most: int, worked_for: Callable[[str], str | None]) -> None:
        self._most, self._worked_for = most, worked_for
        self._games: dict[str, _Counted] = {}

    def add(self, game: str, address: str, bots: int) -> None:
        """Count the hard bots of a new game, or raise a :class:`Problem` if they are too many."""
        if bots > self._most:
            raise Problem(
                "not_allowed",
                f"A game can have at most {self._most} hard bots; choose medium ones instead.",
                reason="many_hard_bots",
                details={"count": self._most},
            )
        running = self._running(address, game)
        if bots and running + bots > self._most:
            raise Problem(
                "not_allowed",
                f"{self._say(running)} Choose medium ones, or finish or close another game first.",
                reason="hard_bots_elsewhere",
                details={"count": self._most},
            )
        self._count(game, address, bots)

    def attend(self, game: str, address: str, bots: int) -> None:
        """Count the hard bots of a game that a client opens, or raise a :class:`Problem`.

        An address may always open one game, even if it was created when more bots were allowed.
        """
        running = self._running(address, game) if bots else 0
        if running and running + bots > self._most:
            raise Problem(
                "full",
                f"{self._say(running)} Finish or close another game first.",
                reason="hard_bots_elsewhere",
                details={"count": self._most},
                retry_after=10.0,
            )
        self._count(game, address, bots)

    def _count(self, game: str, address: str, bots: int) -> None:
        if bots:
            self._games[game] = _Counted(address, bots, time.monotonic())

    def _say(self, running: int) -> str:
        return f"Your running games have {running} hard bots; {self._most} is the most for one address."

    def _running(self, address: str, but: str) -> int:
        """Return how many hard bots count for an address in other games; drop games that are not running."""
        addresses = {name: self._address(name, counted) for name, counted in self._games.items()}
        self._games = {name: counted for name, counted in self._games.items() if addresses[name]}
        return sum(
            counted.bots
            for name, counted in self._games.items()
            if name != but and addresses[name] == address
        )

    def _address(self, name: str, counted: _Counted) -> str:
        address = self._worked_for(name)
        if address is not None:
            return address
        return counted.address if time.monotonic() - counted.created < _NEW_SECONDS else ""
