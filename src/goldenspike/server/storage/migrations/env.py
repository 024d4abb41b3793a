"""Runs migrations on the engine that `goldenspike.server.storage.migrate` passes."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Engine

from goldenspike.server.storage.schema import METADATA


def run(engine: Engine) -> None:
    """Run the requested migrations in one transaction."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":  # Python's driver begins no transaction before DDL
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        context.configure(
            connection=connection, target_metadata=METADATA, render_as_batch=True, transactional_ddl=True
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()


if hasattr(context, "config"):  # set only when Alembic runs this module
    run(context.config.attributes["engine"])
