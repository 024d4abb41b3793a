"""Rate limits: token buckets, for one connection or for each client address."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from goldenspike.server.protocol.problems import Problem

_MOST_ADDRESSES = 10_000
_IPV6_NETWORK_BITS = 64
_FRAMES_A_MESSAGE, _LEAST_FRAMES = 2.5, 50.0


class Bucket:
    """A token bucket: it fills at a steady rate up to its size.

    >>> bucket = Bucket(rate=1.0, size=2)
    >>> [bucket.take(at=0.0) for _ in range(3)], bucket.take(at=1.5)
    ([True, True, False], True)
    """

    __slots__ = ("_at", "_left", "_rate", "_size")

    def __init__(self, rate: float, size: float) -> None:
        self._rate, self._size = rate, max(1.0, size)  # a smaller bucket could never supply one token
        self._left = self._size
        self._at: float | None = None

    def take(self, cost: float = 1.0, at: float | None = None) -> bool:
        """Take tokens, if there are enough. A cost above the bucket's size needs a full bucket."""
        at = time.monotonic() if at is None else at
        if self._at is not None:
            self._left = min(self._size, self._left + (at - self._at) * self._rate)
        self._at = at
        if self._left < min(cost, self._size):
            return False
        self._left -= cost
        return True

    def reserve(self, at: float | None = None) -> float:
        """Take a token, even one that the bucket does not have yet; return how many seconds to wait for it.

        >>> bucket = Bucket(rate=2.0, size=1)
        >>> [bucket.reserve(at=0.0) for _ in range(3)]
        [0.0, 0.5, 1.0]
        """
        if self.take(at=at):
            return 0.0
        self._left -= 1.0
        return -self._left / self._rate

    def require(self, cost: float = 1.0) -> None:
        """Take tokens, or raise the :class:`Problem` that there are too few."""
        if not self.take(cost):
            wait = (min(cost, self._size) - self._left) / self._rate
            raise Problem(
                "too_fast", "Too many requests; wait a moment and try again.", retry_after=round(wait, 1)
            )


class Buckets:
    """A bucket for each address; the least recently used ones are dropped."""

    def __init__(self, rate: float, size: float) -> None:
        self._rate, self._size = rate, size
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Take tokens for an address, if there are enough."""
        return self.of(address).take(cost)

    def require(self, address: str, cost: float = 1.0) -> None:
        """Take tokens for an address, or raise the :class:`Problem` that there are too few."""
        self.of(address).require(cost)

    def of(self, address: str) -> Bucket:
        """Return the bucket of an address."""
        if address not in self._buckets:
            self._buckets[address] = Bucket(self._rate, self._size)
            if len(self._buckets) > _MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return self._buckets[address]


class AddressCounter:
    """Counts open connections, in total and by address.

    >>> sockets = AddressCounter(most=3, most_of_address=1)
    >>> sockets.add("10.0.0.1")
    >>> sockets.add("10.0.0.1")
    Traceback (most recent call last):
    goldenspike.server.protocol.problems.Problem: There are too many connections from your address; ...
    """

    def __init__(self, most: int, most_of_address: int) -> None:
        self._most, self._most_of_address = most, most_of_address
        self._count = 0
        self._open: Counter[str] = Counter()

    def add(self, address: str, *, is_limited: bool = True) -> None:
        """Count one more, or raise the :class:`Problem` that there are too many.

        Without `is_limited` only the total counts.
        """
        if self._count >= self._most:
            raise Problem("full", "The server is full; try again later.", retry_after=10.0)
        if is_limited and self._open[address] >= self._most_of_address:
            raise Problem(
                "full",
                "There are too many connections from your address; close some.",
                reason="many_connections",
                retry_after=10.0,
            )
        self._count += 1
        self._open[address] += 1

    def remove(self, address: str) -> None:
        """Count one less."""
        self._count -= 1
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


def frame_rate(message_rate: float) -> float:
    """Return how many frames of any kind a socket may send in a second, on average.

    Commands have a lower limit, which is answered with a refusal; exceeding this one closes the connection.

    >>> frame_rate(1.0), frame_rate(100.0)
    (50.0, 250.0)
    """
    return max(_LEAST_FRAMES, message_rate * _FRAMES_A_MESSAGE)


@lru_cache(_MOST_ADDRESSES)
def limited_address(host: str) -> str:
    """Return the part of an address that limits apply to: all of IPv4, the first 64 bits of IPv6.

    One client may use all addresses of an IPv6 network of that size.

    >>> [limited_address(host) for host in ("203.0.113.7", "2001:db8:1:2:3:4:5:6", "::ffff:203.0.113.7")]
    ['203.0.113.7', '2001:db8:1:2::', '203.0.113.7']
    """
    try:
        address = ip_address(host)
    except ValueError:  # a Unix socket, or nothing at all
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> _IPV6_NETWORK_BITS << _IPV6_NETWORK_BITS))
    return str(address)
