"""Invitations, other devices, and waiting until all players have joined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from goldenspike.server.protocol.messages import Created
from tests.server.serving import Server
from tests.web.browsing import DESKTOP, LAPTOP, PHONE, Browsing, Screen
from tests.web.deals import begun, bring, seat_of
from tests.web.player import MousePlayer
from tests.web.proxy import Proxy
from tests.web.scenes import accept, deal_for_friend
from tests.web.sight import look, wait_until

SPENT = "This invitation is no longer valid"


def deal(server: Server) -> Created:
    """Start a game of Ann, the host, and Ben, who is invited."""
    seats = [{"who": "here", "name": "Ann"}, {"who": "link", "name": "Ben"}]
    return server.post("/api/games/", {"edition": "new-york", "seats": seats}).read(Created)


def invitation_of(created: Created, seat: int = 1) -> str:
    invitation = created.invitations[seat]
    assert invitation is not None
    return invitation


def together(browsing: Browsing, server: Server, screen: Screen = LAPTOP) -> tuple[Page, Page, Created]:
    """Open pages of Ann and Ben on separate devices; `screen` is the size of Ben's."""
    created = deal(server)
    ann = browsing.sit(seat_of(created, 0))
    ben = browsing.open(f"invite/{invitation_of(created)}", screen)
    accept(ben, "")
    expect(ann.get_by_test_id("waiting")).to_be_hidden()
    return ann, ben, created


def open_player(page: Page, seat: int) -> None:
    """Open the details of a player."""
    if page.get_by_test_id("tab-players").count():
        page.get_by_test_id("tab-players").click()
    page.locator(f"[data-testid=player][data-seat='{seat}']").last.click()


def log_of(page: Page) -> Any:
    """Return the lines of the log."""
    page.get_by_test_id("tab-log").click()
    return page.get_by_test_id("log").locator("li")


def test_the_first_device_that_accepts_gets_the_seat_and_others_are_told_what_to_do(
    browsing: Browsing, server: Server
) -> None:
    created = deal(server)
    friend = browsing.open(f"invite/{invitation_of(created)}", name="Benno")
    expect(friend.get_by_label("Your name")).to_have_value("Benno")
    accept(friend, "Benno")
    assert look(friend).players[1].startswith("Benno (you)")
    assert invitation_of(created) not in friend.url
    late = browsing.visitor()
    late.forgive("403")
    second = late.open(browsing.address(f"invite/{invitation_of(created)}"))
    second.get_by_role("button", name="Join").click()
    expect(second.get_by_role("heading", name=SPENT)).to_be_visible()
    expect(second.get_by_text("Ask the host for a new invitation")).to_be_visible()
    second.get_by_role("link", name="Home").click()
    expect(second.get_by_role("button", name="Play now")).to_be_visible()
    assert server.show(seat_of(created, 0)).seats[1].devices == 1


def test_the_invitation_leads_back_to_the_table_on_the_device_that_accepted_it(
    browsing: Browsing, server: Server
) -> None:
    _, ben, created = together(browsing, server)
    visitor = browsing.visitor_of(ben)
    again = visitor.open(browsing.address(f"invite/{invitation_of(created)}"))
    again.get_by_test_id("table").wait_for()
    assert "(you)" in look(again).players[1]
    assert server.show(seat_of(created, 0)).seats[1].devices == 1


def test_an_invitation_used_as_a_link_or_pasted_leads_to_its_screen(
    browsing: Browsing, server: Server
) -> None:
    created = deal(server)
    page = browsing.sit(invitation_of(created))
    expect(page.get_by_role("heading", name="You are invited to a game")).to_be_visible()
    page = browsing.open()
    page.get_by_label("Invitation or link").fill(browsing.address(f"invite/{invitation_of(created)}"))
    page.get_by_role("button", name="Open", exact=True).click()
    accept(page, "Ben")


def test_a_host_who_opens_the_invitation_is_asked_first(browsing: Browsing, server: Server) -> None:
    created = deal(server)
    visitor = browsing.visitor()
    visitor.open(browsing.address(f"table/{seat_of(created, 0)}")).get_by_test_id("waiting").wait_for()
    page = visitor.open(browsing.address(f"invite/{invitation_of(created)}"))
    page.get_by_role("button", name="Go to table").click()
    expect(page.get_by_test_id("waiting")).to_be_visible()
    assert server.show(seat_of(created, 0)).seats[1].who == "invited"


def test_until_all_have_joined_cards_are_hidden_and_the_host_can_copy_the_invitation(
    browsing: Browsing, server: Server
) -> None:
    ann = browsing.open()
    deal_for_friend(ann)
    shown = ann.get_by_label("Invitation for Ben", exact=True).input_value()
    ann.get_by_role("button", name="Go to table").click()
    waiting = ann.get_by_test_id("waiting")
    expect(waiting).to_contain_text("Waiting for Ben to accept the invitation.")
    expect(ann.get_by_test_id("turn")).to_have_text("Waiting for Ben to accept the invitation.")
    expect(waiting.get_by_label("Invitation for Ben", exact=True)).to_have_value(shown)
    expect(waiting.get_by_role("button", name="Copy: Invitation for Ben")).to_be_visible()
    expect(ann.get_by_test_id("hand")).to_have_count(0)
    expect(ann.get_by_test_id("offer")).to_have_count(0)
    assert "#/invite/" in shown
    ben = browsing.visitor().open(shown)
    accept(ben, "")
    expect(waiting).to_be_hidden()
    wait_until(ann, lambda sight: bool(sight.offer))
    expect(log_of(ann).filter(has_text="You were dealt")).to_have_count(1)


def test_a_host_without_the_invitation_makes_a_new_one(browsing: Browsing, server: Server) -> None:
    created = deal(server)
    ann = browsing.sit(seat_of(created, 0))
    ann.get_by_role("button", name="New invitation for Ben").click()
    address = ann.get_by_test_id("waiting").get_by_label("Invitation for Ben", exact=True).input_value()
    assert invitation_of(created) not in address
    late = browsing.visitor()
    late.forgive("403")
    old = late.open(browsing.address(f"invite/{invitation_of(created)}"))
    old.get_by_role("button", name="Join").click()
    expect(old.get_by_role("heading", name=SPENT)).to_be_visible()
    accept(browsing.visitor().open(address), "Ben")
    expect(log_of(ann).filter(has_text="You made a new invitation for Ben.")).to_have_count(1)


def test_the_host_cannot_take_a_friends_seat_unnoticed(browsing: Browsing, server: Server) -> None:
    ann, ben, _ = together(browsing, server)
    open_player(ann, 1)
    ann.get_by_role("button", name="Invite again").click()
    dialog = ann.get_by_test_id("invite-again")
    expect(dialog).to_contain_text("the devices that have the seat now lose it")
    dialog.get_by_role("button", name="Create invitation").click()
    address = dialog.get_by_label("Invitation for Ben", exact=True).input_value()
    expect(log_of(ben).filter(has_text="Ann made a new invitation for your seat.")).to_have_count(1)
    browsing.visitor_of(ben).forgive("WebSocket connection")
    accept(browsing.visitor().open(address), "")
    expect(ben.get_by_test_id("refused")).to_contain_text("This device no longer has the seat")
    ben.get_by_role("button", name="Home").click()
    expect(ben.get_by_role("heading", name="Resume a game")).to_be_hidden()


def test_a_code_adds_another_device_to_a_seat(browsing: Browsing, server: Server) -> None:
    ann, ben, _ = together(browsing, server, DESKTOP)
    ben.get_by_test_id("menu").click()
    ben.get_by_test_id("play-elsewhere").click()
    dialog = ben.get_by_test_id("another-device")
    code = dialog.get_by_test_id("code").inner_text()
    expect(dialog).to_contain_text("within 10 minutes")
    expect(dialog.get_by_label("Address for the other device", exact=True)).to_have_value(
        browsing.address(f"code/{code}")
    )
    phone = browsing.open(screen=PHONE)
    phone.get_by_role("link", name="I have a code").tap()
    phone.get_by_label("Code").fill(code.lower().replace("-", " "))
    phone.get_by_role("button", name="Continue here").tap()
    phone.get_by_test_id("table").wait_for()
    assert sorted(look(phone).offer) == sorted(look(ben).offer) != []
    assert code not in phone.url
    dialog.get_by_role("button", name="Close").click()
    expect(log_of(ben).filter(has_text="You now play on 2 devices.")).to_have_count(1)
    expect(log_of(ann).filter(has_text="Ben now plays on 2 devices.")).to_have_count(1)
    expect(ann.get_by_test_id("devices")).to_have_text("2 devices")
    expect(ann.get_by_test_id("devices")).to_have_attribute("title", re.compile("2 devices are signed in"))
    open_player(phone, 1)
    expect(phone.get_by_text("2 devices are signed in to this seat and see its cards.")).to_be_visible()
    used = browsing.visitor()
    used.forgive("403")
    again = used.open(browsing.address(f"code/{code}"))
    again.get_by_role("button", name="Continue here").click()
    expect(again.get_by_role("alert")).to_contain_text("This code is not valid")


def test_a_bot_is_offered_only_for_an_absent_player(browsing: Browsing, server: Server) -> None:
    game = bring(server, begun("new-york", 2, "absent"), "here", "here", names=["Ann", "Ben"])
    ann, ben = browsing.sit(seat_of(game, 0)), browsing.sit(seat_of(game, 1))
    ben.get_by_test_id("table").wait_for()
    player = MousePlayer(ann)
    for _ in range(2):
        player.step(player.wait_turn())
    expect(ann.get_by_test_id("turn")).to_have_text(re.compile("Ben.s turn"))
    open_player(ann, 1)
    replace = ann.get_by_role("button", name="Let a bot take over")
    expect(ann.get_by_role("button", name="Invite again")).to_be_visible()
    expect(replace).to_be_hidden()
    ben.close()
    replace.click()
    expect(ann.get_by_test_id("remark")).to_contain_text("Ben went offline a moment ago. Wait")


def leave_to_ben(browsing: Browsing, server: Server, clock: int) -> Page:
    """Let Ann end her turn, and open the details of Ben, who is absent and to move."""
    game = bring(server, begun("new-york", 2, "absent"), "here", "here", names=["Ann", "Ben"], clock=clock)
    ann = browsing.sit(seat_of(game, 0))
    player = MousePlayer(ann)
    for _ in range(2):
        player.step(player.wait_turn())
    open_player(ann, 1)
    expect(ann.get_by_role("button", name="Invite again")).to_be_visible()
    return ann


def test_with_a_turn_timer_no_player_is_replaced_before_the_time_is_up(
    browsing: Browsing, server: Server
) -> None:
    ann = leave_to_ben(browsing, server, 3_600)
    expect(ann.get_by_test_id("turn")).to_contain_text("Waiting for Ben")
    expect(ann.get_by_role("button", name="Let a bot take over")).to_be_hidden()


def test_with_a_clock_a_bot_is_offered_once_the_time_ran_out(browsing: Browsing, server: Server) -> None:
    ann = leave_to_ben(browsing, server, 8)
    ann.get_by_role("button", name="Let a bot take over").click()  # waits until it is shown
    expect(log_of(ann).filter(has_text="You let a bot take over for Ben.")).to_have_count(1)


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    """Put a proxy between a page and the server."""
    proxy = Proxy(server.url)
    yield proxy
    proxy.close()


def test_a_log_that_became_shorter_is_read_again(browsing: Browsing, server: Server, proxy: Proxy) -> None:
    game = bring(server, begun("new-york", 2, "older"), "here", "here", names=["Ann", "Ben"])
    visitor = browsing.visitor()
    visitor.forgive("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "WebSocket connection")
    lost = {"entries": 0}

    def go_back(message: dict[str, Any]) -> None:
        if message["type"] == "welcome":
            message["last"] -= lost["entries"]

    def leave_out(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        told["entries"] = told["entries"][: len(told["entries"]) - lost["entries"]]
        route.fulfill(response=answer, json=told)

    visitor.change(go_back)
    page = visitor.open(f"{proxy.url}/#/table/{seat_of(game, 0)}")
    page.route(re.compile(r"/entries\?after=-1$"), leave_out)
    player, lines = MousePlayer(page), log_of(page)
    turn = player.wait_turn()
    expect(lines).not_to_have_count(0)  # the log is read after the welcome
    before = lines.count()
    player.step(turn)
    expect(lines).not_to_have_count(before)
    lost["entries"] = 1
    proxy.cut()
    expect(page.get_by_test_id("reconnecting")).to_be_visible()
    proxy.restore()
    expect(lines).to_have_count(before)  # the server has lost the last entry
