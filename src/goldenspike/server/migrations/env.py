"""Runs migrations on the engine that `goldenspike.server.migrate` passes."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Engine

from goldenspike.server.schema import METADATA


def run(engine: Engine) -> None:
    """Run the migrations that were asked for."""
    with engine.connect() as connection:
        context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
        with context.begin_transaction():
            context.run_migrations()


if hasattr(context, "config"):  # only Alembic brings one; whoever else imports this wants to read it
    run(context.config.attributes["engine"])
