"""Things that happen between two others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from goldenspike.bots.bot import Choice
from goldenspike.engine.moves import CLAIM, KEEP
from goldenspike.server.decide import decide
from goldenspike.server.desk import Desk
from goldenspike.server.live import LiveGame
from goldenspike.server.messages import (
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
from goldenspike.server.problems import Problem
from goldenspike.server.thinkers import Question
from tests.server.inside import deal, open_desk
from tests.server.serving import within
from tests.server.test_taking_back import seed_for_claims


async def start(desk: Desk) -> LiveGame:
    """Deal a game in which seat 0 is to move, and each can claim something."""
    created = await deal(desk, "usa-classic", 2, first=0, seed=seed_for_claims(2))
    live = await desk.games.open(created.game)
    for seat in (0, 1):
        await desk.do(live, seat, Play("keep", "keep all"))
    return live


async def settle(live: LiveGame) -> None:
    """Wait until a game has done what it had to."""
    while live.duty is not None:
        await asyncio.sleep(0.01)


def a_claim(live: LiveGame, seat: int) -> int:
    return next(move for move in live.position.legal_moves(seat).numbers if move >= CLAIM)


@within(60)
async def test_a_move_between_the_last_yes_and_taking_back_stands(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        live = await start(desk)
        await desk.do(live, 0, Play("claim", a_claim(live, 0)))
        await desk.do(live, 0, Undo("back"))
        claim = a_claim(live, 1)
        async with live.lock:  # both are in line before the game can do what all agreed on
            doing = [asyncio.create_task(desk.do(live, 1, Answer("yes", agree=True)))]
            await asyncio.sleep(0)
            doing.append(asyncio.create_task(desk.do(live, 1, Play("claim", claim))))
            await asyncio.sleep(0)
        await asyncio.gather(*doing)
        await settle(live)
        kinds = [entry.kind for entry in live.recent]
        assert kinds == ["started", "moved", "moved", "moved", "undo asked", "undo answered", "moved"]


@within(60)
async def test_a_bot_that_was_thinking_waits_for_the_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_desk(tmp_path) as desk:
        thought = asyncio.Event()

        async def think(_: Question) -> Choice:
            await thought.wait()
            is_choosing = KEEP + 7 in live.position.legal_moves(1).numbers
            return Choice(KEEP + 7 if is_choosing else a_claim(live, 1))

        monkeypatch.setattr(desk.games.thinkers, "choose", think)
        wishes = [SeatWish("here"), SeatWish("bot", level="easy"), SeatWish("here")]
        options = Options(first=0, seed=seed_for_claims(3))
        created = await desk.create(NewGame("usa-classic", wishes, options))
        live = await desk.games.open(created.game)
        thought.set()
        for seat in (0, 2):
            await desk.do(live, seat, Play("keep", "keep all"))
        await settle(live)
        thought.clear()
        await desk.do(live, 0, Play("claim", a_claim(live, 0)))
        assert live.duty is not None
        await desk.do(live, 0, Undo("back"))
        thought.set()
        await settle(live)
        assert live.asked is not None
        await desk.do(live, 2, Answer("yes", agree=True))
        await settle(live)
        assert live.position.to_move == [0]
        assert [entry.kind for entry in live.recent][-3:] == ["undo asked", "undo answered", "undone"]


@within(60)
async def test_a_bot_that_was_thinking_does_not_move_for_who_has_returned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_desk(tmp_path) as desk:
        live = await start(desk)
        thought = asyncio.Event()

        async def think(_: Question) -> Choice:
            await thought.wait()
            return Choice(a_claim(live, 0))

        monkeypatch.setattr(desk.games.thinkers, "choose", think)
        await desk.do(live, 0, Leave("away"))
        assert live.duty is not None
        await desk.do(live, 0, Return("back"))
        thought.set()
        await settle(live)
        assert [entry.kind for entry in live.recent][-2:] == ["left", "returned"]
        assert live.position.to_move == [0]


@within(60)
async def test_nobody_gets_more_time_by_leaving_and_returning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_desk(tmp_path) as desk:

        async def think(_: Question) -> Choice:
            return await asyncio.get_running_loop().create_future()

        monkeypatch.setattr(desk.games.thinkers, "choose", think)
        live = await desk.games.open((await deal(desk, "new-york", 2, first=0, clock=60)).game)
        for seat in (0, 1):
            await desk.do(live, seat, Play("keep", "keep all"))
        deadline = live.deadline
        for seat in (0, 1):
            await asyncio.sleep(0.01)
            await desk.do(live, seat, Leave("away"))
            await desk.do(live, seat, Return("back"))
        assert live.deadline == deadline


@within(60)
async def test_who_comes_back_is_not_told_what_is_not_in_the_view_yet(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        live = await start(desk)
        for i in range(20):
            await desk.games.command(live, 0, Say(f"say {i}", "a word"))
        # An entry that is safe already, while this process is just about to take it in.
        on_its_way = decide(live, 1, Say("next", "another"), "1.next", live.changed, 0)
        assert desk.games.store.append([on_its_way]) == [True]
        for last in (-1, 2, live.number - 13, live.number - 1, live.number):
            missed = await desk.missed(live, last, 400)
            assert [entry.number for entry in missed] == list(range(last + 1, live.number + 1))
        # Somebody who was told of it by another process is not thrown back.
        assert await desk.missed(live, on_its_way.number, 400) == []
        assert live.number == on_its_way.number


@within(60)
async def test_a_game_just_opened_is_not_forgotten_before_somebody_is_connected(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        live = await start(desk)
        live.changed = 0  # nothing has happened for long
        assert await desk.games.open(live.id) is live
        await asyncio.sleep(1.5)  # long enough to be looked through once
        assert await desk.games.open(live.id) is live


@within(60)
async def test_a_seat_that_waits_for_a_hint_gets_no_second_place_in_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_desk(tmp_path) as desk:
        live = await start(desk)
        asked: list[Question] = []
        thought = asyncio.Event()

        async def think(question: Question) -> Choice:
            asked.append(question)
            await thought.wait()
            return Choice(a_claim(live, 0))

        monkeypatch.setattr(desk.games.thinkers, "choose", think)
        first = asyncio.create_task(desk.do(live, 0, Hint("1")))
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="wait for it") as refused:
            await desk.do(live, 0, Hint("2"))
        assert refused.value.code == "too_fast"
        thought.set()
        await first
        await desk.do(live, 0, Hint("3"))
        assert len(asked) == 2
