"""Races: events that arrive between two steps of another operation."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from goldenspike.bots.bot import Choice
from goldenspike.engine.moves import CLAIM, KEEP
from goldenspike.server.play.bot_pool import BotQuestion
from goldenspike.server.play.commands import decide
from goldenspike.server.play.entry import now, with_chains
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.messages import (
    Answer,
    Hint,
    Leave,
    NewGame,
    Options,
    Play,
    Return,
    Say,
    SeatWish,
    Undo,
)
from goldenspike.server.protocol.problems import Problem
from tests.server.in_process import deal, open_service
from tests.server.serving import within
from tests.server.test_undo import seed_for_claims


async def start(service: GameService) -> LiveGame:
    """Deal a game in which seat 0 is to move, and each seat can claim a route."""
    created = await deal(service, "usa-classic", 2, first=0, seed=seed_for_claims(2))
    live = await service.games.open(created.game)
    live.audience.visit("127.0.0.1")  # otherwise no bot would move
    for seat in (0, 1):
        await service.do(live, seat, Play("keep", "keep all"))
    return live


async def settle(live: LiveGame) -> None:
    """Wait until a game's automatic actions are done."""
    while live.automatic_action is not None:
        await asyncio.sleep(0.01)


def a_claim(live: LiveGame, seat: int) -> int:
    return next(move for move in live.position.legal_moves(seat).numbers if move >= CLAIM)


@within(60)
async def test_a_move_before_an_agreed_undo_is_kept(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        live = await start(service)
        await service.do(live, 0, Play("claim", a_claim(live, 0)))
        await service.do(live, 0, Undo("back"))
        claim = a_claim(live, 1)
        async with live.lock:  # both are queued before the agreed undo can run
            doing = [asyncio.create_task(service.do(live, 1, Answer("yes", agree=True)))]
            await asyncio.sleep(0)
            doing.append(asyncio.create_task(service.do(live, 1, Play("claim", claim))))
            await asyncio.sleep(0)
        await asyncio.gather(*doing)
        await settle(live)
        kinds = [entry.kind for entry in live.recent]
        assert kinds == ["started", "moved", "moved", "moved", "undo asked", "undo answered", "moved"]


@within(30)
async def test_an_agreed_undo_does_not_wait_for_the_undo_time_of_bots(tmp_path: Path) -> None:
    async with open_service(tmp_path, undo_seconds=60) as service:
        live = await start(service)
        await service.do(live, 0, Play("claim", a_claim(live, 0)))
        await service.do(live, 0, Undo("back"))
        await service.do(live, 1, Answer("yes", agree=True))
        await settle(live)
        assert live.recent[-1].kind == "undone"


@within(60)
async def test_a_message_after_a_claim_does_not_make_bots_move_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_service(tmp_path, undo_seconds=60) as service:
        live = await start(service)
        await service.do(live, 1, Leave("away"))
        asked: list[BotQuestion] = []

        async def think(question: BotQuestion, *_place: object, **_options: object) -> Choice:
            asked.append(question)
            return Choice(a_claim(live, 1))

        monkeypatch.setattr(service.games.bot_pool, "choose", think)
        # Another process writes the claim, so this process decides only at the message whether the bot moves.
        play = Play("claim", a_claim(live, 0))
        [claim] = with_chains([decide(live, 0, play, "0.claim", now(), 0)], live.chain)
        assert service.games.store.database.append([claim]) == [True]
        async with live.lock:
            await service.games.loader.catch_up(live)
        assert live.number == claim.number
        await service.do(live, 0, Say("hello", "Your turn."))
        await asyncio.sleep(0.1)  # long enough for a bot that does not wait
        assert asked == []


@within(60)
async def test_a_bot_that_was_thinking_waits_for_the_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_service(tmp_path) as service:
        thought = asyncio.Event()

        async def think(_: BotQuestion, *_place: object, **_options: object) -> Choice:
            await thought.wait()
            is_choosing = KEEP + 7 in live.position.legal_moves(1).numbers
            return Choice(KEEP + 7 if is_choosing else a_claim(live, 1))

        monkeypatch.setattr(service.games.bot_pool, "choose", think)
        wishes = [SeatWish("here"), SeatWish("bot", level="easy"), SeatWish("here")]
        options = Options(first=0, seed=seed_for_claims(3))
        created = await service.create(NewGame("usa-classic", wishes, options))
        live = await service.games.open(created.game)
        live.audience.visit("127.0.0.1")
        thought.set()
        for seat in (0, 2):
            await service.do(live, seat, Play("keep", "keep all"))
        await settle(live)
        thought.clear()
        await service.do(live, 0, Play("claim", a_claim(live, 0)))
        assert live.automatic_action is not None
        await service.do(live, 0, Undo("back"))
        thought.set()
        await settle(live)
        assert live.asked is not None
        await service.do(live, 2, Answer("yes", agree=True))
        await settle(live)
        assert live.position.to_move == [0]
        assert [entry.kind for entry in live.recent][-3:] == ["undo asked", "undo answered", "undone"]


@within(60)
async def test_a_bot_that_was_thinking_does_not_move_for_who_has_returned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_service(tmp_path) as service:
        live = await start(service)
        thought = asyncio.Event()

        async def think(_: BotQuestion, *_place: object, **_options: object) -> Choice:
            await thought.wait()
            return Choice(a_claim(live, 0))

        monkeypatch.setattr(service.games.bot_pool, "choose", think)
        await service.do(live, 0, Leave("away"))
        assert live.automatic_action is not None
        await service.do(live, 0, Return("back"))
        thought.set()
        await settle(live)
        assert [entry.kind for entry in live.recent][-2:] == ["left", "returned"]
        assert live.position.to_move == [0]


@within(60)
async def test_leaving_and_returning_does_not_extend_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_service(tmp_path) as service:

        async def think(_: BotQuestion, *_place: object, **_options: object) -> Choice:
            return await asyncio.get_running_loop().create_future()

        monkeypatch.setattr(service.games.bot_pool, "choose", think)
        live = await service.games.open((await deal(service, "new-york", 2, first=0, clock=60)).game)
        for seat in (0, 1):
            await service.do(live, seat, Play("keep", "keep all"))
        deadline = live.deadline
        for seat in (0, 1):
            await asyncio.sleep(0.01)
            await service.do(live, seat, Leave("away"))
            await service.do(live, seat, Return("back"))
        assert live.deadline == deadline


@within(60)
async def test_a_reconnecting_client_gets_no_entries_beyond_its_view(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        live = await start(service)
        for i in range(20):
            await service.games.command(live, 0, Say(f"say {i}", "a word"))
        # An entry that is committed, but not applied by this process yet.
        on_its_way = decide(live, 1, Say("next", "another"), "1.next", now(), 0)
        assert service.games.store.database.append([on_its_way]) == [True]
        for last in (-1, 2, live.number - 13, live.number - 1, live.number):
            missed = await service.missed(live, last, 400)
            assert [entry.number for entry in missed] == list(range(last + 1, live.number + 1))
        # A client that was sent it by another process is not sent back.
        assert await service.missed(live, on_its_way.number, 400) == []
        assert live.number == on_its_way.number


@within(60)
async def test_a_new_game_stays_in_memory_until_a_client_connects(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        live = await start(service)
        live.changed = 0  # as if nothing had happened for long
        assert await service.games.open(live.id) is live
        await asyncio.sleep(1.5)  # long enough for one sweep
        assert await service.games.open(live.id) is live


@within(60)
async def test_a_seat_can_wait_for_only_one_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_service(tmp_path) as service:
        live = await start(service)
        asked: list[BotQuestion] = []
        thought = asyncio.Event()

        async def think(question: BotQuestion, *_place: object) -> Choice:
            asked.append(question)
            await thought.wait()
            return Choice(a_claim(live, 0))

        monkeypatch.setattr(service.games.bot_pool, "choose", think)
        first = asyncio.create_task(service.do(live, 0, Hint("1")))
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="wait for it") as refused:
            await service.do(live, 0, Hint("2"))
        assert refused.value.code == "too_fast"
        thought.set()
        await first
        await service.do(live, 0, Hint("3"))
        assert len(asked) == 2
