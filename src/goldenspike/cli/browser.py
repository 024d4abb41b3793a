"""The game in the browser: start a local server and open its page."""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import socket
import threading
import time
import webbrowser
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import structs

from goldenspike.bots.registry import LEVELS
from goldenspike.cli.seating import ME, Seat, read_seats, seat_called, verify_seats
from goldenspike.datafiles.source import is_path
from goldenspike.editions import load_edition
from goldenspike.game.seeds import read_seed, read_seed_option
from goldenspike.output import NOT_CREATED
from goldenspike.server.run import serve, url_of
from goldenspike.server.settings import Settings, load_settings

_PATIENCE = 60.0
"""Seconds for a server to start and to create a game."""
_SLOW = 5.0
"""Seconds for a port to answer."""
_ALL = {"0.0.0.0": ("127.0.0.1",), "::": ("127.0.0.1", "::1")}
"""Hosts that mean every address of this machine, and the loopback hosts."""
_SOMEWHERE = ("192.0.2.1", 9)
"""A reserved address that belongs to no host (RFC 5737)."""


def open_page(options: argparse.Namespace) -> int:
    """Start a server, unless one is already running, and open the page."""
    wish = _wish(options)
    settings = load_settings(
        {
            "host": options.host,
            "port": options.port,
            "database": options.database,
            "editions": _folder_of(options.edition),
            "log": "warning",
            "log_format": "text",
        }
    )
    near = _address_in_network() if settings.host in _ALL else settings.host
    if _is_ours(near, settings.port):
        return _go_there(near, settings.port, wish, options)
    own = _ALL.get(settings.host, ())
    if alone := next((host for host in own if _is_ours(host, settings.port)), None):
        raise ValueError(
            f"Golden Spike is already running at {url_of(alone, settings.port)}, which other devices in your "
            "network cannot reach; stop it there with Ctrl-C, and try again."
        )
    if settings.port == 0 or any(_is_taken(host, settings.port) for host in (near, *own)):
        settings = _elsewhere(settings)
    if settings.host in _ALL:
        print(f"Others in your network can open {url_of(near, settings.port)}", flush=True)
    threading.Thread(target=_wait_and_show, args=(near, settings.port, wish, options), daemon=True).start()
    return serve(settings)


def _go_there(host: str, port: int, wish: dict[str, Any] | None, options: argparse.Namespace) -> int:
    """Open the page of a running server; say which options it cannot take any more."""
    url = url_of(host, port)
    if options.edition is not None and is_path(options.edition):
        edition = load_edition(options.edition)
        if _ask(host, port, "GET", f"/api/editions/{quote(edition.id)}").get("digest") != edition.digest:
            raise ValueError(
                f"Golden Spike is already running at {url} and does not have {options.edition} as it is now; "
                "stop it there with Ctrl-C, and try again."
            )
    print(f"Golden Spike is already running; the page is at {url}")
    if options.database is not None:
        print("It uses the database that it was started with; stop it there with Ctrl-C to change that.")
    _show(host, port, wish, options)
    return 0


def _address_in_network() -> str:
    """Return this machine's address in the local network, for links given to others."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)  # sends nothing, but selects the network interface
        except OSError:
            return "127.0.0.1"
        return probe.getsockname()[0]


def _wish(options: argparse.Namespace) -> dict[str, Any] | None:
    """Return the game that the options describe, as a request body; None if the page should ask."""
    if all(option is None for option in (options.edition, options.seats, options.first, options.seed)):
        return None
    edition = load_edition(options.edition or "usa-classic")
    seats = read_seats(options.seats or f"{ME},medium,medium")
    asked = [_seat(seat) for seat in seats]
    verify_seats(edition, seats)
    chosen: dict[str, Any] = {}
    if options.first is not None:
        chosen["first"] = seat_called(options.first, seats)
    if options.seed is not None:  # in full, so that a number gives the same deal as elsewhere
        chosen["seed"] = read_seed(read_seed_option(options.seed)).hex()
    return {
        "edition": edition.id,
        "seats": asked,
        "options": chosen,
    }


def _folder_of(edition: str | None) -> str | None:
    """Return the folder of a user's own edition, for the server to load."""
    return str(Path(edition).resolve().parent) if edition is not None and is_path(edition) else None


def _seat(seat: Seat) -> dict[str, str]:
    if seat.bot is None:
        return {"who": "here", "name": seat.name}
    if seat.bot not in LEVELS:
        raise ValueError(f"In the browser bots are {', '.join(LEVELS)}; {seat.bot} plays with --terminal.")
    return {"who": "bot", "level": seat.bot}


def _is_ours(host: str, port: int) -> bool:
    try:
        return _ask(host, port, "GET", "/healthz") == {"status": "ok"}
    except (OSError, ValueError, http.client.HTTPException):
        return False


def _is_taken(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=_SLOW).close()
    except OSError:
        return False
    return True


def _elsewhere(settings: Settings) -> Settings:
    """Return the settings with a free port."""
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        try:
            probe.bind((settings.host, 0))
        except OSError as error:
            raise OSError(
                f"The address {settings.host} cannot be used ({error.strerror}); choose another with --host."
            ) from None
        free = probe.getsockname()[1]
    if settings.port:
        print(f"Port {settings.port} is used by another program; taking {free}.")
    return structs.replace(settings, port=free)


def _wait_and_show(host: str, port: int, wish: dict[str, Any] | None, options: argparse.Namespace) -> None:
    end = time.monotonic() + _PATIENCE
    while not _is_ours(host, port):
        if time.monotonic() > end:
            return
        time.sleep(0.1)
    _show(host, port, wish, options)


def _show(host: str, port: int, wish: dict[str, Any] | None, options: argparse.Namespace) -> None:
    address = url_of(host, port)
    if wish is not None:
        address += _deal(host, port, wish)
    if not options.no_open:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)


def _deal(host: str, port: int, wish: dict[str, Any]) -> str:
    """Create a game, and return its location on the page; empty if that failed."""
    try:
        created = _ask(host, port, "POST", "/api/games", wish, seconds=_PATIENCE)
    except OSError:
        print(f"{NOT_CREATED}: the server does not answer. Try it on the page.", flush=True)
        return ""
    if "code" in created:
        print(f"{NOT_CREATED}: {created['message']}", flush=True)
        return ""
    watch = f"#/table/{quote(created['watch'])}"
    seats = [link for link in created["seats"] if link]
    if len(seats) > 1:
        place = _place_of_all(created["seats"])
        print(f"Your {len(seats)} seats, for this device alone: {url_of(host, port)}{place}", flush=True)
    else:
        place = f"#/table/{quote(seats[0])}" if seats else ""
        if place:
            print(f"Your seat, for you alone: {url_of(host, port)}{place}", flush=True)
    print(f"Spectator link, for anyone: {url_of(host, port)}{watch}", flush=True)
    return place or watch


def _place_of_all(links: list[str | None]) -> str:
    """Return the location that opens several seats on one device, which people pass around.

    >>> _place_of_all(["game.one", None, "game.two"])
    '#/seats/game/one/-/two'
    """
    game = next(link for link in links if link).partition(".")[0]
    return "/".join(["#/seats", game, *(link.partition(".")[2] if link else "-" for link in links)])


def _ask(host: str, port: int, method: str, path: str, body: Any = None, *, seconds: float = 10.0) -> Any:
    connection = http.client.HTTPConnection(host, port, timeout=seconds)
    try:
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {"Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()
