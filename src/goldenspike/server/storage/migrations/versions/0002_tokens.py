"""Drop the unique index on tokens: the process that writes the next entry knows all earlier tokens."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the index on tokens, which was half of what a move wrote to the disk."""
    with op.batch_alter_table("entries") as entries:
        entries.drop_constraint("entries_token", type_="unique")


def downgrade() -> None:
    """Create the index again."""
    with op.batch_alter_table("entries") as entries:
        entries.create_unique_constraint("entries_token", ["game", "token"])
