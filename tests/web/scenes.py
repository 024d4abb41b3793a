"""Every screen of the page, each brought about on purpose: to be measured, and to be looked at."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from playwright.sync_api import Page, expect

from goldenspike import Game
from tests.server.serving import Server
from tests.web.browsing import Browsing, Room
from tests.web.deals import bring, half_played, hoarded, laden, played, seat_of, show
from tests.web.player import MousePlayer, TouchPlayer
from tests.web.sight import wait_until

EDITIONS = ["usa-classic", "usa-1910", "usa-big-cities", "usa-mega", "new-york", "first-journey"]
NAMES = ["Ann", "Ben"]
LONG_NAMES = [
    "Wilhelmina Featherstonehaugh-Cholmondel",
    "Bartholomäus von und zu Niederwaldkirch",
    "Ng",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "Maximiliana Konstantinopolitanskaja",
]


class Stage:
    """A server, a browser and a kind of screen for scenes to be set in."""

    def __init__(self, browsing: Browsing, server: Server, room: Room, **settings: object) -> None:
        self.browsing = browsing
        self.server = server
        self.room = room
        self.settings = settings

    def open(self, place: str = "") -> Page:
        """Open a place of the page."""
        return self.browsing.open(place, self.room, **self.settings)

    def sit(self, game: Game, *seats: str, names: list[str] | None = None, clock: int | None = None) -> Page:
        """Sit down at a game's first seat."""
        created = bring(self.server, game, *seats, names=names or NAMES[: len(seats)], clock=clock)
        return self.sit_at(seat_of(created, 0))

    def sit_at(self, link: str) -> Page:
        """Sit down at a seat, or watch."""
        page = self.open(f"table/{link}")
        page.get_by_test_id("table").wait_for()
        return page

    def tap(self, page: Page, route: str) -> None:
        """Point at a route."""
        player = TouchPlayer(page) if self.room.is_phone else MousePlayer(page)
        player.point(route)


Scene = Callable[[Stage], Page]


@cache
def midgame(edition: str) -> Game:
    """Return a game halfway through, with as many seats as the edition is best with."""
    return half_played(edition, {"new-york": 3, "usa-mega": 5}.get(edition, 4), "halfway")


@cache
def finished(edition: str, players: int) -> Game:
    """Return a game that is over."""
    return played(edition, players, "the end", lambda _: False)


@cache
def overloaded() -> Game:
    """Return a game in which a seat holds forty cards and twelve tickets."""
    return laden("laden")


def start(stage: Stage) -> Page:
    """Come for the first time."""
    page = stage.open()
    page.get_by_role("button", name="Deal the cards").wait_for()
    return page


def start_again(stage: Stage) -> Page:
    """Come back to a page that has kept games, with a game waiting in the lobby and all choices open."""
    stage.server.create("usa-mega", "here", "open", "open", public=True)
    page = start(stage)
    kept = [
        {
            "game": f"kept{i}",
            "edition": edition,
            "links": {0: f"kept{i}.link"},
            "watch": None,
            "invites": {},
            "names": ["Ann", *LONG_NAMES[:i]],
            "opened": 1_800_000_000_000 - i,
            "isOver": i == 2,
        }
        for i, edition in enumerate(EDITIONS)
    ]
    page.evaluate("(kept) => localStorage.setItem('goldenspike.games', kept)", json.dumps(kept))
    page.reload()
    page.get_by_role("heading", name="Go on playing").wait_for()
    page.get_by_role("button", name="Sit down").first.wait_for()
    page.get_by_text("More choices").click()
    return page


def share(stage: Stage) -> Page:
    """Deal a game for somebody who gets a link."""
    page = start(stage)
    page.get_by_label("Seat 1: Name").fill("Ann")
    page.get_by_label("Seat 2: Who sits here").select_option("link")
    page.get_by_label("Seat 2: Name").fill("Ben")
    page.get_by_role("button", name="Deal the cards").click()
    page.get_by_role("heading", name="Invite the others").wait_for()
    return page


def waiting(stage: Stage) -> Page:
    """Wait at the table for who got it."""
    page = share(stage)
    page.get_by_role("button", name="To the table").click()
    page.get_by_test_id("waiting").wait_for()
    return page


def deal_for_two(page: Page) -> None:
    """On the start page, deal a game of New York for Ann and Ben at this device; Ann begins."""
    page.get_by_role("radio", name="New York").check(force=True)
    page.get_by_label("Seat 1: Name").fill("Ann")
    page.get_by_label("Seat 2: Who sits here").select_option("here")
    page.get_by_label("Seat 2: Name").fill("Ben")
    page.get_by_role("button", name="Remove Seat 3").click()
    page.get_by_text("More choices").click()
    page.get_by_label("Who begins").select_option("Ann")
    page.get_by_role("button", name="Deal the cards").click()


def hand_over(stage: Stage) -> Page:
    """Two at one device; the first has just chosen."""
    page = start(stage)
    deal_for_two(page)
    MousePlayer(page).keep(1)
    page.get_by_test_id("hand-over").wait_for()
    return page


def table(edition: str) -> Scene:
    """One's own turn in the middle of a game."""

    def scene(stage: Stage) -> Page:
        page = stage.sit(midgame(edition), "here", *bots_of(midgame(edition)))
        page.get_by_test_id("turn").get_by_text("Your turn").wait_for()
        return page

    return scene


def bots_of(game: Game) -> list[str]:
    """Return a bot for every seat but the first."""
    return ["medium"] * (game.view(0).seats - 1)


def all_claimed(edition: str) -> Scene:
    """Every route claimed, as in no game: what the server tells is changed on its way."""

    def scene(stage: Stage) -> Page:
        game = midgame(edition)
        routes = [route.name for route in game.edition.board.routes]

        def claim_all(message: dict[str, Any]) -> None:
            seats = message.get("view", {}).get("seats", [])
            for seat, view in enumerate(seats):
                view["routes"] = routes[seat :: len(seats)]

        visitor = stage.browsing.visitor(stage.room, **stage.settings)
        visitor.change(claim_all)
        link = seat_of(bring(stage.server, game, "here", *bots_of(game), names=NAMES[:1]), 0)
        page = visitor.open(stage.browsing.address(f"table/{link}"))
        expect(page.locator("[data-route][data-owner]")).to_have_count(len(routes))
        return page

    return scene


def offer(stage: Stage) -> Page:
    """Choose the first tickets."""
    created = stage.server.create("usa-classic", "here", "link", "link", seed="prairie", first=0)
    page = stage.sit_at(seat_of(created, 0))
    page.get_by_test_id("offer-ticket").first.click()
    return page


def claim(stage: Stage) -> Page:
    """Begin the claim that can be paid for in the most ways."""
    game = hoarded("usa-classic", 2, "mixed", 13)
    ways = Counter(str(move).split()[1] for move in game.legal_moves(0).of_kind("claim"))
    page = stage.sit(game, "here", "link")
    page.get_by_test_id("turn").get_by_text("Your turn").wait_for()
    stage.tap(page, max(ways, key=lambda route: ways[route]))
    page.get_by_test_id("claim").wait_for()
    return page


def undo_asked(stage: Stage) -> Page:
    """Ask to take back a claim, of somebody who is away."""
    page = stage.sit(hoarded("usa-classic", 2, "mixed", 13), "here", "link")
    player = TouchPlayer(page) if stage.room.is_phone else MousePlayer(page)
    player.claim(next(iter(player.wait_turn().claims)))
    wait_until(page, lambda sight: sight.may_undo)
    player.undo()
    page.get_by_role("button", name="Withdraw").wait_for()
    page.keyboard.press("0")  # fingers have spread the board
    expect(page.get_by_label("Show the whole board")).to_be_hidden()
    return page


def hint(stage: Stage) -> Page:
    """Ask what a bot would do."""
    page = table("usa-classic")(stage)
    page.get_by_test_id("hint").click()
    page.get_by_test_id("advice").wait_for()
    return page


def ticket(stage: Stage) -> Page:
    """Point at a ticket."""
    page = table("usa-classic")(stage)
    page.get_by_test_id("ticket").first.click()
    return page


def tab(name: str) -> Scene:
    """Another tab of the panel."""

    def scene(stage: Stage) -> Page:
        page = table("usa-classic")(stage)
        if page.get_by_test_id(f"tab-{name}").count():
            page.get_by_test_id(f"tab-{name}").click()
        return page

    return scene


def menu(stage: Stage) -> Page:
    """Open the menu in front of everything."""
    page = table("usa-classic")(stage)
    page.get_by_test_id("menu").click()
    page.get_by_role("dialog").wait_for()
    return page


def keys(stage: Stage) -> Page:
    """Open the list of keys."""
    page = table("usa-classic")(stage)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    return page


def more_tickets(stage: Stage) -> Page:
    """Answer nothing yet to the question before tickets are drawn."""
    page = table("usa-classic")(stage)
    page.get_by_test_id("ticket-deck").click()
    page.get_by_role("dialog").wait_for()
    return page


def laden_table(stage: Stage) -> Page:
    """Five players with long names, forty cards, twelve tickets, a day for a turn."""
    page = stage.sit(overloaded(), "here", *["link"] * 4, names=LONG_NAMES, clock=86_400)
    page.get_by_test_id("turn").get_by_text("Your turn").wait_for()
    return page


def laden_players(stage: Stage) -> Page:
    """Set the same, looking at the players."""
    page = laden_table(stage)
    if page.get_by_test_id("tab-players").count():
        page.get_by_test_id("tab-players").click()
    return page


def watch(stage: Stage) -> Page:
    """Watch others play."""
    created = bring(stage.server, midgame("usa-classic"), *["link"] * 4, names=["Ann", "Ben", "Cleo", "Dan"])
    return stage.sit_at(created.watch)


def end(edition: str, names: list[str]) -> Scene:
    """Come to the end of a game, all counted."""

    def scene(stage: Stage) -> Page:
        game = finished(edition, len(names))
        last = game.played[-1]
        almost = len(game.played) - 1
        created = bring(stage.server, game, *["here"] * len(names), names=names, after=almost)
        link = seat_of(created, last.seat)
        stage.server.command(link, type="play", id="last", move=last.number).read(dict)
        page = stage.sit_at(link)
        page.get_by_test_id("rematch").wait_for()
        return page

    return scene


def statistics(stage: Stage) -> Page:
    """Open the numbers of a game that is over."""
    page = end("usa-classic", ["Ann", "Ben", "Cleo", "Dan"])(stage)
    page.get_by_text("Statistics").click()
    page.get_by_test_id("statistics").locator("table").wait_for()
    page.get_by_test_id("statistics").locator("summary").evaluate("(summary) => summary.scrollIntoView()")
    return page


def replay(edition: str, players: int) -> Scene:
    """Look at a game again."""

    def scene(stage: Stage) -> Page:
        game = finished(edition, players)
        page = stage.open(f"replay/{show(stage.server, game)}/{len(game.played) * 2 // 3}")
        page.locator("[data-route][data-owner]").first.wait_for()
        return page

    return scene


def settings(stage: Stage) -> Page:
    """Open the settings."""
    page = stage.open("settings")
    page.get_by_role("heading", level=1).wait_for()
    return page


def rules(edition: str) -> Scene:
    """Open the rules of an edition."""

    def scene(stage: Stage) -> Page:
        page = stage.open(f"rules/{edition}")
        page.get_by_role("heading", level=2).first.wait_for()
        return page

    return scene


def guide(stage: Stage) -> Page:
    """Take the first step of the first game."""
    page = stage.open("guide")
    page.get_by_test_id("guide").wait_for()
    page.get_by_test_id("offer").wait_for()
    return page


def bad_link(stage: Stage) -> Page:
    """Follow a link to no game."""
    page = stage.open("table/nothing.here")
    page.get_by_test_id("refused").wait_for()
    return page


TABLES: dict[str, Scene] = {f"table-{edition}": table(edition) for edition in EDITIONS}
FULL_BOARDS: dict[str, Scene] = {f"all-claimed-{edition}": all_claimed(edition) for edition in EDITIONS}
HARD: dict[str, Scene] = {
    "laden": laden_table,
    "laden-players": laden_players,
    "laden-end": end("usa-mega", LONG_NAMES),
    "start-again": start_again,
}
SCREENS: dict[str, Scene] = {
    "start": start,
    "share": share,
    "waiting": waiting,
    "hand-over": hand_over,
    "offer": offer,
    "claim": claim,
    "undo-asked": undo_asked,
    "hint": hint,
    "ticket": ticket,
    "log": tab("log"),
    "chat": tab("chat"),
    "players": tab("players"),
    "menu": menu,
    "keys": keys,
    "more-tickets": more_tickets,
    "watch": watch,
    "end": end("usa-classic", ["Ann", "Ben", "Cleo", "Dan"]),
    "end-race": end("first-journey", ["Ann", "Ben", "Cleo"]),
    "statistics": statistics,
    "replay": replay("usa-classic", 4),
    "replay-new-york": replay("new-york", 2),
    "settings": settings,
    "rules": rules("usa-mega"),
    "rules-race": rules("first-journey"),
    "guide": guide,
    "bad-link": bad_link,
}
SCENES = TABLES | SCREENS | HARD | FULL_BOARDS
