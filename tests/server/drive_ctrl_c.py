"""Serves until Ctrl-C, which comes before the server listens to it, where Python ignores exceptions."""

from __future__ import annotations

import signal
import sys
import weakref
from typing import Any

import uvicorn

from goldenspike.cli import main

_serve = uvicorn.Server.run


class Thing:
    """Something that is tidied up."""


def run(self: uvicorn.Server, sockets: Any = None) -> None:
    thing = Thing()
    _reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing
    _serve(self, sockets)


if __name__ == "__main__":
    uvicorn.Server.run = run
    sys.exit(main(["serve", *sys.argv[1:]]))
