"""Refused actions give a reason, shown and announced, and change nothing."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from goldenspike import Game
from goldenspike.server.protocol.messages import Created
from tests.server.serving import Server
from tests.web.browsing import SOCKET, Browsing
from tests.web.deals import begun, bring, claimed, hoarded, seat_of
from tests.web.player import STILL_MS, MousePlayer
from tests.web.sight import look


def sit(browsing: Browsing, server: Server, game: Game, seat: int = 0) -> tuple[MousePlayer, Created]:
    """Open a seat in a game with another person."""
    created = bring(server, game, "here", "here")
    player = MousePlayer(browsing.sit(seat_of(created, seat)))
    player.part("table").wait_for()
    return player, created


def expect_reason(page: Page, reason: str | re.Pattern[str]) -> None:
    """Check that a reason is shown and announced."""
    expect(page.get_by_test_id("remark")).to_have_text(reason)
    shown = page.get_by_test_id("remark").inner_text()
    assert shown.endswith("."), shown
    expect(page.get_by_test_id("announcements").locator("p").last).to_have_text(shown)


def tap(player: MousePlayer, testid: str) -> None:
    """Tap an element even if it is marked as disabled."""
    player.part(testid).first.click(force=True)


@pytest.fixture
def choosing() -> Game:
    return Game.new("usa-classic", 2, seed="choosing", first=0)


def test_tickets_are_chosen_before_anything_else(choosing: Game, browsing: Browsing, server: Server) -> None:
    player, _ = sit(browsing, server, choosing)
    before = look(player.page)
    for testid in ("deck", "row-card", "ticket-deck"):
        tap(player, testid)
        expect_reason(player.page, "First choose which of the offered tickets to keep.")
    player.point("CAL-HEL")
    expect_reason(player.page, "First choose which of the offered tickets to keep.")
    assert look(player.page) == before


def test_too_few_tickets_cannot_be_kept(choosing: Game, browsing: Browsing, server: Server) -> None:
    player, created = sit(browsing, server, choosing)
    player.press(player.part("offer-ticket").first)
    tap(player, "keep")
    expect_reason(player.page, "Keep at least 2 of these tickets.")
    assert server.show(created.watch).view.phase == "choosing"


@pytest.mark.parametrize("then", ["keep", "tick"])
def test_a_notice_about_tickets_disappears_once_resolved(
    then: str, choosing: Game, browsing: Browsing, server: Server
) -> None:
    player, _ = sit(browsing, server, choosing)
    player.press(player.part("offer-ticket").first)
    tap(player, "keep")
    expect_reason(player.page, "Keep at least 2 of these tickets.")
    if then == "tick":
        player.press(player.part("offer-ticket").nth(1))
    else:
        player.page.keyboard.press("/")
        player.page.locator("#command").fill("keep all")
        player.page.locator("#command").press("Enter")
    expect(player.part("remark")).to_be_hidden(timeout=3_000)  # sooner than its timeout


def test_nothing_can_be_done_in_the_turn_of_another(browsing: Browsing, server: Server) -> None:
    player, created = sit(browsing, server, begun("usa-classic", 2, "other"), seat=1)
    before, last = look(player.page), server.show(created.watch).last
    for testid in ("deck", "row-card", "ticket-deck"):
        tap(player, testid)
        expect_reason(player.page, re.compile(r"It is Player 1.s turn\."))
    player.point("CAL-HEL")
    expect_reason(player.page, re.compile(r"It is Player 1.s turn\."))
    assert look(player.page) == before
    assert server.show(created.watch).last == last


def test_a_route_that_cannot_be_paid_for_says_what_is_missing(browsing: Browsing, server: Server) -> None:
    game = begun("usa-classic", 2, "poor")
    player, _ = sit(browsing, server, game)
    claimable = look(player.page).claims
    long_route = next(
        route
        for route in game.edition.board.routes
        if route.length == 6 and route.colour != "grey" and route.name not in claimable
    )
    held = look(player.page).hand.get(long_route.colour, 0)
    cards = "card" if held == 1 else "cards"
    player.point(long_route.name)
    expect_reason(player.page, f"You have {held} {long_route.colour} {cards}; this takes 6.")


def claim_a_lane(game: Game) -> tuple[str, str]:
    """Let the first seat claim a lane of a double; return it and the other lane."""
    routes = game.edition.board.routes
    others = {route.name: routes[route.twin].name for route in routes if route.twin is not None}
    moves = {str(move).split()[1]: move for move in game.legal_moves(0).of_kind("claim")}
    lane = next(name for name in moves if name in others)
    game.play(moves[lane])
    return lane, others[lane]


def test_a_claimed_route_and_a_closed_lane_say_so(browsing: Browsing, server: Server) -> None:
    game = hoarded("usa-classic", 2, "closed", 8)
    taken, closed = claim_a_lane(game)
    player, _ = sit(browsing, server, game, seat=1)
    player.wait_turn()
    player.point(taken)
    expect_reason(player.page, "This route is already claimed.")
    lane = player.page.locator(f"[data-route='{closed}']")
    expect(lane).to_have_attribute("aria-label", re.compile(", closed$"))
    expect(lane.locator("title")).to_have_text(re.compile("only one lane of a double route can be claimed"))
    player.point(closed)
    expect_reason(
        player.page, re.compile("only one lane of a double route can be claimed; one is taken already.")
    )


def test_the_other_lane_of_an_own_double_route_is_refused(browsing: Browsing, server: Server) -> None:
    game = hoarded("usa-classic", 4, "own lane", 5)
    _, other = claim_a_lane(game)
    for _ in range(6):
        game.play("draw deck")
    created = bring(server, game, "here", "here", "here", "here")
    player = MousePlayer(browsing.sit(seat_of(created, 0)))
    player.wait_turn()
    player.point(other)
    expect_reason(player.page, "You have the other lane of this double route; no player may have both.")


def test_the_second_card_is_no_face_up_locomotive(browsing: Browsing, server: Server) -> None:
    game = with_a_locomotive_in_the_row()
    player, _ = sit(browsing, server, game)
    before = player.wait_turn()
    slot = next(i for i, (kind, _) in enumerate(before.row) if kind == "loco")
    player.draw()
    player.page.wait_for_function(
        "() => document.querySelector('[data-testid=turn]').textContent.includes('second')"
    )
    card = player.part("row-card").nth(slot)
    expect(card).to_have_attribute("aria-disabled", "true")
    expect(card).to_have_class(re.compile(r"\boff\b"))
    card.click(force=True)
    expect_reason(player.page, "A face-up locomotive cannot be the second card.")
    tap(player, "ticket-deck")
    expect_reason(player.page, "Take your second card first.")


def with_a_locomotive_in_the_row() -> Game:
    """Return a game with a face-up locomotive at the first turn."""
    for seed in range(100):
        game = begun("usa-classic", 2, f"locomotive {seed}")
        if "loco" in game.view(0).row:
            return game
    raise AssertionError


def test_a_claim_needs_enough_trains(browsing: Browsing, server: Server) -> None:
    game = hoarded("new-york", 2, "few trains", 4)
    while not game.is_over and game.view(0).pieces[0] > 3:
        moves = game.legal_moves(game.to_move[0])
        claims = moves.of_kind("claim")
        if game.to_move[0] == 0 and len(claims):
            claimed(game, 0)
        elif 1 in moves.numbers:
            game.play("draw deck")
        else:
            game.play(moves.numbers[0])
    assert not game.is_over
    while game.to_move[0] != 0:
        game.play("draw deck")
    player, _ = sit(browsing, server, game)
    player.wait_turn()
    left = game.view(0).pieces[0]
    longest = next(
        route
        for route in game.edition.board.routes
        if route.length > left and game.view(0).owners.get(route.name) is None
    )
    player.point(longest.name)
    expect_reason(player.page, f"You have {left} taxis left; this route needs {longest.length}.")


def test_a_typed_move_in_the_turn_of_another_is_answered_as_a_tap_is(
    browsing: Browsing, server: Server
) -> None:
    player, _ = sit(browsing, server, begun("usa-classic", 2, "typed"), seat=1)
    player.part("command").fill("draw deck")
    player.page.keyboard.press("Enter")
    answer = player.part("command-answer")
    expect(answer).to_have_text(re.compile(r"^It is Player 1.s turn\.$"))
    expect(player.part("announcements").locator("p").last).to_have_text(answer.inner_text())
    assert player.part("remark").count() == 0
    expect(player.part("command")).to_have_value("draw deck")


def test_a_typed_move_waits_for_the_one_that_is_on_its_way(browsing: Browsing, server: Server) -> None:
    created = bring(server, begun("usa-classic", 2, "typed"), "here", "here")
    visitor = browsing.visitor()
    sent: list[str] = []

    def swallow(socket: WebSocketRoute) -> None:
        to_server = socket.connect_to_server()

        def pass_on(data: str | bytes) -> None:
            if json.loads(data)["type"] == "play":
                sent.append(str(data))
            else:
                to_server.send(data)

        socket.on_message(pass_on)

    visitor.context.route_web_socket(SOCKET, swallow)
    player = MousePlayer(visitor.open(browsing.address(f"table/{seat_of(created, 0)}")))
    player.wait_turn()
    player.draw()
    player.part("command").fill("draw deck")
    player.page.keyboard.press("Enter")
    player.page.wait_for_timeout(STILL_MS)
    assert len(sent) == 1
    expect(player.part("command")).to_have_value("draw deck")
