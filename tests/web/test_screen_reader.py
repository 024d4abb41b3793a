"""A game by ear: everything is found by its role and name, and what happens is read out, once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from goldenspike import Game
from tests.server.serving import Server
from tests.web.browsing import LAPTOP, PHONE, Browsing, Room
from tests.web.deals import begun, bring, hoarded, seat_of
from tests.web.listener import Listener

_COLOURS = {"purple", "blue", "orange", "white", "green", "yellow", "black", "red", "grey"}
_TURNS = 10


def sit(browsing: Browsing, server: Server, game: Game, *seats: str, room: Room = LAPTOP) -> Listener:
    """Sit somebody who listens down in the first seat."""
    created = bring(server, game, *seats)
    return listen(browsing.sit(seat_of(created, 0), room))


def listen(page: Page) -> Listener:
    """Listen to a table once it is there."""
    page.get_by_role("group", name=re.compile("^Board: ")).wait_for()
    return Listener(page)


def test_ten_turns_by_ear_against_a_bot(browsing: Browsing, server: Server) -> None:
    game = server.create("usa-classic", "here", "easy", seed="ten turns by ear", first=0)
    listener = listen(browsing.sit(seat_of(game, 0)))
    keep_tickets(listener)
    done: set[str] = set()
    for _ in range(_TURNS):
        listener.wait_to_hear("^Your turn: ", listener.mark)
        done.add(take_a_turn(listener))
    listener.wait_to_hear("^Your turn: ", listener.mark)
    assert done == {"cards", "route"}
    view = server.show(game.watch).view
    assert view.turns >= 2 * _TURNS - 1
    assert sum(listener.hand().values()) == view.seats[0].cards
    heard = listener.heard
    for kind in ("drew", "took", "claimed"):
        said = [sentence for sentence in heard if re.match(rf"(You|Bot 2) {kind} ", sentence)]
        assert len(said) == told(server, seat_of(game, 0), kind), heard
    assert len([said for said in heard if said.startswith("Your turn: ")]) == _TURNS + 1
    assert all(re.search(r"[.…!]$", said) for said in heard), heard


def told(server: Server, link: str, kind: str) -> int:
    """Return how often something happened in the moves of a game."""
    answer = server.get(f"/api/games/{link.partition('.')[0]}/entries?after=-1", link)
    moves = [entry for entry in answer.json["entries"] if entry["kind"] == "moved"]
    return sum(event["kind"] == kind for move in moves for event in move["events"])


def keep_tickets(listener: Listener) -> None:
    offer = listener.page.get_by_role("region", name="Choose your tickets")
    expect(offer).to_contain_text("Keep at least 2 of them.")
    tickets = offer.get_by_role("checkbox").all()
    for ticket in tickets:
        assert re.fullmatch(
            r"\s*.+ \u2013 .+, \d+ points, needs \d+ trains\s*", ticket.inner_text().split("\n")[0]
        )
    listener.press(listener.button("Keep 0 tickets"))
    listener.wait_to_hear("^Keep at least 2 of them[.]$")
    for ticket in tickets[:2]:
        listener.press(ticket)
        expect(ticket).to_be_checked()
    listener.press(listener.button("Keep 2 tickets"))
    listener.wait_to_hear(r"^You kept .+ \u2013 .+, .+ \u2013 .+[.]$")
    listener.expect_focus()


def take_a_turn(listener: Listener) -> str:
    """Claim the longest route of three spaces or more that can be had, or else draw two cards."""
    listener.note()
    routes = listener.routes()
    assert len(routes) == 100
    assert {route.colour for route in routes} == _COLOURS
    open_routes = [route for route in routes if route.state == "free, you can claim it" and route.length > 2]
    if open_routes:
        claim(listener, max(open_routes, key=lambda route: route.length).name)
        return "route"
    draw(listener)
    return "cards"


def claim(listener: Listener, name: str) -> None:
    route = listener.button(name).first
    ends = re.match("(.+) to (.+), ", name)
    assert ends
    listener.press(route)
    panel = listener.page.get_by_role("region", name=re.compile(r"^Claim .+ \u2013 .+"))
    ways = panel.get_by_role("group", name="How to pay")
    if ways.is_visible():
        first = ways.get_by_role("button").first
        assert re.search(r"\d (\w+ cards?|locomotives?)", first.get_attribute("aria-label") or "")
        listener.press(first)
    else:
        expect(panel).to_contain_text(re.compile(r"\d (\w+ cards?|locomotives?)"))
    listener.press(panel.get_by_role("button", name="Claim it"))
    listener.wait_to_hear(r"^You claimed .+ \u2013 .+ with \d .+: \d+ points?[.]$", listener.mark)
    expect(listener.button(re.compile(", yours$")).first).to_be_attached()
    listener.expect_focus()


def draw(listener: Listener) -> None:
    """Take a card of the row, then one of the deck."""
    before = sum(listener.hand().values())
    first = listener.button(re.compile("^Take (?!locomotive).+, card")).first
    kind = re.match("Take (.+), card [1-5] of the face-up row", first.get_attribute("aria-label") or "")
    assert kind
    assert kind[1] in _COLOURS
    listener.press(first)
    listener.wait_to_hear(f"^You took 1 {kind[1]} card[.]$", listener.mark)
    expect(listener.page.get_by_role("banner")).to_contain_text("Take your second card.")
    listener.expect_focus()
    listener.press(listener.button(re.compile(r"^Draw from the deck, \d+ cards left$")))
    listener.wait_to_hear(r"^You drew 1 (\w+ card|locomotive)[.]$", listener.mark)
    listener.expect_focus()
    assert sum(listener.hand().values()) == before + 2


def test_what_another_person_does_and_says_is_heard_once(browsing: Browsing, server: Server) -> None:
    created = bring(server, begun("usa-classic", 2, "two by ear"), "link", "link")
    listener = listen(browsing.sit(seat_of(created, 0)))
    other = listen(browsing.sit(seat_of(created, 1)))
    draw_two(listener)
    listener.wait_to_hear(r"^Player 2\u2019s turn.$")
    other.wait_to_hear("^Your turn: draw cards, claim a route or draw tickets.$")
    assert [said for said in other.heard if "drew" in said] == ["Player 1 drew a card."] * 2
    other.press(other.page.get_by_role("tab", name="Chat"))
    other.page.get_by_role("textbox", name="Say something to everybody").fill("Good luck!")
    other.page.keyboard.press("Enter")
    listener.wait_to_hear("^Player 2: Good luck!$")
    draw_two(other)
    listener.wait_to_hear("^Your turn: ")
    assert listener.heard.count("Player 2 drew a card.") == 2
    assert listener.heard.count("Player 2: Good luck!") == 1
    for each in (listener, other):
        each.expect_focus()


def draw_two(listener: Listener) -> None:
    deck = listener.button(re.compile("^Draw from the deck"))
    for count in (1, 2):
        listener.press(deck)
        listener.page.wait_for_function(
            "(count) => window.heard.filter((said) => said.startsWith('You drew')).length === count",
            arg=count,
        )
        listener.expect_focus()


def test_choosing_before_the_others_is_heard(browsing: Browsing, server: Server) -> None:
    game = Game.new("new-york", 2, seed="first to choose", first=0)
    listener = sit(browsing, server, game, "link", "link")
    tickets = listener.page.get_by_role("region", name="Your tickets: 0")
    expect(tickets).to_have_text("You have no tickets yet.")
    listener.press(listener.page.get_by_role("checkbox").first)
    listener.press(listener.button("Keep 1 ticket"))
    listener.wait_to_hear("^You have chosen your tickets[.]$")
    expect(listener.page.get_by_role("list").filter(has_text="You have chosen your tickets.")).to_be_visible()
    expect(tickets).to_have_text("You get your tickets once all have chosen.")


def test_refusals_are_heard(browsing: Browsing, server: Server) -> None:
    listener = sit(browsing, server, begun("usa-classic", 2, "refusals by ear"), "link", "link")
    dear = next(r for r in listener.routes() if r.length == 6 and r.colour != "grey" and r.state == "free")
    listener.press(listener.button(dear.name))
    listener.wait_to_hear(rf"^You have \d {dear.colour} cards?; this takes 6[.]$")
    listener.expect_focus()
    command = listener.page.get_by_role("textbox", name="Type a move")
    listener.note()
    command.fill("take the train")
    listener.page.keyboard.press("Enter")
    listener.wait_to_hear("[.]$", listener.mark)
    draw_two(listener)
    listener.press(listener.button(re.compile("^Draw tickets")))
    listener.wait_to_hear(r"^It is Player 2\u2019s turn[.]$")
    listener.expect_focus()


@pytest.mark.parametrize("room", [LAPTOP, PHONE])
def test_the_focus_stays_through_everything_that_goes_away(
    room: Room, browsing: Browsing, server: Server
) -> None:
    game = hoarded("usa-classic", 2, "focus", 6)
    listener = sit(browsing, server, game, "link", "link", room=room)
    page = listener.page
    name = next(route.name for route in listener.routes() if "you can claim" in route.state)
    for leave in ("Cancel", "Escape"):
        listener.press(listener.button(name).first)
        panel = page.get_by_role("region", name=re.compile("^Claim "))
        panel.get_by_role("button", name="Cancel").focus()
        page.keyboard.press("Enter" if leave == "Cancel" else "Escape")
        expect(panel).to_be_hidden()
        listener.expect_focus()
    for close in ("Not now", "Escape"):
        listener.press(listener.button(re.compile("^Draw tickets")))
        question = page.get_by_role("dialog", name="Draw more tickets?")
        if close == "Escape":
            page.keyboard.press("Escape")
        else:
            listener.press(question.get_by_role("button", name="Not now"))
        expect(question).to_be_hidden()
        expect(listener.button(re.compile("^Draw tickets"))).to_be_focused()
    listener.press(listener.button("Menu"))
    listener.press(page.get_by_role("dialog").get_by_role("button", name="Keyboard shortcuts"))
    listener.press(page.get_by_role("dialog").get_by_role("button", name="Close"))
    listener.expect_focus()
    claim(listener, name)
    listener.press(listener.button("Take back (U)"))
    listener.wait_to_hear("^You asked to take back an action[.]$")
    listener.expect_focus()
    listener.press(listener.button("Menu"))
    listener.press(page.get_by_role("dialog").get_by_role("button", name="Settings"))
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    listener.expect_focus()
    listener.press(page.get_by_role("link", name="Back"))
    expect(page.get_by_role("group", name=re.compile("^Board: "))).to_be_visible()
    listener.expect_focus()
