"""The notice about the state of the bots, also when they fail during a game."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.server.processes import GameServer
from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import seat_of
from tests.web.player import MousePlayer

DRIVER = Path(__file__).parents[1] / "server" / "drive_without_bots.py"
FAILED = "The server cannot start its bots, so simpler ones play instead."
COMPILING = "Speeding up the bots:"
COMPILING_HARD = "Speeding up the bots; until then hard bots play at medium level:"
INTERPRETED = "On this server, hard bots play at medium level."


class BotlessServer(GameServer):
    """A server whose processes for bots cannot start."""

    def command(self) -> Sequence[str]:
        command = super().command()
        return [sys.executable, str(DRIVER), *command[command.index("serve") :]]


@pytest.fixture
def botless() -> Iterator[BotlessServer]:
    with BotlessServer() as server:
        server.wait_ready()
        yield server


def test_the_page_says_that_bots_cannot_start_and_the_game_goes_on(
    botless: BotlessServer, browser: Browser
) -> None:
    browsing = Browsing(browser, botless.url)
    page = browsing.open()
    page.get_by_role("button", name="Play now").click()
    notice = page.get_by_test_id("bot-notice")
    expect(notice).to_have_text(FAILED)
    expect(notice).to_be_in_viewport()
    person = MousePlayer(page)
    for _ in range(3):  # turns of a person, with turns of bots between them
        person.step(person.wait_turn())
    person.wait_turn()
    expect(notice).to_have_text(FAILED)
    assert not any("Traceback" in line for line in botless.failures())
    browsing.close()


def test_the_page_says_that_bots_failed_during_a_game(browsing: Browsing, server: Server) -> None:
    visitor = browsing.visitor()
    visitor.context.clock.install()
    asked: list[str] = []
    has_failed = False

    def tell(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json={"compiling": None, "is_hard_medium": False, "have_failed": has_failed})

    visitor.context.route(re.compile("/api/bots$"), tell)
    created = server.create("new-york", "here", "easy")
    page = visitor.open(browsing.address(f"table/{seat_of(created, 0)}"))
    page.get_by_test_id("offer").wait_for()
    expect(page.get_by_test_id("bot-notice")).not_to_be_attached()
    has_failed = True
    page.clock.run_for(25_000)
    assert len(asked) == 1  # no polling
    page.clock.run_for(10_000)
    expect(page.get_by_test_id("bot-notice")).to_have_text(FAILED)
    assert len(asked) == 2
    has_failed = False
    page.clock.run_for(31_000)
    expect(page.get_by_test_id("bot-notice")).not_to_be_attached()


@pytest.mark.parametrize(
    ("level", "compiling", "interpreted"),
    [("hard", COMPILING_HARD, INTERPRETED), ("medium", COMPILING, "")],
)
def test_the_page_says_that_hard_bots_play_at_medium_level_until_compiled(
    browsing: Browsing, server: Server, level: str, compiling: str, interpreted: str
) -> None:
    visitor = browsing.visitor()
    visitor.context.clock.install()
    status = {"compiling": 0.4, "is_hard_medium": True, "have_failed": False}
    visitor.context.route(re.compile("/api/bots$"), lambda route: route.fulfill(json=status))
    page = visitor.open(browsing.address(f"table/{seat_of(server.create('new-york', 'here', level), 0)}"))
    notice = page.get_by_test_id("bot-notice")
    expect(notice).to_have_text(f"{compiling} 40%")
    expect(notice).to_be_in_viewport()
    expect(notice.get_by_role("status")).to_have_text(compiling)  # the count is not read out again and again
    status["compiling"] = 0.559
    page.clock.run_for(2_100)
    expect(notice).to_have_text(f"{compiling} 55%")
    status["compiling"] = None  # the compiler failed, or the server was told not to compile
    page.clock.run_for(2_100)
    if interpreted:
        expect(notice).to_have_text(interpreted)
    else:
        expect(notice).not_to_be_attached()
    status["is_hard_medium"] = False
    page.clock.run_for(31_000)
    expect(notice).not_to_be_attached()
