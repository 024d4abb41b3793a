"""The web application: its routes, how it starts and stops, and how it says that something went wrong."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from litestar import Litestar, MediaType, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest, multiprocess

from goldenspike.server.answers import refusals, tell_failure, tell_http, tell_problem, tell_too_deep
from goldenspike.server.archive import Archive
from goldenspike.server.desk import Desk
from goldenspike.server.document import Document
from goldenspike.server.games import Games
from goldenspike.server.http import EditionsController, GamesController, RecordsController
from goldenspike.server.messages import Health
from goldenspike.server.migrate import require_current
from goldenspike.server.page import PACKED, Page, show_file, show_page
from goldenspike.server.problems import Problem
from goldenspike.server.settings import Settings, load_settings
from goldenspike.server.shelf import Shelf
from goldenspike.server.socket import socket_handler
from goldenspike.server.store import Store
from goldenspike.server.thinkers import Thinkers
from goldenspike.server.warm import load_engine
from goldenspike.version import VERSION

_LOGGER = logging.getLogger(__name__)


def create_app(settings: Settings | None = None, on_ready: Callable[[], None] = lambda: None) -> Litestar:
    """Return the application; without settings, with those of the environment.

    `on_ready` is called once everything that games need is loaded.
    """
    settings = load_settings({}) if settings is None else settings

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None]:
        store = Store(settings.database, settings.database_connections)
        await asyncio.to_thread(require_current, store.engine)
        thinkers = Thinkers(settings.bot_processes)
        shelf = Shelf(Path(settings.editions) if settings.editions else None)
        games = Games(settings, store, shelf, thinkers)
        app.state.desk = Desk(settings, games)
        app.state.archive = Archive(app.state.desk)
        app.state.page = Page()
        app.state.is_ready = False
        warming = asyncio.create_task(_warm_up(app, thinkers, on_ready))
        _LOGGER.info("started", extra={"version": VERSION, "pid": os.getpid()})
        try:
            yield
        finally:
            warming.cancel()
            await games.close()
            thinkers.close()
            store.close()
            _LOGGER.info("stopped", extra={"pid": os.getpid()})

    return Litestar(
        [
            EditionsController,
            GamesController,
            RecordsController,
            socket_handler,
            healthz,
            readyz,
            metrics,
            show_page,
            show_file,
        ],
        lifespan=[lifespan],
        openapi_config=OpenAPIConfig(
            title="Golden Spike",
            version=VERSION,
            description="Games of the Ticket to Ride family between people and bots.",
            path="/api/schema",
            render_plugins=[Document()],
            use_handler_docstrings=True,
        ),
        exception_handlers={
            Problem: tell_problem,
            HTTPException: tell_http,
            RecursionError: tell_too_deep,
            Exception: tell_failure,
        },
        compression_config=CompressionConfig(backend="gzip", minimum_size=1000, exclude_opt_key=PACKED),
        request_max_body_size=settings.record_bytes,
        logging_config=None,
    )


async def _warm_up(app: Litestar, thinkers: Thinkers, on_ready: Callable[[], None]) -> None:
    """Load what games need; a server that cannot is never ready, and says why."""
    try:
        await asyncio.to_thread(load_engine)
        await _load_bots(thinkers)
        on_ready()
    except Exception:
        _LOGGER.exception("games cannot be played here")
        return
    app.state.is_ready = True
    _LOGGER.info("ready", extra={"pid": os.getpid()})


async def _load_bots(thinkers: Thinkers) -> None:
    while True:
        try:
            return await thinkers.warm_up()
        except Problem:
            _LOGGER.warning("the bots could not be loaded; it is tried again")
            await asyncio.sleep(1.0)


@get("/healthz", tags=["operation"], operation_id="healthz", summary="Whether the process is alive")
async def healthz() -> Health:
    """Return that the process is alive."""
    return Health("ok")


@get(
    "/readyz",
    tags=["operation"],
    operation_id="readyz",
    summary="Whether games can be played here",
    responses=refusals("unavailable"),
)
async def readyz(state: State) -> Health:
    """Return that the bots are loaded and the database answers; otherwise 503."""
    desk: Desk = state.desk
    if desk.games.is_away:
        raise Problem("unavailable", "The database or Redis cannot be reached.")
    await desk.games.pool.run(desk.games.store.ping)
    if not state.is_ready:
        raise Problem("unavailable", "The bots are still being loaded.")
    return Health("ready")


@get("/metrics", media_type=MediaType.TEXT, include_in_schema=False)
async def metrics() -> Response[bytes]:
    """Return figures for Prometheus; of all workers, if there are several."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.MultiProcessCollector(registry)  # pyright: ignore[reportUnknownMemberType]
        return Response(generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})
    return Response(generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})
