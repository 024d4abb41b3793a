"""The settings of a server, from flags, the environment, a file, or their defaults."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
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
    database: Annotated[
        str, _text("the database of games: sqlite:///FILE or postgresql://USER@HOST/NAME")
    ] = ""
    redis: Annotated[str | None, _text("the Redis that connects several processes: redis://HOST:PORT/0")] = (
        None
    )
    workers: Annotated[
        int,
        Meta(
            ge=1, le=256, description="number of worker processes; more than one needs PostgreSQL and Redis"
        ),
    ] = 1
    editions: Annotated[str | None, _text("a folder of additional editions to offer")] = None
    bot_processes: Annotated[
        int,
        Meta(ge=1, le=256, description="processes for hard bots per worker; quick bots have one more"),
    ] = 1
    bot_seconds: Annotated[
        float, Meta(gt=0, le=60, description="seconds that a bot may think about a move")
    ] = 1.0
    hard_bots: Annotated[
        int, Meta(ge=0, description="maximum of hard bots in running games, per address and worker")
    ] = 8
    undo_seconds: Annotated[
        float, Meta(ge=0, le=60, description="seconds that bots wait after a claim, so that it can be undone")
    ] = 2.0
    patience: Annotated[
        float, Meta(ge=0, description="seconds that a player must be absent before a bot may replace them")
    ] = 60.0
    idle_seconds: Annotated[
        float, Meta(ge=1, description="seconds that a game without readers stays in memory")
    ] = 60.0
    database_connections: Annotated[
        int, Meta(ge=2, le=100, description="database connections per worker")
    ] = 5
    message_bytes: Annotated[int, Meta(ge=1024, description="maximum size of a WebSocket message")] = 8_192
    message_rate: Annotated[
        float,
        Meta(
            gt=0,
            description="average number of commands a second, per socket or, over HTTP, per address; all"
            " sockets of an address together, its read requests and the moves of its bots are each allowed"
            " five times this rate",
        ),
    ] = 20.0
    chat_rate: Annotated[float, Meta(gt=0, description="chat messages a minute per seat")] = 30.0
    create_rate: Annotated[
        float, Meta(gt=0, description="average number of new games a minute per address")
    ] = 60.0
    record_bytes: Annotated[int, Meta(ge=1024, description="maximum size of an imported record")] = 2_000_000
    retention_days: Annotated[
        Annotated[int, Meta(ge=1, le=36_500)] | None,
        _text("days without activity after which a game is removed; without it, games are kept forever"),
    ] = None
    connections: Annotated[int, Meta(ge=1, description="maximum of open connections per worker")] = 15_000
    address_connections: Annotated[
        int, Meta(ge=1, description="maximum of open connections per address and worker")
    ] = 300
    hosts: Annotated[
        str | None,
        _text(
            "host names of the server, separated by commas; IP addresses and local names are always allowed"
        ),
    ] = None
    proxy: Annotated[
        str | None,
        _text(
            "addresses or networks of proxies whose X-Forwarded-For header is trusted, separated by commas"
        ),
    ] = None
    metrics: Annotated[
        str | None, _text("the address for Prometheus metrics, HOST:PORT; off if left out")
    ] = None
    log: Annotated[
        str,
        Meta(pattern="^(debug|info|warning|error)$", description="log level: debug, info, warning or error"),
    ] = "info"
    log_format: Annotated[
        str, Meta(pattern="^(json|text)$", description="format of the log: json, or text for a terminal")
    ] = "json"

    def __post_init__(self) -> None:
        if self.workers > 1 and not (self.database.startswith("postgres") and self.redis):
            raise ValueError(
                "Several workers need a PostgreSQL database and Redis: add --database postgresql://... "
                "and --redis redis://..., or leave --workers out."
            )
        list_networks(self.proxy)
        read_address(self.metrics)


def list_networks(proxy: str | None) -> list[IPv4Network | IPv6Network]:
    """Return the networks of trusted proxies.

    >>> list_networks("127.0.0.1, 10.0.0.0/8")
    [IPv4Network('127.0.0.1/32'), IPv4Network('10.0.0.0/8')]
    """
    networks: list[IPv4Network | IPv6Network] = []
    for part in filter(None, map(str.strip, (proxy or "").split(","))):
        try:
            networks.append(ip_network(part))
        except ValueError:
            reason = "every client could then choose its address" if part == "*" else "it is not an address"
            raise ValueError(
                f"--proxy cannot be {part!r}: {reason}. "
                "Name your proxies' addresses or networks, as in 127.0.0.1,10.0.0.0/8."
            ) from None
    v4 = collapse_addresses(network for network in networks if isinstance(network, IPv4Network))
    v6 = collapse_addresses(network for network in networks if isinstance(network, IPv6Network))
    if any(network.prefixlen == 0 for network in (*v4, *v6)):
        raise ValueError(
            f"--proxy cannot be {proxy!r}: it names all addresses, so every client could choose its own. "
            "Name your proxies' addresses or networks, as in 127.0.0.1,10.0.0.0/8."
        )
    return networks


def read_address(text: str | None) -> tuple[str, int] | None:
    """Return the host and the port of an address.

    >>> read_address("127.0.0.1:9464"), read_address("[::1]:9464"), read_address(None)
    (('127.0.0.1', 9464), ('::1', 9464), None)
    """
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    if not (host and port.isdecimal() and int(port) < 1 << 16):
        raise ValueError(f"--metrics cannot be {text!r}: write HOST:PORT, as in 127.0.0.1:9464.")
    return host.strip("[]"), int(port)


def default_database() -> str:
    """Return the default database: a file in the user's data folder."""
    return f"sqlite:///{_home() / 'games.db'}"


def load_settings(flags: Mapping[str, Any], file: Path | None = None) -> Settings:
    """Return the settings. Flags override the environment, which overrides the file.

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
    """Return the settings as environment variables for a worker process."""
    values = msgspec.to_builtins(settings)
    return {_PREFIX + name.upper(): str(value) for name, value in values.items() if value is not None}


def describe_settings() -> list[tuple[str, str, str]]:
    """Return the name, default and meaning of every setting, for the documentation and for help."""
    rows: list[tuple[str, str, str]] = []
    hints = Settings.__annotations__
    for field in msgspec.structs.fields(Settings):
        meta = next(m for m in field.type.__metadata__ if isinstance(m, Meta))
        default = "a file in the user's data folder" if field.name == "database" else field.default
        rows.append((field.name, "" if default is None else str(default), meta.description or ""))
    assert len(rows) == len(hints)
    return rows
