"""Records: saved games as JSON lines that can be verified.

The first line is the header. One line for each action follows, and one for the end if the game is over. Every
line has a checksum over itself and all lines before it, so a changed byte is found at its line. Every action
has a short hash of the state after it, so a replay that diverges is found at its move.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from goldenspike.editions import Edition
from goldenspike.errors import RecordError
from goldenspike.game.events import Rows, read_events
from goldenspike.game.result import Result
from goldenspike.game.seeds import commitment
from goldenspike.game.words import seat_name
from goldenspike.version import VERSION

FORMAT = 1
_SUM = re.compile(rb',"sum":"([0-9a-f]{16})"\}\n')
_SUM_BYTES = len(b',"sum":"0123456789abcdef"}\n')

_LONGEST_NAME = 40
_CONTROL = "\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029"
"""Characters not allowed in names: they could control a terminal or break a table."""
PlayerName = Annotated[str, Meta(min_length=1, max_length=_LONGEST_NAME, pattern=f"^[^{_CONTROL}]*$")]

T = TypeVar("T")


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The start of a game. `first` is None if the seed decides; `seed` is None until it is revealed.

    `names` are the players' names by seat; None, and omitted from the record, if they are not known.
    """

    goldenspike: int
    edition: str
    rules: str
    seats: int
    first: int | None
    seed: str | None
    commitment: str
    version: str
    names: tuple[PlayerName, ...] | None = None


class _Format(msgspec.Struct, frozen=True):
    """The field that the header of every format version has."""

    goldenspike: int


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One action: seat, move, events, and the first 16 digits of the SHA-256 of the state after it."""

    n: int
    seat: int
    move: str
    outcome: list[str]
    state: str


class RecordEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended."""

    end: str
    winners: list[int]
    tie_break: str
    scores: list[int]


class Saved(msgspec.Struct, frozen=True):
    """A parsed record: its checksums are verified, but it is not replayed yet. `line` is its first line."""

    header: Header
    actions: list[Action]
    end: RecordEnd | None
    line: int = 1


class Lines(NamedTuple):
    """The raw lines of a record, with the line number of the first one in its file."""

    first: int
    lines: list[bytes]


def verify_names(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return players' names, one for each seat; raise `ValueError` if they are not valid in a record.

    >>> verify_names(["Ann", "Ben"], 3)
    Traceback (most recent call last):
    ValueError: Give a name for each of the 3 seats; these are 2: 'Ann', 'Ben'.
    """
    if isinstance(names, str) or len(names) != seats:
        given = repr(names) if isinstance(names, str) else ", ".join(map(repr, names))
        raise ValueError(f"Give a name for each of the {seats} seats; these are {len(names)}: {given}.")
    try:
        return msgspec.convert(tuple(names), tuple[PlayerName, ...])
    except msgspec.ValidationError:
        raise ValueError(
            f"A player's name has 1 to {_LONGEST_NAME} characters, none of them a line break or another "
            f"control character; not all of these do: {', '.join(map(repr, names))}."
        ) from None


def fit_name(name: str, seat: int) -> str:
    r"""Return a name made valid for a record: without control characters, and not too long.

    >>> fit_name("Ann\tLee", 0), fit_name("\n", 1)
    ('Ann Lee', 'Seat 2')
    """
    return re.sub(f"[{_CONTROL}]+", " ", name)[:_LONGEST_NAME].strip() or seat_name(seat)


def known_names(names: Sequence[str]) -> tuple[str, ...] | None:
    """Return names for a header; None if they are only the default names of the seats."""
    return None if list(names) == [seat_name(seat) for seat in range(len(names))] else tuple(names)


def end_of(result: Result | None) -> RecordEnd | None:
    """Return the end of a game as stored in a record; None if the game is not over."""
    if result is None:
        return None
    return RecordEnd(result.reason, list(result.winners), result.tie_break, list(result.totals))


def record_game(
    edition: Edition,
    names: Sequence[str],
    first: int | None,
    seed: bytes,
    actions: Iterable[tuple[int, str, Rows, str]],
    result: Result | None,
    *,
    reveals_seed: bool = True,
) -> str:
    """Return the record of a game; an action is its seat, move, events and the hash of the state after it."""
    header = Header(
        goldenspike=FORMAT,
        edition=edition.id,
        rules=edition.digest,
        seats=len(names),
        first=first,
        seed=seed.hex() if reveals_seed else None,
        commitment=commitment(seed),
        version=VERSION,
        names=known_names(names),
    )
    lines = [
        Action(n, seat, move, [str(event) for event in read_events(edition, rows)], state_hash)
        for n, (seat, move, rows, state_hash) in enumerate(actions, start=1)
    ]
    return write_record(header, lines, end_of(result))


def write_record(header: Header, actions: Iterable[Action], end: RecordEnd | None) -> str:
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
    """Return the lines of each record in a text, not parsed, so that one damaged record affects no other."""
    lines = io.BytesIO(text.encode(errors="surrogatepass")).readlines()
    starts = [i for i, line in enumerate(lines) if i == 0 or line.startswith(b'{"goldenspike"')]
    if not starts:
        raise RecordError(1, "there is no game in this file.")
    return [
        Lines(start + 1, lines[start:stop]) for start, stop in zip(starts, [*starts[1:], None], strict=True)
    ]


def read_record(record: Lines) -> Saved:
    """Parse a record and verify its checksums; raise :class:`RecordError` at the first line that is wrong."""
    header: Header | None = None
    actions: list[Action] = []
    end: RecordEnd | None = None
    total = b""
    for number, line in enumerate(record.lines, start=record.first):
        if end is not None:
            raise RecordError(number, "there is a line after the end of the game.")
        total, body = _check_sum(total, line, number)
        if header is None:
            header = _read_header(body, number)
        elif body.startswith(b'{"end"'):
            end = _decode(body, RecordEnd, number)
        else:
            actions.append(_decode(body, Action, number))
            if actions[-1].n != len(actions):
                raise RecordError(number, f"expected action {len(actions)}, found action {actions[-1].n}.")
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
