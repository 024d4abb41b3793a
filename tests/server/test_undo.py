"""Undo: at once among bots, by consent among people, never past revealed information."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import pytest

from goldenspike import Game
from goldenspike.engine.moves import CLAIM
from goldenspike.server.protocol.messages import Answer, Created, Leave, OwnView, TableView, Undo
from tests.server.people import Person, gather_at, known
from tests.server.serving import Server, within


@cache
def seed_for_claims(players: int, claims: int | None = None) -> str:
    """Return a seed with which `claims` claims, or one per seat, can be paid from the opening hands."""
    for seed in map(str, range(1000)):
        game = Game.new("usa-classic", players, seed=seed, first=0)
        for seat in range(players):
            game.play("keep all", seat)
        for _ in range(claims or players):
            legal = game.legal_moves().of_kind("claim").numbers
            if not legal:
                break
            game.play(legal[0])
        else:
            return seed
    raise AssertionError("no seed will do")


def looks(person: Person) -> tuple[TableView, OwnView]:
    return person.view, person.own


def deal(server: Server, *seats: str, claims: int | None = None) -> Created:
    return server.create("usa-classic", *seats, first=0, seed=seed_for_claims(len(seats), claims))


@asynccontextmanager
async def start(
    server: Server, *seats: str, claims: int | None = None
) -> AsyncGenerator[tuple[list[Person], Person]]:
    """Deal a game and let all players keep their tickets, so that seat 0 is to move."""
    async with gather_at(server, deal(server, *seats, claims=claims)) as (people, watcher):
        for person in people:
            await person.move("keep all")
        assert await people[0].my_turn()
        yield people, watcher


def a_claim(person: Person) -> int:
    return min(move for move in person.own.legal if move >= CLAIM)


async def claim(person: Person, *, is_first: bool = True) -> None:
    """Claim a route; no bot may answer, because the claim could then not be undone."""
    assert await person.my_turn()
    assert person.own.can_undo is not is_first
    await person.move(a_claim(person))
    assert person.own.can_undo is True


@within(120)
async def test_a_claim_cannot_be_undone_after_a_bot_has_moved(server: Server) -> None:
    async with start(server, "here", "greedy") as ([one], _):
        await one.move(a_claim(one))  # the bot may answer before the client sees its own claim
        assert await one.my_turn()
        answer = one.client.log[-1]
        assert (answer.seat, (answer.text or "").startswith("claim")) == (1, True)
        assert (await one.refused(Undo("back"))).code == "not_allowed"
        assert not known(one.own).can_undo


@within(60)
async def test_a_claim_can_be_undone_until_a_bot_moves(tmp_path: Path) -> None:
    server = Server(tmp_path, "--bot-seconds", "0.02", "--undo-seconds", "60")
    try:
        async with start(server.wait_ready(), "here", "greedy") as ([one], watcher):
            before = looks(one)
            await claim(one)
            ack = await one.do(Undo("back"))
            entry = one.client.log[-1]
            assert (entry.kind, entry.seat, entry.move, entry.n) == ("undone", 0, 1, ack.n)
            assert looks(one) == before
            await watcher.reach(ack.n)
            assert watcher.view == before[0]
    finally:
        server.stop()


@within(60)
async def test_an_undo_needs_the_agreement_of_all_players(server: Server) -> None:
    async with start(server, "here", "here", "here") as (people, watcher):
        one, two, three = people
        before = looks(one)
        await claim(one)
        ack = await one.do(Undo("back"))
        assert one.client.log[-1].kind == "undo asked"
        for person in (*people, watcher):
            await person.reach(ack.n)
            assert person.client.asked == 0
        await two.do(Answer("yes", agree=True))
        assert two.client.log[-1].kind == "undo answered"
        assert one.view != before[0]
        answered = await three.do(Answer("yes", agree=True))
        for person in (*people, watcher):
            await person.reach(answered.n + 1)
            assert (person.client.log[-1].kind, person.client.log[-1].seat) == ("undone", 0)
            assert person.client.asked is None
            assert person.view == before[0]
        assert one.own == before[1]


@within(60)
async def test_undo_takes_back_only_the_last_own_action(server: Server) -> None:
    async with start(server, "here", "here", claims=3) as ([one, two], _):
        await claim(one)
        await claim(two)
        assert await one.my_turn()
        before = looks(one)
        await claim(one, is_first=False)
        await one.do(Undo("back"))
        answered = await two.do(Answer("yes", agree=True))
        await one.reach(answered.n + 1)
        entry = one.client.log[-1]
        assert (entry.kind, entry.seat, entry.move) == ("undone", 0, 1)
        assert looks(one) == before


@within(60)
async def test_one_refusal_rejects_an_undo(server: Server) -> None:
    async with start(server, "here", "here", "here") as (people, _):
        one, two, three = people
        await claim(one)
        after = one.view
        await one.do(Undo("back"))
        await two.do(Answer("no", agree=False))
        assert two.client.asked is None
        assert (await three.refused(Answer("yes", agree=True))).message == "There is no request to answer."
        assert one.view == after
        await one.do(Undo("once more"))
        assert one.client.asked == 0


@within(60)
async def test_an_undo_request_lapses_after_a_move(server: Server) -> None:
    async with start(server, "here", "here", "here") as (people, _):
        one, two, three = people
        await claim(one)
        await one.do(Undo("back"))
        await claim(two)
        assert two.client.asked is None
        assert (await three.refused(Answer("yes", agree=True))).code == "not_allowed"
        # Nothing was revealed meanwhile: it can be asked for again, now including the other player's action.
        ack = await one.do(Undo("both"))
        assert one.client.log[-1].move == 2
        await two.reach(ack.n)
        assert two.client.asked == 0


@within(60)
async def test_an_undo_request_lapses_when_its_player_leaves(server: Server) -> None:
    async with start(server, "here", "here", "here") as (people, _):
        one, two, _three = people
        await claim(one)
        await one.do(Undo("back"))
        await one.do(Leave("away"))
        assert one.client.asked is None
        assert (await two.refused(Answer("yes", agree=True))).code == "not_allowed"


@within(60)
async def test_a_player_who_left_need_not_agree(server: Server) -> None:
    async with start(server, "here", "here", "here") as (people, _):
        one, two, three = people
        before = one.view
        await claim(one)
        await one.do(Undo("back"))
        await two.do(Answer("yes", agree=True))
        ack = await three.do(Leave("away"))
        await one.reach(ack.n + 1)
        assert one.client.log[-1].kind == "undone"
        assert one.view == before


@within(60)
async def test_an_undo_request_can_be_withdrawn(server: Server) -> None:
    async with start(server, "here", "here") as (people, _):
        one, two = people
        await claim(one)
        ack = await one.do(Undo("back"))
        assert (await one.refused(Answer("yes", agree=True))).code == "not_allowed"
        await one.do(Answer("no", agree=False))
        await two.reach(ack.n + 1)
        assert two.client.asked is None


@within(60)
async def test_an_agreement_can_be_withdrawn(server: Server) -> None:
    async with start(server, "here", "here", "here") as (people, _):
        one, two, three = people
        await claim(one)
        await one.do(Undo("back"))
        await two.do(Answer("yes", agree=True))
        await two.do(Answer("no", agree=False))
        assert two.client.asked is None
        assert (await three.refused(Answer("yes", agree=True))).code == "not_allowed"


@within(60)
async def test_a_second_undo_request_is_refused(server: Server) -> None:
    async with start(server, "here", "here", "here") as (people, _):
        one, two, _three = people
        await claim(one)
        await claim(two)
        await one.do(Undo("back"))
        assert "Another undo request is pending" in (await two.refused(Undo("me too"))).message


@pytest.mark.parametrize("shown", ["by another", "by oneself"])
@within(60)
async def test_undo_is_refused_after_hidden_information_was_shown(shown: str, server: Server) -> None:
    async with start(server, "here", "here") as (people, _):
        one, two = people
        assert (await two.refused(Undo("tickets"))).code == "not_allowed"  # all have seen how many were kept
        if shown == "by another":
            await claim(one)
            ack = await two.move("draw deck")
        else:
            ack = await one.move("draw deck")
        await one.reach(ack.n)
        assert one.own.can_undo is False
        refusal = await one.refused(Undo("back"))
        assert refusal.code == "not_allowed"
        assert "hidden information has been revealed" in refusal.message


@within(60)
async def test_a_choice_of_tickets_can_be_undone_while_others_choose(server: Server) -> None:
    created = deal(server, "here", "here")
    async with gather_at(server, created) as ([one, two], watcher):
        before = looks(one)
        await one.move("keep all")
        assert one.own.can_undo
        assert not two.own.can_undo
        await one.do(Undo("back"))
        await two.do(Answer("yes", agree=True))
        await one.client.wait(lambda: one.client.log[-1].kind == "undone")
        assert looks(one) == before
        await one.move(f"keep {one.own.offer[0]}, {one.own.offer[1]}")
        await two.move("keep all")
        assert await one.my_turn()
        assert len(one.own.tickets) == 2
        await watcher.client.wait(lambda: watcher.view.phase == "turn")
        assert [seat.tickets for seat in watcher.view.seats] == [2, 3]


@within(60)
async def test_simultaneous_agreements_undo_once(server: Server) -> None:
    async with start(server, "here", "here", "here") as (people, watcher):
        one, two, three = people
        for i in range(5):
            await claim(one)
            await one.do(Undo(f"back {i}"))
            await asyncio.gather(*(p.do(Answer(f"yes {i}", agree=True)) for p in (two, three)))
            assert await one.my_turn()
        await watcher.reach(one.client.last)
        kinds = [entry.kind for entry in watcher.client.log]
        assert kinds.count("undone") == 5
