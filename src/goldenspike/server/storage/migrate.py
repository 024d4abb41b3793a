"""Database migrations: bring a database up to date, or check that it is."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

_FOLDER = Path(__file__).parent / "migrations"


def config_for(engine: Engine) -> Config:
    """Return the Alembic configuration for a database."""
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.attributes["engine"] = engine
    return config


def newest() -> str:
    """Return the revision that this version needs."""
    head = ScriptDirectory(str(_FOLDER)).get_current_head()
    assert head is not None
    return head


def current(engine: Engine) -> str | None:
    """Return the revision of a database; None if it is empty."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _require_known(found: str | None) -> None:
    known = {script.revision for script in ScriptDirectory(str(_FOLDER)).walk_revisions()}
    if found is not None and found not in known:
        raise ValueError(
            f"The database is at revision {found}, which belongs to a newer version of Golden Spike: "
            "run that version."
        )


def is_outdated(engine: Engine) -> bool:
    """Tell whether a database has the schema of an older version."""
    found = current(engine)
    _require_known(found)
    return found not in {None, newest()}


def upgrade(engine: Engine) -> None:
    """Bring a database up to date."""
    _require_known(current(engine))
    command.upgrade(config_for(engine), "head")


def require_current(engine: Engine) -> None:
    """Raise an error if a database is not up to date."""
    found = current(engine)
    _require_known(found)
    if found != newest():
        state = "is empty" if found is None else f"is at revision {found}, not {newest()}"
        raise ValueError(
            f"The database {state}: run 'goldenspike serve --migrate' once with the same --database."
        )
