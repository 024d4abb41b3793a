"""Sounds, and the moment in which a ticket is completed: each when it happens, and after a skip as well."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from goldenspike import Game
from tests.server.serving import Server
from tests.web.browsing import LAPTOP, PHONE, Browsing, Screen, Visitor
from tests.web.deals import begun, bring, seat_of
from tests.web.scenes import finished
from tests.web.test_your_turn import BACKGROUND

_LISTEN = """window.pitches = [];
const { start } = AudioScheduledSourceNode.prototype;
AudioScheduledSourceNode.prototype.start = function (...args) {
  if (this.frequency) window.pitches.push(Math.round(this.frequency.value));
  return start.apply(this, args);
};
window.BiquadFilterNode = class extends BiquadFilterNode {
  constructor(context, options) {
    super(context, options);
    window.pitches.push(options.frequency);
  }
};"""
"""Writes down the pitch of everything that is played."""
PITCHES = {"card": 3200, "claim": 180, "ticket": 95, "last round": 392, "end": 1047, "turn": 659}
"""A pitch of each sound, by which it is told from the others."""


class Moment(NamedTuple):
    """An action of a game, by its number, that brings about an event."""

    game: Game
    number: int

    @property
    def seat(self) -> int:
        return self.game.played[self.number - 1].seat

    def play(self, server: Server, links: list[str], since: int) -> None:
        """Play all actions from the one after `since` up to this one."""
        for number in range(since + 1, self.number + 1):
            action = self.game.played[number - 1]
            server.command(links[action.seat], type="play", id=f"{number}", move=action.number).read(dict)


def moment_of(event: str) -> Moment:
    """Return the first action of a finished game in which something happens."""
    game = finished("usa-classic", 2)
    lines = [json.loads(line) for line in game.record().splitlines()]
    for line in lines:
        if any(each.startswith(event) for each in line.get("outcome", ())):
            return Moment(game, line["n"])
    raise AssertionError(f"There is no {event} in this game.")


def visit(browsing: Browsing, screen: Screen = LAPTOP, pace: str = "instant") -> Visitor:
    visitor = browsing.visitor(screen, volume=0.6, pace=pace)
    visitor.context.add_init_script(_LISTEN)
    return visitor


def sit_before(
    moment: Moment, before: int, browsing: Browsing, server: Server, visitor: Visitor
) -> tuple[Page, list[str]]:
    """Open the page of the seat that acts, some actions before; return it and the links of all seats."""
    created = bring(server, moment.game, "here", "here", after=moment.number - before)
    page = visitor.open(browsing.address(f"table/{seat_of(created, moment.seat)}"))
    page.locator("[data-route]").first.wait_for()
    return page, [seat_of(created, seat) for seat in range(2)]


def expect_sound(page: Page, sound: str) -> None:
    page.wait_for_function("(pitch) => window.pitches.includes(pitch)", arg=PITCHES[sound])


EVENTS = {
    "card": "drew",
    "claim": "claimed",
    "ticket": "joined",
    "last round": "last round",
    "end": "ended",
}


@pytest.mark.parametrize("sound", EVENTS)
def test_each_event_has_its_sound(sound: str, browsing: Browsing, server: Server) -> None:
    moment = moment_of(EVENTS[sound])
    page, links = sit_before(moment, 1, browsing, server, visit(browsing))
    assert PITCHES[sound] not in page.evaluate("window.pitches")
    moment.play(server, links, moment.number - 1)
    expect_sound(page, sound)


def test_nothing_sounds_unless_sounds_are_on(browsing: Browsing, server: Server) -> None:
    moment = moment_of("claimed")
    visitor = browsing.visitor()
    visitor.context.add_init_script(_LISTEN)
    page, links = sit_before(moment, 1, browsing, server, visitor)
    moment.play(server, links, moment.number - 1)
    expect(page.locator("[data-route][data-owner]")).not_to_have_count(0)
    assert page.evaluate("window.pitches") == []


def test_the_turn_is_heard_in_a_page_in_the_background(browsing: Browsing, server: Server) -> None:
    game = begun("usa-classic", 2, "turn")
    created = bring(server, game, "here", "here")
    visitor = visit(browsing)
    visitor.context.add_init_script(BACKGROUND)
    page = visitor.open(browsing.address(f"table/{seat_of(created, 1)}"))
    page.get_by_test_id("hand").wait_for()
    page.evaluate("window.isHidden = true")
    for number in range(2):
        server.command(seat_of(created, 0), type="play", id=f"{number}", move="draw deck").read(dict)
    expect_sound(page, "turn")
    assert PITCHES["card"] not in page.evaluate("window.pitches")


@pytest.mark.parametrize("screen", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_completed_ticket_is_a_moment_over_the_map(
    screen: Screen, browsing: Browsing, server: Server
) -> None:
    moment = moment_of("joined")
    page, links = sit_before(moment, 1, browsing, server, visit(browsing, screen, "relaxed"))
    moment.play(server, links, moment.number - 1)
    shown = page.get_by_test_id("ticket-moment")
    expect(shown).to_contain_text("Ticket completed")
    page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
    card, board = shown.bounding_box(), page.get_by_test_id("board").bounding_box()
    assert card is not None
    assert board is not None
    assert board["x"] <= card["x"]
    assert card["x"] + card["width"] <= board["x"] + board["width"]
    assert board["y"] <= card["y"]
    assert card["y"] + card["height"] <= board["y"] + board["height"]
    expect(shown).to_have_count(0)


def test_after_a_skip_the_newest_moment_is_still_shown_and_heard(browsing: Browsing, server: Server) -> None:
    moment = moment_of("joined")
    page, links = sit_before(moment, 6, browsing, server, visit(browsing, pace="relaxed"))
    moment.play(server, links, moment.number - 6)
    page.wait_for_timeout(300)  # all of it has arrived, and most of it waits to be shown
    expect(page.get_by_test_id("ticket-moment")).to_have_count(0)
    page.keyboard.press("Shift")
    expect(page.get_by_test_id("ticket-moment")).to_be_visible(timeout=1_000)
    assert PITCHES["ticket"] in page.evaluate("window.pitches")
