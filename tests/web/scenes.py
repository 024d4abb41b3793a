"""Scenes: every screen of the page, set up for layout tests and screenshots."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from playwright.sync_api import Page, expect

from goldenspike import Game
from goldenspike.server.protocol.messages import Created, Joined
from tests.server.serving import Server
from tests.web.browsing import Browsing, Screen
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
    """The server, browser and screen size that a scene uses."""

    def __init__(self, browsing: Browsing, server: Server, screen: Screen, **settings: object) -> None:
        self.browsing = browsing
        self.server = server
        self.screen = screen
        self.settings = settings

    def open(self, place: str = "") -> Page:
        """Open a screen of the page."""
        return self.browsing.open(place, self.screen, **self.settings)

    def sit(self, game: Game, *seats: str, names: list[str] | None = None, clock: int | None = None) -> Page:
        """Open a game's first seat."""
        created = bring(self.server, game, *seats, names=names or NAMES[: len(seats)], clock=clock)
        return self.sit_at(seat_of(created, 0))

    def sit_at(self, link: str) -> Page:
        """Open a seat or a spectator link."""
        page = self.open(f"table/{link}")
        page.get_by_test_id("table").wait_for()
        return page

    def tap(self, page: Page, route: str) -> None:
        """Point at a route."""
        player = TouchPlayer(page) if self.screen.is_phone else MousePlayer(page)
        player.point(route)


Scene = Callable[[Stage], Page]


@cache
def midgame(edition: str) -> Game:
    """Return a game halfway through, with a typical number of seats for the edition."""
    return half_played(edition, {"new-york": 3, "usa-mega": 5}.get(edition, 4), "halfway")


@cache
def finished(edition: str, players: int) -> Game:
    """Return a finished game."""
    return played(edition, players, "the end", lambda _: False)


@cache
def overloaded() -> Game:
    """Return a game in which a seat holds forty cards and twelve tickets."""
    return laden("laden")


def start(stage: Stage) -> Page:
    """Visit for the first time."""
    page = stage.open()
    page.get_by_role("button", name="Create game").wait_for()
    return page


def start_again(stage: Stage) -> Page:
    """Return to a page with saved games, a game waiting in the lobby, and all options open."""
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
            "points": [10 * i + 7] * (i + 1),
            "toMove": [min(i, 1)],
        }
        for i, edition in enumerate(EDITIONS)
    ]
    page.evaluate("(kept) => localStorage.setItem('goldenspike.games', kept)", json.dumps(kept))
    page.reload()
    page.get_by_role("heading", name="Resume a game").wait_for()
    page.get_by_role("button", name="Join").first.wait_for()
    page.get_by_text("Show all").click()
    page.get_by_text("More options").click()
    return page


def deal_for_friend(page: Page) -> None:
    """On the start page, start a game of Ann at this device and Ben, who is invited."""
    page.get_by_label("Seat 1: Name").fill("Ann")
    page.get_by_label("Seat 2: Player").select_option("link")
    page.get_by_label("Seat 2: Name").fill("Ben")
    page.get_by_role("button", name="Create game").click()
    page.get_by_role("heading", name="Invite players").wait_for()


def accept(page: Page, name: str) -> None:
    """On the screen of an invitation, join under a name."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join").click()
    page.get_by_test_id("table").wait_for()


def share(stage: Stage) -> Page:
    """Start a game with an invited player."""
    page = start(stage)
    deal_for_friend(page)
    return page


def invite(stage: Stage) -> Page:
    """Open an invitation."""
    created = stage.server.create("usa-classic", "here", "link")
    page = stage.open(f"invite/{created.invitations[1]}")
    page.get_by_role("button", name="Join").wait_for()
    return page


def invite_spent(stage: Stage) -> Page:
    """Open an invalid invitation."""
    visitor = stage.browsing.visitor(stage.screen, **stage.settings)
    visitor.forgive("403", "404")
    page = visitor.open(stage.browsing.address("invite/nothing.here"))
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Home").wait_for()
    return page


def use_code(stage: Stage) -> Page:
    """Enter a code from another device."""
    page = stage.open("code")
    page.get_by_test_id("use-code").wait_for()
    return page


def another_device(stage: Stage) -> Page:
    """Ask for a code for another device."""
    page = menu(stage)
    page.get_by_test_id("play-elsewhere").click()
    page.get_by_test_id("code").wait_for()
    return page


def invite_again(stage: Stage) -> Page:
    """Open the question whether to invite a player again."""
    names = ["Ann", "Ben"]
    page = stage.sit(hoarded("usa-classic", 2, "mixed", 13), "here", "here", names=names)
    if page.get_by_test_id("tab-players").count():
        page.get_by_test_id("tab-players").click()
    page.locator("[data-testid=player][data-seat='1']").last.click()
    page.get_by_role("button", name="Invite again").click()
    page.get_by_test_id("invite-again").wait_for()
    return page


def verified(stage: Stage) -> Page:
    """Verify the deal of a finished game."""
    page = end("usa-classic", ["Ann", "Ben", "Cleo", "Dan"])(stage)
    page.get_by_test_id("verify-deal").click()
    page.get_by_test_id("verify").get_by_text("draws checked").wait_for()
    page.get_by_test_id("verify").scroll_into_view_if_needed()
    return page


def waiting(stage: Stage) -> Page:
    """Wait at the table for the invited player."""
    page = share(stage)
    page.get_by_role("button", name="Go to table").click()
    page.get_by_test_id("waiting").wait_for()
    return page


def deal_for_two(page: Page) -> None:
    """On the start page, deal a game of New York for Ann and Ben at this device; Ann begins."""
    page.get_by_role("radio", name="New York").evaluate("(radio) => radio.click()")
    page.get_by_label("Seat 1: Name").fill("Ann")
    page.get_by_label("Seat 2: Player").select_option("here")
    page.get_by_label("Seat 2: Name").fill("Ben")
    page.get_by_role("button", name="Remove Seat 3").click()
    page.get_by_text("More options").click()
    page.get_by_label("First player").select_option("Ann")
    page.get_by_role("button", name="Create game").click()


def hand_over(stage: Stage) -> Page:
    """Two at one device; the first has just chosen."""
    page = start(stage)
    deal_for_two(page)
    MousePlayer(page).keep(1)
    page.get_by_test_id("hand-over").wait_for()
    return page


def table(edition: str) -> Scene:
    """Open a game at the reader's own turn."""

    def scene(stage: Stage) -> Page:
        page = stage.sit(midgame(edition), "here", *bots_of(midgame(edition)))
        page.get_by_test_id("turn").get_by_text("Your turn").wait_for()
        return page

    return scene


def bots_of(game: Game) -> list[str]:
    """Return a bot for every seat but the first."""
    return ["medium"] * (game.view(0).seats - 1)


def altered(stage: Stage, game: Game, alter: Callable[[dict[str, Any]], None]) -> Page:
    """Open a game's first seat; messages of the server are changed on their way."""
    visitor = stage.browsing.visitor(stage.screen, **stage.settings)
    visitor.change(alter)
    link = seat_of(bring(stage.server, game, "here", *bots_of(game), names=NAMES[:1]), 0)
    return visitor.open(stage.browsing.address(f"table/{link}"))


def all_claimed(edition: str) -> Scene:
    """All routes claimed, which no real game reaches."""

    def scene(stage: Stage) -> Page:
        game = midgame(edition)
        routes = [route.name for route in game.edition.board.routes]

        def claim_all(message: dict[str, Any]) -> None:
            seats = message.get("view", {}).get("seats", [])
            for seat, view in enumerate(seats):
                view["routes"] = routes[seat :: len(seats)]

        page = altered(stage, game, claim_all)
        expect(page.locator("[data-route][data-owner]")).to_have_count(len(routes))
        return page

    return scene


def all_wanted(edition: str) -> Scene:
    """All tickets in one hand, none completed; on a phone only their cities have names."""

    def scene(stage: Stage) -> Page:
        game = midgame(edition)

        def want_all(message: dict[str, Any]) -> None:
            if own := message.get("own"):
                own["tickets"] = [ticket.name for ticket in game.edition.tickets]
                own["joined"] = []

        page = altered(stage, game, want_all)
        page.locator("[data-testid=board] .city.wanted").first.wait_for()
        return page

    return scene


def offer(edition: str) -> Scene:
    """Choose the first tickets."""

    def scene(stage: Stage) -> Page:
        created = stage.server.create(edition, "here", "here", seed="prairie", first=0)
        page = stage.sit_at(seat_of(created, 0))
        page.get_by_test_id("offer-ticket").first.click()
        return page

    return scene


def claim(stage: Stage) -> Page:
    """Begin the claim that has the most payments."""
    game = hoarded("usa-classic", 2, "mixed", 13)
    ways = Counter(str(move).split()[1] for move in game.legal_moves(0).of_kind("claim"))
    page = stage.sit(game, "here", "here")
    page.get_by_test_id("turn").get_by_text("Your turn").wait_for()
    stage.tap(page, max(ways, key=lambda route: ways[route]))
    page.get_by_test_id("claim").wait_for()
    return page


def undo_asked(stage: Stage) -> Page:
    """Ask to undo a claim while the other player is away."""
    page = stage.sit(hoarded("usa-classic", 2, "mixed", 13), "here", "here")
    player = TouchPlayer(page) if stage.screen.is_phone else MousePlayer(page)
    player.claim(next(iter(player.wait_turn().claims)))
    wait_until(page, lambda sight: sight.may_undo)
    player.undo()
    page.get_by_role("button", name="Withdraw").wait_for()
    page.keyboard.press("0")  # undo the zoom
    expect(page.get_by_label("Fit map")).to_be_hidden()
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
    """Open another tab of the panel."""

    def scene(stage: Stage) -> Page:
        page = table("usa-classic")(stage)
        if page.get_by_test_id(f"tab-{name}").count():
            page.get_by_test_id(f"tab-{name}").click()
        return page

    return scene


def menu(stage: Stage) -> Page:
    """Open the menu."""
    page = table("usa-classic")(stage)
    page.get_by_test_id("menu").click()
    page.get_by_role("dialog").wait_for()
    return page


def menu_sealed(stage: Stage) -> Page:
    """Open the menu of a game with a random deal."""
    page = stage.sit_at(seat_of(stage.server.create("usa-classic", "here", "easy"), 0))
    page.get_by_test_id("menu").click()
    page.get_by_test_id("sealed").wait_for()
    return page


def two_devices(stage: Stage) -> Page:
    """Play against a player with two devices."""
    created = stage.server.create("usa-classic", "here", "link", "easy")
    invitation = created.invitations[1]
    joined = stage.server.post(f"/api/games/{created.game}/accept", {"name": "Ben"}, invitation).read(Joined)
    code = stage.server.command(joined.link, type="code", id="code").read(dict)["code"]
    stage.server.post("/api/codes", {"code": code}).read(Joined)
    page = stage.sit_at(seat_of(created, 0))
    if page.get_by_test_id("tab-players").count():
        page.get_by_test_id("tab-players").click()
    page.locator("[data-testid=player][data-seat='1']").last.click()
    page.get_by_test_id("devices").first.wait_for()
    return page


def keys(stage: Stage) -> Page:
    """Open the list of keys."""
    page = table("usa-classic")(stage)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    return page


def more_tickets(stage: Stage) -> Page:
    """Leave the question before drawing tickets open."""
    page = table("usa-classic")(stage)
    page.get_by_test_id("ticket-deck").click()
    page.get_by_role("dialog").wait_for()
    return page


def laden_table(stage: Stage) -> Page:
    """Five players with long names, forty cards, twelve tickets, a day for a turn."""
    page = stage.sit(overloaded(), "here", *["here"] * 4, names=LONG_NAMES, clock=86_400)
    page.get_by_test_id("turn").get_by_text("Your turn").wait_for()
    return page


def laden_players(stage: Stage) -> Page:
    """Set up the same game and open the tab of players."""
    page = laden_table(stage)
    if page.get_by_test_id("tab-players").count():
        page.get_by_test_id("tab-players").click()
    return page


def watch(stage: Stage) -> Page:
    """Watch others play."""
    created = bring(stage.server, midgame("usa-classic"), *["here"] * 4, names=["Ann", "Ben", "Cleo", "Dan"])
    return stage.sit_at(created.watch)


def play_to_end(server: Server, edition: str, names: list[str]) -> tuple[Created, int]:
    """Let people play a game to its end; return it with the seat that moved last."""
    game = finished(edition, len(names))
    last = game.played[-1]
    created = bring(server, game, *["here"] * len(names), names=names, after=len(game.played) - 1)
    server.command(seat_of(created, last.seat), type="play", id="last", move=last.number).read(dict)
    return created, last.seat


def end(edition: str, names: list[str]) -> Scene:
    """Show the end of a game after the final scoring."""

    def scene(stage: Stage) -> Page:
        page = stage.sit_at(seat_of(*play_to_end(stage.server, edition, names)))
        page.get_by_test_id("rematch").wait_for()
        return page

    return scene


def counting(stage: Stage) -> Page:
    """Watch the tickets of a game being counted."""
    visitor = stage.browsing.visitor(stage.screen, **{**stage.settings, "pace": "relaxed"})
    link = seat_of(*play_to_end(stage.server, "usa-classic", ["Ann", "Ben", "Cleo", "Dan"]))
    page = visitor.open(stage.browsing.address(f"table/{link}"))
    page.get_by_test_id("counted").wait_for()
    return page


def podium(stage: Stage) -> Page:
    """See who has won."""
    page = counting(stage)
    page.get_by_test_id("skip").click()
    page.get_by_test_id("podium").wait_for()
    return page


def statistics(stage: Stage) -> Page:
    """Open the statistics of a finished game."""
    page = end("usa-classic", ["Ann", "Ben", "Cleo", "Dan"])(stage)
    page.get_by_text("Statistics").click()
    page.get_by_test_id("statistics").locator("table").wait_for()
    page.get_by_test_id("statistics").locator("summary").evaluate("(summary) => summary.scrollIntoView()")
    return page


def replay(edition: str, players: int) -> Scene:
    """Open a replay."""

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
    """Start the tour of a first game."""
    page = stage.open("guide")
    page.get_by_test_id("guide").wait_for()
    page.get_by_test_id("offer").wait_for()
    return page


def tap_target(page: Page) -> str:
    """Tap the element that the tour points at, wait until it points elsewhere, and return the element."""
    ring = page.get_by_test_id("guide-ring")
    ring.wait_for()
    target = ring.get_attribute("data-target")
    assert target is not None
    if "data-route" in target:
        box = ring.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    else:
        page.locator(target).first.click()
    page.wait_for_function(
        """(target) => document.querySelector("[data-testid=guide-ring]")?.dataset.target !== target""",
        arg=target,
    )
    return target


def guide_route(stage: Stage) -> Page:
    """Advance the tour to the step that points at a route."""
    page = guide(stage)
    steps = page.get_by_test_id("guide")
    for _ in range(3):
        tap_target(page)
    steps.get_by_role("button", name="Next").click()
    for _ in range(2):
        tap_target(page)
    expect(steps).to_contain_text("4 of 9")
    steps.get_by_role("button", name="Next").click()
    page.locator("[data-testid=guide-ring][data-target*=data-route]").wait_for()
    return page


def guide_claim(stage: Stage) -> Page:
    """Advance the tour to claiming, and tap the route."""
    page = guide_route(stage)
    tap_target(page)
    page.get_by_test_id("claim").wait_for()
    return page


def bad_link(stage: Stage) -> Page:
    """Follow a link to a game that does not exist."""
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
    "all-wanted-usa": all_wanted("usa-classic"),
    "all-wanted-new-york": all_wanted("new-york"),
    "all-wanted-first-journey": all_wanted("first-journey"),
}
SCREENS: dict[str, Scene] = {
    "start": start,
    "share": share,
    "waiting": waiting,
    "invite": invite,
    "invite-spent": invite_spent,
    "invite-again": invite_again,
    "use-code": use_code,
    "another-device": another_device,
    "verified": verified,
    "hand-over": hand_over,
    "offer": offer("usa-classic"),
    "offer-mega": offer("usa-mega"),
    "offer-new-york": offer("new-york"),
    "claim": claim,
    "undo-asked": undo_asked,
    "hint": hint,
    "ticket": ticket,
    "log": tab("log"),
    "chat": tab("chat"),
    "players": tab("players"),
    "menu": menu,
    "menu-sealed": menu_sealed,
    "two-devices": two_devices,
    "keys": keys,
    "more-tickets": more_tickets,
    "watch": watch,
    "counting": counting,
    "podium": podium,
    "end": end("usa-classic", ["Ann", "Ben", "Cleo", "Dan"]),
    "end-race": end("first-journey", ["Ann", "Ben", "Cleo"]),
    "statistics": statistics,
    "replay": replay("usa-classic", 4),
    "replay-new-york": replay("new-york", 2),
    "settings": settings,
    "rules": rules("usa-mega"),
    "rules-race": rules("first-journey"),
    "guide": guide,
    "guide-route": guide_route,
    "guide-claim": guide_claim,
    "bad-link": bad_link,
}
SCENES = TABLES | SCREENS | HARD | FULL_BOARDS
