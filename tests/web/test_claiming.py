"""Claiming a route: payments, preview, confirming and cancelling."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import expect

from goldenspike import Game
from goldenspike.boards import Route
from goldenspike.game.moves import ClaimRoute
from tests.server.serving import Server
from tests.web.browsing import DESKTOP, LAPTOP, PHONE, Browsing, Screen
from tests.web.deals import bring, hoarded, seat_of
from tests.web.player import DOUBLE_CLICK_MS, MousePlayer, PagePlayer, TouchPlayer, find_route
from tests.web.sight import look, wait_until

KINDS = ["coloured", "grey", "coloured double", "grey double"]


@pytest.fixture(scope="module")
def rich() -> Game:
    """Return a game whose first seat can pay for nearly every route, in many ways."""
    return hoarded("usa-classic", 2, "mixed", 13)


@pytest.fixture
def link(rich: Game, server: Server) -> str:
    """Open its first seat; the other player is away, so that nothing else happens."""
    return seat_of(bring(server, rich, "here", "here"), 0)


@pytest.fixture
def player(link: str, browsing: Browsing) -> MousePlayer:
    player = MousePlayer(browsing.sit(link))
    player.wait_turn()
    return player


def claims_of(game: Game, routes: Iterable[str]) -> list[tuple[int, ClaimRoute]]:
    """Return every legal payment for some routes, with its number."""
    moves = game.legal_moves(0).of_kind("claim")
    return [
        (number, claim)
        for number, claim in zip(moves.numbers, moves, strict=True)
        if isinstance(claim, ClaimRoute) and claim.route in routes
    ]


def lanes_of(game: Game, route: Route) -> list[str]:
    """Return a route and, if it is a double, its other lane."""
    return [route.name] + ([game.edition.board.routes[route.twin].name] if route.twin is not None else [])


def find_kind(game: Game, kind: str) -> Route:
    """Return a route of some kind that can be paid for with and without locomotives."""
    for route in game.edition.board.routes:
        is_grey, is_double = route.colour == "grey", route.twin is not None
        mixes = {claim.locomotives for _, claim in claims_of(game, [route.name])}
        if (is_grey, is_double) == ("grey" in kind, "double" in kind) and mixes >= {0, 1, 2}:
            return route
    raise AssertionError(f"No {kind} route can be paid for in several ways.")


def chosen(player: PagePlayer) -> int:
    """Return the number of the move that the button in the panel would play."""
    return int(player.part("confirm-claim").get_attribute("data-move") or -1)


def press_until_off(player: PagePlayer, testid: str) -> Iterator[int]:
    """Press a button of the stepper until it is off; yield the moves that are chosen meanwhile."""
    yield chosen(player)
    button = player.part(testid)
    while button.count() and not button.is_disabled():
        before = chosen(player)
        player.press(button)
        expect(player.part("confirm-claim")).not_to_have_attribute("data-move", str(before))
        yield chosen(player)


def reach_all(player: PagePlayer) -> set[int]:
    """Return every move that the panel leads to: each colour, with all numbers of locomotives."""
    reached = {chosen(player)}
    for way in player.part("pay-with").all() or [None]:
        if way:
            player.press(way)
            expect(way).to_have_attribute("aria-pressed", "true")
        reached |= {
            *press_until_off(player, "fewer-locomotives"),
            *press_until_off(player, "more-locomotives"),
        }
    return reached


def choose(player: PagePlayer, claim: ClaimRoute, number: int) -> None:
    """In the panel, choose a payment."""
    way = player.page.locator(f"[data-testid=pay-with][data-kind='{claim.colour or 'loco'}']")
    if way.count():
        player.press(way)
    for testid in ("fewer-locomotives", "more-locomotives"):
        for move in press_until_off(player, testid):
            if move == number:
                return
    raise AssertionError(f"{claim} is not offered.")


@pytest.mark.parametrize("kind", KINDS)
def test_every_payment_is_offered_and_only_those(kind: str, rich: Game, player: MousePlayer) -> None:
    route = find_kind(rich, kind)
    player.point(route.name)
    player.part("claim").wait_for()
    # The colours of two grey lanes are offered once: which lane it is, the tap on the board says.
    lanes = [route.name] if kind == "grey double" else lanes_of(rich, route)
    assert reach_all(player) == {number for number, _ in claims_of(rich, lanes)}
    expect(player.part("claim").locator(".payment .card")).to_have_count(route.length)


@pytest.mark.parametrize("kind", KINDS)
def test_the_fewest_locomotives_are_chosen_at_once(kind: str, rich: Game, player: MousePlayer) -> None:
    route = find_kind(rich, kind)
    player.point(route.name)
    player.part("claim").wait_for()
    legal = dict(claims_of(rich, [route.name]))
    first = legal[chosen(player)]
    assert first.locomotives == min(claim.locomotives for claim in legal.values())
    hand = rich.view(0).hand
    left = {claim.colour: hand[claim.colour or "loco"] for claim in legal.values() if not claim.locomotives}
    assert hand[first.colour or "loco"] == max(left.values()), "the colour with the most cards"
    expect(player.part("locomotives")).to_have_text("0")
    expect(player.part("fewer-locomotives")).to_be_disabled()


def test_a_tap_on_the_other_lane_chooses_that_lane(rich: Game, player: MousePlayer) -> None:
    route = find_kind(rich, "grey double")
    [_, twin] = lanes_of(rich, route)
    player.point(route.name)
    player.part("claim").wait_for()
    player.page.wait_for_timeout(DOUBLE_CLICK_MS)
    player.point(twin)
    expect(player.page.locator(f"[data-route='{twin}'] .phantom")).to_have_count(route.length)
    assert dict(claims_of(rich, [route.name, twin]))[chosen(player)].route == twin


@pytest.mark.parametrize("screen", [LAPTOP, DESKTOP], ids=["laptop", "desktop"])
def test_the_panel_opens_near_the_route_and_covers_none_of_it(
    screen: Screen, rich: Game, link: str, browsing: Browsing
) -> None:
    player = MousePlayer(browsing.sit(link, screen))
    player.wait_turn()
    legal = {claim.route for _, claim in claims_of(rich, [r.name for r in rich.edition.board.routes])}
    for route in [r for r in rich.edition.board.routes if r.name in legal][::6]:
        x, y = find_route(player.page, route.name)
        player.page.mouse.click(x, y)
        player.part("claim").wait_for()
        panel, board = player.part("claim").bounding_box(), player.part("board").bounding_box()
        assert panel
        assert board
        assert board["x"] <= panel["x"]
        assert board["y"] <= panel["y"]
        assert panel["x"] + panel["width"] <= board["x"] + board["width"]
        assert panel["y"] + panel["height"] <= board["y"] + board["height"]
        for space in player.page.locator(f"[data-route='{route.name}'] .grasp ~ use").all():
            box = space.bounding_box()
            assert box
            is_beside = box["x"] + box["width"] <= panel["x"] or panel["x"] + panel["width"] <= box["x"]
            is_above = box["y"] + box["height"] <= panel["y"] or panel["y"] + panel["height"] <= box["y"]
            assert is_beside or is_above, f"{route.name} is covered"
        away = max(panel["x"] - x, x - panel["x"] - panel["width"], 0)
        aside = max(panel["y"] - y, y - panel["y"] - panel["height"], 0)
        assert math.hypot(away, aside) < board["height"] / 3, f"the panel is far from {route.name}"
        player.press(player.part("cancel-claim"))
        expect(player.part("claim")).to_be_hidden()


@pytest.mark.parametrize("kind", KINDS)
def test_a_route_is_claimed_with_the_payment_that_was_chosen(
    kind: str, rich: Game, player: MousePlayer, link: str, server: Server
) -> None:
    route = find_kind(rich, kind)
    number, claim = claims_of(rich, [route.name])[-1]
    before = look(player.page)
    player.point(route.name)
    player.part("claim").wait_for()
    choose(player, claim, number)
    player.press(player.part("confirm-claim"))
    wait_until(player.page, lambda sight: sight.own != before.own)
    shown = server.show(link)
    assert shown.own is not None
    assert shown.view.seats[0].routes == [claim.route]
    spent = {kind: count - shown.own.hand.get(kind, 0) for kind, count in before.hand.items()}
    paid = {claim.colour or "": claim.cards, "loco": claim.locomotives}
    assert {kind: count for kind, count in spent.items() if count} == {k: c for k, c in paid.items() if c}
    assert look(player.page).hand == {kind: count for kind, count in shown.own.hand.items() if count}
    expect(player.page.locator(f"[data-route='{claim.route}']")).to_have_attribute("data-owner", "0")


@pytest.mark.parametrize("kind", KINDS)
def test_every_route_takes_two_taps(
    kind: str, rich: Game, player: MousePlayer, link: str, server: Server
) -> None:
    route = find_kind(rich, kind)
    player.point(route.name)
    expect(player.part("confirm-claim")).to_be_enabled()
    assert server.show(link).view.seats[0].routes == []
    player.page.wait_for_timeout(DOUBLE_CLICK_MS)
    player.point(route.name)
    expect(player.page.locator(f"[data-route='{route.name}']")).to_have_attribute("data-owner", "0")
    assert server.show(link).view.seats[0].routes == [route.name]


def test_a_double_click_claims_nothing(rich: Game, player: MousePlayer, link: str, server: Server) -> None:
    route = find_kind(rich, "coloured")
    player.page.mouse.dblclick(*find_route(player.page, route.name))
    expect(player.part("confirm-claim")).to_be_enabled()
    assert server.show(link).view.seats[0].routes == []


def test_the_preview_shows_trains_cards_points_and_what_is_left(rich: Game, player: MousePlayer) -> None:
    route = find_kind(rich, "coloured")
    player.point(route.name)
    panel = player.part("claim")
    expect(panel).to_contain_text(f"Leaves you {45 - route.length} trains")
    expect(panel).to_contain_text(f"{rich.edition.route_points[route.length - 1]} point")
    expect(player.page.locator(f"[data-route='{route.name}'] .phantom")).to_have_count(route.length)
    expect(player.page.locator(".phantom")).to_have_count(route.length)
    pile = player.page.locator(f"[data-testid=hand-card][data-kind='{route.colour}'] .paid")
    expect(pile).to_contain_text(f"\N{MINUS SIGN}{route.length}")


@pytest.mark.parametrize("way", ["the button", "Escape", "a tap on the sea"])
def test_a_cancelled_claim_leaves_nothing_behind(
    way: str, rich: Game, player: MousePlayer, link: str, server: Server
) -> None:
    before, last = look(player.page), server.show(link).last
    player.point(find_kind(rich, "coloured").name)
    expect(player.part("claim")).to_be_visible()
    if way == "the button":
        player.press(player.part("cancel-claim"))
    elif way == "Escape":
        player.page.keyboard.press("Escape")
    else:
        board = player.part("board").bounding_box()
        assert board is not None
        player.page.mouse.click(board["x"] + board["width"] - 4, board["y"] + 4)
    expect(player.part("claim")).to_be_hidden()
    expect(player.page.locator(".phantom")).to_have_count(0)
    assert look(player.page) == before
    assert server.show(link).last == last


def test_a_colour_chosen_in_hand_leaves_only_its_routes_lit(rich: Game, player: MousePlayer) -> None:
    player.press(player.page.locator("[data-testid=hand-card][data-kind=orange]"))
    lit = look(player.page).claims
    by_orange = {
        claim.route for _, claim in claims_of(rich, look(player.page).claims) if claim.colour == "orange"
    }
    colours = {route.name: route.colour for route in rich.edition.board.routes}
    assert lit
    assert {colours[name] for name in lit} == {"orange", "grey"}
    assert by_orange <= set(lit)
    player.press(player.page.locator("[data-testid=hand-card][data-kind=orange]"))
    assert len(look(player.page).claims) > len(lit)


def test_a_colour_chosen_in_hand_pays_for_a_grey_route(rich: Game, player: MousePlayer) -> None:
    player.press(player.page.locator("[data-testid=hand-card][data-kind=orange]"))
    route = find_kind(rich, "grey")
    player.point(route.name)
    expect(player.part("confirm-claim")).to_be_enabled()
    pressed = player.page.locator("[data-testid=pay-with][aria-pressed=true]")
    expect(pressed).to_have_attribute("aria-label", "Pay with orange")
    expect(player.part("cost")).to_have_text(f"{route.length} orange cards")


def test_without_confirming_a_coloured_route_takes_one_tap(rich: Game, link: str, browsing: Browsing) -> None:
    player = MousePlayer(browsing.sit(link, confirms=False))
    player.wait_turn()
    route = find_kind(rich, "coloured")
    player.point(route.name)
    expect(player.page.locator(f"[data-route='{route.name}']")).to_have_attribute("data-owner", "0")


@pytest.mark.parametrize("kind", KINDS)
def test_every_payment_can_be_reached_on_a_phone(
    kind: str, rich: Game, link: str, browsing: Browsing
) -> None:
    player = TouchPlayer(browsing.sit(link, PHONE))
    player.wait_turn()
    route = find_kind(rich, kind)
    player.point(route.name)
    player.part("claim").wait_for()
    lanes = [route.name] if kind == "grey double" else lanes_of(rich, route)
    assert reach_all(player) == {number for number, _ in claims_of(rich, lanes)}
    player.press(player.part("confirm-claim"))
    expect(player.part("claim")).to_be_hidden()


def test_cards_that_will_be_paid_are_taken_off_the_count_and_named(rich: Game, player: MousePlayer) -> None:
    route = find_kind(rich, "grey")
    number, claim = max(claims_of(rich, [route.name]), key=lambda found: found[1].locomotives > 0)
    player.point(route.name)
    choose(player, claim, number)
    for kind, paid in ((claim.colour or "", claim.cards), ("loco", claim.locomotives)):
        held = rich.view(0).hand[kind]
        pile = player.page.locator(f"[data-testid=hand-card][data-kind='{kind}']")
        expect(pile.get_by_test_id("hand-count")).to_have_text(str(held - paid))
        expect(pile.get_by_test_id("hand-paid")).to_have_text(f"\N{MINUS SIGN}{paid}")
        name = {"loco": "locomotive"}.get(kind, kind)
        cards = "card" if held == 1 else "cards"
        expect(pile).to_have_accessible_name(f"{name}, {held} {cards}, {paid} to be paid, {held - paid} left")
    player.press(player.part("cancel-claim"))
    expect(player.part("hand-paid")).to_have_count(0)
