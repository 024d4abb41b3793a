"""The outer ASGI application: checks every request before any other work is done."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import HttpMethod, Litestar
from litestar.types import HTTPScope, Message, Receive, Send, WebSocketScope
from litestar.utils import normalize_path

from goldenspike.server.metrics import REFUSALS
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.messages import refusal
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.settings import Settings
from goldenspike.server.socket.connection import PATH as SOCKET_PATH
from goldenspike.server.socket.connection import attend
from goldenspike.server.socket.rate_limits import limited_address
from goldenspike.server.socket.tcp_limits import STATE, make_limits
from goldenspike.server.socket.transport import Transport

SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (
        b"content-security-policy",
        (
            b"default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
            b"img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
            b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=()"),
)
"""Sent with every response: no inline code, nothing from other hosts, no framing."""
_NO_STORE = (b"cache-control", b"no-store")
_PROBES = {"/healthz", "/readyz"}
"""Answered for any Host header, because load balancers use addresses."""
_LOCAL_DOMAINS = {"home", "internal", "lan", "local", "localdomain", "localhost"}
"""Top-level domains that cannot be registered, and that routers use for local machines."""
_COSTS: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile(r"/api/games/[^/]+/replay$"), 60.0),
    (re.compile(r"/api/games/[^/]+/(statistics|record|branch)$"), 25.0),
    (re.compile(r"/api/(schema|records)"), 25.0),
    (re.compile(r"/api/games$"), 2.0),
    (re.compile(r"/api/(?!editions)|/readyz$"), 1.0),
)
"""Costs of requests, at least one unit per millisecond of processor time. Old entries are charged where they
are read, by their number."""
_STATIC_COST = 0.25
"""The cost of all others: files and editions, which are in memory and compressed. A class may load the page
at the same moment."""


class RequestGuard:
    """Checks a request's host, origin and cost; passes WebSockets to the service, the rest to Litestar.

    There are thousands of WebSockets, and each would keep Litestar's layers in memory while it is open.
    """

    def __init__(self, app: Litestar, settings: Settings) -> None:
        self.app = app
        named = (name.strip().lower() for name in (settings.hosts or "").split(","))
        self._hosts = local_names() | set(filter(None, named))
        self._limits = make_limits(settings)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Serve a connection, or start and stop the application."""
        if scope["type"] == "lifespan":
            scope["state"][STATE] = self._limits  # for the protocols that Uvicorn creates
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)
        else:
            await self._serve_request(scope, receive, send)

    async def _serve_socket(self, scope: WebSocketScope, receive: Receive, send: Send) -> None:
        try:
            self._check_source(scope)
        except Problem:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": ""})  # answers 403
            return
        if scope["path"] == SOCKET_PATH:
            await attend(Transport(scope, receive, send), self.app.state.service, _address(scope))
        else:
            await self.app(scope, receive, send)

    async def _serve_request(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *SECURITY_HEADERS]
                if not any(name == _NO_STORE[0] for name, _ in headers):
                    headers.append(_NO_STORE)
                message["headers"] = headers
            await send(message)

        service: GameService = self.app.state.service
        try:
            service.readers.require(_address(scope), cost_of(scope["path"]))
            if scope["path"] not in _PROBES:
                self._check_source(scope)
        except Problem as problem:
            await _refuse(problem, send_safely)
        else:
            await self.app(_as_get(scope), receive, send_safely)

    def _check_source(self, scope: HTTPScope | WebSocketScope) -> None:
        """Refuse requests that a foreign page makes through a browser, by their Origin and Host headers.

        A page may point its own name at this server's address (DNS rebinding). Then the Host header has a
        name that is not this server's.
        """
        host, origin = "", None
        for name, value in scope["headers"]:
            if name == b"host":
                host = value.decode("latin-1")
            elif name == b"origin":
                origin = value.decode("latin-1")
        name = _host_of(f"//{host}")
        if name is None:
            raise Problem("wrong_host", "The Host header of this request is malformed.")
        if not (is_local_name(name) or name in self._hosts):
            raise Problem(
                "wrong_host",
                f"This server is not known as {name!r}. If it is yours, start it with --hosts {name}.",
            )
        is_asking = scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}
        if origin is not None and not is_asking and not _is_same_origin(origin, host):
            raise Problem(
                "wrong_host",
                "This request came from another website; open this server's own page.",
                reason="other_site",
            )


def _is_same_origin(origin: str, host: str) -> bool:
    """Tell whether a page comes from this host. Some proxies remove the port."""
    name = _host_of(origin)
    return name is not None and host.lower() in {urlsplit(origin).netloc.lower(), name}


def _host_of(url: str) -> str | None:
    """Return the host name in a URL, in lower case; empty if it has none, None if it is malformed.

    >>> _host_of("//Games.example:8000"), _host_of("null"), _host_of("//[")
    ('games.example', '', None)
    """
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return None


def local_names() -> set[str]:
    """Return the names of this machine in its local network."""
    name = socket.gethostname().lower()
    return {"localhost", name, f"{name.partition('.')[0]}.local"}


def is_local_name(name: str) -> bool:
    """Tell whether a name cannot be registered by an attacker: an IP address, or a local network name.

    >>> [is_local_name(name) for name in ("192.168.1.4", "::1", "laptop", "laptop.lan", "evil.example", "")]
    [True, True, True, True, False, False]
    """
    try:
        ip_address(name)
    except ValueError:
        last = name.rpartition(".")[2]
        return bool(name) and (last == name or last in _LOCAL_DOMAINS or name.endswith(".home.arpa"))
    return True


def cost_of(path: str) -> float:
    """Return the cost of a request, given its percent-decoded path.

    >>> cost_of("/api/games/R2hnTq0LwK1c/replay"), cost_of("//api/games/R2hnTq0LwK1c/replay/"), cost_of("/")
    (60.0, 60.0, 0.25)
    """
    path = normalize_path(path)  # as Litestar does before routing
    return next((cost for pattern, cost in _COSTS if pattern.match(path)), _STATIC_COST)


async def _refuse(problem: Problem, send: Send) -> None:
    """Answer a request without the framework, and close the connection."""
    REFUSALS.labels(problem.code).inc()
    body = msgspec.json.encode(refusal(problem))
    headers: list[tuple[bytes, bytes]] = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    if problem.retry_after is not None:
        headers.append((b"retry-after", b"%d" % max(1, round(problem.retry_after))))
    await send({"type": "http.response.start", "status": int(problem.status), "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _address(scope: HTTPScope | WebSocketScope) -> str:
    client = scope["client"]
    return limited_address(client[0]) if client else ""


def _as_get(scope: HTTPScope) -> HTTPScope:
    """Return a HEAD request as a GET request; Uvicorn leaves out the body of the response."""
    return {**scope, "method": HttpMethod.GET} if scope["method"] == HttpMethod.HEAD else scope
