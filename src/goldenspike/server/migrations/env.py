"""Runs migrations on the engine that `goldenspike.server.migrate` passes."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Engine

from goldenspike.server.schema import METADATA


def run(engine: Engine) -> None:
    """Run the migrations that were asked for: all of them, or none if anything goes wrong on the way."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":  # Python begins a transaction only with the first row it changes
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        context.configure(
            connection=connection, target_metadata=METADATA, render_as_batch=True, transactional_ddl=True
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()


if hasattr(context, "config"):  # only Alembic brings one; whoever else imports this wants to read it
    run(context.config.attributes["engine"])
