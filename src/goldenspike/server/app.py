"""The web application: its routes, startup and shutdown, and health checks."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from litestar import Litestar, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from sqlalchemy.exc import SQLAlchemyError

from goldenspike.server.archive.archive import Archive
from goldenspike.server.http.errors import refusals, tell_failure, tell_http, tell_problem, tell_too_deep
from goldenspike.server.http.openapi import Document
from goldenspike.server.http.page import PACKED, Page, show_file, show_page
from goldenspike.server.http.routes import (
    CodesController,
    EditionsController,
    GamesController,
    RecordsController,
)
from goldenspike.server.play.automation import RETRY
from goldenspike.server.play.bot_pool import BotPool, BotStatus
from goldenspike.server.play.catalogue import Catalogue
from goldenspike.server.play.games import Games
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.messages import Health
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.settings import Settings, load_settings
from goldenspike.server.socket.connection import socket_handler
from goldenspike.server.storage.database import Database
from goldenspike.server.storage.migrate import require_current
from goldenspike.server.storage.retention import Retention
from goldenspike.server.storage.store import Store
from goldenspike.server.warmup import load_engine
from goldenspike.version import VERSION

_LOGGER = logging.getLogger(__name__)


def create_app(settings: Settings | None = None, on_ready: Callable[[], None] = lambda: None) -> Litestar:
    """Return the application. The default for the settings is the environment.

    `on_ready` is called once everything that games need is loaded.
    """
    settings = load_settings({}) if settings is None else settings

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None]:
        store = Store(settings.database, settings.database_connections)
        await _wait_for_database(store.database)
        bot_pool = BotPool(settings.bot_processes)
        catalogue = Catalogue(Path(settings.editions) if settings.editions else None)
        games = Games(settings, store, catalogue, bot_pool)
        app.state.service = GameService(settings, games)
        app.state.archive = Archive(app.state.service)
        app.state.page = Page()
        app.state.is_ready = False
        warming = asyncio.create_task(_warm_up(app, bot_pool, on_ready))
        retention = asyncio.create_task(Retention(games).run())
        _LOGGER.info("started", extra={"version": VERSION, "pid": os.getpid()})
        try:
            yield
        finally:
            warming.cancel()
            retention.cancel()
            await games.close()
            bot_pool.close()
            await store.close()
            _LOGGER.info("stopped", extra={"pid": os.getpid()})

    return Litestar(
        [
            EditionsController,
            GamesController,
            CodesController,
            RecordsController,
            socket_handler,
            healthz,
            readyz,
            bots,
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


async def _wait_for_database(database: Database) -> None:
    """Wait until the database answers, because a worker may be replaced while it is unreachable."""
    is_told = False
    while True:
        try:
            await asyncio.to_thread(require_current, database.engine)
        except SQLAlchemyError as error:
            if not is_told:
                reason = str(error).partition("\n")[0]
                _LOGGER.warning("a worker waits for the database", extra={"reason": reason})
            is_told = True
            await asyncio.sleep(RETRY)
        else:
            return


async def _warm_up(app: Litestar, bot_pool: BotPool, on_ready: Callable[[], None]) -> None:
    """Load what games need, then set the server ready; if that fails, log the reason and stay not ready."""
    try:
        await asyncio.gather(asyncio.to_thread(load_engine), bot_pool.warm_up())
        on_ready()
    except Exception:
        _LOGGER.exception("games cannot be played here")
        return
    app.state.is_ready = True
    _LOGGER.info("ready", extra={"pid": os.getpid()})


@get(
    "/healthz",
    tags=["operation"],
    operation_id="healthz",
    summary="Whether the process is alive",
    responses=refusals("too_fast"),
)
async def healthz() -> Health:
    """Return that the process is alive."""
    return Health("ok")


@get(
    "/readyz",
    tags=["operation"],
    operation_id="readyz",
    summary="Whether games can be played here",
    responses=refusals("too_fast", "unavailable"),
)
async def readyz(state: State) -> Health:
    """Return that the bots are loaded and the database answers; otherwise 503."""
    service: GameService = state.service
    if service.games.is_away:
        raise Problem("unavailable", "The database or Redis cannot be reached.")
    await service.games.store.ping()
    if not state.is_ready:
        raise Problem("unavailable", "The bots are still being loaded.")
    return Health("ready")


@get(
    "/api/bots",
    tags=["operation"],
    operation_id="bots",
    summary="How well bots play here right now",
    responses=refusals("too_fast"),
)
async def bots(state: State) -> BotStatus:
    """Return whether bots play less well than they can."""
    service: GameService = state.service
    return await asyncio.to_thread(service.games.bot_pool.status)
