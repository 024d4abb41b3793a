"""``goldenspike play``: a requested game, and a slow server."""

from __future__ import annotations

import argparse
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any, ClassVar

import pytest

from goldenspike.cli import browser, main
from goldenspike.exit_codes import FAILED
from goldenspike.game import Game
from goldenspike.game.seeds import read_seed
from goldenspike.output import NOT_CREATED
from goldenspike.server.settings import Settings
from tests.boards.conftest import BOARD, EDITION

Out = pytest.CaptureFixture[str]
QUIETLY = argparse.Namespace(no_open=True)


class Slow(BaseHTTPRequestHandler):
    """A server of ours that deals when told to, and has only the package's editions."""

    may_deal: ClassVar[threading.Event]
    answer: ClassVar[dict[str, object]] = {"seats": [None, "game.secret"], "watch": "game.watch"}

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        answer = {"status": "ok"} if self.path == "/healthz" else {"code": "unknown_edition"}
        self.wfile.write(json.dumps(answer).encode())

    def do_POST(self) -> None:
        self.may_deal.wait(30)
        self.send_response(201)
        self.end_headers()
        self.wfile.write(json.dumps(self.answer).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # as it is called
        """Log nothing."""


@pytest.fixture
def slow() -> Iterator[int]:
    """Run a server that deals late; yield its port."""
    Slow.may_deal = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever).start()
    yield server.server_address[1]
    Slow.may_deal.set()
    server.shutdown()
    server.server_close()


def show(port: int) -> None:
    browser._show("127.0.0.1", port, {"edition": "new-york"}, QUIETLY)


def test_a_game_that_is_dealt_late_is_shown(slow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    said: Queue[str] = Queue()
    monkeypatch.setattr(browser, "print", lambda text, **_: said.put(text), raising=False)
    asking = threading.Thread(target=show, args=(slow,))
    asking.start()
    Slow.may_deal.set()
    asking.join()
    address = f"http://127.0.0.1:{slow}/#/table"
    assert said.get(timeout=20) == f"Your seat, for you alone: {address}/game.secret"
    assert said.get(timeout=20) == f"Spectator link, for anyone: {address}/game.watch"


def test_a_server_that_does_not_answer_is_reported(
    slow: int, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.setattr(browser, "_PATIENCE", 0.2)
    show(slow)
    assert capsys.readouterr().out == f"{NOT_CREATED}: the server does not answer. Try it on the page.\n"


def wish(**options: str) -> dict[str, Any]:
    """Return the game requested from the server."""
    nothing = dict.fromkeys(("edition", "seats", "first", "seed"))
    asked = browser._wish(argparse.Namespace(**{**nothing, **options}))
    assert asked is not None
    return asked


def test_first_me_works_in_any_seat() -> None:
    assert wish(seats="easy,me", first="me")["options"] == {"first": 1}
    assert wish(seats="easy,me", first="Me")["options"] == {"first": 1}
    assert wish(seats="Ann,easy", first="easy")["options"] == {"first": 1}
    with pytest.raises(ValueError, match="No player is called 'me'"):
        wish(seats="Ann,easy", first="me")


@pytest.mark.parametrize(("seed", "meant"), [("7", 7), ("tuesday", "tuesday"), ("1" * 64, "1" * 64)])
def test_a_seed_deals_the_same_cards_as_everywhere(seed: str, meant: int | str) -> None:
    asked = wish(edition="new-york", seats="me,easy", seed=seed)["options"]["seed"]
    assert read_seed(asked) == Game.new("new-york", 2, meant).seed


def test_a_seed_alone_starts_a_game() -> None:
    asked = wish(seed="7")
    assert (asked["edition"], len(asked["seats"])) == ("usa-classic", 3)
    assert wish(first="me")["options"] == {"first": 0}


Served = list[Settings]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Served:
    """Catch the settings that would be served."""
    found: Served = []

    def serve(settings: Settings) -> int:
        found.append(settings)
        return 0

    monkeypatch.setattr(browser, "serve", serve)
    monkeypatch.setattr(browser, "_wait_and_show", lambda *_: None)
    monkeypatch.setattr(browser, "_address_in_network", lambda: "127.0.0.2")
    return found


def play(*options: str) -> int:
    return main(["play", "--no-open", "--database", "sqlite://", *options])


def test_a_port_that_is_taken_on_this_machine_only_is_not_used(served: Served, capsys: Out) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        # A server that accepts a connection and says nothing is asked first whether it is ours.
        threading.Thread(target=hang_up, args=(other,), daemon=True).start()
        assert play("--host", "0.0.0.0", "--port", str(taken)) == 0
    [settings] = served
    assert settings.port != taken
    said = capsys.readouterr().out
    assert f"Port {taken} is used by another program; taking {settings.port}." in said
    assert f"Others in your network can open http://127.0.0.2:{settings.port}/" in said


def hang_up(listener: socket.socket) -> None:
    """Accept connections, and close them without an answer."""
    while True:
        try:
            listener.accept()[0].close()
        except OSError:
            return


def test_a_server_unreachable_for_others_is_reported(slow: int, served: Served, capsys: Out) -> None:
    assert play("--host", "0.0.0.0", "--port", str(slow)) == FAILED
    assert "which other devices in your network cannot reach; stop it there" in capsys.readouterr().err
    assert served == []


def test_an_ipv6_address_is_served(served: Served) -> None:
    assert play("--host", "::1", "--port", "8421") == 0
    assert [settings.host for settings in served] == ["::1"]


def test_with_any_free_port_the_page_opens_at_that_port(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[int] = []
    monkeypatch.setattr(browser, "_wait_and_show", lambda _host, port, *_: waits.append(port))
    assert play("--port", "0") == 0
    [settings] = served
    assert settings.port != 0
    end = time.monotonic() + 20
    while not waits and time.monotonic() < end:
        time.sleep(0.01)
    assert waits == [settings.port]


def test_options_that_a_running_server_ignores_are_reported(
    slow: int, served: Served, tmp_path: Path, capsys: Out
) -> None:
    assert play("--port", str(slow)) == 0
    assert "stop it there with Ctrl-C to change that" in capsys.readouterr().out
    (tmp_path / "lakes.toml").write_text(BOARD, encoding="utf-8")
    mine = tmp_path / "lakes-quick.toml"
    mine.write_text(EDITION, encoding="utf-8")
    assert play("--port", str(slow), "--edition", str(mine), "--seats", "me,easy") == FAILED
    assert f"does not have {mine} as it is now; stop it there" in capsys.readouterr().err
    assert served == []
