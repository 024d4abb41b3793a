"""Database maintenance while a server may be running: backups, and reclaiming free space."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, func, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from goldenspike.server.storage.database import open_engine, read_url
from goldenspike.server.storage.migrate import require_current
from goldenspike.server.storage.schema import METADATA


@contextmanager
def existing_database(url: str) -> Generator[Engine]:
    """Open an existing database that is up to date; error messages omit the password."""
    parsed = _require_existing(url)
    engine = open_engine(url, 1)
    try:
        require_current(engine)
        yield engine
    except SQLAlchemyError as error:
        raise _unusable(parsed, str(error.orig if isinstance(error, DBAPIError) else error)) from None
    finally:
        engine.dispose()


def copy_database(url: str, path: Path) -> None:
    """Write a consistent copy of a database into an empty file.

    The copy of a SQLite database is a SQLite database; of PostgreSQL it is a dump for `pg_restore`.
    """
    parsed = _require_existing(url)
    if parsed.get_backend_name() == "sqlite":
        engine = open_engine(url, 1)
        try:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text("VACUUM INTO :path"), {"path": str(path)})
        except SQLAlchemyError as error:
            raise _unusable(parsed, str(error.orig if isinstance(error, DBAPIError) else error)) from None
        finally:
            engine.dispose()
    else:
        _dump(parsed, path)


def _dump(url: URL, path: Path) -> None:
    if shutil.which("pg_dump") is None:
        raise FileNotFoundError(
            "This needs pg_dump, which comes with PostgreSQL's client programs; install them."
        )
    plain = url.set(drivername="postgresql", password=None)
    # Passed in the environment, because all users of the machine can read command-line arguments.
    environment = os.environ | ({"PGPASSWORD": str(url.password)} if url.password else {})
    command = ["pg_dump", "--format=custom", f"--file={path}", f"--dbname={plain.render_as_string()}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise _unusable(url, done.stderr.strip().removeprefix("pg_dump: error: "))


def vacuum_database(engine: Engine) -> tuple[int, int]:
    """Rewrite a database without its free space; return its size in bytes before and after.

    Writers wait meanwhile. Removed rows are erased from SQLite's file and write-ahead log, and from the files
    of PostgreSQL's tables.
    """
    before = _size(engine)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("VACUUM")
            is_busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
            if is_busy:
                raise TimeoutError(
                    "The database was in use all the time, so its file is as large as before: "
                    "run this again when fewer people play, or stop the server first."
                )
        else:
            tables = ", ".join(table.name for table in METADATA.sorted_tables)
            connection.exec_driver_sql(f"VACUUM (FULL, ANALYZE) {tables}")
    return before, _size(engine)


def _size(engine: Engine) -> int:
    if engine.dialect.name == "sqlite":
        file = str(engine.url.database)
        return sum(Path(name).stat().st_size for name in (file, f"{file}-wal") if Path(name).exists())
    with engine.connect() as connection:
        sizes = [func.pg_total_relation_size(table.name) for table in METADATA.sorted_tables]
        return sum(connection.execute(select(*sizes)).one())


def _require_existing(url: str) -> URL:
    """Return the parsed URL; a SQLite file must exist, because opening it would create it."""
    parsed = read_url(url)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
        raise FileNotFoundError(
            f"There is no database {parsed.database}. "
            "Name the server's database with --database, or its settings with --config."
        )
    return parsed


def _unusable(url: URL, reason: str) -> OSError:
    first = reason.partition("\n")[0].rstrip(".")
    return OSError(f"The database {url.render_as_string()} cannot be used: {first}.")
