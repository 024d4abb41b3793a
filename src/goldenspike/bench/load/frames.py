"""WebSocket framing, as far as a client of our own server needs it (RFC 6455, section 5).

A client must mask what it sends. Any key is allowed; the zero key changes no byte.
"""

from __future__ import annotations

import struct

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
_FIN, _MASKED = 0x80, 0x80
_ZERO_KEY = bytes(4)
_SHORT, _LONG = 126, 127


def frame(data: bytes, kind: int = TEXT) -> bytes:
    """Return a message as a client sends it, in one frame.

    >>> frame(b"hi").hex(" ")
    '81 82 00 00 00 00 68 69'
    """
    size = len(data)
    if size < _SHORT:
        head = bytes((_FIN | kind, _MASKED | size))
    elif size < 1 << 16:
        head = struct.pack("!BBH", _FIN | kind, _MASKED | _SHORT, size)
    else:
        head = struct.pack("!BBQ", _FIN | kind, _MASKED | _LONG, size)
    return head + _ZERO_KEY + data


class Frames:
    """Parses bytes received from a server into whole messages.

    >>> frames = Frames()
    >>> frames.take(bytes.fromhex("81 02 68")), frames.take(bytes.fromhex("69 89 00"))
    ([], [(1, b'hi'), (9, b'')])
    """

    __slots__ = ("_rest",)

    def __init__(self) -> None:
        self._rest = b""

    def take(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the messages that are complete now, each with its opcode."""
        if self._rest:
            data = self._rest + data
        found: list[tuple[int, bytes]] = []
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == _SHORT:
                start += 2
                size = int.from_bytes(data[at + 2 : start])
            elif size == _LONG:
                start += 8
                size = int.from_bytes(data[at + 2 : start])
            if end < start + size or end < start:
                break
            if not data[at] & _FIN:
                raise ValueError("A message came in several frames, which a server of ours never sends.")
            found.append((data[at] & 0x0F, data[start : start + size]))
            at = start + size
        self._rest = data[at:]
        return found
