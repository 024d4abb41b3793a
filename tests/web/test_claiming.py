"""Claiming a route: what is offered to pay with, the preview, confirming, letting go."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from playwright.sync_api import Page, expect

from goldenspike import Game
from goldenspike.boards import Route
from goldenspike.moves import ClaimRoute
from tests.server.serving import Server
from tests.web.browsing import PHONE, Browsing
from tests.web.deals import bring, hoarded, seat_of
from tests.web.player import DOUBLE_CLICK_MS, MousePlayer, TouchPlayer, find_route
from tests.web.sight import look, wait_until

KINDS = ["coloured", "grey", "coloured double", "grey double"]


@pytest.fixture(scope="module")
def rich() -> Game:
    """Return a game whose first seat can pay for nearly everything, and in many ways."""
    return hoarded("usa-classic", 2, "mixed", 13)


@pytest.fixture
def link(rich: Game, server: Server) -> str:
    """Sit somebody down in it; the other seat is away, so that nothing else happens."""
    return seat_of(bring(server, rich, "here", "link"), 0)


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
    """Return a route and, where it is a double, its other lane."""
    return [route.name] + ([game.edition.board.routes[route.twin].name] if route.twin is not None else [])


def find_kind(game: Game, kind: str) -> Route:
    """Return a route of some kind that can be paid for with and without locomotives."""
    for route in game.edition.board.routes:
        is_grey, is_double = route.colour == "grey", route.twin is not None
        mixes = {claim.locomotives for _, claim in claims_of(game, [route.name])}
        if (is_grey, is_double) == ("grey" in kind, "double" in kind) and mixes >= {0, 1, 2}:
            return route
    raise AssertionError(f"No {kind} route can be paid for in several ways.")


def offered(page: Page) -> list[int]:
    """Return the numbers of the moves that the panel offers, in its order."""
    return [
        int(move)
        for move in page.get_by_test_id("payment").evaluate_all("all => all.map(o => o.dataset.move)")
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_every_payment_is_offered_and_only_those(kind: str, rich: Game, player: MousePlayer) -> None:
    route = find_kind(rich, kind)
    legal = claims_of(rich, lanes_of(rich, route))
    player.point(route.name)
    player.part("claim").wait_for()
    numbers = offered(player.page)
    assert sorted(numbers) == sorted(number for number, _ in legal)
    locomotives = [dict(legal)[number].locomotives for number in numbers]
    assert locomotives == sorted(locomotives), "those with the fewest locomotives come first"
    for number in numbers:
        option = player.page.locator(f"[data-testid=payment][data-move='{number}']")
        assert option.locator(".card").count() == route.length


@pytest.mark.parametrize("kind", KINDS)
def test_a_route_is_claimed_with_the_payment_that_was_chosen(
    kind: str, rich: Game, player: MousePlayer, link: str, server: Server
) -> None:
    route = find_kind(rich, kind)
    number, claim = claims_of(rich, [route.name])[-1]
    before = look(player.page)
    player.point(route.name)
    player.part("claim").wait_for()
    player.press(player.page.locator(f"[data-testid=payment][data-move='{number}']"))
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


def test_a_coloured_route_takes_two_taps(rich: Game, player: MousePlayer, link: str, server: Server) -> None:
    route = find_kind(rich, "coloured")
    player.point(route.name)
    expect(player.part("confirm-claim")).to_be_enabled()
    assert server.show(link).view.seats[0].routes == []
    player.page.wait_for_timeout(DOUBLE_CLICK_MS)
    player.point(route.name)
    expect(player.page.locator(f"[data-route='{route.name}']")).to_have_attribute("data-owner", "0")


@pytest.mark.parametrize("kind", ["grey", "coloured double"])
def test_a_grey_route_and_a_double_take_three_taps(
    kind: str, rich: Game, player: MousePlayer, link: str, server: Server
) -> None:
    route = find_kind(rich, kind)
    player.point(route.name)
    expect(player.part("confirm-claim")).to_be_disabled()
    player.press(player.part("payment").first)
    expect(player.part("confirm-claim")).to_be_enabled()
    assert server.show(link).view.seats[0].routes == []
    player.press(player.part("confirm-claim"))
    expect(player.part("claim")).to_be_hidden()
    [claimed] = server.show(link).view.seats[0].routes
    assert claimed in lanes_of(rich, route)


def test_a_double_click_claims_nothing(rich: Game, player: MousePlayer, link: str, server: Server) -> None:
    route = find_kind(rich, "coloured")
    player.page.mouse.dblclick(*find_route(player.page, route.name))
    expect(player.part("confirm-claim")).to_be_enabled()
    assert server.show(link).view.seats[0].routes == []


def test_the_preview_shows_trains_cards_points_and_what_is_left(rich: Game, player: MousePlayer) -> None:
    route = find_kind(rich, "coloured")
    player.point(route.name)
    panel = player.part("claim")
    expect(panel).to_contain_text(f"{45 - route.length} trains left afterwards")
    expect(panel).to_contain_text(f"{rich.edition.route_points[route.length - 1]} point")
    expect(player.page.locator(f"[data-route='{route.name}'] .phantom")).to_have_count(route.length)
    expect(player.page.locator(".phantom")).to_have_count(route.length)
    pile = player.page.locator(f"[data-testid=hand-card][data-kind='{route.colour}'] .count")
    expect(pile).to_contain_text(f"\N{MINUS SIGN}{route.length}")


@pytest.mark.parametrize("way", ["the button", "Escape", "a tap on the sea"])
def test_a_claim_that_is_let_go_of_leaves_nothing_behind(
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
    chosen = player.page.locator("[data-testid=payment][aria-pressed=true]")
    expect(chosen).to_have_attribute("aria-label", f"{route.length} orange cards")


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
    numbers = offered(player.page)
    lanes = lanes_of(rich, route)
    assert sorted(numbers) == sorted(number for number, _ in claims_of(rich, lanes))
    player.press(player.page.locator(f"[data-testid=payment][data-move='{numbers[-1]}']"))
    player.press(player.part("confirm-claim"))
    expect(player.part("claim")).to_be_hidden()
