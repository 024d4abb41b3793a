"""The pace of the game: updates are shown one after another, and all parts of the page agree."""

from __future__ import annotations

import json
from math import inf
from typing import Any, cast

from playwright.sync_api import Page, expect

from goldenspike import Game
from goldenspike.editions import load_edition
from goldenspike.game.words import count_of
from tests.server.serving import Server
from tests.web.browsing import Browsing, Visitor
from tests.web.deals import begun, bring, hoarded, seat_of

OWN_TURN = "Your turn: draw cards, claim a route or draw tickets."

_WATCH = """window.moments = [];
const text = (element, part) => element.querySelector(part)?.textContent.trim() ?? "";
const all = (id) => [...document.querySelectorAll(`[data-testid=${id}]`)];
const label = (id) => (all(id)[0]?.getAttribute("aria-label") ?? all(id)[0]?.textContent) ?? "";
const look = () => {
  const players = all("player");
  if (players.length) {
    const moment = JSON.stringify({
      routes: [...document.querySelectorAll("[data-route][data-owner]")]
        .map((route) => route.dataset.route).sort(),
      cards: players.map((player) => Number(text(player, ".numbers > span:nth-child(2)"))),
      pieces: players.map((player) => Number(text(player, ".numbers > span:nth-child(1)"))),
      points: players.map((player) => Number(text(player, ".points"))),
      to_move: players.filter((player) => player.dataset.turn === "true")
        .map((player) => Number(player.dataset.seat)),
      sentence: text(document, "[data-testid=turn]"),
      hand: Object.fromEntries(all("hand-card").map(({ dataset }) => [dataset.kind, Number(dataset.count)])
        .filter(([, count]) => count > 0).sort()),
      row: all("row-card").map((card) => card.dataset.kind),
      deck: Number(/\\d+/.exec(label("deck"))?.[0]),
      tickets: Object.fromEntries(all("ticket")
        .map((ticket) => [ticket.dataset.ticket, text(ticket, ".state")]).sort()),
      log: Number([...document.querySelectorAll("[data-testid=log] li")].at(-1)?.dataset.n),
    });
    const last = window.moments.at(-1);
    if (last?.moment !== moment) window.moments.push({ moment, at: performance.now() });
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);"""
"""Records everything that the page shows of a position, in every frame in which that changes."""
BOARD = load_edition("usa-classic").board


def pieces_needed(view: dict[str, Any], ticket: str) -> float:
    """Return how many trains the first seat still needs for a ticket; infinite if there is no path."""
    codes = [city.code for city in BOARD.cities]
    start, _, goal = ticket.partition("-")
    own, left = set(view["seats"][0]["routes"]), view["seats"][0]["pieces"]
    taken = {route for seat in view["seats"] for route in seat["routes"]} | set(view["closed"])
    usable = [each for each in BOARD.routes if each.name in own or each.name not in taken]
    cost = dict.fromkeys(codes, inf) | {start: 0.0}
    for _ in codes:
        for route in usable:
            length = 0 if route.name in own else route.length if route.length <= left else inf
            for a, b in ((route.a, route.b), (route.b, route.a)):
                cost[codes[b]] = min(cost[codes[b]], cost[codes[a]] + length)
    return cost[goal]


def ticket_in_words(message: dict[str, Any], ticket: str) -> str:
    if ticket in message["own"]["joined"]:
        return "completed"
    needed = pieces_needed(message["view"], ticket)
    return "can no longer be completed" if needed == inf else f"needs {count_of(int(needed), 'train')}"


def message_in_words(message: dict[str, Any]) -> dict[str, Any]:
    """Return what a page of the first seat must show after a message."""
    view, own = message["view"], message["own"]
    seats = view["seats"]
    mover = view["to_move"][0]
    own_turn = "Take your second card." if view["phase"] == "second card" else OWN_TURN
    return {
        "routes": sorted(route for seat in seats for route in seat["routes"]),
        "cards": [seat["cards"] for seat in seats],
        "pieces": [seat["pieces"] for seat in seats],
        "points": [seat["points"] for seat in seats],
        "to_move": view["to_move"],
        "sentence": f"Waiting for {message['seats'][mover]['name']}, who is offline." if mover else own_turn,
        "hand": dict(sorted((kind, count) for kind, count in own["hand"].items() if count)),
        "row": view["row"],
        "deck": view["deck"],
        "tickets": {name: ticket_in_words(message, name) for name in sorted(own["tickets"])},
        "log": max(entry["n"] for entry in message["entries"] if entry["kind"] == "moved"),
    }


def listen(visitor: Visitor) -> list[dict[str, Any]]:
    """Return a list that collects the positions that the server sends to the visitor's pages."""
    told: list[dict[str, Any]] = []

    def note(message: dict[str, Any]) -> None:
        if message["type"] in {"welcome", "update"}:
            told.append(json.loads(json.dumps(message)))

    visitor.change(note)
    return told


def sit_down(
    browsing: Browsing, server: Server, game: Game, others: str, pace: str
) -> tuple[list[str], Page, list[dict[str, Any]]]:
    """Sit down at a table of four, to move; return the links, the page, and what it is told from now on."""
    created = bring(server, game, "here", others, others, others)
    visitor = browsing.visitor(pace=pace)
    visitor.context.add_init_script(_WATCH)
    told = listen(visitor)
    page = visitor.open(browsing.address(f"table/{seat_of(created, 0)}"))
    expect(page.locator("[data-seat='0'][data-turn='true']")).to_be_visible()
    return [link or "" for link in created.seats], page, told


def draw_twice(page: Page) -> None:
    for _ in range(2):
        page.get_by_test_id("deck").click()
        page.evaluate("() => new Promise(requestAnimationFrame)")


def play_one_turn(browsing: Browsing, server: Server, pace: str) -> tuple[Page, list[dict[str, Any]], int]:
    """Draw two cards against three bots; return the page, what it was told, and the reader's seat."""
    _, page, told = sit_down(browsing, server, begun("usa-classic", 4, "pace"), "easy", pace)
    draw_twice(page)
    return page, told, 0


def moments_of(page: Page) -> list[dict[str, Any]]:
    """Return what the page has shown so far, with times."""
    moments = cast(list[dict[str, Any]], page.evaluate("window.moments"))
    return [{**json.loads(each["moment"]), "at": each["at"]} for each in moments]


def blocking_claim(game: Game, blocker: int) -> str:
    """Return the claim of a seat that makes the first seat's tickets most expensive."""
    tickets = game.view(0).tickets
    left = game.view(0).pieces[0]

    def cost(route: str) -> float:
        seats = [{"routes": [], "pieces": left}, {"routes": [route], "pieces": left}]
        return sum(pieces_needed({"seats": seats, "closed": []}, ticket) for ticket in tickets)

    claims = [str(move) for move in game.legal_moves(blocker).of_kind("claim")]
    return max(claims, key=lambda claim: cost(claim.split()[1]))


def test_every_part_of_the_page_shows_the_same_moment_and_none_is_left_out(
    browsing: Browsing, server: Server
) -> None:
    """The others move all at once, and get in the way of a ticket; the page shows one move after another."""
    game = hoarded("usa-classic", 4, "in the way", 8)
    links, page, told = sit_down(browsing, server, game, "here", "quick")
    page.locator("[data-testid=log] li").first.wait_for()
    page.evaluate("() => { window.moments = []; }")
    told.clear()
    draw_twice(page)
    expect(page.locator("[data-seat='1'][data-turn='true']")).to_be_visible()
    for _ in range(2):
        game.play("draw deck")
    for seat, moves in ((1, 1), (2, 2), (3, 1)):
        for number in range(moves):
            move = "draw deck" if moves == 2 else blocking_claim(game, seat)
            game.play(move, seat)
            server.command(links[seat], type="play", id=f"{seat}.{number}", move=move).read(dict)
    expect(page.locator("[data-seat='0'][data-turn='true']")).to_be_visible()
    shown = [{k: v for k, v in each.items() if k != "at"} for each in moments_of(page)]
    expected = [message_in_words(message) for message in told]
    assert len(shown) == len(expected) + 1  # the first is the moment before the first card
    for now, meant in zip(shown[1:], expected, strict=True):
        assert {part: now[part] for part in meant if now[part] != meant[part]} == {}
    assert len({json.dumps(each["tickets"]) for each in shown}) > 1, "nobody has come in the way of a ticket"


def test_moves_of_bots_are_shown_one_after_another_at_a_pace_that_can_be_followed(
    browsing: Browsing, server: Server
) -> None:
    page, _, you = play_one_turn(browsing, server, "normal")
    expect(page.locator("[data-seat='1'][data-turn='true']")).to_be_visible()
    expect(page.locator(f"[data-seat='{you}'][data-turn='true']")).to_be_visible()
    moments = moments_of(page)
    began = next(i for i, each in enumerate(moments) if each["to_move"] == [1])
    times = [b["at"] - a["at"] for a, b in zip(moments[began:], moments[began + 1 :], strict=False)]
    assert len(times) >= 3
    assert min(times) > 500
    expect(page.get_by_test_id("last-turn")).to_have_count(3)


def test_a_key_shows_everything_that_has_happened_at_once(browsing: Browsing, server: Server) -> None:
    page, told, you = play_one_turn(browsing, server, "relaxed")
    expect(page.locator("[data-seat='1'][data-turn='true']")).to_be_visible()
    while told[-1]["view"]["to_move"] != [you]:
        page.wait_for_timeout(20)
    assert page.locator(f"[data-seat='{you}'][data-turn='true']").count() == 0
    page.keyboard.press("Shift")
    expect(page.locator(f"[data-seat='{you}'][data-turn='true']")).to_be_visible(timeout=300)
