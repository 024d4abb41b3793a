"""Generators of invalid messages: each is wrong by construction, in a named way."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from goldenspike.server.protocol.links import new_game_id, new_secret

GOOD: list[dict[str, Any]] = [
    {"type": "play", "move": 3},
    {"type": "play", "move": "draw deck"},
    {"type": "undo"},
    {"type": "answer", "agree": True},
    {"type": "say", "text": "Hello."},
    {"type": "leave"},
    {"type": "return"},
    {"type": "replace", "seat": 1},
    {"type": "rematch"},
    {"type": "why", "move": 3},
    {"type": "ways"},
    {"type": "hint"},
    {"type": "ping"},
]
"""Every command, to be made invalid."""
WRONG: dict[str, list[Any]] = {
    "type": [None, 7, [], {}, "", "PLAY", "plays", "hello", "welcome", "ack", "\x00", "play" * 1000],
    "id": [None, 7, 1.5, True, [], {}, "", "x" * 65, "a\x00b"],
    "move": [None, True, 1.5, -1, 100_001, 10**30, 1e300, [], {}, [1], "w" * 201],
    "agree": [None, 0, 1, "yes", [], {}],
    "text": [None, 7, True, [], {}, "", "t" * 501, "a\x00b"],
    "seat": [None, -1, 5, 10**30, 0.5, "0", [], {}],
}
"""Values that a field must not have."""

Spoiler = Callable[[random.Random, dict[str, Any]], str]


def _name(rng: random.Random) -> str:
    return f"{rng.getrandbits(64):x}"


def cut_off(rng: random.Random, command: dict[str, Any]) -> str:
    """Return a truncated message."""
    text = json.dumps(command)
    return text[: rng.randrange(len(text))]


def noise(rng: random.Random, _: dict[str, Any]) -> str:
    """Return random characters; some are JSON, but none is an object with a type."""
    alphabet = rng.choice(['{}[]",:', "01e-+.", "aé漢🚂\u202e\ufffe", "\x00\x01\x1f\x7f", 'tfn{}"\\u'])
    return "".join(rng.choices(alphabet, k=rng.randrange(200)))


def wrong_type(rng: random.Random, command: dict[str, Any]) -> str:
    """Return a command with a value of the wrong type, or out of its bounds."""
    field = rng.choice(list(command))
    return json.dumps(command | {field: rng.choice(WRONG[field])})


def missing_field(rng: random.Random, command: dict[str, Any]) -> str:
    """Return a command without one of its required fields."""
    left_out = rng.choice(list(command))
    return json.dumps({name: value for name, value in command.items() if name != left_out})


def unknown_field(rng: random.Random, command: dict[str, Any]) -> str:
    """Return a command with an unknown field."""
    return json.dumps(command | {rng.choice(["x", "", "Type", "seats", "\x00"]): rng.choice([1, None, "a"])})


def deep(rng: random.Random, command: dict[str, Any]) -> str:
    """Return deeply nested lists or objects."""
    opening, closing = rng.choice([("[", "]"), ('{"a":', "}")])
    depth = rng.randrange(100, 1300)
    inside = opening * depth + "1" + closing * (depth if rng.random() < 0.5 else 0)
    return rng.choice([inside, json.dumps(command)[:-1] + ', "deep": ' + inside + "}"])


def hello_again(rng: random.Random, _: dict[str, Any]) -> str:
    """Return another hello."""
    return json.dumps({"type": "hello", "link": bad_link(rng), "last": rng.randrange(-1, 100)})


SPOILERS: list[Spoiler] = [cut_off, noise, wrong_type, missing_field, unknown_field, deep, hello_again]
"""All ways to make an unreadable message."""


def unreadable(rng: random.Random) -> tuple[str, str]:
    """Return an unreadable message, and what is wrong with it."""
    spoil = rng.choice(SPOILERS)
    return spoil.__name__, spoil(rng, rng.choice(GOOD) | {"id": _name(rng)})


def impossible(rng: random.Random) -> tuple[str, str, str]:
    """Return the kind of a readable command that must be refused, the command, and its id.

    In the game, other players are to choose their tickets; no undo is pending, and no player is absent.
    """
    name = _name(rng)
    kind, command = rng.choice(
        [
            ("out of turn", {"type": "play", "move": rng.randrange(3000)}),
            (
                "out of turn, in words",
                {"type": "play", "move": rng.choice(["draw deck", "pass", "keep all"])},
            ),
            ("words that are no move", {"type": "play", "move": _babble(rng)}),
            ("an answer without a question", {"type": "answer", "agree": rng.random() < 0.5}),
            ("nothing to undo", {"type": "undo"}),
            ("a seat that is one's own", {"type": "return"}),
            ("a bot for another seat", {"type": "replace", "seat": rng.randrange(5)}),
            ("a rematch too early", {"type": "rematch"}),
        ]
    )
    return kind, json.dumps(command | {"id": name}), name


def _babble(rng: random.Random) -> str:
    words = [
        "claim",
        "draw",
        "keep",
        "TIM-CEN",
        "with",
        "red",
        "x",
        "2",
        "é",
        "🚂",
        "'",
        '"',
        "\x00",
        "%s",
        "{}",
    ]
    return " ".join(rng.choices(words, k=rng.randrange(1, 12)))


def bad_link(rng: random.Random) -> str:
    """Return an invalid link."""
    return rng.choice(
        [
            new_game_id(),
            "",
            ".",
            f".{new_secret()}",
            f"{new_game_id()}.",
            "a\x00b.c\x00d",
            "é漢.🚂",
            "'; DROP TABLE games; --.x",
            "../../etc/passwd.x",
            "x" * 15 + "." + "y" * 90,
        ]
    )


def first_words(rng: random.Random, game: str) -> tuple[str, str]:
    """Return an invalid first message, and what is wrong with it."""
    kind = rng.choice(["unreadable", "no hello", "bad link", "unknown game", "wrong secret", "bad number"])
    hello: dict[str, Any] = {"type": "hello", "link": bad_link(rng)}
    match kind:
        case "unreadable":
            return kind, unreadable(rng)[1]
        case "no hello":
            return kind, json.dumps(rng.choice(GOOD) | {"id": _name(rng)})
        case "unknown game":
            return kind, json.dumps(hello | {"link": f"{new_game_id()}.{new_secret()}"})
        case "wrong secret":
            return kind, json.dumps(hello | {"link": f"{game}.{new_secret()}"})
        case "bad number":
            return kind, json.dumps(hello | {"last": rng.choice([-2, 2**31, 1.5, "1", [], True])})
        case _:
            return kind, json.dumps(hello)


def raw_bytes(rng: random.Random) -> bytes:
    """Return bytes that are neither HTTP nor a WebSocket frame."""
    return rng.choice(
        [
            rng.randbytes(rng.randrange(1, 2000)),
            b"GET /api/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
            b"GET /api/socket HTTP/1.1\r\n" + b"X: y\r\n" * 2000,
            b"POST /api/games/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{",
            b"POST /api/games/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + rng.randbytes(200),
            b"\r\n\r\n\x00\x00",
        ]
    )


def damage(rng: random.Random, record: bytes) -> bytes:
    """Return a record that is no longer valid."""
    damaged = record
    while damaged == record:
        where, length = rng.randrange(len(record)), rng.randrange(1, 50)
        inserted = rng.choice(
            [b"", b"\x00", b"\xff", b"9" * 30, b"-1", b"null", b"[" * 2000, b"1e999", b'"', b"\n"]
        )
        damaged = rng.choice(
            [
                record[:where],
                record[:where] + inserted + record[where:],
                record[:where] + inserted + record[where + length :],
                b"\n".join(rng.sample(record.split(b"\n"), 20)),
            ]
        )
    return damaged
