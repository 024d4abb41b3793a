"""Running the server: one process, or several that share a port."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from prometheus_client import multiprocess
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from goldenspike.compilation import TO_PLAY, is_compiled
from goldenspike.engine.compile import IS_INTERPRETED
from goldenspike.extras import need
from goldenspike.server.logs import set_up_logs
from goldenspike.server.metrics import serving_metrics
from goldenspike.server.play.catalogue import Catalogue
from goldenspike.server.settings import Settings, read_address, to_environment
from goldenspike.server.socket.tcp_limits import LimitedHttpProtocol
from goldenspike.server.socket.uvicorn_websocket import UvicornWebSocket
from goldenspike.server.storage.database import open_engine, read_url
from goldenspike.server.storage.migrate import current, is_outdated, newest, require_current, upgrade
from goldenspike.worker import block_ctrl_c

try:
    import fcntl
except ImportError:  # Windows: two servers on one file are not noticed there
    fcntl = None

_LOGGER = logging.getLogger(__name__)
_BACKLOG = 2048
_HUNG = 30.0
"""Seconds without an answer after which a worker counts as stuck."""
_LONGEST_PAUSE = 30.0
"""The longest pause in seconds before a worker that keeps failing to start is started again."""
_GRACE = 1
"""Seconds that running requests have to finish after Ctrl-C."""


def migrate(settings: Settings) -> int:
    """Bring the database up to date."""
    with _database(settings) as engine:
        before = current(engine)
        upgrade(engine)
    print(f"The database was {'empty' if before is None else f'at {before}'}; it is at {newest()} now.")
    return 0


def serve(settings: Settings) -> int:
    """Serve games until stopped; with interpreted rules at first, if they are not compiled yet."""
    with _only_server_of(settings.database):
        return _serve(settings)


def _serve(settings: Settings) -> int:
    _check(settings)
    os.environ |= to_environment(settings)
    listener = _listen(settings)
    host, port = listener.getsockname()[:2]
    address = f"Golden Spike is at {url_of(host, port)} (Ctrl-C stops it)."
    set_up_logs(settings.log, settings.log_format)
    if IS_INTERPRETED or is_compiled(TO_PLAY):
        return run_server(settings, listener, address)
    from goldenspike.server.changeover import serve_while_compiling  # noqa: PLC0415  # it imports this module

    print(address, flush=True)
    return serve_while_compiling(listener)


def run_server(settings: Settings, listener: socket.socket, address: str | None = None) -> int:
    """Serve games on a listening socket until stopped; print the address once Ctrl-C is handled."""
    config = uvicorn.Config(
        "goldenspike.server.run:make_app",
        factory=True,
        workers=settings.workers,
        http=LimitedHttpProtocol,
        ws=UvicornWebSocket,
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
    metrics = read_address(settings.metrics)
    if settings.workers == 1:
        server = _Server(config)
        with serving_metrics(metrics), _heeding_ctrl_c(server):
            _announce(address)
            server.run(sockets=[listener])
        return 0 if server.started else 1
    with tempfile.TemporaryDirectory(prefix="goldenspike-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        with serving_metrics(metrics):
            processes = _Workers(config, [listener])  # from here on it handles Ctrl-C
            _announce(address)
            processes.run()
    return 1 if processes.has_failed else 0


def _announce(address: str | None) -> None:
    if address is not None:
        print(address, flush=True)


def url_of(host: str, port: int) -> str:
    """Return the URL of a server's page.

    >>> url_of("::1", 8000)
    'http://[::1]:8000/'
    """
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class _Server(uvicorn.Server):
    """A server that does not wait for threads when it stops, because compiling the rules takes a minute."""

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until stopped. All acknowledged entries are in the database then."""
        try:
            await super().serve(sockets)
        finally:
            # asyncio waits for the threads of the default executor, so give it one without threads.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))


class _Workers(Multiprocess):
    """The worker processes that share a port. One that ends is replaced; the others go on."""

    has_failed = False
    """Whether no worker could start."""
    _have_served = False
    """Whether a worker has ever been ready. Until then a failure to start counts as permanent."""
    _serving: frozenset[int] = frozenset()

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self._pauses: dict[int, float] = {}
        """By worker index, the next pause in seconds; only for workers not ready since a restart."""
        self._due: dict[int, float] = {}
        """By worker index, when a worker that has ended is restarted, by time.monotonic()."""

    def init_processes(self) -> None:
        """Start the workers with Ctrl-C blocked; they stop when this process tells them to."""
        with block_ctrl_c():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        """Replace workers that died or do not answer.

        A worker is replaced at once, or after growing pauses if it keeps ending before it is ready.
        """
        with block_ctrl_c():
            for index, process in enumerate(self.processes):
                if self.should_exit.is_set():
                    return
                if index not in self._due:
                    if process.is_alive(_HUNG):
                        self._note_alive(index, process)
                        continue
                    self._note_end(index, process)
                if not self.should_exit.is_set() and time.monotonic() >= self._due[index]:
                    del self._due[index]
                    self.processes[index] = Process(self.config, self.sockets)
                    self.processes[index].start()
        serving = frozenset(process.pid for process in self.processes if process.pid is not None)
        for pid in self._serving - serving:
            multiprocess.mark_process_dead(pid)  # pyright: ignore[reportUnknownMemberType]
        self._serving = serving

    def _note_alive(self, index: int, process: Process) -> None:
        if (index in self._pauses or not self._have_served) and process.is_ready(_HUNG):
            self._have_served = True
            self._pauses.pop(index, None)

    def _note_end(self, index: int, process: Process) -> None:
        process.kill()
        process.join()
        pause = self._pauses.get(index, 0.0)
        self._due[index] = time.monotonic() + pause
        if process.exitcode == STARTUP_FAILURE and not self._have_served:
            _LOGGER.error("The workers cannot start, so the server stops.")
            self.has_failed = True
            self.should_exit.set()
            return
        _LOGGER.error("a worker has ended and is replaced", extra={"worker": process.pid, "pause": pause})
        self._pauses[index] = min(max(1.0, 2 * pause), _LONGEST_PAUSE)


@contextmanager
def _heeding_ctrl_c(server: uvicorn.Server) -> Generator[None]:
    """Handle Ctrl-C until Uvicorn installs its handler.

    The handler sets a flag instead of raising an exception. Python ignores exceptions in finalizers, so a
    Ctrl-C that arrives in one would be lost.
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
    """Return the application for a worker process, with the settings of the environment."""
    from goldenspike.server.app import create_app  # noqa: PLC0415  # after the settings are there
    from goldenspike.server.asgi import RequestGuard  # noqa: PLC0415
    from goldenspike.server.settings import load_settings  # noqa: PLC0415
    from goldenspike.server.warmup import settle  # noqa: PLC0415

    settings = load_settings({})
    set_up_logs(settings.log, settings.log_format)
    return RequestGuard(create_app(settings, on_ready=settle), settings)


@contextmanager
def _only_server_of(database: str) -> Generator[None]:
    """Lock a SQLite file, or refuse to serve if another server has it: it would not see our moves."""
    url = read_url(database)
    if fcntl is None or url.get_backend_name() != "sqlite" or not url.database:
        yield
        return
    path = Path(url.database).resolve()  # SQLite follows symbolic links as well
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(path.name + ".lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OSError(
                f"Another server has the games in {path}; stop it, or choose another file with --database."
            ) from None
        yield


def _check(settings: Settings) -> None:
    """Check for errors that would keep workers from starting, so that they are reported in a sentence."""
    with _database(settings) as engine:
        if engine.dialect.name == "sqlite":  # only this process uses the file, so it can be upgraded
            if is_outdated(engine):
                print("The file of games is brought up to date; a large one takes a while.", file=sys.stderr)
            upgrade(engine)
        require_current(engine)
    if settings.redis is not None:
        need("redis", "server")
        _require_redis_url(settings.redis)
    if settings.editions is not None:
        Catalogue(Path(settings.editions))


def _require_redis_url(url: str) -> None:
    from redis.asyncio import from_url  # noqa: PLC0415  # needs redis, which one process does not

    try:
        from_url(url)
    except ValueError:
        raise ValueError("This is not the address of Redis: write redis://HOST:PORT/0.") from None


@contextmanager
def _database(settings: Settings) -> Generator[Engine]:
    """Open the database; error messages omit the password."""
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
    listener.listen(_BACKLOG)  # now, so that clients that connect before the server is ready wait for it
    listener.set_inheritable(True)
    return listener
