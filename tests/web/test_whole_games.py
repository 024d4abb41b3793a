"""Whole games on the page, in every edition: with a mouse, touch on a phone, or only the keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from goldenspike.editions import edition_ids
from tests.server.serving import Server
from tests.web.browsing import LAPTOP, PHONE, Browsing, Screen
from tests.web.player import KeyPlayer, MousePlayer, PagePlayer, TouchPlayer

Way = tuple[type[PagePlayer], Screen]
WAYS: dict[str, Way] = {
    "mouse": (MousePlayer, LAPTOP),
    "touch": (TouchPlayer, PHONE),
    "keys": (KeyPlayer, LAPTOP),
}
PATIENCE = {"new-york": 2, "first-journey": 1}
"""The shortest route to claim while there are cards to draw; 4 by default."""


def play_a_game(browsing: Browsing, server: Server, edition: str, way: Way, patience: int) -> PagePlayer:
    """Play a game to its end against an easy bot, and check the end screen."""
    game = server.create(edition, "here", "easy", seed=f"a whole game of {edition}", first=0)
    [link, _] = game.seats
    assert link is not None
    kind, screen = way
    player = kind(browsing.sit(link, screen), patience)
    player.play_on()
    expect_the_end(player.page, server, link)
    assert player.lost == []
    return player


def expect_the_end(page: Page, server: Server, link: str) -> None:
    """Check the winner and all totals on the end screen against the server."""
    shown = server.show(link)
    assert shown.view.ending is not None
    names = [seat.name for seat in shown.seats]
    winners = shown.view.ending.winners
    title = "You win" if winners == [0] else " and ".join(names[seat] for seat in winners)
    expect(page.get_by_test_id("winner")).to_contain_text(title)
    scores = page.get_by_test_id("scores")
    expect(scores.locator("tfoot td")).to_have_text([str(total) for total in shown.view.ending.totals])
    for name in names:
        expect(scores.locator("thead")).to_contain_text(name)
    expect(page.get_by_test_id("rematch")).to_be_visible()


QUICK = {("first-journey", "mouse")}
"""Games that `./test fast` plays too."""


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
