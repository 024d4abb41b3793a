"""Two people at one device: between their turns the page contains neither hand."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from goldenspike.server.protocol.messages import OwnView
from tests.server.serving import Server
from tests.web.deals import seat_of
from tests.web.player import MousePlayer
from tests.web.scenes import deal_for_two
from tests.web.sight import look, wait_until

_LINKS = "() => Object.values(JSON.parse(localStorage['goldenspike.games'])[0].links)"

_WATCH_FOR_HANDS = """window.hands = 0;
new MutationObserver(() => {
  window.hands += document.querySelectorAll("[data-testid=hand-card], [data-testid=offer-ticket]").length;
}).observe(document, { childList: true, subtree: true });"""


def sit_down_as_two(page: Page) -> list[str]:
    """Start a game of Ann and Ben at this device; return the links of their seats."""
    deal_for_two(page)
    page.get_by_test_id("table").wait_for()
    return page.evaluate(_LINKS)


def secrets_of(server: Server, own: OwnView) -> list[str]:
    """Return the texts of a seat's tickets."""
    edition = server.get("/api/editions/new-york").json
    cities = {city["code"]: city["name"] for city in edition["cities"]}
    tickets = {ticket["name"]: ticket for ticket in edition["tickets"]}
    named = [tickets[name] for name in (*own.tickets, *own.offer)]
    return [ticket["name"] for ticket in named] + [
        f"{cities[ticket['a']]} \N{EN DASH} {cities[ticket['b']]}" for ticket in named
    ]


def own_of(server: Server, link: str) -> OwnView:
    own = server.show(link).own
    assert own is not None
    return own


def test_a_hand_is_hidden_until_its_owner_confirms(page: Page, server: Server) -> None:
    ann, ben = sit_down_as_two(page)
    player = MousePlayer(page)
    for mine, theirs, name in [(ann, ben, "Ben"), (ben, ann, "Ann"), (ann, ben, "Ben")]:
        sight = player.wait_turn()
        own = own_of(server, mine)
        assert sight.hand == own.hand
        content = page.content()
        assert not [secret for secret in secrets_of(server, own_of(server, theirs)) if secret in content]
        while not sight.is_handed_over:
            if sight.can_move:
                player.step(sight)
            sight = wait_until(page, lambda now: now.can_move or now.is_handed_over)
        content = page.content()
        for link in (ann, ben):
            assert not [secret for secret in secrets_of(server, own_of(server, link)) if secret in content]
        assert "hand-card" not in content
        expect(page.get_by_test_id("hand-over")).to_contain_text(f"{name} is next")
        expect(page.get_by_test_id("hand-over-next")).to_be_focused()
        page.get_by_test_id("hand-over-next").click()
        page.get_by_test_id("table").wait_for()


def test_a_reload_at_the_hand_over_shows_no_hand_either(page: Page, server: Server) -> None:
    ann, ben = sit_down_as_two(page)
    player = MousePlayer(page)
    player.step(player.wait_turn())
    expect(page.get_by_test_id("hand-over")).to_be_visible()
    page.add_init_script(_WATCH_FOR_HANDS)
    page.reload()
    expect(page.get_by_test_id("hand-over")).to_be_visible()
    assert page.evaluate("window.hands") == 0
    content = page.content()
    for link in (ann, ben):
        assert not [secret for secret in secrets_of(server, own_of(server, link)) if secret in content]


def test_the_previous_player_may_look_again_before_the_hand_over(page: Page, server: Server) -> None:
    ann, ben = sit_down_as_two(page)
    player = MousePlayer(page)
    player.step(player.wait_turn())
    page.get_by_role("button", name="Back to Ann").click()
    now = page.get_by_test_id("hand-over-now")
    expect(now).to_have_text("Hand over to Ben")
    sight = wait_until(page, lambda sight: bool(sight.hand))
    assert sight.hand == own_of(server, ann).hand
    content = page.content()
    assert not [secret for secret in secrets_of(server, own_of(server, ben)) if secret in content]
    now.click()
    expect(page.get_by_test_id("hand-over")).to_contain_text("Ben is next")
    assert "hand-card" not in page.content()


def test_opening_another_game_ends_the_hand_over(page: Page, server: Server) -> None:
    sit_down_as_two(page)
    player = MousePlayer(page)
    player.step(player.wait_turn())
    expect(page.get_by_test_id("hand-over")).to_be_visible()
    other = seat_of(server.create("usa-classic", "here", "here", first=0), 0)
    page.evaluate("(link) => { location.hash = `#/table/${link}`; }", other)
    expect(page.get_by_test_id("hand-over")).to_be_hidden()
    expect(page.get_by_test_id("offer")).to_be_visible()
    assert look(page).offer == own_of(server, other).offer
