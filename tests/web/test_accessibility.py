"""Nothing on any screen keeps people from using it: axe-core looks at all of it, in light and dark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from goldenspike import Game
from tests.server.serving import Server
from tests.web.browsing import LAPTOP, PHONE, SOCKET, Browsing, Room, Visitor, axe_source
from tests.web.deals import bring, crowded, hoarded, seat_of
from tests.web.player import MousePlayer, Player, TouchPlayer
from tests.web.test_hand_over import sit_down_as_two

_SETTLED = """() => document.getAnimations().every(
  (each) => each.playState !== "running" || each.effect.getTiming().iterations === Infinity)"""
_RUN = """async () => {
  const tell = ({ html, failureSummary }) => `${html} ${failureSummary}`;
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => [id, help, ...nodes.slice(0, 4).map(tell)].join("\\n"));
}"""


@pytest.fixture(params=["phone", "laptop"])
def room(request: pytest.FixtureRequest) -> Room:
    return {"phone": PHONE, "laptop": LAPTOP}[request.param]


class Inspector:
    """Looks at pages through axe-core, in both themes."""

    def __init__(self, browsing: Browsing, server: Server, room: Room) -> None:
        self.browsing = browsing
        self.server = server
        self.room = room
        self.found: list[str] = []

    def examiner(self, *forgiven: str) -> Visitor:
        """Let somebody come who looks at what goes wrong, and expects some errors."""
        visitor = self.browsing.examiner(self.room)
        visitor.forgive("status of 40", *forgiven)
        return visitor

    def open(self, place: str = "") -> Page:
        """Open a place of the page for somebody new."""
        return self.examiner().open(self.browsing.address(place))

    def sit(self, game: Game, seat: int = 0) -> Player:
        """Sit somebody down in a game of people."""
        created = bring(self.server, game, *["link"] * game.players)
        kind = TouchPlayer if self.room.is_phone else MousePlayer
        player = kind(self.open(f"table/{seat_of(created, seat)}"))
        player.part("table").wait_for()
        return player

    def inspect(self, page: Page, state: str) -> None:
        """Note what axe finds on a page as it is now."""
        if not page.evaluate("'axe' in window"):
            page.add_script_tag(content=axe_source())
        for theme in ("light", "dark"):
            page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
            page.wait_for_function(_SETTLED)
            self.found += [f"{state}, {theme}: {problem}" for problem in page.evaluate(_RUN)]


@pytest.fixture
def inspector(browsing: Browsing, server: Server, room: Room) -> Iterator[Inspector]:
    inspector = Inspector(browsing, server, room)
    yield inspector
    assert not inspector.found, "\n\n".join(inspector.found)


def test_axe_is_not_blind(inspector: Inspector) -> None:
    page = inspector.open("settings")
    page.get_by_role("heading", name="Settings").evaluate(
        "(title) => title.insertAdjacentHTML('afterend', '<button></button>')"
    )
    inspector.inspect(page, "broken")
    assert [problem for problem in inspector.found if "button-name" in problem]
    inspector.found.clear()


def test_start(inspector: Inspector) -> None:
    inspector.server.create("usa-classic", "link", "open", public=True)
    page = inspector.open()
    page.get_by_role("button", name="Deal the cards").wait_for()
    page.get_by_role("button", name="Sit down").first.wait_for()
    page.get_by_text("More choices").click()
    page.get_by_label("Seat 2: Who sits here").select_option("link")
    page.get_by_role("button", name="Add a player").click()
    inspector.inspect(page, "start with everything open")
    page.get_by_role("button", name="Deal the cards").click()
    page.get_by_role("heading", name="Invite the others").wait_for()
    inspector.inspect(page, "links to share")
    page.get_by_role("button", name="To the table").click()
    page.get_by_test_id("table").wait_for()
    inspector.inspect(page, "waiting for the others")
    page.goto(inspector.browsing.address(""))
    page.get_by_role("heading", name="Go on playing").wait_for()
    page.get_by_label("A link somebody sent you").fill("nothing")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("alert").wait_for()
    inspector.inspect(page, "start with a game to go on with, and a problem")


def test_table_while_choosing(inspector: Inspector) -> None:
    player = inspector.sit(Game.new("usa-classic", 3, seed="axe", first=0))
    player.part("offer").wait_for()
    inspector.inspect(player.page, "choosing tickets")
    player.press(player.part("offer-ticket").first)
    inspector.inspect(player.page, "a ticket chosen")


def test_table_in_a_turn(inspector: Inspector) -> None:
    player = inspector.sit(hoarded("usa-classic", 2, "axe", 6))
    page = player.page
    sight = player.wait_turn()
    inspector.inspect(page, "own turn")
    for name in re.findall("tab-[a-z]+", page.get_by_role("tablist").inner_html()):
        player.press(player.part(name))
        inspector.inspect(page, name)
    player.press(player.part("tab-hand") if inspector.room.is_phone else player.part("tab-log"))
    player.press(player.part("hand-card").first)
    inspector.inspect(page, "a colour of the hand chosen")
    player.press(player.part("hand-card").first)
    player.point(max(sight.claims, key=lambda name: sight.claims[name]))
    player.part("claim").wait_for()
    inspector.inspect(page, "claim")
    player.press(player.part("cancel-claim"))
    player.press(player.part("ticket-deck"))
    inspector.inspect(page, "question before tickets")
    page.get_by_role("button", name="Not now").click()
    player.press(player.part("menu"))
    inspector.inspect(page, "menu")
    page.get_by_test_id("show-shortcuts").click()
    inspector.inspect(page, "shortcuts")
    page.get_by_test_id("shortcuts").get_by_role("button", name="Close").click()
    player.press(player.part("hint"))
    page.get_by_role("button", name="Play it").wait_for()
    inspector.inspect(page, "hint")
    page.keyboard.press("Escape")
    player.draw()
    expect(player.part("turn")).to_have_text("Take your second card.")
    inspector.inspect(page, "second card")
    player.part("ticket-deck").click(force=True)
    player.part("remark").wait_for()
    inspector.inspect(page, "refusal")
    player.draw()
    expect(player.part("turn")).to_contain_text("Player 2")
    inspector.inspect(page, "turn of another")


def test_table_of_a_race_and_of_a_watcher(inspector: Inspector) -> None:
    player = inspector.sit(crowded("first-journey", 4, 3))
    inspector.inspect(player.page, "race")
    created = bring(inspector.server, crowded("usa-mega", 5, 3), *["link"] * 5)
    page = inspector.open(f"table/{created.watch}")
    page.get_by_test_id("table").wait_for()
    inspector.inspect(page, "watching")


def test_hand_over(inspector: Inspector) -> None:
    page = inspector.open()
    sit_down_as_two(page)
    player = MousePlayer(page)
    player.step(player.wait_turn())
    page.get_by_test_id("hand-over").wait_for()
    inspector.inspect(page, "hand-over")


@pytest.mark.parametrize("edition", ["usa-classic", "first-journey"])
def test_end_and_replay(edition: str, inspector: Inspector) -> None:
    game = crowded(edition, 3, 5)
    while not game.is_over:
        game.play(game.legal_moves(game.to_move[0]).numbers[0])
    created = bring(inspector.server, game, "link", "link", "link")
    page = inspector.open(f"table/{seat_of(created, 0)}")
    page.get_by_test_id("scores").wait_for()
    inspector.inspect(page, "end")
    page.get_by_text("Statistics", exact=True).click()
    page.get_by_text("Scores as the game went on").wait_for()
    inspector.inspect(page, "statistics")
    page.get_by_role("button", name="Replay").or_(page.get_by_role("link", name="Replay")).click()
    page.get_by_test_id("replay").wait_for()
    page.get_by_role("button", name="To the end").wait_for()
    inspector.inspect(page, "replay")
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("button", name="Play on from here").wait_for()
    inspector.inspect(page, "replay, the deal")


def test_ceremony(inspector: Inspector) -> None:
    game = crowded("usa-classic", 3, 5)
    while not game.is_over:
        game.play(game.legal_moves(game.to_move[0]).numbers[0])
    created = bring(inspector.server, game, "link", "link", "link")
    visitor = inspector.browsing.examiner(inspector.room, speed=1)
    visitor.context.clock.install()
    page = visitor.open(inspector.browsing.address(f"table/{seat_of(created, 0)}"))
    page.get_by_test_id("skip").wait_for()
    page.clock.pause_at(page.evaluate("Date.now() + 1_000"))
    page.add_script_tag(content=axe_source())
    page.clock.resume()
    inspector.inspect(page, "ceremony")


def test_guide(inspector: Inspector) -> None:
    page = inspector.open("guide")
    page.get_by_test_id("guide").wait_for()
    inspector.inspect(page, "guide")


def test_settings(inspector: Inspector) -> None:
    page = inspector.open("settings")
    page.get_by_label("Look").wait_for()
    inspector.inspect(page, "settings")


def test_rules_of_each_edition(inspector: Inspector) -> None:
    page = inspector.open("settings")
    for edition in [each["id"] for each in inspector.server.get("/api/editions/").json["editions"]]:
        page.goto(inspector.browsing.address(f"rules/{edition}"))
        page.get_by_role("heading", name=re.compile("^How ")).wait_for()
        inspector.inspect(page, f"rules of {edition}")


_TROUBLES: dict[str, Callable[[Page], None]] = {
    "table/nonsense": lambda page: page.get_by_role("button", name="To the start page").wait_for(),
    "replay/nonsense/0": lambda page: page.get_by_role("alert").wait_for(),
    "rules/nonsense": lambda page: page.get_by_role("alert").wait_for(),
}


@pytest.mark.parametrize("place", list(_TROUBLES))
def test_errors(place: str, inspector: Inspector) -> None:
    page = inspector.open(place)
    _TROUBLES[place](page)
    inspector.inspect(page, place)


def test_page_that_does_not_come_whole(inspector: Inspector) -> None:
    visitor = inspector.examiner("ERR_FAILED")
    visitor.context.route("**/assets/*.js", lambda route: route.abort())
    page = visitor.open(inspector.browsing.address(""))
    page.get_by_role("button", name="Reload the page").wait_for()
    inspector.inspect(page, "broken page")


def test_page_that_stumbles(inspector: Inspector) -> None:
    visitor = inspector.examiner("TypeError")
    visitor.context.route(
        "**/api/editions/", lambda route: route.fulfill(json={"editions": [{"id": "usa-classic"}]})
    )
    page = visitor.open(inspector.browsing.address(""))
    page.get_by_role("button", name="Reload the page").wait_for()
    inspector.inspect(page, "stumbled page")


def test_page_older_than_the_server(inspector: Inspector) -> None:
    def upgrade(message: dict[str, Any]) -> None:
        if message["type"] == "welcome":
            message["version"] = "99.0.0"

    game = inspector.server.create("new-york", "link", "easy", first=0)
    visitor = inspector.examiner()
    visitor.change(upgrade)
    page = visitor.open(inspector.browsing.address(f"table/{seat_of(game, 0)}"))
    page.get_by_role("button", name="Reload the page").wait_for()
    inspector.inspect(page, "old page")


def test_table_that_cannot_be_reached(inspector: Inspector) -> None:
    game = inspector.server.create("new-york", "link", "easy", first=0)
    visitor = inspector.examiner()
    visitor.context.route_web_socket(SOCKET, lambda socket: socket.close())
    page = visitor.open(inspector.browsing.address(f"table/{seat_of(game, 0)}"))
    inspector.inspect(page, "connecting")
    page.get_by_role("button", name="Try now").wait_for()
    inspector.inspect(page, "still connecting")
