"""Saved games: JSON lines that say what was played and let anyone check it.

The first line is the header, then one line for each action, and one for the end once there is one. Every
line carries a sum over itself and all lines before it, so that a changed byte is found at its line; every
action carries a short hash of the state after it, so that a replay that goes another way is found at its
move.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

import msgspec

from goldenspike.errors import RecordError

FORMAT = 1
_SUM = re.compile(rb',"sum":"([0-9a-f]{16})"\}\n')
_SUM_BYTES = len(b',"sum":"0123456789abcdef"}\n')

T = TypeVar("T")


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game starts from. `first` is None where the seed decides, `seed` until it is revealed."""

    goldenspike: int
    edition: str
    rules: str
    seats: int
    first: int | None
    seed: str | None
    commitment: str
    version: str


class _Format(msgspec.Struct, frozen=True):
    """The one thing that a header of any format says."""

    goldenspike: int


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One action: who did what, what came of it, and the first 16 digits of the state's SHA-256 after it."""

    n: int
    seat: int
    move: str
    outcome: list[str]
    state: str


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended."""

    end: str
    winners: list[int]
    tie_break: str
    scores: list[int]


class Saved(msgspec.Struct, frozen=True):
    """A record as read: its lines fit together, but nobody has played it again yet. `line` is its first."""

    header: Header
    actions: list[Action]
    end: End | None
    line: int = 1


class Lines(NamedTuple):
    """The lines of a record as they stand in a file, with the number of the first one there."""

    first: int
    lines: list[bytes]


def write_record(header: Header, actions: Iterable[Action], end: End | None) -> str:
    """Return a record as text."""
    lines: list[bytes] = []
    total = b""
    for part in (header, *actions, *([] if end is None else [end])):
        body = msgspec.json.encode(part)
        total = _sum(total, body)
        lines.append(body[:-1] + b',"sum":"' + total + b'"}\n')
    return b"".join(lines).decode()


def _sum(before: bytes, body: bytes) -> bytes:
    return hashlib.sha256(before + body).hexdigest()[:16].encode()


def read_records(text: str) -> Iterator[Saved]:
    """Yield the records in a text, one after the other; each begins with a header."""
    return map(read_record, split_records(text))


def split_records(text: str) -> list[Lines]:
    """Return the lines of each record in a text, unread: one may be damaged and the next one sound."""
    lines = io.BytesIO(text.encode(errors="surrogatepass")).readlines()
    starts = [i for i, line in enumerate(lines) if i == 0 or line.startswith(b'{"goldenspike"')]
    if not starts:
        raise RecordError(1, "there is no game in this file.")
    return [
        Lines(start + 1, lines[start:stop]) for start, stop in zip(starts, [*starts[1:], None], strict=True)
    ]


def read_record(record: Lines) -> Saved:
    """Return a record whose lines fit together; raise :class:`RecordError` where they do not."""
    header: Header | None = None
    actions: list[Action] = []
    end: End | None = None
    total = b""
    for number, line in enumerate(record.lines, start=record.first):
        if end is not None:
            raise RecordError(number, "there is a line after the end of the game.")
        total, body = _check_sum(total, line, number)
        if header is None:
            header = _read_header(body, number)
        elif body.startswith(b'{"end"'):
            end = _decode(body, End, number)
        else:
            actions.append(_decode(body, Action, number))
            if actions[-1].n != len(actions):
                raise RecordError(
                    number, f"action {actions[-1].n} stands where action {len(actions)} belongs."
                )
    assert header is not None
    return Saved(header, actions, end, record.first)


def _read_header(body: bytes, number: int) -> Header:
    written = _decode(body, _Format, number).goldenspike
    if written != FORMAT:
        raise RecordError(number, f"this is format {written}; only format {FORMAT} is known here.")
    return _decode(body, Header, number)


def _check_sum(before: bytes, line: bytes, number: int) -> tuple[bytes, bytes]:
    if not line.endswith(b"\n"):
        raise RecordError(number, "the line is cut off; the file ends in the middle of it.")
    match = _SUM.fullmatch(line[-_SUM_BYTES:])
    if match is None:
        raise RecordError(
            number, "the line is not from a saved game, or it is cut off: it has no sum at its end."
        )
    body = line[:-_SUM_BYTES] + b"}"
    total = _sum(before, body)
    if total != match[1]:
        raise RecordError(number, "the line was changed after it was written, or one before it is missing.")
    return total, body


def _decode(body: bytes, kind: type[T], number: int) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(number, f"the line cannot be read: {error}.") from None
