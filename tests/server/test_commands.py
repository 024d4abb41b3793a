"""Commands of a seat other than moves, and their refusals."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from goldenspike.game.moves import ClaimRoute
from goldenspike.server.play.commands import decide
from goldenspike.server.play.entry import now
from goldenspike.server.protocol.client import RefusedError
from goldenspike.server.protocol.messages import (
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
from goldenspike.server.protocol.problems import Problem
from tests.game.games import started
from tests.server.in_process import open_service
from tests.server.people import Person, gather_at, known, sit_down
from tests.server.serving import Server, within

CLOCK_S = 5
PATIENCE_S = 3.0
"""The `patience` setting of these tests' server."""


async def choose(*people: Person) -> None:
    """Let players keep all offered tickets, and wait until each has seen all do so."""
    for person in people:
        ack = await person.move("keep all")
        for other in people:
            await other.reach(ack.n)


# Chat


@within(60)
async def test_chat_messages_reach_all_players(server: Server) -> None:
    created = server.create("new-york", "here", "here")
    async with gather_at(server, created) as ([one, two], watcher):
        longest = "ü" * 500
        first = await one.do(Say("1", 'Good evening! <b>"\\ 🚂'))
        second = await two.do(Say("2", longest))
        for person in (one, two, watcher):
            await person.reach(second.n)
            said = [(entry.n, entry.seat, entry.text) for entry in person.client.log if entry.kind == "said"]
            assert said == [(first.n, 0, 'Good evening! <b>"\\ 🚂'), (second.n, 1, longest)]


@pytest.mark.parametrize("text", ["", "x" * 501, "a\0b"], ids=["empty", "too long", "not text"])
@within(60)
async def test_invalid_chat_messages_are_refused(text: str, server: Server) -> None:
    created = server.create("new-york", "here", "here")
    async with sit_down(server, known(created.seats[0])) as person:
        refusal = await person.refused(Say("1", text))
        assert (refusal.code, refusal.id) == ("malformed", "1")
        assert person.client.last == 0


@within(60)
async def test_chat_is_rate_limited_per_seat(server: Server) -> None:
    created = server.create("new-york", "here", "here")
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
        await one.move("keep all")  # moves do not count as chat
        await asyncio.sleep(wait + 0.1)
        await one.do(Say(f"{words}", "Sorry."))


# Leaving the seat and coming back


@within(60)
async def test_a_bot_plays_for_an_absent_player_until_they_return(server: Server) -> None:
    created = server.create("new-york", "here", "here", first=0)
    async with gather_at(server, created) as ([one, two], watcher):
        left = await one.do(Leave("away"))
        assert one.client.seats[0].level == "medium"
        assert one.client.seats[0].who == "person"
        assert (await one.refused(Leave("away again"))).code == "not_allowed"
        assert "take your seat back first" in (await one.refused(Play("move", "keep all"))).message
        await choose(two)
        for _ in range(4):
            assert await two.my_turn()
            await two.move()
        moved = [entry for entry in two.client.log if entry.kind == "moved" and entry.seat == 0]
        assert len(moved) >= 4
        back = await one.do(Return("back"))
        assert back.n > left.n
        assert one.client.seats[0].level is None
        assert "already have your seat" in (await one.refused(Return("back again"))).message
        while two.view.to_move == [1]:
            await two.move()
        assert await one.my_turn()
        await one.move()
        await watcher.reach(one.client.last)
        assert (watcher.client.log[-1].kind, watcher.client.log[-1].seat) == ("moved", 0)


@within(90)
async def test_bots_play_a_game_to_its_end_that_all_have_left(server: Server) -> None:
    created = server.create("first-journey", "here", "here")
    async with gather_at(server, created) as ([one, two], watcher):
        await one.do(Leave("away"))
        await two.do(Leave("away"))
        await watcher.client.wait(lambda: watcher.client.is_over)


@pytest.mark.slow
@within(60)
async def test_without_a_turn_timer_only_an_absent_player_can_be_replaced(server: Server) -> None:
    created = server.create("new-york", "here", "here", "easy", first=1)
    async with sit_down(server, known(created.seats[0])) as one:
        async with sit_down(server, known(created.seats[1])) as two:
            await choose(one, two)
            assert await two.my_turn()
            await asyncio.sleep(PATIENCE_S + 0.1)
            refusal = await one.refused(Replace("1", 1))
            assert refusal.code == "not_allowed"
            assert refusal.message == (
                "Player 2 is online; a bot can only take over for a player who is offline."
            )
            assert (
                await one.refused(Replace("3", 2))
            ).message == "A bot already has this seat, or it is an open seat."
            assert (await one.refused(Replace("4", 3))).message == (
                "A seat is a number from 0 (Seat 1) to 2 (Seat 3)."
            )
        await one.client.wait(lambda: not one.client.seats[1].is_here)
        assert "went offline a moment ago. Wait " in (await one.refused(Replace("5", 1))).message
        await asyncio.sleep(PATIENCE_S + 0.1)
        ack = await one.do(Replace("6", 1))
        told = next(entry for entry in one.client.log if entry.n == ack.n)
        assert (told.kind, told.seat, told.move) == ("bot seated", 1, 0)
        assert one.client.seats[1].level == "medium"
        await one.client.wait(lambda: one.client.log[-1].kind == "moved")
        async with sit_down(server, known(created.seats[1])) as two:
            await two.do(Return("back"))
            assert two.client.seats[1].level is None


@pytest.mark.slow
@within(60)
async def test_with_a_turn_timer_a_player_can_be_replaced_only_after_their_time_is_up(server: Server) -> None:
    created = server.create("new-york", "here", "here", clock=CLOCK_S, first=0)
    async with gather_at(server, created) as ([one, two], _):
        await choose(one)
        assert (await one.refused(Replace("1", 1))).message == "Player 2 still has time left."
        await two.client.wait(lambda: two.view.phase == "turn")  # the server has chosen for them
        await one.do(Replace("2", 1))
        assert one.client.seats[1].level == "medium"


class FakeListener:
    """A listener of a seat that ignores updates."""

    address, key = "", b""

    def __init__(self, viewer: int | None) -> None:
        self.viewer = viewer

    def notify(self) -> None: ...

    def dismiss(self, problem: Problem) -> None: ...


@pytest.mark.parametrize("patience", [0, 60_000])
@within(60)
async def test_a_connected_player_cannot_be_replaced_while_a_seat_is_open(
    patience: int, tmp_path: Path
) -> None:
    async with open_service(tmp_path) as service:
        wishes = [SeatWish("here"), SeatWish("here", "Ben"), SeatWish("open")]
        created = await service.create(NewGame("new-york", wishes, Options(public=True)))
        live = await service.games.open(created.game)
        assert 1 in live.position.to_move
        live.audience.add(FakeListener(1))
        with pytest.raises(
            Problem, match=r"^Ben is online; a bot can only take over for a player who is offline\.$"
        ):
            decide(live, 0, Replace("1", 1), "0.1", now(), patience)


# The turn timer


@pytest.mark.slow
@within(90)
async def test_when_time_is_up_the_server_moves(server: Server) -> None:
    created = server.create("new-york", "here", "here", clock=CLOCK_S, first=0)
    async with gather_at(server, created) as ([one, two], _):
        started = one.welcome.game.created
        assert abs(known(one.view.deadline) - started - CLOCK_S * 1000) < 1000
        await choose(one)
        await one.client.wait(lambda: one.view.phase == "turn")
        chosen = one.client.log[-1]
        assert (chosen.seat, chosen.kind) == (1, "moved")
        assert 0 <= chosen.at - started - CLOCK_S * 1000 < 15_000
        # The first turn has its whole time, and ends even if it takes two actions.
        assert abs(known(one.view.deadline) - chosen.at - CLOCK_S * 1000) < 500
        await two.reach(chosen.n)
        await two.my_turn()
        ended = two.client.log[-1]
        assert (ended.seat, ended.kind) == (0, "moved")
        assert 0 <= ended.at - chosen.at - CLOCK_S * 1000 < 15_000


@pytest.mark.slow
@within(90)
async def test_the_turn_timer_runs_during_an_undo_request(server: Server) -> None:
    created = server.create("usa-classic", "here", "here", clock=CLOCK_S)
    async with gather_at(server, created) as ([one, _], __):
        await choose(one)
        await one.do(Undo("back"))
        assert one.client.asked == 0
        await one.client.wait(lambda: one.view.phase == "turn")
        assert one.client.asked is None


@within(60)
async def test_no_turn_expires_without_a_timer_or_before_all_have_joined(server: Server) -> None:
    without = server.create("new-york", "here", "here")
    waiting = server.create("new-york", "here", "open", public=True, clock=CLOCK_S)
    assert server.show(without.watch).view.deadline is None
    assert server.show(waiting.watch).view.deadline is None


# Queries


@within(60)
async def test_why_gives_the_rule_that_forbids_a_move(server: Server) -> None:
    created = server.create("usa-classic", "here", "here", first=0)
    async with gather_at(server, created) as ([one, two], _):
        await choose(one, two)
        forbidden = await one.ask(Why("1", "claim SEA-POR/1 with 1 loco, 8 red"))
        assert forbidden.reason is not None
        turn = await two.ask(Why("2", "draw deck"))
        assert known(turn.rule)
        assert turn.reason == "not_your_turn"
        assert (await one.ask(Why("3", "draw deck"))).reason is None
        assert (await one.ask(Why("4", "fly to the moon"))).reason is not None
        assert one.client.last == two.client.last == 2


@within(60)
async def test_aids_give_paths_and_a_legal_hint(server: Server) -> None:
    created = server.create("usa-classic", "here", "here", first=0)
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
        if one.view.to_move == [0]:  # the first card is drawn, and a second one may be drawn
            await one.move("draw deck")
        assert "not your turn" in (await one.refused(Hint("4"))).message


@within(60)
async def test_without_aids_only_why_is_answered(server: Server) -> None:
    created = server.create("usa-classic", "here", "here", aids=False)
    async with sit_down(server, known(created.seats[0])) as person:
        assert person.welcome.game.aids is False
        for command in (Ways("1"), Hint("2")):
            assert (await person.refused(command)).message == "This game does not allow hints."
        assert (await person.ask(Why("3", "keep all"))).reason is None


# Permissions


@within(60)
async def test_a_spectator_cannot_send_commands(server: Server) -> None:
    created = server.create("new-york", "here", "here")
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
async def test_moves_out_of_turn_and_invalid_moves_are_refused(server: Server) -> None:
    created = server.create("usa-classic", "here", "here", first=0)
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
    """Return a seed, and a route that seat 0 can pay for in several ways with its opening hand."""
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
    created = server.create("usa-classic", "here", "here", first=0, seed=seed)
    async with gather_at(server, created) as ([one, two], _):
        await choose(one, two)
        refusal = await one.refused(Play("1", f"claim {route}"))
        assert refusal.code == "ambiguous_move"
        options = known(refusal.options)
        assert len(options) > 1
        await one.move(options[0])
        assert one.client.log[-1].text == options[0]
