"""What distinguishes the players of a game: the colour of their pieces, and the style of a bot."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import get_args

import pytest

from goldenspike.bots import Choice, bot_names
from goldenspike.bots.planner.weights import STYLES
from goldenspike.editions import load_edition
from goldenspike.game.position import Position
from goldenspike.server.archive.archive import Archive
from goldenspike.server.archive.history import start_entry
from goldenspike.server.play import bot_pool
from goldenspike.server.play.bot_pool import BotPool, BotQuestion
from goldenspike.server.play.entry import Entry, pack_rows
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.play.seat_wishes import distinct_colours
from goldenspike.server.play.service import GameService
from goldenspike.server.protocol.messages import (
    COLOURS,
    Accept,
    Ack,
    Colour,
    Join,
    Leave,
    NewGame,
    Options,
    Play,
    Rematch,
    SeatWish,
    Style,
)
from goldenspike.server.protocol.names import CHARACTERS
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage.database import Database
from tests.server.in_process import open_service, play_out
from tests.server.people import known
from tests.server.serving import Server, within
from tests.server.stored import stored_game


def colours(live: LiveGame) -> list[Colour]:
    return [seat.colour for seat in live.seat_infos()]


# Styles of bots


def test_every_style_is_a_bot_and_every_bot_of_a_style_is_medium():
    assert {"planner", *get_args(Style)} == set(STYLES)
    assert set(STYLES) <= set(bot_names())
    assert {bot.style for bot in CHARACTERS if bot.level == "medium"} == {None, *get_args(Style)}
    assert not any(bot.style for bot in CHARACTERS if bot.level != "medium")


@within(60)
async def test_a_bot_has_the_style_of_its_name_unless_another_one_is_given(tmp_path: Path) -> None:
    bots = [
        SeatWish("bot", level="medium"),
        SeatWish("bot", "Felix", "medium"),
        SeatWish("bot", "Rosa", "medium", style="hoarder"),
        SeatWish("bot", "Cora", "easy"),
    ]
    async with open_service(tmp_path) as service:
        created = await service.create(NewGame("usa-classic", [SeatWish("here"), *bots]))
        seats = (await service.games.open(created.game)).seat_infos()
    assert [seat.name for seat in seats[1:]] == ["Jasper", "Felix", "Rosa", "Cora"]
    assert [seat.style for seat in seats[1:]] == ["blocker", "racer", "hoarder", None]


@within(60)
async def test_only_a_medium_bot_has_a_style(tmp_path: Path) -> None:
    wishes = [SeatWish("here"), SeatWish("bot", level="easy", style="racer")]
    async with open_service(tmp_path) as service:
        with pytest.raises(Problem, match=r"Only a medium bot can be given a style\."):
            await service.create(NewGame("new-york", wishes))


@within(120)
async def test_a_bot_moves_in_its_style_after_a_restart_and_in_the_rematch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, str]] = []

    async def answer(pool: BotPool, question: BotQuestion, *_: object, **__: object) -> Choice:
        del pool
        asked.append((question.seat, question.level))
        return bot_pool._answer(question)

    monkeypatch.setattr(BotPool, "choose", answer)
    wishes = [SeatWish("here"), SeatWish("bot", "Rosa", "medium", style="blocker")]
    async with open_service(tmp_path) as service:
        created = await service.create(NewGame("new-york", wishes))
    async with open_service(tmp_path, undo_seconds=0.0) as service:
        live = await service.games.open(created.game)
        await play_with_bots(service, live, 0)
        assert set(asked) == {(1, "blocker")}
        rematch = await rematch_of(service, live)
        assert rematch.seat_infos()[0].style == "blocker"
        await play_with_bots(service, rematch, 1)
        assert set(asked) == {(0, "blocker"), (1, "blocker")}


@within(60)
async def test_a_bot_that_replaces_a_person_is_balanced(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        created = await service.create(NewGame("new-york", [SeatWish("here", "Jasper"), SeatWish("here")]))
        live = await service.games.open(created.game)
        await service.do(live, 0, Leave("1"))
        assert live.seat_infos()[0].style is None
        assert live.seat_states[0].bot == "medium"


# Colours of pieces


def test_two_seats_never_have_the_same_colour():
    choices = [None, *COLOURS]
    for one in choices:
        for two in choices:
            for three in choices:
                wishes = [SeatWish("here", colour=colour) for colour in (one, two, three, one, two)]
                given = distinct_colours(wishes)
                assert sorted(given) == sorted(COLOURS)
                assert one in {None, given[0]}


@within(120)
async def test_a_colour_is_kept_in_the_game_its_replay_and_its_rematch(tmp_path: Path) -> None:
    wishes = [SeatWish("here", "Ann", colour="black"), SeatWish("here", "Ben", colour="black")]
    async with open_service(tmp_path) as service:
        created = await service.create(NewGame("new-york", wishes))
    async with open_service(tmp_path) as service:
        live = await service.games.open(created.game)
        assert colours(live) == ["black", "red"]
        await play_out(service, live)
        rematch = await rematch_of(service, live)
        assert [(seat.name, seat.colour) for seat in rematch.seat_infos()] == [
            ("Ben", "red"),
            ("Ann", "black"),
        ]
        replay = await Archive(service).replay(live, 0, 1)
        assert replay.colours == ["black", "red"]


@within(60)
async def test_a_player_who_joins_chooses_a_colour_that_no_other_person_has(tmp_path: Path) -> None:
    wishes = [
        SeatWish("here"),
        SeatWish("link"),
        SeatWish("open"),
        SeatWish("open"),
        SeatWish("bot", level="easy"),
    ]
    async with open_service(tmp_path) as service:
        new = NewGame("usa-classic", wishes, Options(public=True))
        created = await service.create(new)
        live = await service.games.open(created.game)
        assert colours(live) == ["blue", "red", "green", "yellow", "black"]
        await service.seat_access.accept(known(created.invitations[1]), Accept("Ben", "black"))
        assert colours(live) == ["blue", "black", "green", "yellow", "red"], "the bot gives up its colour"
        await service.seat_access.join(created.game, Join("Cleo", 2, "yellow"), "127.0.0.2")
        assert colours(live) == ["blue", "black", "yellow", "green", "red"], (
            "so does a seat that is not taken"
        )
        await service.seat_access.join(created.game, Join("Dan", 3, "blue"), "127.0.0.3")
        assert colours(live) == ["blue", "black", "yellow", "green", "red"], "a person does not"
    async with open_service(tmp_path) as service:
        live = await service.games.open(created.game)
        assert colours(live) == ["blue", "black", "yellow", "green", "red"]


def test_an_unknown_colour_is_refused(server: Server) -> None:
    seats = [{"who": "here", "colour": "beige"}, {"who": "bot", "level": "easy"}]
    answer = server.post("/api/games/", {"edition": "new-york", "seats": seats})
    assert (answer.status, answer.refusal.code) == (400, "malformed")


def test_a_game_of_an_older_version_gets_the_colours_of_its_seats(store: Database) -> None:
    """Its setup has no colours and no styles, and its entries say nothing about them."""
    edition = load_edition("new-york")
    position, rows = Position.deal(edition, 3, bytes(32), 0)
    ann, bot = '{"who":"here","name":"Ann"}', '{"who":"bot","level":"medium","name":"Jasper"}'
    setup = f'{{"seats":[{ann},{{"who":"open"}},{bot}]}}'
    store.create(
        stored_game("old")._replace(players=3, setup=setup, rules=edition.digest, free=frozenset({1})),
        [start_entry("old", position, pack_rows(rows), 0), Entry.joined("old", 1, 0, 1, "Ben")],
    )
    stored = known(store.game("old"))
    seats = LiveGame(stored, edition, store.entries("old")).seat_infos()
    assert [(seat.name, seat.colour) for seat in seats] == [
        ("Ann", "blue"),
        ("Ben", "red"),
        ("Jasper", "green"),
    ]
    assert [seat.style for seat in seats] == [None, None, None]


async def play_with_bots(service: GameService, live: LiveGame, seat: int) -> None:
    """Play the seat of a person at random until the game is over."""
    rng = random.Random(1)
    live.audience.visit("")
    service.games.start_automation(live)
    while not live.position.is_over:
        if seat in live.position.to_move:
            move = rng.choice(live.position.legal_moves(seat).numbers)
            await service.do(live, seat, Play(f"{live.number}", move))
        await asyncio.sleep(0)


async def rematch_of(service: GameService, live: LiveGame) -> LiveGame:
    """Return the rematch of a finished game."""
    ack = await service.do(live, 0, Rematch("1"))
    assert isinstance(ack, Ack)
    return await service.games.open(known(ack.game))
