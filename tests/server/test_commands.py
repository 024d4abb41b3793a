"""What a seat can do beside moving, and what it cannot."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

from goldenspike.moves import ClaimRoute
from goldenspike.server.client import RefusedError
from goldenspike.server.decide import decide
from goldenspike.server.messages import (
    Answer,
    AnyCommand,
    Hint,
    Leave,
    NewGame,
    Options,
    Ping,
    Play,
    Rematch,
    Replace,
    Return,
    Say,
    SeatWish,
    Undo,
    Ways,
    Why,
)
from goldenspike.server.problems import Problem
from tests.game.games import started
from tests.server.inside import open_desk
from tests.server.people import Person, gather_at, known, sit_down
from tests.server.serving import Server, within

CLOCK_S = 5
PATIENCE_S = 3.0
"""What the server of these tests was started with."""


async def choose(*people: Person) -> None:
    """Have people keep all they are offered, and wait until each has seen all do so."""
    for person in people:
        ack = await person.move("keep all")
        for other in people:
            await other.reach(ack.n)


# Speaking


@within(60)
async def test_what_is_said_is_heard_by_all(server: Server) -> None:
    created = server.create("new-york", "here", "link")
    async with gather_at(server, created) as ([one, two], watcher):
        longest = "ü" * 500
        first = await one.do(Say("1", 'Good evening! <b>"\\ 🚂'))
        second = await two.do(Say("2", longest))
        for somebody in (one, two, watcher):
            await somebody.reach(second.n)
            said = [
                (entry.n, entry.seat, entry.text) for entry in somebody.client.log if entry.kind == "said"
            ]
            assert said == [(first.n, 0, 'Good evening! <b>"\\ 🚂'), (second.n, 1, longest)]


@pytest.mark.parametrize("text", ["", "x" * 501, "a\0b"], ids=["empty", "too long", "not text"])
@within(60)
async def test_what_cannot_be_said_is_refused(text: str, server: Server) -> None:
    created = server.create("new-york", "here", "link")
    async with sit_down(server, known(created.seats[0])) as person:
        refusal = await person.refused(Say("1", text))
        assert (refusal.code, refusal.id) == ("malformed", "1")
        assert person.client.last == 0


@within(60)
async def test_who_talks_too_fast_is_asked_to_wait_and_others_are_not(server: Server) -> None:
    created = server.create("new-york", "here", "link")
    async with gather_at(server, created) as ([one, two], _):
        refusal, words = None, 0
        while refusal is None and words < 50:
            try:
                await one.do(Say(f"{words}", "chatter"))
                words += 1
            except RefusedError as error:
                refusal = error.refusal
        assert words >= 5
        assert known(refusal).code == "too_fast"
        assert known(refusal).id == f"{words}"
        wait = known(known(refusal).retry_after)
        assert 0 < wait <= 2.0
        await two.do(Say("1", "Excuse me?"))
        await one.move("keep all")  # moving is not talking
        await asyncio.sleep(wait + 0.1)
        await one.do(Say(f"{words}", "Sorry."))


# Leaving and coming back


@within(60)
async def test_a_bot_plays_for_who_left_until_they_return(server: Server) -> None:
    created = server.create("new-york", "here", "link", first=0)
    async with gather_at(server, created) as ([one, two], watcher):
        left = await one.do(Leave("away"))
        assert one.client.seats[0].level == "medium"
        assert one.client.seats[0].who == "person"
        assert (await one.refused(Leave("away again"))).code == "not_allowed"
        assert "take the seat back first" in (await one.refused(Play("move", "keep all"))).message
        await choose(two)
        for _ in range(4):
            assert await two.my_turn()
            await two.move()
        moved = [entry for entry in two.client.log if entry.kind == "moved" and entry.seat == 0]
        assert len(moved) >= 4
        back = await one.do(Return("back"))
        assert back.n > left.n
        assert one.client.seats[0].level is None
        assert "yours already" in (await one.refused(Return("back again"))).message
        while two.view.to_move == [1]:
            await two.move()
        assert await one.my_turn()
        await one.move()
        await watcher.reach(one.client.last)
        assert (watcher.client.log[-1].kind, watcher.client.log[-1].seat) == ("moved", 0)


@within(90)
async def test_bots_play_a_game_to_its_end_that_all_have_left(server: Server) -> None:
    created = server.create("first-journey", "here", "link")
    async with gather_at(server, created) as ([one, two], watcher):
        await one.do(Leave("away"))
        await two.do(Leave("away"))
        await watcher.client.wait(lambda: watcher.client.is_over)


@pytest.mark.slow
@within(60)
async def test_who_keeps_all_waiting_can_be_replaced_but_not_before(server: Server) -> None:
    created = server.create("new-york", "here", "link", "easy", first=1)
    async with gather_at(server, created) as ([one, two], _):
        await choose(one, two)
        began = time.monotonic()
        assert await two.my_turn()
        refusal = await one.refused(Replace("1", 1))
        assert refusal.code == "not_allowed"
        assert refusal.message.startswith("Player 2 does not keep the game waiting. Wait ")
        assert (await one.refused(Replace("2", 0))).message == "Player 1 does not keep the game waiting."
        assert (await one.refused(Replace("3", 2))).message == "Nobody has to be replaced there."
        assert (await one.refused(Replace("4", 3))).message == "There is no seat 3 in this game."
        await asyncio.sleep(PATIENCE_S + 0.1 - (time.monotonic() - began))
        await one.do(Replace("5", 1))
        assert one.client.seats[1].level == "medium"
        await one.client.wait(lambda: one.client.log[-1].kind == "moved")
        await two.do(Return("back"))
        assert two.client.seats[1].level is None


@pytest.mark.parametrize("patience", [0, 60_000])
@within(60)
async def test_nobody_is_replaced_who_only_waits_for_a_free_seat(patience: int, tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        wishes = [SeatWish("here"), SeatWish("link", "Ben"), SeatWish("open")]
        created = await desk.create(NewGame("new-york", wishes, Options(public=True)))
        live = await desk.games.open(created.game)
        assert 1 in live.position.to_move
        with pytest.raises(Problem, match=r"^Ben does not keep the game waiting\.$"):
            decide(live, 0, Replace("1", 1), "0.1", live.turn_began, patience)


# Time


@pytest.mark.slow
@within(90)
async def test_when_time_is_up_the_server_moves(server: Server) -> None:
    created = server.create("new-york", "here", "link", clock=CLOCK_S, first=0)
    async with gather_at(server, created) as ([one, two], _):
        started = one.welcome.game.created
        assert abs(known(one.view.deadline) - started - CLOCK_S * 1000) < 1000
        await choose(one)
        await one.client.wait(lambda: one.view.phase == "turn")
        chosen = one.client.log[-1]
        assert (chosen.seat, chosen.kind) == (1, "moved")
        assert 0 <= chosen.at - started - CLOCK_S * 1000 < 15_000
        # The first turn has its whole time, and ends even if it takes two actions.
        assert known(one.view.deadline) == chosen.at + CLOCK_S * 1000
        await two.reach(chosen.n)
        await two.my_turn()
        ended = two.client.log[-1]
        assert (ended.seat, ended.kind) == (0, "moved")
        assert 0 <= ended.at - chosen.at - CLOCK_S * 1000 < 15_000


@pytest.mark.slow
@within(90)
async def test_the_clock_runs_on_while_nobody_answers_a_wish(server: Server) -> None:
    created = server.create("usa-classic", "here", "link", clock=CLOCK_S)
    async with gather_at(server, created) as ([one, _], __):
        await choose(one)
        await one.do(Undo("back"))
        assert one.client.asked == 0
        await one.client.wait(lambda: one.view.phase == "turn")
        assert one.client.asked is None


@within(60)
async def test_no_time_is_up_without_a_clock_or_before_all_are_there(server: Server) -> None:
    without = server.create("new-york", "here", "link")
    waiting = server.create("new-york", "here", "open", public=True, clock=CLOCK_S)
    assert server.show(without.watch).view.deadline is None
    assert server.show(waiting.watch).view.deadline is None


# Questions


@within(60)
async def test_why_gives_the_rule_that_forbids_a_move(server: Server) -> None:
    created = server.create("usa-classic", "here", "link", first=0)
    async with gather_at(server, created) as ([one, two], _):
        await choose(one, two)
        forbidden = await one.ask(Why("1", "claim SEA-POR/1 with 1 loco, 8 red"))
        assert forbidden.reason is not None
        turn = await two.ask(Why("2", "draw deck"))
        assert known(turn.rule)
        assert known(turn.reason).endswith(".")
        assert (await one.ask(Why("3", "draw deck"))).reason is None
        assert (await one.ask(Why("4", "fly to the moon"))).reason is not None
        assert one.client.last == two.client.last == 2


@within(60)
async def test_aids_tell_ways_and_a_hint_that_can_be_played(server: Server) -> None:
    created = server.create("usa-classic", "here", "link", first=0)
    async with gather_at(server, created) as ([one, two], _):
        ways = known((await one.ask(Ways("1"))).ways)
        assert {way.ticket for way in ways} == set(one.own.offer)
        assert all(known(way.pieces) > 0 and way.routes for way in ways)
        hint = await one.ask(Hint("2"))
        assert hint.hint_move in one.own.legal
        assert known(hint.hint).startswith("keep ")
        await choose(one, two)
        hint = await one.ask(Hint("3"))
        await one.move(known(hint.hint))
        assert one.client.log[-1].move == hint.hint_move
        if one.view.to_move == [0]:  # it drew, and may draw again
            await one.move("draw deck")
        assert "not your turn" in (await one.refused(Hint("4"))).message


@within(60)
async def test_without_aids_only_why_is_answered(server: Server) -> None:
    created = server.create("usa-classic", "here", "link", aids=False)
    async with sit_down(server, known(created.seats[0])) as person:
        assert person.welcome.game.aids is False
        for command in (Ways("1"), Hint("2")):
            assert (await person.refused(command)).message == "This game is played without aids."
        assert (await person.ask(Why("3", "keep all"))).reason is None


# Who may not


@within(60)
async def test_who_watches_may_do_nothing(server: Server) -> None:
    created = server.create("new-york", "here", "link")
    commands: list[AnyCommand] = [
        Play("1", "keep all"),
        Undo("2"),
        Answer("3", agree=True),
        Say("4", "Hello?"),
        Leave("5"),
        Return("6"),
        Replace("7", 0),
        Rematch("8"),
        Why("9", "keep all"),
        Ways("10"),
        Hint("11"),
    ]
    async with gather_at(server, created) as ([one, _], watcher):
        for command in commands:
            refusal = await watcher.refused(command)
            assert (refusal.code, refusal.id) == ("not_allowed", command.id)
            answer = server.command(watcher.link, **msgspec.to_builtins(command))
            assert (answer.status, answer.refusal.code) == (403, "not_allowed")
        assert (await watcher.ask(Ping("12"))).id == "12"
        assert watcher.client.own is None
        assert one.client.last == watcher.client.last == 0


@within(60)
async def test_moves_out_of_turn_for_others_and_without_sense_are_refused(server: Server) -> None:
    created = server.create("usa-classic", "here", "link", first=0)
    async with gather_at(server, created) as ([one, two], _):
        assert (await one.refused(Play("1", "draw deck"))).code == "illegal_move"
        await choose(one, two)
        before = server.show(one.link)
        assert two.own.legal == []
        out_of_turn = await two.refused(Play("2", one.own.legal[0]))
        assert (out_of_turn.code, bool(out_of_turn.rule)) == ("illegal_move", True)
        assert (await one.refused(Play("3", "claim ATL-MIA with 5 blue"))).rule is not None
        assert (await one.refused(Play("4", "fly to the moon"))).code == "malformed"
        assert (await one.refused(Play("5", 100_000))).code == "malformed"
        for_another = '{"type": "play", "id": "6", "seat": 1, "move": "draw deck"}'
        await one.client.send_text(for_another)
        await one.client.wait(lambda: bool(one.client.refusals))
        refusal = one.client.refusals[-1]
        assert (refusal.code, refusal.id) == ("malformed", "6")
        assert server.show(one.link) == before


def seed_with_choices() -> tuple[str, str]:
    """Return a seed, and a route that seat 0 can pay for in several ways with its first cards."""
    for seed in map(str, range(1000)):
        game = started("usa-classic", 2, int(seed))
        routes = [move.route for move in game.legal_moves(0) if isinstance(move, ClaimRoute)]
        for route in routes:
            if routes.count(route) > 1:
                return game.seed.hex(), route
    raise AssertionError("no seed will do")


@within(60)
async def test_a_move_that_could_mean_several_is_answered_with_the_choices(server: Server) -> None:
    seed, route = seed_with_choices()
    created = server.create("usa-classic", "here", "link", first=0, seed=seed)
    async with gather_at(server, created) as ([one, two], _):
        await choose(one, two)
        refusal = await one.refused(Play("1", f"claim {route}"))
        assert refusal.code == "ambiguous_move"
        options = known(refusal.options)
        assert len(options) > 1
        await one.move(options[0])
        assert one.client.log[-1].text == options[0]
