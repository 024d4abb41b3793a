"""Secret links, which give access to a seat or let the holder watch.

A link is ``GAME.SECRET``. The database stores only a hash of the secret, and hashes are compared in constant
time. A link is sent in a message or a header, never in a URL, so that it appears in no log.

A seat has keys of three kinds. A *device* key opens the seat. An *invitation* does not: the first device that
accepts it gets its own device key, and the invitation is deleted, so its creator cannot use it unnoticed. A
*code* is a short invitation that a device creates for another device of the same person; it expires soon.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Literal, NamedTuple

from goldenspike.server.protocol.problems import Problem

_SECRET_BYTES = 24
_GAME_BYTES = 9
_LONGEST = 80
_CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: without I, L, O and U, which are easily confused with other characters."""
_CODE_LENGTH = 10
CODE_SECONDS = 600
"""How long a code is valid."""
_GAME = re.compile("[A-Za-z0-9_-]{1,16}")


KeyKind = Literal["device", "invitation", "code"]


class Key(NamedTuple):
    """A key to a seat."""

    secret_hash: bytes
    seat: int
    kind: KeyKind
    at: int
    """When it was created, in milliseconds since 1970."""


def new_code() -> str:
    """Return a code of 50 bits that a person can type.

    >>> len(new_code())
    11
    """
    letters = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    return f"{letters[:5]}-{letters[5:]}"


def read_code(typed: str) -> str:
    """Return a typed code in its original form: in capitals, with confused characters corrected.

    >>> read_code(" o1i2l-abcde ")
    '01121-ABCDE'
    """
    letters = typed.upper().translate(str.maketrans("OIL", "011", " -\t\n"))
    return f"{letters[:5]}-{letters[5:]}"


def new_game_id() -> str:
    """Return a unique id for a game; it is not secret."""
    return secrets.token_urlsafe(_GAME_BYTES)


def new_secret() -> str:
    """Return 192 random bits as text that is valid in a link.

    >>> len(new_secret()), new_secret() != new_secret()
    (32, True)
    """
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_secret(secret: str) -> bytes:
    """Return the hash of a secret. A fast hash is enough, because a secret has too many bits to guess."""
    return hashlib.sha256(secret.encode(errors="replace")).digest()


def join_link(game: str, secret: str) -> str:
    """Return a link."""
    return f"{game}.{secret}"


def game_of(link: str) -> str:
    """Return the game id of a link, which is not secret; "" if the text is not a link.

    >>> game_of("R2hnTq0LwK1c.QZx"), game_of("QZx")
    ('R2hnTq0LwK1c', '')
    """
    game, dot, _ = link.partition(".")
    return game if dot and _GAME.fullmatch(game) else ""


def split_link(link: str) -> tuple[str, bytes]:
    """Return a link's game and the hash of its secret."""
    game, secret = game_of(link), link.partition(".")[2]
    if not (game and secret) or len(link) > _LONGEST:
        raise Problem("bad_link", "This is not a link to a game; copy the whole link.")
    return game, hash_secret(secret)


def is_same(given: bytes, kept: bytes | None) -> bool:
    """Tell whether two hashes are equal, in constant time."""
    return hmac.compare_digest(given, kept or b"")
