"""Invitations: the first device that accepts one gets the seat, and no hand can be seen unnoticed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from goldenspike.server.protocol.client import Client, RefusedError
from goldenspike.server.protocol.links import CODE_SECONDS
from goldenspike.server.protocol.messages import (
    Ack,
    Created,
    Invite,
    Joined,
    MakeCode,
    Rematch,
    Replace,
    Reply,
)
from goldenspike.server.storage.database import Database
from tests.server.people import Person, known, play_all, sit_down
from tests.server.serving import HttpAnswer, Server, within


def accept(server: Server, invitation: str | None, name: str | None = None) -> HttpAnswer:
    invitation = known(invitation)
    return server.post(f"/api/games/{invitation.partition('.')[0]}/accept", {"name": name}, invitation)


async def invite(host: Person, seat: int) -> str:
    ack = await host.client.send(Invite(f"invite {host.client.last}", seat))
    assert isinstance(ack, Ack)
    return known(ack.invitation)


@pytest.fixture
def created(server: Server) -> Created:
    return server.create("new-york", "here", "link", first=0)


def test_an_invitation_opens_nothing_and_works_once(created: Created, server: Server) -> None:
    assert created.seats[1] is None
    invitation = known(created.invitations[1])
    assert server.get(f"/api/games/{created.game}", invitation).refusal.code == "invitation"
    joined = accept(server, invitation, "Ben").read(Joined)
    assert joined.seat == 1
    assert joined.link != invitation
    assert server.show(joined.link).seats[1].name == "Ben"
    again = accept(server, invitation)
    assert (again.status, again.refusal.code) == (403, "bad_link")
    assert server.get(f"/api/games/{created.game}", invitation).refusal.code == "bad_link"


def test_of_simultaneous_accepts_one_gets_the_seat(server: Server) -> None:
    with ThreadPoolExecutor(6) as pool:
        for _ in range(5):
            created = server.create("new-york", "here", "link")
            answers = list(pool.map(partial(accept, server), [created.invitations[1]] * 6))
            assert sorted(answer.status for answer in answers) == [201, 403, 403, 403, 403, 403]
            link = next(answer.read(Joined).link for answer in answers if answer.status == 201)
            assert server.show(link).seats[1].devices == 1


@within(60)
async def test_cards_are_hidden_until_all_players_have_joined(created: Created, server: Server) -> None:
    async with sit_down(server, known(created.seats[0])) as host:
        assert known(host.own).hand == {}
        assert known(host.own).offer == []
        assert host.client.seats[1].who == "invited"
        entries = server.get(f"/api/games/{created.game}/entries", known(created.seats[0])).json["entries"]
        assert not any("cards" in event and event["seat"] == 0 for event in entries[0]["events"])
        accept(server, created.invitations[1]).read(Joined)
        await host.client.wait(lambda: host.client.seats[1].who == "person")
        assert sum(known(host.own).hand.values()) > 0
        assert known(host.own).offer


@within(60)
async def test_a_new_invitation_is_public_and_revokes_the_old_device(
    created: Created, server: Server
) -> None:
    first = accept(server, created.invitations[1]).read(Joined)
    async with sit_down(server, known(created.seats[0])) as host, sit_down(server, first.link) as friend:
        new = await invite(host, 1)
        await friend.client.wait(lambda: friend.client.log[-1].kind == "invited")
        assert (friend.client.log[-1].seat, friend.client.log[-1].move) == (1, 0)
        assert (await friend.refused(Invite("mine", 0))).code == "not_allowed"
        second = accept(server, new).read(Joined)
        await host.client.wait(lambda: host.client.log[-1].kind == "device added")
        await friend.client.wait(lambda: friend.client.is_closed)
        assert friend.client.refusals[-1].code == "bad_link"
        assert host.client.seats[1].devices == 1
    assert server.get(f"/api/games/{created.game}", first.link).refusal.code == "bad_link"
    assert server.show(second.link).you == 1


def test_a_new_invitation_makes_the_old_one_void(created: Created, server: Server) -> None:
    ack = server.command(known(created.seats[0]), type="invite", id="1", seat=1).read(Ack)
    assert accept(server, created.invitations[1]).refusal.code == "bad_link"
    assert accept(server, ack.invitation).read(Joined).seat == 1
    resent = server.command(known(created.seats[0]), type="invite", id="1", seat=1).read(Ack)
    assert (resent.n, resent.invitation) == (ack.n, None)


@within(60)
async def test_a_code_adds_another_device_to_a_seat(created: Created, server: Server) -> None:
    accept(server, created.invitations[1]).read(Joined)
    async with sit_down(server, known(created.seats[0])) as phone:
        reply = await phone.ask(MakeCode("code"))
        assert reply.seconds == CODE_SECONDS
        typed = known(reply.code).replace("-", " ").lower()
        joined = server.post("/api/codes", {"code": typed}).read(Joined)
        assert (joined.game, joined.seat) == (created.game, 0)
        await phone.client.wait(lambda: phone.client.seats[0].devices == 2)
        assert phone.client.log[-1].kind == "device added"
        async with sit_down(server, joined.link) as laptop:
            assert laptop.own == phone.own
        assert server.post("/api/codes", {"code": typed}).refusal.code == "bad_link"


def test_an_old_code_is_refused(created: Created, server: Server) -> None:
    reply = server.command(known(created.seats[0]), type="code", id="1").read(Reply)
    store = Database(server.database)
    with store.engine.begin() as connection:
        age = (CODE_SECONDS + 5) * 1000
        connection.exec_driver_sql("UPDATE keys SET at = at - ? WHERE kind = 'code'", (age,))
    store.close()
    assert server.post("/api/codes", {"code": reply.code}).refusal.code == "bad_link"


@within(60)
async def test_the_host_can_replace_an_absent_guest_by_a_bot(server: Server) -> None:
    created = server.create("new-york", "here", "link", first=0)
    async with sit_down(server, known(created.seats[0])) as host:
        refusal = await host.refused(Replace("soon", 1))
        assert "a moment ago" in refusal.message
        await host.seat_bot(1)
        await host.client.wait(lambda: bool(known(host.own).offer))
        # The host has seen the deal: a player who joined now would play a deal that the host chose.
        assert (await host.refused(Invite("late", 1))).code == "not_allowed"
        assert host.client.seats[1].who == "bot"
    late = accept(server, created.invitations[1])
    assert (late.status, late.refusal.code) == (403, "not_allowed")
    assert (
        late.refusal.message == "A bot has this seat, because you did not join in time; ask for a new game."
    )


@within(60)
async def test_a_guest_who_came_can_be_replaced_and_invited_again(created: Created, server: Server) -> None:
    accept(server, created.invitations[1]).read(Joined)
    async with sit_down(server, known(created.seats[0])) as host:
        await host.seat_bot(1)
        joined = accept(server, await invite(host, 1)).read(Joined)
        server.command(joined.link, type="return", id="1").read(Ack)
        await host.client.wait(lambda: host.client.seats[1].level is None)
        assert host.client.seats[1].who == "person"


@pytest.mark.slow
@within(120)
async def test_a_rematch_keeps_the_devices(server: Server) -> None:
    created = server.create("first-journey", "here", "link")
    friend_link = accept(server, created.invitations[1]).read(Joined).link
    code = server.command(friend_link, type="code", id="1").read(Reply).code
    other_link = server.post("/api/codes", {"code": code}).read(Joined).link
    async with (
        sit_down(server, known(created.seats[0])) as host,
        sit_down(server, friend_link) as friend,
        sit_down(server, created.watch) as watcher,
    ):
        await play_all([host, friend], watcher)
        ack = await host.client.send(Rematch("1"))
        assert isinstance(ack, Ack)
    for link, seat in ((known(created.seats[0]), 1), (friend_link, 0), (other_link, 0)):
        shown = server.show(f"{ack.game}.{link.partition('.')[2]}")
        assert shown.you == seat
        assert [each.devices for each in shown.seats] == [2, 1]
        assert shown.game.host == 1
        assert known(shown.own).hand


@within(60)
async def test_the_scripted_client_is_told_that_a_link_is_an_invitation(
    created: Created, server: Server
) -> None:
    with pytest.raises(RefusedError, match="invitation"):
        async with Client.connect(server.url, known(created.invitations[1])):
            pass
