"""Fixtures of PostgreSQL, Redis and game servers; each pytest worker starts its own, when first needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from goldenspike.server.storage.database import Database, open_engine
from goldenspike.server.storage.migrate import upgrade
from tests.server.processes import GameServer
from tests.server.services import PostgresServer, RedisServer
from tests.server.serving import server

__all__ = ["server"]  # an ordinary game server, for tests that only play


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Run a PostgreSQL server; a test may leave it stopped."""
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    """Run a Redis server; a test may leave it stopped."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """Return the URL of a new database, and remove it after the test."""
    postgres.restore()
    url = postgres.new_database()
    yield url
    postgres.restore()
    postgres.drop_database(url)


@pytest.fixture
def redis_url(redis: RedisServer) -> str:
    """Return the URL of an empty database."""
    redis.restore()
    redis.flush()
    return redis.url


@pytest.fixture(scope="module")
def pair(postgres: PostgresServer, redis: RedisServer) -> Iterator[tuple[GameServer, GameServer]]:
    """Run two game servers, as processes of one service."""
    postgres.restore()
    redis.restore()
    url = postgres.new_database()
    with GameServer(url, redis.url) as one, GameServer(url, redis.url) as other:
        one.wait_ready()
        other.wait_ready()
        yield one, other
    postgres.restore()
    postgres.drop_database(url)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Create an empty database of each kind."""
    if request.param == "postgresql":
        address: str = request.getfixturevalue("postgres_url")
    else:
        address = f"sqlite:///{tmp_path / 'games.db'}"
    engine = open_engine(address, 1)
    upgrade(engine)
    engine.dispose()
    return address


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Open an empty database of each kind."""
    is_sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path}/games.db" if is_sqlite else request.getfixturevalue("postgres_url")
    database = Database(url)
    upgrade(database.engine)
    yield database
    database.close()
