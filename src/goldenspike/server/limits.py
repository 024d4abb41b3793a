"""How much anybody may ask for: buckets that fill at a steady rate."""

from __future__ import annotations

import time
from collections import OrderedDict

from goldenspike.server.problems import Problem

_MOST_ADDRESSES = 10_000


class Bucket:
    """So much a second on average, and some at once.

    >>> bucket = Bucket(rate=1.0, size=2)
    >>> [bucket.take(at=0.0) for _ in range(3)], bucket.take(at=1.5)
    ([True, True, False], True)
    """

    __slots__ = ("_at", "_left", "_rate", "_size")

    def __init__(self, rate: float, size: float) -> None:
        self._rate, self._size = rate, max(1.0, size)  # or there would never be one to take
        self._left = self._size
        self._at: float | None = None

    def take(self, at: float | None = None) -> bool:
        """Take one, if there is one."""
        at = time.monotonic() if at is None else at
        if self._at is not None:
            self._left = min(self._size, self._left + (at - self._at) * self._rate)
        self._at = at
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True

    def require(self) -> None:
        """Take one, or raise the :class:`Problem` that there is none."""
        if not self.take():
            wait = (1.0 - self._left) / self._rate
            raise Problem(
                "too_fast", "That was too fast: wait a little and send it again.", retry_after=round(wait, 1)
            )


class Buckets:
    """A bucket for each address; the ones used longest ago are forgotten."""

    def __init__(self, rate: float, size: float) -> None:
        self._rate, self._size = rate, size
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def require(self, address: str) -> None:
        """Take one for an address, or raise the :class:`Problem` that there is none."""
        if address not in self._buckets:
            self._buckets[address] = Bucket(self._rate, self._size)
            if len(self._buckets) > _MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        self._buckets[address].require()
