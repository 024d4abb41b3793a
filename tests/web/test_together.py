"""Several people at one table: reloads and lost connections."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from goldenspike.server.protocol.messages import Created, Joined
from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import begun, bring, seat_of
from tests.web.player import MousePlayer, PagePlayer
from tests.web.proxy import Proxy
from tests.web.sight import Sight, look, wait_until

_BOARD = """() => Object.fromEntries([...document.querySelectorAll("[data-testid=route]")]
  .map((route) => [route.dataset.route, route.dataset.owner ?? null]))"""


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    """Put a proxy between a page and the server."""
    proxy = Proxy(server.url)
    yield proxy
    proxy.close()


def owners(page: Page) -> dict[str, str | None]:
    """Return the owners of routes as drawn on the board."""
    return page.evaluate(_BOARD)


def owners_in(server: Server, link: str) -> dict[str, str | None]:
    """Return the owners of routes from the server."""
    shown = server.show(link)
    held = {route: str(seat) for seat, view in enumerate(shown.view.seats) for route in view.routes}
    return {
        route.name: held.get(route.name) for route in begun(shown.game.edition, 2, "0").edition.board.routes
    }


def wait_for_owners(page: Page, expected: dict[str, str | None]) -> None:
    page.wait_for_function(
        f"(expected) => Object.entries(({_BOARD})()).every(([name, owner]) => owner === expected[name])",
        arg=expected,
    )


def play_together(players: list[PagePlayer], moves: int) -> Iterator[Sight]:
    """Let the player to move make a move, up to `moves` times or until the end; yield after each."""
    for _ in range(moves):
        sights = [(player, look(player.page)) for player in players]
        mover = next(((player, sight) for player, sight in sights if sight.can_move), None)
        if mover is not None:
            yield mover[0].step(mover[1])
        elif all(sight.is_over for _, sight in sights):
            return
        else:
            players[0].page.wait_for_timeout(20)


def two_and_a_watcher(browsing: Browsing, server: Server) -> tuple[Created, list[PagePlayer], Page]:
    game = server.create("new-york", "here", "here", seed="two and a watcher", first=0)
    players: list[PagePlayer] = [MousePlayer(browsing.sit(seat_of(game, seat)), 2) for seat in (0, 1)]
    for player in players:
        player.wait_turn()
    return game, players, browsing.sit(game.watch)


def test_two_people_and_a_spectator_see_the_same_game_through_reloads(
    browsing: Browsing, server: Server
) -> None:
    game, players, watcher = two_and_a_watcher(browsing, server)
    rng = random.Random("when to reload")
    pages = [players[0].page, players[1].page, watcher]
    reloads = {rng.randrange(2, 30): page for page in pages}
    while len(reloads) < len(pages):
        reloads[rng.randrange(2, 30)] = next(page for page in pages if page not in reloads.values())
    for count, _ in enumerate(play_together(players, 600)):
        if page := reloads.pop(count, None):
            before = look(page)
            page.reload()
            page.get_by_test_id("table").wait_for()
            after = wait_until(page, lambda sight: bool(sight.players))
            assert after.hand == before.hand
            assert after.offer == before.offer
            expected = owners_in(server, game.watch)
            for each in pages:
                wait_for_owners(each, expected)
    assert not reloads
    ends = [page.get_by_test_id("scores").inner_text() for page in pages]
    assert ends == [ends[0]] * 3
    assert owners(watcher) == owners(pages[0]) == owners(pages[1]) == owners_in(server, game.watch)


def test_a_spectator_sees_no_hand_and_cannot_act(browsing: Browsing, server: Server) -> None:
    _, players, watcher = two_and_a_watcher(browsing, server)
    for _ in play_together(players, 4):
        pass
    sight = look(watcher)
    assert not sight.can_move
    assert not sight.hand
    assert not sight.offer
    watcher.get_by_test_id("deck").click(force=True)
    expect(watcher.get_by_test_id("remark")).to_have_text("You are watching this game.")
    hidden = server.show(players[0].page.url.partition("table/")[2]).own
    assert hidden is not None
    content = watcher.content()
    for ticket in hidden.tickets:
        assert ticket not in content


def sit_behind(proxy: Proxy, browsing: Browsing, link: str) -> Page:
    """Open a seat through the proxy."""
    visitor = browsing.visitor()
    visitor.forgive("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "WebSocket connection")
    return visitor.open(f"{proxy.url}/#/table/{link}")


def test_a_move_made_without_connection_is_done_once_it_is_back(
    browsing: Browsing, server: Server, proxy: Proxy
) -> None:
    game = bring(server, begun("new-york", 2, "cut"), "here", "here")
    page = sit_behind(proxy, browsing, seat_of(game, 0))
    player = MousePlayer(page)
    before = player.wait_turn()
    proxy.cut()
    expect(page.get_by_test_id("reconnecting")).to_be_visible()
    player.draw()
    assert look(page).hand == before.hand
    proxy.restore()
    after = wait_until(page, lambda sight: sight.is_second_card)
    expect(page.get_by_test_id("reconnecting")).to_be_hidden()
    assert sum(after.hand.values()) == sum(before.hand.values()) + 1
    assert server.show(seat_of(game, 0)).last == server.show(game.watch).last
    player.step(after)
    assert server.show(game.watch).view.to_move == [1]


def test_what_others_did_while_the_connection_was_cut_is_shown_afterwards(
    browsing: Browsing, server: Server, proxy: Proxy
) -> None:
    game = bring(server, begun("new-york", 2, "cut"), "here", "here")
    cut = sit_behind(proxy, browsing, seat_of(game, 1))
    cut.get_by_test_id("table").wait_for()
    mover = MousePlayer(browsing.sit(seat_of(game, 0)))
    proxy.cut()
    expect(cut.get_by_test_id("reconnecting")).to_be_visible()
    mover.wait_turn()
    mover.draw()
    wait_until(mover.page, lambda sight: sight.is_second_card)
    mover.draw()
    proxy.restore()
    sight = wait_until(cut, lambda sight: sight.can_move)
    assert "4 cards" in sight.players[0]
    lines = cut.get_by_test_id("log").locator("li")
    expect(lines.filter(has_text=re.compile("Player 1 (took|drew)"))).to_have_count(2)


def test_a_dialog_closes_at_the_end_of_its_turn(browsing: Browsing, server: Server) -> None:
    game = bring(server, begun("new-york", 2, "elsewhere"), "here", "here")
    page = browsing.sit(seat_of(game, 0))
    MousePlayer(page).wait_turn()
    page.keyboard.press("t")
    page.get_by_test_id("ask-tickets").wait_for()
    draw_elsewhere(server, seat_of(game, 0))
    expect(page.get_by_test_id("ask-tickets")).to_be_hidden()
    page.keyboard.press("?")
    shortcuts = page.get_by_test_id("shortcuts")
    shortcuts.get_by_role("button", name="Close").click()
    draw_elsewhere(server, seat_of(game, 1))
    wait_until(page, lambda sight: sight.can_move)
    expect(page.get_by_test_id("ask-tickets")).to_be_hidden()


def draw_elsewhere(server: Server, link: str) -> None:
    """Let a seat draw two cards on another device."""
    for count in range(2):
        server.command(link, type="play", id=f"{count}", move="draw deck").read(dict)


def test_the_title_says_whose_turn_it_is_once_all_are_there(browsing: Browsing, server: Server) -> None:
    game = server.create("new-york", "here", "open", public=True, first=0)
    page = browsing.sit(seat_of(game, 0))
    expect(page.get_by_test_id("turn")).to_have_text("Waiting for one more player.")
    expect(page).to_have_title("Golden Spike")
    server.post(f"/api/games/{game.game}/join", {"name": "Ben"}).read(Joined)
    expect(page).to_have_title("Your turn · Golden Spike")


def test_the_title_says_nothing_of_a_turn_that_a_bot_plays(browsing: Browsing, server: Server) -> None:
    game = bring(server, begun("new-york", 2, "stand-in"), "here", "here")
    visitor = browsing.visitor()

    def seat_a_bot(message: dict[str, Any]) -> None:
        """Show the first seat as a bot before the bot has moved."""
        if "seats" in message:
            message["seats"][0]["level"] = "medium"

    visitor.change(seat_a_bot)
    page = visitor.open(browsing.address(f"table/{seat_of(game, 0)}"))
    expect(page.get_by_test_id("turn")).to_have_text("A bot is playing for you.")
    expect(page).to_have_title("Golden Spike")


def test_a_player_without_a_name_gets_the_seats_name(browsing: Browsing, server: Server) -> None:
    seats = [{"who": "here", "name": "Hilda"}, {"who": "open"}]
    new = {"edition": "new-york", "seats": seats, "options": {"public": True}}
    host = browsing.sit(seat_of(server.post("/api/games/", new).read(Created), 0))
    host.get_by_test_id("table").wait_for()
    guest = browsing.open()
    guest.get_by_role("listitem").filter(has_text="Hilda").get_by_role("button", name="Join").click()
    guest.get_by_test_id("table").wait_for()
    expect(host.get_by_test_id("announcements")).to_have_text("Player 2 joined.")
    assert look(host).players[1].startswith("Player 2")
