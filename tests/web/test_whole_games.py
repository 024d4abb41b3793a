"""Whole games through the page, in every edition: with a mouse, with a finger on a phone, with keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from goldenspike.editions import edition_ids
from tests.server.serving import Server
from tests.web.browsing import LAPTOP, PHONE, Browsing, Room
from tests.web.player import KeyPlayer, MousePlayer, Player, TouchPlayer

Way = tuple[type[Player], Room]
WAYS: dict[str, Way] = {
    "mouse": (MousePlayer, LAPTOP),
    "touch": (TouchPlayer, PHONE),
    "keys": (KeyPlayer, LAPTOP),
}
PATIENCE = {"new-york": 2, "first-journey": 1}
"""How long a route must be to be claimed while there are cards to draw; four where it is not said."""


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


QUICK = {("first-journey", "mouse")}
"""Games that are played also when there is little time."""


@pytest.mark.parametrize(
    ("edition", "way"),
    [
        pytest.param(edition, way, marks=pytest.mark.quick if (edition, way) in QUICK else ())
        for edition in edition_ids()
        for way in WAYS
    ],
)
def test_a_whole_game(edition: str, way: str, browsing: Browsing, server: Server) -> None:
    player = play_a_game(browsing, server, edition, WAYS[way], PATIENCE.get(edition, 4))
    if isinstance(player, KeyPlayer):
        assert player.by_arrows > player.by_command
