"""Create the tables of games, seats and entries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("edition", sa.String(64), nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("first", sa.Integer),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("watch_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("branch_of", sa.String(16)),
        sa.Column("rematch", sa.String(16)),
    )
    op.create_index("games_public", "games", ["is_public", "ended", "created"])
    op.create_table(
        "seats",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("secret_hash", sa.LargeBinary(32)),
    )
    op.create_table(
        "entries",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("token", sa.String(80)),
        sa.Column("move", sa.Integer),
        sa.Column("text", sa.Text),
        sa.Column("events", sa.LargeBinary),
        sa.Column("state", sa.LargeBinary),
        sa.Column("state_hash", sa.String(16)),
        sa.Column("reveals", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("game", "token", name="entries_token"),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("entries", "seats", "games"):
        op.drop_table(table)
