"""The servers that a game server needs: one of each for a worker of pytest, from the first test that asks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.processes import GameServer
from tests.server.services import PostgresServer, RedisServer
from tests.server.serving import server

__all__ = ["server"]  # an ordinary server of games, for the tests that only play


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Run a PostgreSQL server; a test that stops it may leave it so."""
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    """Run a Redis server; a test that stops it may leave it so."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """Hand out the address of a new database, and remove it after the test."""
    postgres.restore()
    url = postgres.new_database()
    yield url
    postgres.restore()
    postgres.drop_database(url)


@pytest.fixture
def redis_url(redis: RedisServer) -> str:
    """Hand out the address of an empty database."""
    redis.restore()
    redis.flush()
    return redis.url


@pytest.fixture(scope="module")
def pair(postgres: PostgresServer, redis: RedisServer) -> Iterator[tuple[GameServer, GameServer]]:
    """Run two servers of games, as processes of one service."""
    postgres.restore()
    redis.restore()
    url = postgres.new_database()
    with GameServer(url, redis.url) as one, GameServer(url, redis.url) as other:
        one.wait_ready()
        other.wait_ready()
        yield one, other
    postgres.restore()
    postgres.drop_database(url)
