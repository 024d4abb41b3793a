"""Taking back: at once among bots, by consent among people, never past what was shown."""

from __future__ import annotations

import asyncio
from functools import cache

import pytest

from goldenspike import Game
from goldenspike.engine.moves import CLAIM
from goldenspike.server.messages import Answer, Created, Leave, OwnView, TableView, Undo
from tests.server.people import Person, gather_at, play_all
from tests.server.serving import Server, within


@cache
def seed_for_claims(players: int, claims: int | None = None) -> str:
    """Return a seed with which so many claims, or one for each seat, can be paid with the first cards."""
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


async def start(people: list[Person]) -> None:
    """Have everybody keep their tickets, so that seat 0 is to move."""
    for person in people:
        await person.move("keep all")
    assert await people[0].my_turn()


async def claim(person: Person, *, is_first: bool = True) -> None:
    assert await person.my_turn()
    assert person.own.can_undo is not is_first
    await person.move(min(move for move in person.own.legal if move >= CLAIM))
    assert person.own.can_undo is True


def deal(server: Server, *seats: str, claims: int | None = None) -> Created:
    return server.create("usa-classic", *seats, first=0, seed=seed_for_claims(len(seats), claims))


@within(120)
async def test_among_bots_an_action_is_taken_back_at_once_with_theirs(server: Server) -> None:
    created = deal(server, "here", "greedy")
    async with gather_at(server, created) as ([one], watcher):
        await start([one])
        before = looks(one)
        await claim(one)
        assert await one.my_turn()
        assert one.client.log[-1].seat == 1
        assert one.client.log[-1].text is not None
        assert one.client.log[-1].text.startswith("claim")
        ack = await one.do(Undo("back"))
        entry = one.client.log[-1]
        assert (entry.kind, entry.seat, entry.move, entry.n) == ("undone", 0, 2, ack.n)
        assert looks(one) == before
        await watcher.reach(ack.n)
        assert watcher.view == before[0]
        assert (await one.refused(Undo("again"))).code == "not_allowed"
        # What was taken back is not in the record, and the rest of the game follows from what is.
        await play_all([one], watcher)
        record = server.get(f"/api/games/{created.game}/record", one.link).body.decode()
        game = Game.from_record(record)
        played = [entry for entry in one.client.log if entry.kind == "moved"]
        assert len(game.played) in {len(played) - 2, len(played) - 1}  # the bot may have chosen before
        assert {ack.state_hash for ack in one.acks[3:]} <= {p.state_hash for p in game.played}


@within(60)
async def test_among_people_all_must_agree(server: Server) -> None:
    created = deal(server, "here", "link", "link")
    async with gather_at(server, created) as (people, watcher):
        one, two, three = people
        await start(people)
        before = looks(one)
        await claim(one)
        ack = await one.do(Undo("back"))
        assert one.client.log[-1].kind == "undo asked"
        for somebody in (*people, watcher):
            await somebody.reach(ack.n)
            assert somebody.client.asked == 0
        await two.do(Answer("yes", agree=True))
        assert two.client.log[-1].kind == "undo answered"
        assert one.view != before[0]
        answered = await three.do(Answer("yes", agree=True))
        for somebody in (*people, watcher):
            await somebody.reach(answered.n + 1)
            assert (somebody.client.log[-1].kind, somebody.client.log[-1].seat) == ("undone", 0)
            assert somebody.client.asked is None
            assert somebody.view == before[0]
        assert one.own == before[1]


@within(60)
async def test_of_several_own_actions_the_last_is_taken_back(server: Server) -> None:
    created = deal(server, "here", "link", claims=3)
    async with gather_at(server, created) as ([one, two], _):
        await start([one, two])
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
async def test_one_who_does_not_agree_is_enough(server: Server) -> None:
    created = deal(server, "here", "link", "link")
    async with gather_at(server, created) as (people, _):
        one, two, three = people
        await start(people)
        await claim(one)
        after = one.view
        await one.do(Undo("back"))
        await two.do(Answer("no", agree=False))
        assert two.client.asked is None
        assert (await three.refused(Answer("yes", agree=True))).message == "Nobody waits for your answer."
        assert one.view == after
        await one.do(Undo("once more"))
        assert one.client.asked == 0


@within(60)
async def test_a_wish_lapses_when_somebody_moves(server: Server) -> None:
    created = deal(server, "here", "link", "link")
    async with gather_at(server, created) as (people, _):
        one, two, three = people
        await start(people)
        await claim(one)
        await one.do(Undo("back"))
        await claim(two)
        assert two.client.asked is None
        assert (await three.refused(Answer("yes", agree=True))).code == "not_allowed"
        # Nothing was shown meanwhile: it can be asked for again, now with what the other did.
        ack = await one.do(Undo("both"))
        assert one.client.log[-1].move == 2
        await two.reach(ack.n)
        assert two.client.asked == 0


@within(60)
async def test_a_wish_lapses_when_who_asked_leaves(server: Server) -> None:
    created = deal(server, "here", "link", "link")
    async with gather_at(server, created) as (people, _):
        one, two, _three = people
        await start(people)
        await claim(one)
        await one.do(Undo("back"))
        await one.do(Leave("away"))
        assert one.client.asked is None
        assert (await two.refused(Answer("yes", agree=True))).code == "not_allowed"


@within(60)
async def test_who_leaves_need_not_agree(server: Server) -> None:
    created = deal(server, "here", "link", "link")
    async with gather_at(server, created) as (people, _):
        one, two, three = people
        await start(people)
        before = one.view
        await claim(one)
        await one.do(Undo("back"))
        await two.do(Answer("yes", agree=True))
        ack = await three.do(Leave("away"))
        await one.reach(ack.n + 1)
        assert one.client.log[-1].kind == "undone"
        assert one.view == before


@within(60)
async def test_who_asked_can_think_better_of_it(server: Server) -> None:
    created = deal(server, "here", "link")
    async with gather_at(server, created) as (people, _):
        one, two = people
        await start(people)
        await claim(one)
        ack = await one.do(Undo("back"))
        assert (await one.refused(Answer("yes", agree=True))).code == "not_allowed"
        await one.do(Answer("no", agree=False))
        await two.reach(ack.n + 1)
        assert two.client.asked is None


@within(60)
async def test_who_has_agreed_can_think_better_of_it(server: Server) -> None:
    created = deal(server, "here", "link", "link")
    async with gather_at(server, created) as (people, _):
        one, two, three = people
        await start(people)
        await claim(one)
        await one.do(Undo("back"))
        await two.do(Answer("yes", agree=True))
        await two.do(Answer("no", agree=False))
        assert two.client.asked is None
        assert (await three.refused(Answer("yes", agree=True))).code == "not_allowed"


@within(60)
async def test_two_cannot_ask_at_once(server: Server) -> None:
    created = deal(server, "here", "link", "link")
    async with gather_at(server, created) as (people, _):
        one, two, _three = people
        await start(people)
        await claim(one)
        await claim(two)
        await one.do(Undo("back"))
        assert "asked to take back an action already" in (await two.refused(Undo("me too"))).message


@pytest.mark.parametrize("shown", ["by another", "by oneself"])
@within(60)
async def test_nothing_is_taken_back_past_what_was_shown(shown: str, server: Server) -> None:
    created = deal(server, "here", "link")
    async with gather_at(server, created) as (people, _):
        one, two = people
        await start(people)
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
        assert "something new was shown" in refusal.message


@within(60)
async def test_a_choice_of_tickets_can_be_taken_back_while_others_choose(server: Server) -> None:
    created = deal(server, "here", "link")
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
async def test_all_answers_at_once_take_back_once(server: Server) -> None:
    created = deal(server, "here", "link", "link")
    async with gather_at(server, created) as (people, watcher):
        one, two, three = people
        await start(people)
        for i in range(5):
            await claim(one)
            await one.do(Undo(f"back {i}"))
            await asyncio.gather(*(p.do(Answer(f"yes {i}", agree=True)) for p in (two, three)))
            assert await one.my_turn()
        await watcher.reach(one.client.last)
        kinds = [entry.kind for entry in watcher.client.log]
        assert kinds.count("undone") == 5
