"""``goldenspike play``: a game that was asked for, and a server that takes its time."""

from __future__ import annotations

import argparse
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from goldenspike.cli import browser

Out = pytest.CaptureFixture[str]
QUIETLY = argparse.Namespace(no_open=True)


class Slow(BaseHTTPRequestHandler):
    """Deals once it is told to."""

    may_deal: ClassVar[threading.Event]
    answer: ClassVar[dict[str, object]] = {"seats": [None, "game.secret"], "watch": "game.watch"}

    def do_POST(self) -> None:
        self.may_deal.wait(30)
        self.send_response(201)
        self.end_headers()
        self.wfile.write(json.dumps(self.answer).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # as it is called
        """Say nothing."""


@pytest.fixture
def slow() -> Iterator[int]:
    """Run a server that deals late; hand out its port."""
    Slow.may_deal = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever).start()
    yield server.server_address[1]
    Slow.may_deal.set()
    server.shutdown()
    server.server_close()


def show(port: int) -> None:
    browser._show("127.0.0.1", port, {"edition": "new-york"}, QUIETLY)


def test_who_waits_is_told_why(slow: int, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    monkeypatch.setattr(browser, "_SLOW", 0.0)
    asking = threading.Thread(target=show, args=(slow,))
    asking.start()
    said = ""
    while "Preparing the rules" not in said:
        said += capsys.readouterr().out
    Slow.may_deal.set()
    asking.join()
    assert f"The game is at http://127.0.0.1:{slow}/#/table/game.secret" in capsys.readouterr().out


def test_a_server_that_does_not_answer_is_no_crash(
    slow: int, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.setattr(browser, "_PATIENCE", 0.2)
    show(slow)
    assert capsys.readouterr().out == browser._NOT_DEALT + "\n"
