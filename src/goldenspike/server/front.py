"""What stands before the application: the short way for sockets, and what holds for every answer."""

from __future__ import annotations

from litestar import HttpMethod, Litestar
from litestar.types import HTTPScope, Message, Receive, Scope, Send

from goldenspike.server.socket import PATH as SOCKET_PATH
from goldenspike.server.socket import attend
from goldenspike.server.wire import Wire

SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (
        b"content-security-policy",
        (
            b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            b"connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
            b"form-action 'none'; frame-ancestors 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=()"),
)
"""On every answer: nothing inline, nothing from another host, in nobody's frame."""


class Front:
    """The application as it is served: sockets go straight to the desk, everything else to Litestar.

    There are thousands of sockets, and each would carry Litestar's layers along for all of its life.
    """

    def __init__(self, app: Litestar) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *SECURITY_HEADERS]
            await send(message)

        if scope["type"] == "websocket" and scope["path"] == SOCKET_PATH:
            await attend(Wire(scope, receive, send), self.app.state.desk)
        elif scope["type"] == "http":
            await self.app(_as_get(scope), receive, send_safely)
        else:
            await self.app(scope, receive, send)


def _as_get(scope: HTTPScope) -> HTTPScope:
    """Return a request to be answered: one for the head alone as if for all; Uvicorn leaves out the body."""
    return {**scope, "method": HttpMethod.GET} if scope["method"] == HttpMethod.HEAD else scope
