"""The fields that the load reads of the server's messages; msgspec skips the rest."""

from __future__ import annotations

import msgspec


class Happened(msgspec.Struct):
    """An entry of a game's log."""

    n: int
    kind: str
    seat: int | None = None


class Own(msgspec.Struct):
    """The private part of a view: the legal moves."""

    legal: list[int]


class LoadView(msgspec.Struct):
    """The part of a view that says whether the game goes on."""

    phase: str


class _Message(msgspec.Struct, tag_field="type"):
    pass


class LoadWelcome(_Message, tag="welcome"):
    """The first answer to a hello."""

    last: int
    view: LoadView
    own: Own | None
    entries: list[Happened] = []


class LoadUpdate(_Message, tag="update"):
    """New entries of the log."""

    entries: list[Happened]
    view: LoadView
    own: Own | None


class LoadAck(_Message, tag="ack"):
    """A move that was accepted."""

    n: int


class LoadRefused(_Message, tag="refused"):
    """A move that was refused."""

    code: str
    message: str


class LoadStatus(_Message, tag="status"):
    """Whether the server can reach its database."""

    status: str


read_message = msgspec.json.Decoder(LoadWelcome | LoadUpdate | LoadAck | LoadRefused | LoadStatus).decode
