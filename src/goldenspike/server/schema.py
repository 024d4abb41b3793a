"""The tables of the database. Migrations bring a database to this; a test compares the two."""

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
"""What a game starts from. `setup` is the JSON of its seats and options; the seed is secret until the end."""

SEATS = Table(
    "seats",
    METADATA,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("secret_hash", LargeBinary(32)),
)
"""Who may sit where: no hash, nobody yet."""

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
    Column("at", BigInteger, nullable=False),
)
"""What happened, one row for each entry; see :mod:`goldenspike.server.entry`."""
