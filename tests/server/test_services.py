"""The servers that tests run: they answer, survive what tests do to them, and leave nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import psycopg
import pytest
from redis import Redis
from redis.exceptions import TimeoutError as RedisTimeoutError

from tests.server.process import ServerProcess
from tests.server.process_tree import are_dead, send
from tests.server.services import PostgresServer, RedisServer, find_command
from tests.server.waiting import wait_until

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
ORPHANS = """
import os, signal
from tests.server.services import PostgresServer, RedisServer

with PostgresServer() as postgres, RedisServer() as redis:
    {then}
    for server in (postgres, redis):
        print(server.pid, server.folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def ask(url: str, query: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row
    return str(row[0])


def keep_row(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 'spike' AS word")


def process_tree_of(server: ServerProcess) -> list[int]:
    """Return the ids of a server and its children, and pause it."""
    server.pause()
    return server._paused


def memory_segments() -> list[str]:
    """Return the ids of this machine's shared memory segments: the second column, after the key."""
    lines = subprocess.run(["ipcs", "-m"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [line.split()[1] for line in lines if line.startswith("0x")]


# PostgreSQL


def test_postgres_answers(postgres: PostgresServer, postgres_url: str) -> None:
    assert postgres_url == postgres.url
    assert ask(postgres_url, "SELECT 6 * 7") == "42"


def test_postgres_settings(postgres_url: str) -> None:
    assert ask(postgres_url, "SHOW fsync") == "on"
    assert ask(postgres_url, "SHOW max_connections") == "200"
    assert ask(postgres_url, "SHOW listen_addresses") == "127.0.0.1"
    assert ask(postgres_url, "SHOW server_encoding") == "UTF8"


def test_postgres_listens_on_a_socket_in_its_folder(postgres: PostgresServer, postgres_url: str) -> None:
    query = f"host={postgres.folder} port={postgres.port} user=goldenspike dbname=postgres"
    assert ask(query, "SELECT 'here'") == "here"


@pytest.mark.slow
def test_each_database_is_new(postgres: PostgresServer, postgres_url: str) -> None:
    keep_row(postgres_url)
    other = postgres.new_database()
    assert other != postgres_url
    assert ask(other, "SELECT count(*) FROM pg_tables WHERE tablename = 'kept'") == "0"
    postgres.drop_database(other)


@pytest.mark.slow
def test_a_database_is_dropped_under_its_clients(postgres: PostgresServer, postgres_url: str) -> None:
    url = postgres.new_database()
    with psycopg.connect(url) as client:
        postgres.drop_database(url)
        with pytest.raises(psycopg.OperationalError):
            client.execute("SELECT 1")
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(url)


@pytest.mark.slow
@pytest.mark.parametrize("end", [PostgresServer.stop, PostgresServer.kill])
def test_what_is_committed_is_there_after_a_restart(
    postgres: PostgresServer, postgres_url: str, end: Callable[[PostgresServer], None]
) -> None:
    keep_row(postgres_url)
    with psycopg.connect(postgres_url) as client:
        client.execute("INSERT INTO kept VALUES ('never committed')")
        end(postgres)
        with pytest.raises(psycopg.OperationalError):
            client.execute("SELECT 1")
        with pytest.raises(psycopg.OperationalError, match="refused"):
            psycopg.connect(postgres_url)
    postgres.start()
    assert ask(postgres_url, "SELECT string_agg(word, ', ') FROM kept") == "spike"


def test_a_paused_postgres_answers_when_it_is_resumed(postgres: PostgresServer, postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as client, ThreadPoolExecutor() as threads:
        client.execute("SELECT 1")
        postgres.pause()
        old = threads.submit(client.execute, "SELECT 'old'")
        new = threads.submit(ask, postgres_url, "SELECT 'new'")
        wait([old], timeout=0.3)
        early = old.done() or new.done()
        postgres.resume()
        assert not early
        assert old.result(timeout=30).fetchone() == ("old",)
        assert new.result(timeout=30) == "new"


def test_a_killed_postgres_leaves_nothing() -> None:
    with PostgresServer() as postgres:
        tree, folder = process_tree_of(postgres), postgres.folder
        notes = (folder / "data" / "postmaster.pid").read_text(encoding="utf-8")
        memory = notes.splitlines()[6].split()[1]
        postgres.kill()
        assert memory in memory_segments()
    assert memory not in memory_segments()
    assert are_dead(tree)
    assert not folder.exists()


# Redis


def test_redis_answers(redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        assert client.ping()


def test_redis_is_handed_out_empty(redis: RedisServer, redis_url: str) -> None:
    with redis.client() as client:
        client.set("word", "spike")
        redis.flush()
        assert client.dbsize() == 0


@pytest.mark.parametrize("end", [RedisServer.stop, RedisServer.kill])
def test_redis_keeps_its_data(redis: RedisServer, redis_url: str, end: Callable[[RedisServer], None]) -> None:
    with redis.client() as client:
        client.set("word", "spike")
    end(redis)
    redis.start()
    with redis.client() as client:
        assert client.get("word") == b"spike"


def test_a_paused_redis_does_not_answer_until_it_is_resumed(redis: RedisServer, redis_url: str) -> None:
    with redis.client(seconds=0.2) as client:
        assert client.ping()
        redis.pause()
        with pytest.raises(RedisTimeoutError):
            client.ping()
        redis.resume()
    with redis.client(seconds=30) as client:
        assert client.ping()


# Both


@pytest.mark.slow
@pytest.mark.parametrize("name", ["postgres", "redis"])
@pytest.mark.parametrize("harm", ["stop", "kill", "pause"])
def test_restore_undoes_what_a_test_did(request: pytest.FixtureRequest, name: str, harm: str) -> None:
    server: ServerProcess = request.getfixturevalue(name)
    server.restore()
    getattr(server, harm)()
    server.restore()
    assert server.is_running
    assert server.answers()


@pytest.mark.parametrize("kind", [PostgresServer, RedisServer])
def test_a_paused_server_leaves_nothing(kind: type[ServerProcess]) -> None:
    with kind() as server:
        tree, folder = process_tree_of(server), server.folder
    assert are_dead(tree)
    assert not folder.exists()


def test_a_server_ends_when_its_test_fails() -> None:
    server = RedisServer()
    with pytest.raises(ZeroDivisionError), server:
        raise ZeroDivisionError
    assert not server.is_running


@pytest.mark.slow
@pytest.mark.parametrize(
    "then", ["pass", pytest.param("postgres.pause(); redis.pause()", marks=pytest.mark.slow)]
)
def test_servers_end_with_tests_that_are_killed(then: str) -> None:
    command = [sys.executable, "-c", ORPHANS.format(then=then)]
    orphaned = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert orphaned.returncode == -signal.SIGKILL
    lines = [line.split() for line in orphaned.stdout.splitlines()]
    assert len(lines) == 2
    wait_until(lambda: are_dead(int(pid) for pid, _ in lines), "the servers are dead")
    wait_until(lambda: not any(Path(folder).exists() for _, folder in lines), "their folders are gone")


def test_misuse_is_an_error(redis: RedisServer, redis_url: str) -> None:
    with pytest.raises(RuntimeError, match="is started by a `with` statement"):
        RedisServer().start()
    with pytest.raises(RuntimeError, match=r"running already: stop\(\) or kill\(\) it first"):
        redis.start()
    redis.stop()
    with pytest.raises(RuntimeError, match=r"not running: start\(\) it first"):
        redis.pause()


def test_a_server_that_cannot_start_says_why(redis: RedisServer, redis_url: str) -> None:
    class Rival(RedisServer):
        def prepare(self) -> None:
            self.port = redis.port

    with (
        pytest.raises(RuntimeError, match=r"(?s)ended by itself with code 1.*Address already in use"),
        Rival(),
    ):
        pass


def test_a_server_that_died_says_so(redis: RedisServer, redis_url: str) -> None:
    pid = redis.pid
    send(signal.SIGKILL, [pid])
    wait_until(lambda: not redis.is_running, "Redis is dead")
    with pytest.raises(RuntimeError, match="ended by itself with code -9"):
        redis.stop()


def test_a_missing_command_names_the_way_out() -> None:
    with pytest.raises(RuntimeError, match="no such-a-server on this machine: run tools/services"):
        find_command("such-a-server")
