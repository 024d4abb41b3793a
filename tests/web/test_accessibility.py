"""axe-core finds no accessibility problem on any screen, in light and dark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from goldenspike import Game
from tests.server.serving import Server
from tests.web.browsing import LAPTOP, PHONE, SOCKET, Browsing, Screen, Visitor, axe_source
from tests.web.deals import begun, bring, crowded, hoarded, seat_of
from tests.web.player import MousePlayer, PagePlayer, TouchPlayer
from tests.web.scenes import play_to_end, tap_target
from tests.web.test_hand_over import sit_down_as_two
from tests.web.test_sounds import moment_of, sit_before

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
def screen(request: pytest.FixtureRequest) -> Screen:
    return {"phone": PHONE, "laptop": LAPTOP}[request.param]


class Inspector:
    """Runs axe-core on pages, in both themes."""

    def __init__(self, browsing: Browsing, server: Server, screen: Screen) -> None:
        self.browsing = browsing
        self.server = server
        self.screen = screen
        self.found: list[str] = []

    def examiner(self, *forgiven: str, **settings: object) -> Visitor:
        """Open a visitor that expects some errors."""
        visitor = self.browsing.examiner(self.screen, **settings)
        visitor.forgive("status of 40", *forgiven)
        return visitor

    def open(self, place: str = "") -> Page:
        """Open a screen of the page as a new visitor."""
        return self.examiner().open(self.browsing.address(place))

    def sit(self, game: Game, seat: int = 0) -> PagePlayer:
        """Open a seat in a game of people."""
        created = bring(self.server, game, *["here"] * game.players)
        kind = TouchPlayer if self.screen.is_phone else MousePlayer
        player = kind(self.open(f"table/{seat_of(created, seat)}"))
        player.part("table").wait_for()
        return player

    def inspect(self, page: Page, state: str) -> None:
        """Record the problems that axe finds on a page now."""
        if not page.evaluate("'axe' in window"):
            page.add_script_tag(content=axe_source())
        for theme in ("light", "dark"):
            page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
            page.wait_for_function(_SETTLED)
            self.found += [f"{state}, {theme}: {problem}" for problem in page.evaluate(_RUN)]


@pytest.fixture
def inspector(browsing: Browsing, server: Server, screen: Screen) -> Iterator[Inspector]:
    inspector = Inspector(browsing, server, screen)
    yield inspector
    assert not inspector.found, "\n\n".join(inspector.found)


def test_axe_finds_a_known_problem(inspector: Inspector) -> None:
    page = inspector.open("settings")
    page.get_by_role("heading", name="Settings").evaluate(
        "(title) => title.insertAdjacentHTML('afterend', '<button></button>')"
    )
    inspector.inspect(page, "broken")
    assert [problem for problem in inspector.found if "button-name" in problem]
    inspector.found.clear()


def test_start(inspector: Inspector) -> None:
    inspector.server.create("usa-classic", "here", "open", public=True)
    page = inspector.open()
    page.get_by_role("button", name="Create game").wait_for()
    page.get_by_role("button", name="Join").first.wait_for()
    page.get_by_text("More options").click()
    page.get_by_label("Seat 2: Player").select_option("link")
    page.get_by_role("button", name="Add player").click()
    inspector.inspect(page, "start with everything open")
    page.get_by_role("button", name="Create game").click()
    page.get_by_role("heading", name="Invite players").wait_for()
    inspector.inspect(page, "links to share")
    page.get_by_role("button", name="Go to table").click()
    page.get_by_test_id("table").wait_for()
    inspector.inspect(page, "waiting for the others")
    page.goto(inspector.browsing.address(""))
    page.get_by_role("heading", name="Resume a game").wait_for()
    page.get_by_label("Invitation or link").fill("nothing")
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
    player.press(player.part("tab-hand") if inspector.screen.is_phone else player.part("tab-log"))
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
    page.get_by_role("button", name="Play this move").wait_for()
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
    created = bring(inspector.server, crowded("usa-mega", 5, 3), *["here"] * 5)
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
    created = bring(inspector.server, game, "here", "here", "here")
    page = inspector.open(f"table/{seat_of(created, 0)}")
    page.get_by_test_id("scores").wait_for()
    inspector.inspect(page, "end")
    page.get_by_text("Statistics", exact=True).click()
    page.get_by_text("Score over time").wait_for()
    inspector.inspect(page, "statistics")
    page.get_by_role("button", name="Replay").or_(page.get_by_role("link", name="Replay")).click()
    page.get_by_test_id("replay").wait_for()
    page.get_by_role("button", name="Go to end").wait_for()
    inspector.inspect(page, "replay")
    page.get_by_role("button", name="Go to start").click()
    page.get_by_role("button", name="Continue from here").wait_for()
    inspector.inspect(page, "replay, the deal")


def test_ceremony(inspector: Inspector) -> None:
    game = crowded("usa-classic", 3, 5)
    while not game.is_over:
        game.play(game.legal_moves(game.to_move[0]).numbers[0])
    created = bring(inspector.server, game, "here", "here", "here")
    visitor = inspector.browsing.examiner(inspector.screen, pace="normal")
    visitor.context.clock.install()
    page = visitor.open(inspector.browsing.address(f"table/{seat_of(created, 0)}"))
    page.get_by_test_id("skip").wait_for()
    page.clock.pause_at(page.evaluate("Date.now() + 1_000"))
    page.add_script_tag(content=axe_source())
    page.add_style_tag(
        content=".step { animation: none !important; }"
    )  # otherwise one may be half transparent
    page.clock.resume()
    inspector.inspect(page, "ceremony")


def test_podium(inspector: Inspector) -> None:
    link = seat_of(*play_to_end(inspector.server, "usa-classic", ["Ann", "Ben", "Cleo", "Dan"]))
    page = inspector.examiner(pace="normal").open(inspector.browsing.address(f"table/{link}"))
    page.get_by_test_id("skip").click()
    page.get_by_test_id("podium").wait_for()
    inspector.inspect(page, "podium")


def test_guide(inspector: Inspector) -> None:
    page = inspector.open("guide")
    tour = page.get_by_test_id("guide")
    tour.wait_for()
    inspector.inspect(page, "guide")
    for _ in range(3):
        tap_target(page)
    inspector.inspect(page, "guide, the map")
    tour.get_by_role("button", name="Next").click()
    page.get_by_test_id("guide-ring").wait_for()
    inspector.inspect(page, "guide, cards")
    for _ in range(2):
        tap_target(page)
    inspector.inspect(page, "guide, the others")
    tour.get_by_role("button", name="Next").click()
    page.locator("[data-testid=guide-ring][data-target*=data-route]").wait_for()
    inspector.inspect(page, "guide, a route")
    tap_target(page)
    inspector.inspect(page, "guide, a claim")


def test_invitation_and_code(inspector: Inspector) -> None:
    created = inspector.server.create("usa-classic", "here", "link")
    page = inspector.open(f"invite/{created.invitations[1]}")
    page.get_by_role("button", name="Join").wait_for()
    inspector.inspect(page, "invitation")
    page = inspector.open("invite/nothing.here")
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Home").wait_for()
    inspector.inspect(page, "spent invitation")
    page = inspector.open("code")
    page.get_by_test_id("use-code").wait_for()
    inspector.inspect(page, "code")


def test_first_turn_with_tip_and_offer_of_sounds(inspector: Inspector) -> None:
    created = bring(inspector.server, begun("usa-classic", 2, "axe"), "here", "here")
    visitor = inspector.examiner(isSoundOffered=False)
    page = visitor.open(inspector.browsing.address(f"table/{seat_of(created, 0)}"))
    page.get_by_test_id("sound-offer").wait_for()
    inspector.inspect(page, "offer of sounds")
    page.get_by_role("button", name="No, thanks").click()
    page.evaluate("localStorage.setItem('goldenspike.tips', '[]')")
    page.reload()
    page.get_by_test_id("tip").wait_for()
    inspector.inspect(page, "tip")


def test_undo_toast(inspector: Inspector) -> None:
    def wait_long(message: dict[str, Any]) -> None:
        if message["type"] == "welcome":
            message["game"]["undo_seconds"] = 60
            message["seats"][1]["level"] = "easy"
        if message["type"] == "update":
            message["seats"][1]["level"] = "easy"

    created = bring(inspector.server, hoarded("usa-classic", 2, "mixed", 13), "here", "here")
    visitor = inspector.examiner()
    visitor.change(wait_long)
    page = visitor.open(inspector.browsing.address(f"table/{seat_of(created, 0)}"))
    player = TouchPlayer(page) if inspector.screen.is_phone else MousePlayer(page)
    player.claim(next(iter(player.wait_turn().claims)))
    page.get_by_test_id("undo-toast").wait_for()
    inspector.inspect(page, "undo toast")


_HOLD = """const run = window.setTimeout;
window.setTimeout = (act, ms, ...more) => (ms === 2200 ? 0 : run(act, ms, ...more));"""
"""Keeps a completed ticket over the map."""


def test_ticket_moment(inspector: Inspector) -> None:
    moment = moment_of("joined")
    visitor = inspector.examiner(pace="normal")
    visitor.context.add_init_script(_HOLD)
    page, links = sit_before(moment, 1, inspector.browsing, inspector.server, visitor)
    moment.play(inspector.server, links, moment.number - 1)
    page.get_by_test_id("ticket-moment").wait_for()
    inspector.inspect(page, "ticket moment")
    expect(page.get_by_test_id("ticket-moment")).to_be_visible()


def test_settings(inspector: Inspector) -> None:
    page = inspector.open("settings")
    page.get_by_label("Theme").wait_for()
    inspector.inspect(page, "settings")


def test_rules_of_each_edition(inspector: Inspector) -> None:
    page = inspector.open("settings")
    for edition in [each["id"] for each in inspector.server.get("/api/editions/").json["editions"]]:
        page.goto(inspector.browsing.address(f"rules/{edition}"))
        page.get_by_role("heading", name=re.compile("^Rules: ")).wait_for()
        inspector.inspect(page, f"rules of {edition}")


_TROUBLES: dict[str, Callable[[Page], None]] = {
    "table/nonsense": lambda page: page.get_by_role("button", name="Home").wait_for(),
    "replay/nonsense/0": lambda page: page.get_by_role("alert").wait_for(),
    "rules/nonsense": lambda page: page.get_by_role("alert").wait_for(),
}


@pytest.mark.parametrize("place", list(_TROUBLES))
def test_errors(place: str, inspector: Inspector) -> None:
    page = inspector.open(place)
    _TROUBLES[place](page)
    inspector.inspect(page, place)


def test_page_that_fails_to_load(inspector: Inspector) -> None:
    visitor = inspector.examiner("ERR_FAILED")
    visitor.context.route("**/assets/*.js", lambda route: route.abort())
    page = visitor.open(inspector.browsing.address(""))
    page.get_by_role("button", name="Reload page").wait_for()
    inspector.inspect(page, "broken page")


def test_page_after_a_script_error(inspector: Inspector) -> None:
    visitor = inspector.examiner("TypeError")
    visitor.context.route(
        "**/api/editions/", lambda route: route.fulfill(json={"editions": [{"id": "usa-classic"}]})
    )
    page = visitor.open(inspector.browsing.address(""))
    page.get_by_role("button", name="Reload page").wait_for()
    inspector.inspect(page, "stumbled page")


def test_page_older_than_the_server(inspector: Inspector) -> None:
    def upgrade(message: dict[str, Any]) -> None:
        if message["type"] == "welcome":
            message["version"] = "99.0.0"

    game = inspector.server.create("new-york", "here", "easy", first=0)
    visitor = inspector.examiner()
    visitor.change(upgrade)
    page = visitor.open(inspector.browsing.address(f"table/{seat_of(game, 0)}"))
    page.get_by_role("button", name="Reload page").wait_for()
    inspector.inspect(page, "old page")


def test_table_that_cannot_be_reached(inspector: Inspector) -> None:
    game = inspector.server.create("new-york", "here", "easy", first=0)
    visitor = inspector.examiner()
    visitor.context.route_web_socket(SOCKET, lambda socket: socket.close())
    page = visitor.open(inspector.browsing.address(f"table/{seat_of(game, 0)}"))
    inspector.inspect(page, "connecting")
    page.get_by_role("button", name="Try now").wait_for()
    inspector.inspect(page, "still connecting")
