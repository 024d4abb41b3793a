"""The tables of the database. A test checks that the migrations produce this schema."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

GAMES = Table(
    "games",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("edition", String(64), nullable=False),
    Column("rules", String(64), nullable=False),
    Column("players", Integer, nullable=False),
    Column("first", Integer),
    Column("seed", String(64), nullable=False),
    Column("setup", Text, nullable=False),
    Column("watch_hash", LargeBinary(32), nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Column("branch_of", String(16)),
    Column("rematch", String(16)),
    Index("games_public", "is_public", "ended", "created"),
)
"""Games. `setup` is the JSON of the seats and options; the seed is secret until the game ends."""

SEATS = Table(
    "seats",
    METADATA,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("is_free", Boolean, nullable=False),
)
"""The seats of a game, and whether any player may take them."""

KEYS = Table(
    "keys",
    METADATA,
    Column("secret_hash", LargeBinary(32), primary_key=True),
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("keys_game", "game"),
)
"""The keys of seats, by the hash of their secret; see :mod:`goldenspike.server.protocol.links`."""

ENTRIES = Table(
    "entries",
    METADATA,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer),
    Column("token", String(80)),
    Column("move", Integer),
    Column("text", Text),
    Column("events", LargeBinary),
    Column("state", LargeBinary),
    Column("state_hash", String(16)),
    Column("reveals", Boolean, nullable=False),
    Column("request", String(16)),
    Column("chain", String(16)),
    Column("at", BigInteger, nullable=False),
)
"""Log entries, one row each; see :mod:`goldenspike.server.play.entry`."""
