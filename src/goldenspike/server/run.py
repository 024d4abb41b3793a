"""Running the server: one process, or several that share a port."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from prometheus_client import multiprocess
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from goldenspike.extras import need
from goldenspike.server.logs import set_up_logs
from goldenspike.server.migrate import current, is_outdated, newest, require_current, upgrade
from goldenspike.server.settings import Settings, to_environment
from goldenspike.server.shelf import Shelf
from goldenspike.server.slim import SlimWebSocket
from goldenspike.server.store import open_engine, read_url

_BACKLOG = 2048
_GRACE = 5


def migrate(settings: Settings) -> int:
    """Bring the database up to date."""
    with _database(settings) as engine:
        before = current(engine)
        upgrade(engine)
    print(f"The database was {'empty' if before is None else f'at {before}'}; it is at {newest()} now.")
    return 0


def serve(settings: Settings) -> int:
    """Serve games until told to stop."""
    _check(settings)
    os.environ |= to_environment(settings)
    listener = _listen(settings)
    host, port = listener.getsockname()[:2]
    address = f"Golden Spike is at {url_of(host, port)} (Ctrl-C stops it)."
    set_up_logs(settings.log)
    config = uvicorn.Config(
        "goldenspike.server.run:make_app",
        factory=True,
        workers=settings.workers,
        ws=SlimWebSocket,
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.proxy is not None,
        forwarded_allow_ips=settings.proxy,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_GRACE,
    )
    if settings.workers == 1:
        server = uvicorn.Server(config)
        with _heeding_ctrl_c(server):
            print(address, flush=True)
            server.run(sockets=[listener])
        return 0 if server.started else 1
    with tempfile.TemporaryDirectory(prefix="goldenspike-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        processes = _Workers(config, [listener])  # from here on it minds Ctrl-C
        print(address, flush=True)
        processes.run()
    return 1 if any(process.exitcode == STARTUP_FAILURE for process in processes.processes) else 0


def url_of(host: str, port: int) -> str:
    """Return where the page of a server is found.

    >>> url_of("::1", 8000)
    'http://[::1]:8000/'
    """
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class _Workers(Multiprocess):
    """The processes that share a port. Of one that is gone, what it had open is not counted any more."""

    _serving: frozenset[int] = frozenset()

    def keep_subprocess_alive(self) -> None:
        """Put another in the place of each that died."""
        super().keep_subprocess_alive()
        serving = frozenset(process.pid for process in self.processes if process.pid is not None)
        for pid in self._serving - serving:
            multiprocess.mark_process_dead(pid)  # pyright: ignore[reportUnknownMemberType]
        self._serving = serving


@contextmanager
def _heeding_ctrl_c(server: uvicorn.Server) -> Generator[None]:
    """Have a server mind Ctrl-C before it does so itself.

    An exception is no way to tell it: Python may be tidying up something at that moment, where exceptions
    are ignored, and the server would go on as if nothing had been said.
    """
    pressed: list[int] = []

    def stop(number: int, _frame: object) -> None:
        pressed.append(number)
        server.should_exit = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def make_app() -> object:
    """Return the application, in a worker process, with the settings of the environment."""
    from goldenspike.server.app import create_app  # noqa: PLC0415  # after the settings are there
    from goldenspike.server.front import Front  # noqa: PLC0415
    from goldenspike.server.settings import load_settings  # noqa: PLC0415
    from goldenspike.server.warm import settle  # noqa: PLC0415

    settings = load_settings({})
    set_up_logs(settings.log)
    return Front(create_app(settings, on_ready=settle))


def _check(settings: Settings) -> None:
    """Find here, where it can be said in a sentence, what would keep the processes from starting."""
    with _database(settings) as engine:
        if engine.dialect.name == "sqlite":  # one process and a file of our own: nobody else has to be asked
            if is_outdated(engine):
                print("The file of games is brought up to date; a large one takes a while.", file=sys.stderr)
            upgrade(engine)
        require_current(engine)
    if settings.redis is not None:
        need("redis", "server")
        _require_redis_url(settings.redis)
    if settings.editions is not None:
        Shelf(Path(settings.editions))


def _require_redis_url(url: str) -> None:
    from redis.asyncio import from_url  # noqa: PLC0415  # needs redis, which one process does not

    try:
        from_url(url)
    except ValueError:
        raise ValueError("This is not the address of Redis: write redis://HOST:PORT/0.") from None


@contextmanager
def _database(settings: Settings) -> Generator[Engine]:
    """Open the database; what it refuses is said without the password."""
    url = read_url(settings.database)
    if url.get_backend_name() == "sqlite" and url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = open_engine(settings.database, 1)
    try:
        yield engine
    except SQLAlchemyError as error:
        reason = str(error.orig if isinstance(error, DBAPIError) else error).partition("\n")[0].rstrip(".")
        raise OSError(f"The database {url.render_as_string()} cannot be used: {reason}.") from None
    finally:
        engine.dispose()


def _listen(settings: Settings) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise OSError(
            f"Port {settings.port} of {settings.host} cannot be used ({error.strerror}); "
            "choose another with --port."
        ) from None
    listener.set_inheritable(True)
    return listener
