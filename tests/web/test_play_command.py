"""``goldenspike play``: a local server, and its page opened in the system's browser."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import goldenspike
from tests.server.waiting import wait_until
from tests.web.browsing import Browsing
from tests.web.player import MousePlayer


class PlayCommand:
    """A run of the command, and what it asked the system's browser to open."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._opened = folder / "opened"
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >>{self._opened}\n')
        browser.chmod(0o755)
        self._said = folder / "said"
        command = [sys.executable, "-m", "goldenspike", "play", "--database", f"sqlite:///{folder}/games.db"]
        environment = os.environ | {"BROWSER": f"{browser} %s"}
        with self._said.open("w") as said:
            self.process = subprocess.Popen(
                [*command, *options], env=environment, stdout=said, stderr=subprocess.STDOUT
            )

    @property
    def said(self) -> str:
        return self._said.read_text()

    @property
    def opened(self) -> list[str]:
        """The addresses that were opened."""
        return self._opened.read_text().split() if self._opened.exists() else []

    def wait_opened(self) -> str:
        wait_until(lambda: bool(self.opened), "the page was opened", 120)
        [address] = self.opened
        return address

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)


@pytest.fixture
def plays(tmp_path: Path) -> Iterator[list[PlayCommand]]:
    """Collect runs, which are stopped at the end."""
    plays: list[PlayCommand] = []
    yield plays
    for play in plays:
        play.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_several_people_of_a_game_that_was_asked_for_share_the_device(
    tmp_path: Path, plays: list[PlayCommand], browser: Browser
) -> None:
    options = ["--edition", "new-york", "--seats", "Ann,easy,Ben", "--first", "Ann"]
    plays.append(PlayCommand(tmp_path, "--port", f"{free_port()}", *options))
    url, _, place = plays[0].wait_opened().partition("/#/")
    assert place.startswith("seats/")
    browsing = Browsing(browser, url)
    page = browsing.open(place)
    MousePlayer(page).keep(1)
    page.get_by_role("button", name="I am Ben").click()
    MousePlayer(page).keep(1)
    expect(page.get_by_test_id("hand-over")).to_contain_text("Ann is next")
    assert "seats/" not in page.url
    browsing.close()


def test_the_page_is_opened_and_ctrl_c_ends_it(
    tmp_path: Path, plays: list[PlayCommand], browser: Browser
) -> None:
    port = free_port()
    plays.append(PlayCommand(tmp_path, "--port", f"{port}"))
    address = plays[0].wait_opened()
    assert address == f"http://127.0.0.1:{port}/"
    browsing = Browsing(browser, address.rstrip("/"))
    expect(browsing.open().get_by_role("button", name="Play now")).to_be_enabled()
    browsing.close()
    plays[0].stop()
    assert plays[0].process.returncode == 130  # interrupted
    assert "Traceback" not in plays[0].said


def test_a_game_that_was_asked_for_is_opened_at_its_seat(
    tmp_path: Path, plays: list[PlayCommand], browser: Browser
) -> None:
    options = ["--edition", "new-york", "--seats", "Ann,easy", "--seed", "7", "--first", "Ann"]
    plays.append(PlayCommand(tmp_path, "--port", f"{free_port()}", *options))
    address = plays[0].wait_opened()
    url, _, place = address.partition("/#/")
    browsing = Browsing(browser, url)
    page = browsing.open(place)
    expect(page.get_by_test_id("player")).to_have_count(2)
    expect(page.get_by_test_id("player").first).to_contain_text("Ann")
    expect(page.get_by_test_id("offer-ticket")).to_have_count(2)
    browsing.close()


def test_a_home_made_edition_is_opened_from_its_file(
    tmp_path: Path, plays: list[PlayCommand], browser: Browser
) -> None:
    mine = tmp_path / "editions" / "mine.toml"
    mine.parent.mkdir()
    known = Path(goldenspike.__file__).parent / "editions" / "new-york.toml"
    mine.write_text(known.read_text().replace('"new-york"', '"mine"', 1).replace("New York", "Our Town", 1))
    plays.append(
        PlayCommand(tmp_path, "--port", f"{free_port()}", "--edition", str(mine), "--seats", "Ann,easy")
    )
    url, _, place = plays[0].wait_opened().partition("/#/")
    browsing = Browsing(browser, url)
    expect(browsing.open(place).get_by_test_id("offer-ticket")).to_have_count(2)
    expect(browsing.open().get_by_text("Our Town").first).to_be_visible()
    browsing.close()


def test_a_second_run_opens_the_page_of_the_first(tmp_path: Path, plays: list[PlayCommand]) -> None:
    port = f"{free_port()}"
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        plays.append(PlayCommand(folder, "--port", port))
        plays[-1].wait_opened()
    assert plays[1].process.wait(30) == 0
    assert "is already running" in plays[1].said
    assert plays[0].opened == plays[1].opened


def test_another_port_is_used_if_the_port_is_taken(tmp_path: Path, plays: list[PlayCommand]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        plays.append(PlayCommand(tmp_path, "--port", f"{port}"))
        address = plays[0].wait_opened()
        assert f":{port}/" not in address
        assert f"Port {port} is used by another program; taking" in plays[0].said


def test_without_opening_it_only_says_where_the_page_is(tmp_path: Path, plays: list[PlayCommand]) -> None:
    port = free_port()
    plays.append(PlayCommand(tmp_path, "--port", f"{port}", "--host", "0.0.0.0", "--no-open"))
    wait_until(lambda: "Golden Spike is at" in plays[0].said, "it says where", 120)
    found = re.search(r"Others in your network can open http://([\d.]+):(\d+)/", plays[0].said)
    assert found is not None
    assert (found[1] != "0.0.0.0", found[2]) == (True, f"{port}")
    assert plays[0].opened == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--seats", "Ann,mine.py:Bot"], "In the browser bots are easy, medium, hard"),
        (["--first", "Eve", "--seats", "Ann,easy"], "No player is called 'Eve'"),
        (["--plain"], "add --terminal"),
        (["--edition", "usa-clasic"], 'no edition "usa-clasic"; did you mean "usa-classic"?'),
        (["--edition", "usa"], '"usa" is a board: choose usa-classic, usa-1910, usa-big-cities or usa-mega'),
        (["--edition", "mine.toml"], "mine.toml: there is no such file"),
        (["--edition", "new-york", "--seats", "me"], "New York is for 2 to 4 players"),
    ],
)
def test_invalid_options_are_reported(
    options: list[str], sentence: str, tmp_path: Path, plays: list[PlayCommand]
) -> None:
    plays.append(PlayCommand(tmp_path, "--port", f"{free_port()}", *options))
    assert plays[0].process.wait(60) != 0
    assert sentence in plays[0].said
    assert "Traceback" not in plays[0].said
