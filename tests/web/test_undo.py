"""Undo: up to the last revealed information, and never past it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from goldenspike import Game
from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import begun, bring, hoarded, seat_of
from tests.web.player import MousePlayer
from tests.web.sight import look, wait_until


def claim_something(player: MousePlayer) -> str:
    """Claim the first possible route; return it."""
    sight = player.wait_turn()
    route = next(iter(sight.claims))
    player.claim(route)
    wait_until(player.page, lambda now: now.own != sight.own)
    return route


def test_choosing_tickets_can_be_undone(browsing: Browsing, server: Server) -> None:
    game = bring(server, Game.new("usa-classic", 2, seed="back", first=0), "here", "here")
    player = MousePlayer(browsing.sit(seat_of(game, 0)))
    before = player.wait_turn()
    player.step(before)
    assert look(player.page).may_undo
    player.undo()
    other = MousePlayer(browsing.sit(seat_of(game, 1)))
    other.press(other.part("agree"))
    after = wait_until(player.page, lambda sight: bool(sight.offer))
    assert after.offer == before.offer
    assert not after.may_undo


def test_a_claim_is_undone_when_the_others_agree(browsing: Browsing, server: Server) -> None:
    game = bring(server, hoarded("usa-classic", 2, "ask", 4), "here", "here")
    first, second = (MousePlayer(browsing.sit(seat_of(game, seat))) for seat in (0, 1))
    before = first.wait_turn()
    route = claim_something(first)
    lane = f"[data-route='{route}']"
    expect(second.page.locator(lane)).to_have_attribute("data-owner", "0")
    first.undo()
    expect(first.page.get_by_text("You asked to undo.")).to_be_visible()
    expect(second.part("ask-undo")).to_contain_text("Player 1 asks to undo")
    second.press(second.part("disagree"))
    expect(second.part("ask-undo")).to_be_hidden()
    expect(first.page.locator(lane)).to_have_attribute("data-owner", "0")
    first.undo()
    second.press(second.part("agree"))
    after = wait_until(first.page, lambda sight: sight.hand == before.hand)
    assert after.claims == before.claims
    for player in (first, second):
        expect(player.page.locator(lane)).not_to_have_attribute("data-owner", "0")
        expect(player.part("log").locator("li.undone")).to_have_count(1)


@pytest.mark.parametrize("way", ["Escape", "a tap beside it"])
def test_closing_the_undo_question_answers_no(way: str, browsing: Browsing, server: Server) -> None:
    game = bring(server, hoarded("usa-classic", 2, "closed", 4), "here", "here")
    first, second = (MousePlayer(browsing.sit(seat_of(game, seat))) for seat in (0, 1))
    claim_something(first)
    first.undo()
    second.part("ask-undo").wait_for()
    if way == "Escape":
        second.page.keyboard.press("Escape")
    else:
        second.page.mouse.click(5, 5)
    expect(second.part("ask-undo")).to_be_hidden()
    expect(first.part("log")).to_contain_text("Player 2 declined the undo.")
    expect(first.page.get_by_text("You asked to undo.")).to_be_hidden()
    assert server.show(game.watch).asked is None


def test_an_undo_request_can_be_withdrawn_while_others_are_absent(browsing: Browsing, server: Server) -> None:
    game = bring(server, hoarded("usa-classic", 2, "withdrawn", 4), "here", "here")
    first = MousePlayer(browsing.sit(seat_of(game, 0)))
    claim_something(first)
    first.undo()
    first.page.get_by_role("button", name="Withdraw").click()
    expect(first.page.get_by_text("You asked to undo.")).to_be_hidden()
    expect(first.part("log").locator("li").last).to_have_text("You withdrew the request.")
    expect(first.part("announcements").locator("p").last).to_have_text("You withdrew the request.")
    assert server.show(game.watch).asked is None
    other = browsing.sit(seat_of(game, 1))
    expect(other.get_by_test_id("log").locator("li").last).to_have_text("Player 1 withdrew the request.")
    expect(other.get_by_test_id("ask-undo")).to_be_hidden()


def test_a_drawn_card_cannot_be_undone(browsing: Browsing, server: Server) -> None:
    game = bring(server, begun("usa-classic", 2, "seen"), "here", "here")
    player = MousePlayer(browsing.sit(seat_of(game, 0)))
    sight = player.wait_turn()
    player.draw()
    sight = wait_until(player.page, lambda now: now.is_second_card)
    assert not sight.may_undo
    expect(player.part("undo")).to_be_disabled()
    player.page.keyboard.press("u")
    player.draw()
    wait_until(player.page, lambda now: not now.can_move)
    # Commands are answered in order: if the key had sent one, it would have been refused by now.
    assert player.part("remark").count() == 0


def test_undo_is_refused_after_another_player_has_drawn(browsing: Browsing, server: Server) -> None:
    game = bring(server, hoarded("usa-classic", 2, "then drawn", 4), "here", "here")
    first, second = (MousePlayer(browsing.sit(seat_of(game, seat))) for seat in (0, 1))
    claim_something(first)
    wait_until(first.page, lambda sight: sight.may_undo)
    second.wait_turn()
    second.draw()
    assert not wait_until(first.page, lambda sight: not sight.may_undo).can_move
