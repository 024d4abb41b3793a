"""Whole games through the page, in every edition: with a mouse, with a finger on a phone, with keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.server.serving import Server
from tests.web.browsing import LAPTOP, PHONE, Browsing, Room
from tests.web.player import KeyPlayer, MousePlayer, Player, TouchPlayer

Way = tuple[type[Player], Room]
MOUSE: Way = (MousePlayer, LAPTOP)
TOUCH: Way = (TouchPlayer, PHONE)
KEYS: Way = (KeyPlayer, LAPTOP)


def play_a_game(browsing: Browsing, server: Server, edition: str, way: Way, patience: int) -> Player:
    """Play one game to its end against an easy bot, by the page alone, and look at the end screen."""
    game = server.create(edition, "here", "easy", seed=f"a whole game of {edition}", first=0)
    [link, _] = game.seats
    assert link is not None
    kind, room = way
    player = kind(browsing.sit(link, room), patience)
    player.play_on()
    expect_the_end(player.page, server, link)
    assert player.lost == []
    return player


def expect_the_end(page: Page, server: Server, link: str) -> None:
    """Check that the end screen names the winner and every total as the server has them."""
    shown = server.show(link)
    assert shown.view.ending is not None
    names = [seat.name for seat in shown.seats]
    winners = [names[seat] for seat in shown.view.ending.winners]
    expect(page.get_by_test_id("winner")).to_contain_text(" and ".join(winners))
    scores = page.get_by_test_id("scores")
    expect(scores.locator("tfoot td")).to_have_text([str(total) for total in shown.view.ending.totals])
    for name in names:
        expect(scores.locator("thead")).to_contain_text(name)
    expect(page.get_by_test_id("rematch")).to_be_visible()


def test_a_game_of_first_journey_by_mouse(browsing: Browsing, server: Server) -> None:
    play_a_game(browsing, server, "first-journey", MOUSE, 1)


def test_a_game_of_new_york_by_touch_on_a_phone(browsing: Browsing, server: Server) -> None:
    play_a_game(browsing, server, "new-york", TOUCH, 2)


def test_a_game_of_new_york_by_keys_alone(browsing: Browsing, server: Server) -> None:
    player = play_a_game(browsing, server, "new-york", KEYS, 2)
    assert isinstance(player, KeyPlayer)
    assert player.by_arrows > player.by_command


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["usa-classic", "usa-mega"])
def test_a_game_on_the_map_of_the_usa_by_mouse(edition: str, browsing: Browsing, server: Server) -> None:
    play_a_game(browsing, server, edition, MOUSE, 4)


@pytest.mark.slow
def test_a_game_on_the_map_of_the_usa_by_touch_on_a_phone(browsing: Browsing, server: Server) -> None:
    play_a_game(browsing, server, "usa-1910", TOUCH, 4)


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["usa-big-cities", "first-journey"])
def test_a_game_by_keys_alone(edition: str, browsing: Browsing, server: Server) -> None:
    player = play_a_game(browsing, server, edition, KEYS, 4 if edition.startswith("usa") else 1)
    assert isinstance(player, KeyPlayer)
    assert player.by_arrows > player.by_command
