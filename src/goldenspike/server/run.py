"""Running the server: one process, or several that share a port."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import uvicorn
from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from uvicorn.supervisors import Multiprocess

from goldenspike.server.logs import set_up_logs
from goldenspike.server.migrate import current, newest, require_current, upgrade
from goldenspike.server.settings import Settings, to_environment
from goldenspike.server.slim import SlimWebSocket
from goldenspike.server.store import open_engine

_BACKLOG = 2048
_GRACE = 5


def migrate(settings: Settings) -> int:
    """Bring the database up to date."""
    engine = _open(settings)
    before = current(engine)
    upgrade(engine)
    print(f"The database was {'empty' if before is None else f'at {before}'}; it is at {newest()} now.")
    return 0


def serve(settings: Settings) -> int:
    """Serve games until told to stop."""
    engine = _open(settings)
    if engine.dialect.name == "sqlite":  # one process and a file of our own: nobody else has to be asked
        upgrade(engine)
    require_current(engine)
    engine.dispose()
    os.environ |= to_environment(settings)
    listener = _listen(settings)
    host, port = listener.getsockname()[:2]
    print(f"Golden Spike is at http://{host}:{port}/ (Ctrl-C stops it).", flush=True)
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
        server.run(sockets=[listener])
        return 0 if server.started else 1
    with tempfile.TemporaryDirectory(prefix="goldenspike-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        Multiprocess(config, [listener]).run()
    return 0


def make_app() -> object:
    """Return the application, in a worker process, with the settings of the environment."""
    from goldenspike.server.app import Front, create_app  # noqa: PLC0415  # after the settings are there
    from goldenspike.server.settings import load_settings  # noqa: PLC0415
    from goldenspike.server.warm import settle  # noqa: PLC0415

    settings = load_settings({})
    set_up_logs(settings.log)
    return Front(create_app(settings, on_ready=settle))


def _open(settings: Settings) -> Engine:
    url = make_url(settings.database)
    if url.get_backend_name() == "sqlite" and url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    return open_engine(settings.database, 1)


def _listen(settings: Settings) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        raise OSError(
            f"Port {settings.port} of {settings.host} cannot be used ({error.strerror}); "
            "choose another with --port."
        ) from None
    listener.set_inheritable(True)
    return listener
