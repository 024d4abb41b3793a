"""What the load reads of the server's messages: the few fields it acts on; the rest is skipped."""

from __future__ import annotations

import msgspec


class Happened(msgspec.Struct):
    """An entry of a game's log."""

    n: int
    kind: str
    seat: int | None = None


class Own(msgspec.Struct):
    """What a seat may do."""

    legal: list[int]


class View(msgspec.Struct):
    """Whether a game goes on."""

    phase: str


class _Message(msgspec.Struct, tag_field="type"):
    pass


class Welcome(_Message, tag="welcome"):
    """The first answer."""

    last: int
    view: View
    own: Own | None


class Update(_Message, tag="update"):
    """What happened."""

    entries: list[Happened]
    view: View
    own: Own | None


class Ack(_Message, tag="ack"):
    """A move that counts."""

    n: int


class Refused(_Message, tag="refused"):
    """A move that does not."""

    code: str
    message: str


class Status(_Message, tag="status"):
    """Whether the server reaches its database."""

    status: str


read_message = msgspec.json.Decoder(Welcome | Update | Ack | Refused | Status).decode
