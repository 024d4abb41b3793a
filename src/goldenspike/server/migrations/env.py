"""Runs migrations on the engine that `goldenspike.server.migrate` passes."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Engine

from goldenspike.server.schema import METADATA

engine: Engine = context.config.attributes["engine"]

with engine.connect() as connection:
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
