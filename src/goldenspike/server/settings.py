"""What can be set about a server: by flags, by the environment, by a file, each with a default."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

_PREFIX = "GOLDENSPIKE_"
_PLACE = re.compile(r" - at `\$\.(\w+)")


def _home() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "goldenspike"


def _text(about: str) -> Meta:
    return Meta(description=about)


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a server."""

    host: Annotated[str, _text("the address to listen on")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535, description="the port to listen on; 0 takes any free one")] = (
        8000
    )
    database: Annotated[str, _text("where games are kept: sqlite:///FILE or postgresql://USER@HOST/NAME")] = (
        ""
    )
    redis: Annotated[str | None, _text("how several processes reach each other: redis://HOST:PORT/0")] = None
    workers: Annotated[
        int, Meta(ge=1, le=256, description="processes; more than one needs PostgreSQL and Redis")
    ] = 1
    editions: Annotated[str | None, _text("a folder of home-made editions to offer as well")] = None
    bot_processes: Annotated[int, Meta(ge=1, le=256, description="processes for bots, in each worker")] = 1
    bot_seconds: Annotated[float, Meta(gt=0, le=60, description="how long a bot may think about a move")] = (
        1.0
    )
    patience: Annotated[
        float, Meta(ge=0, description="seconds to wait for a player before others may seat a bot")
    ] = 60.0
    idle_seconds: Annotated[
        float, Meta(ge=1, description="how long a game stays in memory that nobody looks at")
    ] = 60.0
    database_connections: Annotated[
        int, Meta(ge=2, le=100, description="connections to the database, in each worker")
    ] = 5
    message_bytes: Annotated[int, Meta(ge=1024, description="the longest message on a socket")] = 8_192
    message_rate: Annotated[
        float,
        Meta(
            gt=0,
            description="messages a second from one socket, or one address by HTTP, on average;"
            " five times as many requests that only look",
        ),
    ] = 20.0
    chat_rate: Annotated[float, Meta(gt=0, description="things said a minute by one seat")] = 30.0
    create_rate: Annotated[
        float, Meta(gt=0, description="games that one address may make a minute, on average")
    ] = 60.0
    record_bytes: Annotated[int, Meta(ge=1024, description="the largest record that can be imported")] = (
        2_000_000
    )
    connections: Annotated[int, Meta(ge=1, description="sockets open at once, in each worker")] = 15_000
    proxy: Annotated[
        str | None, _text("addresses of proxies that are believed to say who is behind them, or *")
    ] = None
    log: Annotated[str, Meta(pattern="^(debug|info|warning|error)$", description="how much is logged")] = (
        "info"
    )

    def __post_init__(self) -> None:
        if self.workers > 1 and not (self.database.startswith("postgres") and self.redis):
            raise ValueError(
                "Several workers need a PostgreSQL database and Redis: add --database postgresql://... "
                "and --redis redis://..., or leave --workers out."
            )


def default_database() -> str:
    """Return where games are kept if nothing else is said: a file in the user's own data folder."""
    return f"sqlite:///{_home() / 'games.db'}"


def load_settings(flags: Mapping[str, Any], file: Path | None = None) -> Settings:
    """Return the settings: flags before the environment before the file before the defaults.

    >>> load_settings({"port": "9000"}).port
    9000
    """
    written = {} if file is None else _read_file(file)
    names = Settings.__struct_fields__
    around = {name: os.environ.get(_PREFIX + name.upper()) for name in names}
    values = written | {name: value for name, value in around.items() if value}
    values |= {name: value for name, value in flags.items() if value is not None}
    values["database"] = values.get("database") or default_database()
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        place = _PLACE.search(str(error))
        if place is None:
            raise ValueError(str(error)) from None
        name, problem = place[1], str(error)[: place.start()]
        where = f"{file}: " if name in written and written[name] is values[name] else ""
        raise ValueError(
            f"{where}{name} cannot be {values[name]!r}: {problem[0].lower()}{problem[1:]}."
        ) from None


def _read_file(file: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}.") from None
    for name in values:
        if name not in Settings.__struct_fields__:
            raise ValueError(f"{file}: there is no setting {name!r}; goldenspike serve --help lists them.")
    return values


def to_environment(settings: Settings) -> dict[str, str]:
    """Return settings as a worker process reads them."""
    values = msgspec.to_builtins(settings)
    return {_PREFIX + name.upper(): str(value) for name, value in values.items() if value is not None}


def describe_settings() -> list[tuple[str, str, str]]:
    """Return name, default and meaning of every setting, for the table in the documentation and for help."""
    rows: list[tuple[str, str, str]] = []
    hints = Settings.__annotations__
    for field in msgspec.structs.fields(Settings):
        meta = next(m for m in field.type.__metadata__ if isinstance(m, Meta))
        default = "a file in the user's data folder" if field.name == "database" else field.default
        rows.append((field.name, "" if default is None else str(default), meta.description or ""))
    assert len(rows) == len(hints)
    return rows
