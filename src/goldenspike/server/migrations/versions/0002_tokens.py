"""Entries are unique by their number alone: who may write the next one knows the tokens of all before it."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the index of tokens, which was half of what a move wrote to the disk."""
    with op.batch_alter_table("entries") as entries:
        entries.drop_constraint("entries_token", type_="unique")


def downgrade() -> None:
    """Make it again."""
    with op.batch_alter_table("entries") as entries:
        entries.create_unique_constraint("entries_token", ["game", "token"])
