"""Runs the server, and prints a line for each other host that the process looks up or sends to."""

from __future__ import annotations

import sys
from typing import Any

from goldenspike.cli import main

LOOKS_UP = {"socket.getaddrinfo", "socket.gethostbyname"}
SENDS = {"socket.connect", "socket.sendto"}


def note(event: str, args: tuple[Any, ...]) -> None:
    if event in LOOKS_UP | SENDS:
        host = args[0] if event in LOOKS_UP else args[1][0]
        if host != "127.0.0.1":
            sys.stderr.write(f"calls out: {event} {host}\n")


if __name__ == "__main__":
    sys.addaudithook(note)
    sys.exit(main(sys.argv[1:]))
