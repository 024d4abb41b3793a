"""Playing with a screen reader: elements have roles and names, and events are announced once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from goldenspike import Game
from tests.server.serving import Server
from tests.web.browsing import LAPTOP, PHONE, Browsing, Screen
from tests.web.deals import begun, bring, hoarded, seat_of
from tests.web.listener import ScreenReaderUser

_COLOURS = {"purple", "blue", "orange", "white", "green", "yellow", "black", "red", "grey"}
_TURNS = 10


def sit(
    browsing: Browsing, server: Server, game: Game, *seats: str, screen: Screen = LAPTOP
) -> ScreenReaderUser:
    """Open the first seat with a screen reader."""
    created = bring(server, game, *seats)
    return listen(browsing.sit(seat_of(created, 0), screen))


def listen(page: Page) -> ScreenReaderUser:
    """Start listening once the table is loaded."""
    page.get_by_role("group", name=re.compile("^Board: ")).wait_for()
    return ScreenReaderUser(page)


def test_ten_turns_with_a_screen_reader_against_a_bot(browsing: Browsing, server: Server) -> None:
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
        said = [sentence for sentence in heard if re.match(rf"(You|Otis) {kind} ", sentence)]
        assert len(said) == told(server, seat_of(game, 0), kind), heard
    assert len([said for said in heard if said.startswith("Your turn: ")]) == _TURNS + 1
    assert all(re.search(r"[.…!]$", said) for said in heard), heard


def told(server: Server, link: str, kind: str) -> int:
    """Count an event in the moves of a game."""
    answer = server.get(f"/api/games/{link.partition('.')[0]}/entries?after=-1", link)
    moves = [entry for entry in answer.json["entries"] if entry["kind"] == "moved"]
    return sum(event["kind"] == kind for move in moves for event in move["events"])


def keep_tickets(listener: ScreenReaderUser) -> None:
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


def take_a_turn(listener: ScreenReaderUser) -> str:
    """Claim the longest payable route of at least three spaces, or else draw two cards."""
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


def claim(listener: ScreenReaderUser, name: str) -> None:
    route = listener.button(name).first
    ends = re.match("(.+) to (.+), ", name)
    assert ends
    listener.press(route)
    panel = listener.page.get_by_role("region", name=re.compile(r"^Claim .+ \u2013 .+"))
    listener.wait_to_hear(
        r"^.+ \u2013 .+: pay .*\d (\w+ cards?|locomotives?).* to claim it[.]$", listener.mark
    )
    expect(panel).to_contain_text(re.compile(r"\d (\w+ cards?|locomotives?)"))
    ways = panel.get_by_role("group", name="How to pay")
    if ways.is_visible():
        last = ways.get_by_role("button").last
        assert re.search(r"^Pay with \w+$|^\w+ lane$", last.get_attribute("aria-label") or "")
        listener.press(last)
        expect(last).to_have_attribute("aria-pressed", "true")
        listener.wait_to_hear(r": pay .*\d (\w+ cards?|locomotives?)", listener.mark)
    listener.press(panel.get_by_role("button", name="Claim route"))
    listener.wait_to_hear(r"^You claimed .+ \u2013 .+ with \d .+: \d+ points?[.]$", listener.mark)
    expect(listener.button(re.compile(", yours$")).first).to_be_attached()
    listener.expect_focus()


def draw(listener: ScreenReaderUser) -> None:
    """Take a face-up card, then one from the deck."""
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


def test_moves_and_chat_of_others_are_announced_once(browsing: Browsing, server: Server) -> None:
    created = bring(server, begun("usa-classic", 2, "two by ear"), "here", "here")
    listener = listen(browsing.sit(seat_of(created, 0)))
    other = listen(browsing.sit(seat_of(created, 1)))
    draw_two(listener)
    listener.wait_to_hear(r"^Player 2\u2019s turn.$")
    other.wait_to_hear("^Your turn: draw cards, claim a route or draw tickets.$")
    assert [said for said in other.heard if "drew" in said] == ["Player 1 drew a card."] * 2
    other.press(other.page.get_by_role("tab", name="Chat"))
    other.page.get_by_role("textbox", name="Message to everyone").fill("Good luck!")
    other.page.keyboard.press("Enter")
    listener.wait_to_hear("^Player 2: Good luck!$")
    draw_two(other)
    listener.wait_to_hear("^Your turn: ")
    assert listener.heard.count("Player 2 drew a card.") == 2
    assert listener.heard.count("Player 2: Good luck!") == 1
    for each in (listener, other):
        each.expect_focus()


def draw_two(listener: ScreenReaderUser) -> None:
    deck = listener.button(re.compile("^Draw from the deck"))
    for count in (1, 2):
        listener.press(deck)
        listener.page.wait_for_function(
            "(count) => window.heard.filter((said) => said.startsWith('You drew')).length === count",
            arg=count,
        )
        listener.expect_focus()


def test_choosing_before_the_others_is_announced(browsing: Browsing, server: Server) -> None:
    game = Game.new("new-york", 2, seed="first to choose", first=0)
    listener = sit(browsing, server, game, "here", "here")
    tickets = listener.page.get_by_role("region", name="Your tickets: 0")
    expect(tickets).to_have_text("You have no tickets yet.")
    listener.press(listener.page.get_by_role("checkbox").first)
    listener.press(listener.button("Keep 1 ticket"))
    listener.wait_to_hear("^You have chosen your tickets[.]$")
    expect(listener.page.get_by_role("list").filter(has_text="You have chosen your tickets.")).to_be_visible()
    expect(tickets).to_have_text("You get your tickets once everyone has chosen.")


def test_refusals_are_announced(browsing: Browsing, server: Server) -> None:
    listener = sit(browsing, server, begun("usa-classic", 2, "refusals by ear"), "here", "here")
    long_route = next(
        r for r in listener.routes() if r.length == 6 and r.colour != "grey" and r.state == "free"
    )
    listener.press(listener.button(long_route.name))
    listener.wait_to_hear(rf"^You have \d {long_route.colour} cards?; this takes 6[.]$")
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


@pytest.mark.parametrize("screen", [LAPTOP, PHONE])
def test_the_focus_survives_removed_elements(screen: Screen, browsing: Browsing, server: Server) -> None:
    game = hoarded("usa-classic", 2, "focus", 6)
    listener = sit(browsing, server, game, "here", "here", screen=screen)
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
    listener.press(listener.button("Undo (U)"))
    listener.wait_to_hear("^You asked to undo a move[.]$")
    listener.expect_focus()
    listener.press(listener.button("Menu"))
    listener.press(page.get_by_role("dialog").get_by_role("button", name="Settings"))
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    listener.expect_focus()
    listener.press(page.get_by_role("link", name="Back"))
    expect(page.get_by_role("group", name=re.compile("^Board: "))).to_be_visible()
    listener.expect_focus()


_LATE_CLOSE = """() => addEventListener("close", (event) => {
  if (!event.isTrusted) return;
  event.stopImmediatePropagation();
  setTimeout(() => event.target.dispatchEvent(new Event("close")), 300);
}, true)"""
"""Have dialogs say late that they have closed, as on a busy machine."""


def test_a_dialog_that_was_closed_takes_nothing_from_the_next(browsing: Browsing, server: Server) -> None:
    listener = sit(browsing, server, hoarded("usa-classic", 2, "focus", 6), "here", "here")
    page = listener.page
    page.evaluate(_LATE_CLOSE)
    listener.press(listener.button(re.compile("^Draw tickets")))
    question = page.get_by_role("dialog", name="Draw more tickets?")
    expect(question).to_be_visible()
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    listener.press(listener.button("Menu"))
    shortcuts = page.get_by_role("dialog").get_by_role("button", name="Keyboard shortcuts")
    expect(shortcuts).to_be_focused()
    page.wait_for_timeout(400)  # the event has come meanwhile
    expect(shortcuts).to_be_focused()


def test_after_the_deal_the_tickets_have_the_focus(browsing: Browsing) -> None:
    page = browsing.open()
    page.get_by_role("button", name="Create game").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("offer")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("offer-ticket").first).to_be_focused()


def test_the_menu_opens_with_nothing_selected(browsing: Browsing, server: Server) -> None:
    page = browsing.sit(server.create("new-york", "here", "here").watch)
    page.get_by_test_id("menu").click()
    expect(page.get_by_label("Spectator link", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("button").nth(1)).to_be_focused()
    selected = "(input) => input.value.slice(input.selectionStart, input.selectionEnd)"
    assert page.get_by_label("Spectator link", exact=True).evaluate(selected) == ""
