"""Secret links: who knows one may sit down, or watch.

A link is ``GAME.SECRET``. The database keeps only a hash of the secret, comparisons take the same time
whatever they find, and a link travels in a message or a header, never in an address, so that no log gets
to see it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from goldenspike.server.problems import Problem

_SECRET_BYTES = 24
_GAME_BYTES = 9
_LONGEST = 80
_GAME = re.compile("[A-Za-z0-9_-]{1,16}")


def new_game_id() -> str:
    """Return a name for a game that nobody else has; it is no secret."""
    return secrets.token_urlsafe(_GAME_BYTES)


def new_secret() -> str:
    """Return 192 bits that nobody can guess, as text that can stand in a link.

    >>> len(new_secret()), new_secret() != new_secret()
    (32, True)
    """
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_secret(secret: str) -> bytes:
    """Return what is kept of a secret. It has too many bits to be guessed, so nothing slower is needed."""
    return hashlib.sha256(secret.encode(errors="replace")).digest()


def join_link(game: str, secret: str) -> str:
    """Return a link."""
    return f"{game}.{secret}"


def game_of(link: str) -> str:
    """Return the game of a link, which is no secret; of what is no link, nothing.

    >>> game_of("R2hnTq0LwK1c.QZx"), game_of("QZx")
    ('R2hnTq0LwK1c', '')
    """
    game, dot, _ = link.partition(".")
    return game if dot and _GAME.fullmatch(game) else ""


def split_link(link: str) -> tuple[str, bytes]:
    """Return a link's game and the hash of its secret."""
    game, secret = game_of(link), link.partition(".")[2]
    if not (game and secret) or len(link) > _LONGEST:
        raise Problem("bad_link", "This is not a link to a game; copy the whole link, from end to end.")
    return game, hash_secret(secret)


def is_same(given: bytes, kept: bytes | None) -> bool:
    """Tell whether two hashes are the same, in a time that says nothing about them."""
    return hmac.compare_digest(given, kept or b"")
