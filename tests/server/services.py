"""Real PostgreSQL and Redis servers for tests, each with its own port and temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import psycopg
from psycopg import sql
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from tests.server.process import ServerProcess
from tests.server.waiting import PATIENCE

SUPERUSER = "goldenspike"
ACCESS = """\
local all all trust
host all all 127.0.0.1/32 trust
"""


class PostgresServer(ServerProcess):
    """A PostgreSQL server that trusts all local connections."""

    title = "PostgreSQL"
    stop_signal = signal.SIGINT  # SIGTERM would wait until the last client disconnects
    drop_signal = signal.SIGQUIT

    def __init__(self) -> None:
        super().__init__(postgres_account())
        self._database = "postgres"
        self._numbers = count(1)

    @property
    def url(self) -> str:
        """The URL of the newest database; before the first one, of the default database."""
        return self._address(self._database)

    def new_database(self) -> str:
        """Create an empty database and return its URL, which `url` then returns too."""
        name = f"test_{next(self._numbers)}"
        self._manage(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        self._database = name
        return self.url

    def drop_database(self, url: str) -> None:
        """Remove a database that `new_database` created, and disconnect its clients."""
        name = url.rpartition("/")[2]
        self._manage(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        if name == self._database:
            self._database = "postgres"

    def prepare(self) -> None:
        """Create the server's data folder and set who may connect."""
        options = ["--username", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        initdb = self.launch([find_command("initdb"), "--pgdata", str(self._data), *options])
        try:
            failed = initdb.wait(PATIENCE)
        except KeyboardInterrupt:
            initdb.wait(PATIENCE)  # its children would otherwise go on writing into the folder
            raise
        if failed:
            raise RuntimeError(f"initdb could not make the data for {self.title}. {self.last_words()}")
        (self._data / "pg_hba.conf").write_text(ACCESS, encoding="utf-8")

    def command(self) -> Sequence[str]:
        """Return the command that runs the server in the foreground."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": str(self.folder),
            "max_connections": "200",
            "dynamic_shared_memory_type": "mmap",  # in the folder, so that nothing is left after a kill
        }
        command = [find_command("postgres"), "-D", str(self._data), "-p", str(self.port)]
        return command + [part for item in settings.items() for part in ("-c", "=".join(item))]

    def answers(self) -> bool:
        """Return whether a query is answered, and by this server."""
        try:
            with psycopg.connect(self._address("postgres"), connect_timeout=5) as connection:
                return connection.execute("SHOW data_directory").fetchone() == (str(self._data),)
        except psycopg.OperationalError:
            return False

    def sweep(self) -> None:
        """Remove the shared memory of a killed server, because the system limits the number of segments."""
        notes = self._data / "postmaster.pid"
        lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
        if len(lines) > 6:  # as soon as the server has allocated it
            subprocess.run(["ipcrm", "-m", lines[6].split()[1]], check=True)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _address(self, database: str) -> str:
        return f"postgresql://{SUPERUSER}@127.0.0.1:{self.port}/{database}"

    def _manage(self, statement: sql.Composed) -> None:
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(statement)


class RedisServer(ServerProcess):
    """A Redis server."""

    title = "Redis"

    @property
    def url(self) -> str:
        """The URL of its first database."""
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self, seconds: float | None = None) -> Redis:
        """Return a client that does not retry, and waits this long for an answer, or for ever."""
        return Redis.from_url(
            self.url, socket_timeout=seconds, socket_connect_timeout=seconds, retry=Retry(NoBackoff(), 0)
        )

    def flush(self) -> None:
        """Remove all data."""
        with self.client(PATIENCE) as client:
            client.flushall()

    def command(self) -> Sequence[str]:
        """Return the command that runs the server in the foreground."""
        options = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "dir": str(self.folder),
            "save": "",
            "appendonly": "yes",  # written before the client gets its answer
        }
        return [
            find_command("redis-server"),
            *(part for name in options for part in ("--" + name, options[name])),
        ]

    def answers(self) -> bool:
        """Return whether a query is answered, and by this server."""
        try:
            with self.client(5) as client:
                return bool(client.ping()) and client.info("server")["process_id"] == self.pid
        except RedisError:
            return False


def find_command(name: str) -> str:
    """Return the path of a server's command: on the PATH, or where Debian installs PostgreSQL's."""
    versions = [float(folder.name) for folder in Path("/usr/lib/postgresql").glob("*")]
    kept = [f"/usr/lib/postgresql/{version:g}/bin" for version in sorted(versions, reverse=True)]
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), *kept]))
    if found is None:
        raise RuntimeError(
            f"There is no {name} on this machine: run tools/services, it installs it or says how."
        )
    return found


def postgres_account() -> pwd.struct_passwd | None:
    """Return the account to run PostgreSQL as, which refuses to run as root; None for the current account."""
    if os.geteuid():
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        raise RuntimeError(
            "PostgreSQL does not run for root, and this machine has no account postgres:"
            " make one with 'useradd --system postgres', or run the tests for an ordinary user."
        ) from None
