"""Runs the server; Ctrl-C arrives early, in a weak reference callback, where Python ignores exceptions."""

from __future__ import annotations

import signal
import sys
import weakref
from typing import Any

import uvicorn

from goldenspike.cli import main

_serve = uvicorn.Server.run


class Thing:
    """An object that is freed while a weak reference callback waits for it."""


def run(self: uvicorn.Server, sockets: Any = None) -> None:
    thing = Thing()
    _reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing
    _serve(self, sockets)


if __name__ == "__main__":
    uvicorn.Server.run = run
    sys.exit(main(["serve", *sys.argv[1:]]))
