"""Add keys of seats (devices, invitations, codes), and to entries the hashes of the log and the command."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of keys, turn the secret of each seat into a device key, and add the hashes."""
    op.create_table(
        "keys",
        sa.Column("secret_hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("keys_game", "keys", ["game"])
    op.execute(
        "INSERT INTO keys (secret_hash, game, seat, kind, at)"
        " SELECT secret_hash, game, seat, 'device', 0 FROM seats WHERE secret_hash IS NOT NULL"
    )
    op.add_column("seats", sa.Column("is_free", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(sa.text("UPDATE seats SET is_free = :free WHERE secret_hash IS NULL").bindparams(free=True))
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("secret_hash")
        seats.alter_column("is_free", existing_type=sa.Boolean, existing_nullable=False, server_default=None)
    op.add_column("entries", sa.Column("request", sa.String(16)))
    op.add_column("entries", sa.Column("chain", sa.String(16)))


def downgrade() -> None:
    """Keep one device key of each seat; a seat without one that is not free gets an unusable secret."""
    with op.batch_alter_table("entries") as entries:
        entries.drop_column("chain")
        entries.drop_column("request")
    op.add_column("seats", sa.Column("secret_hash", sa.LargeBinary(32)))
    op.execute(
        "UPDATE seats SET secret_hash = (SELECT min(keys.secret_hash) FROM keys"
        " WHERE keys.game = seats.game AND keys.seat = seats.seat AND keys.kind = 'device')"
    )
    op.execute(
        sa.text(
            "UPDATE seats SET secret_hash = :nobody WHERE secret_hash IS NULL AND is_free = :free"
        ).bindparams(sa.bindparam("nobody", b"\0", sa.LargeBinary), free=False)
    )
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("is_free")
    op.drop_table("keys")
