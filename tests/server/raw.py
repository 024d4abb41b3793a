"""A client that writes raw bytes to a socket, from a chosen address."""

from __future__ import annotations

import contextlib
import socket
from urllib.parse import urlsplit

from tests.server.waiting import PATIENCE

ATTACKER = "127.0.0.66"


class RawClient:
    """A TCP connection from the attacker's address."""

    def __init__(self, url: str, address: str = ATTACKER) -> None:
        place = urlsplit(url)
        self.host = place.netloc
        self._socket = socket.socket()
        self._socket.bind((address, 0))
        self._socket.settimeout(PATIENCE)
        self._socket.connect((place.hostname, place.port))

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Send bytes; ignore that the server has closed the connection."""
        with contextlib.suppress(OSError):
            self._socket.sendall(data)

    def receive(self, size: int = 65_536) -> bytes:
        """Return some bytes; empty at the end."""
        try:
            return self._socket.recv(size)
        except ConnectionError:
            return b""

    def receive_all(self) -> bytes:
        """Return everything up to the end of the connection."""
        data = b""
        while part := self.receive():
            data += part
        return data

    def request(self, path: str = "/healthz", *headers: str, method: str = "GET") -> bytes:
        """Return the bytes of a request without a body."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}", *headers]
        return "\r\n".join([*lines, "", ""]).encode()

    def open_socket(self, *headers: str) -> bytes:
        """Request a WebSocket; return the head of the response."""
        upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        self.send(self.request("/api/socket", *upgrade, key, *headers))
        data = b""
        while b"\r\n\r\n" not in data and (part := self.receive(1)):
            data += part
        return data


def frame(opcode: int, payload: bytes = b"", *, is_last: bool = True) -> bytes:
    """Return a short frame of a client, masked with zeros."""
    return bytes((opcode | (0x80 if is_last else 0), 0x80 | len(payload))) + bytes(4) + payload
