"""Creating games: from the lobby, with a chosen first seat or seed, and as a rematch."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import msgspec
import pytest

from goldenspike import Game
from goldenspike.game.seeds import commitment
from goldenspike.server.protocol.messages import (
    Ack,
    Created,
    Join,
    Joined,
    Lobby,
    NewGame,
    Options,
    Play,
    Rematch,
    SeatWish,
)
from tests.boards.conftest import BOARD, EDITION
from tests.server.in_process import open_service, play_out
from tests.server.people import gather_at, known, play_all, sit_down
from tests.server.serving import HttpAnswer, Server, new_game, within


def lobby(server: Server) -> dict[str, list[str]]:
    """Return the players of the public games that have a free seat."""
    listed = server.get("/api/games/").read(Lobby).games
    return {game.game: [seat.who for seat in game.seats] for game in listed}


def join(server: Server, created: Created, name: str = "Ann", seat: int | None = None) -> HttpAnswer:
    """Take a seat, each player from a different address."""
    address = f"127.0.0.{ord(name[0])}"
    body = {"name": name, "seat": seat}
    return server.call("POST", f"/api/games/{created.game}/join", body, address=address)


# The lobby


@within(60)
async def test_a_public_game_waits_until_all_seats_are_taken(server: Server) -> None:
    created = server.create("new-york", "here", "open", "easy", "open", public=True)
    assert lobby(server)[created.game] == ["person", "free", "bot", "free"]
    async with sit_down(server, known(created.seats[0])) as one:
        refusal = await one.refused(Play("1", "keep all"))
        assert refusal.code == "not_allowed"
        assert "A seat is still open" in refusal.message
        second = join(server, created, "Bea", 3).read(Joined)
        assert second.seat == 3
        await one.client.wait(lambda: one.client.seats[3].name == "Bea")
        assert one.client.seats[3].who == "person"
        assert (await one.refused(Play("2", "keep all"))).code == "not_allowed"
        assert lobby(server)[created.game] == ["person", "free", "bot", "person"]
        first = join(server, created, "Cy").read(Joined)
        assert first.seat == 1
        assert created.game not in lobby(server)
        async with sit_down(server, first.link) as two, sit_down(server, second.link) as four:
            assert (two.client.seat, four.client.seat) == (1, 3)
            for person in (one, two, four):
                await person.move("keep all")
            await one.client.wait(lambda: one.view.phase == "turn")  # the bot has chosen as well
    kinds = [entry.kind for entry in one.client.log]
    assert kinds[:2] == ["joined", "joined"]


def test_a_seat_that_is_not_free_cannot_be_joined(server: Server) -> None:
    created = server.create("new-york", "here", "open", "easy", public=True)
    for seat in (0, 2, 4):
        answer = join(server, created, seat=seat)
        assert (answer.status, answer.refusal.code) == (409, "conflict")
    assert join(server, created).status == 201
    assert join(server, created).refusal.code == "conflict"


def test_of_two_who_join_at_once_one_gets_the_seat(server: Server) -> None:
    with ThreadPoolExecutor(4) as pool:
        for _ in range(10):
            created = server.create("new-york", "here", "open", public=True)
            answers = list(pool.map(partial(join, server, created), ["Ann", "Bea", "Cy", "Di"]))
            assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]
            winner = next(answer.read(Joined) for answer in answers if answer.status == 201)
            shown = server.show(winner.link)
            assert shown.you == winner.seat == 1
            assert shown.last == 1


@pytest.mark.parametrize("wish", [{}, {"name": None}])
def test_a_player_who_joins_without_a_name_gets_the_seats_name(wish: dict[str, None], server: Server) -> None:
    created = server.create("new-york", "here", "open", public=True)
    joined = server.post(f"/api/games/{created.game}/join", wish).read(Joined)
    assert [seat.name for seat in server.show(joined.link).seats] == ["Player 1", "Player 2"]


def test_bots_get_names_that_differ_from_the_names_of_people(server: Server) -> None:
    bots = [{"who": "bot", "level": level} for level in ("easy", "medium", "hard", "easy")]
    wish = new_game("usa-classic") | {"seats": [{"who": "here", "name": "OTIS"}, *bots]}
    created = server.post("/api/games/", wish).read(Created)
    names = [seat.name for seat in server.show(created.watch).seats]
    assert names == ["OTIS", "Mabel", "Cora", "Edith", "Nell"]


def test_a_private_game_is_not_listed_and_not_joined(server: Server) -> None:
    created = server.create("new-york", "here", "here")
    assert created.game not in lobby(server)
    answer = join(server, created)
    assert (answer.status, answer.refusal.code) == (403, "not_allowed")
    answer = server.post("/api/games/", new_game("new-york", "here", "open"))
    assert "Only a public game" in answer.refusal.message


@within(60)
async def test_a_game_with_an_unknown_edition_does_not_hide_others(tmp_path: Path) -> None:
    (tmp_path / "lakes.toml").write_text(BOARD)
    (tmp_path / "lakes-quick.toml").write_text(EDITION)
    seats, options = [SeatWish("here"), SeatWish("open")], Options(public=True)
    async with open_service(tmp_path, editions=tmp_path) as service:
        created = [
            await service.create(NewGame(name, seats, options)) for name in ("lakes-quick", "new-york")
        ]
        assert {listed.game for listed in (await service.lobby.read()).games} == {
            game.game for game in created
        }
    async with open_service(tmp_path) as service:
        assert [listed.game for listed in (await service.lobby.read()).games] == [created[1].game]


# Options


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_seat_that_was_named_begins(first: int, server: Server) -> None:
    created = server.create("new-york", "here", "here", "here", first=first)
    for link in created.seats:
        server.command(known(link), type="play", id="1", move="keep all").read(Ack)
    assert server.show(created.watch).view.to_move == [first]


@pytest.mark.parametrize("seed", ["a quiet evening", "7" * 64])
def test_a_chosen_seed_deals_the_same_cards_and_is_marked(seed: str, server: Server) -> None:
    deal = Game.new("usa-classic", 2, seed=seed)
    games = [server.create("usa-classic", "here", "here", seed=seed) for _ in range(2)]
    for created in games:
        assert created.commitment == commitment(deal.seed)
        for seat, link in enumerate(created.seats):
            shown = server.show(known(link))
            assert shown.game.is_seed_chosen
            assert known(shown.own).offer == deal.view(seat).offer
            assert known(shown.own).hand == deal.view(seat).hand
            assert shown.view.row == deal.view(None).row
            assert seed not in str(msgspec.to_builtins(shown))
    assert games[0].game != games[1].game


def test_without_a_seed_every_deal_is_another(server: Server) -> None:
    games = [server.create("usa-classic", "here", "here") for _ in range(3)]
    shown = [server.show(known(created.seats[0])) for created in games]
    assert not any(game.game.is_seed_chosen for game in shown)
    assert len({created.commitment for created in games}) == 3
    assert len({str(known(game.own).offer) for game in shown}) == 3


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (new_game("antarctica", "here", "here"), "There is no edition 'antarctica' here; there are usa-"),
        (new_game("usa", "here", "here"), '"usa" is a board: choose usa-classic, usa-1910, usa-big-cities'),
        (new_game("newyork", "here", "here"), 'did you mean "new-york"?'),
        (new_game("first-journey", *["here"] * 5), "is for 2 to 4 players, not 5"),
        (new_game("new-york", "here", "genius"), "There is no level 'genius'"),
        (new_game("new-york", "here", "../bots.py:Bot"), "There is no level"),
        (
            new_game("new-york", "here", "here", first=2),
            "The first seat is a number from 0 (Seat 1) to 1 (Seat 2).",
        ),
        (
            {"edition": "new-york", "seats": [{"who": "here", "level": "easy"}, {"who": "here"}]},
            "Give a level for each bot",
        ),
        ({"edition": "new-york", "seats": [{"who": "bot"}, {"who": "here"}]}, "Give a level for each bot"),
        (new_game("new-york", "here"), "seats"),
        (new_game("new-york", "here", "here", clock=4), "clock"),
        (new_game("new-york", "here", "here", colour="red"), "colour"),
    ],
)
def test_an_invalid_game_is_refused_with_the_reason(request_: object, sentence: str, server: Server) -> None:
    assert sentence in server.post("/api/games/", request_).refusal.message


# Rematches


@within(120)
async def test_a_rematch_seats_everybody_one_further_with_the_same_secrets(server: Server) -> None:
    created = server.create("first-journey", "here", "here", "easy", clock=600, aids=False)
    async with gather_at(server, created) as ([one, two], watcher):
        assert (await one.refused(Rematch("too soon"))).code == "not_over"
        await play_all([one, two], watcher)
        acks = await asyncio.gather(one.client.send(Rematch("1")), two.client.send(Rematch("1")))
        game = {ack.game for ack in acks if isinstance(ack, Ack)}
        assert len(game) == 1
        [name] = game
        assert name is not None
        again = await two.client.send(Rematch("2"))
        assert isinstance(again, Ack)
        assert again.game == name
        await watcher.client.wait(lambda: watcher.client.log[-1].kind == "rematch")
        assert watcher.client.log[-1].text == name
        assert [entry.kind for entry in watcher.client.log].count("rematch") == 1
        assert server.show(created.watch).game.rematch == name
    links = [None if link is None else f"{name}.{link.partition('.')[2]}" for link in created.seats]
    next_links = [links[1], links[2], links[0]]
    following = Created(name, next_links, [], f"{name}.{created.watch.partition('.')[2]}", "")
    async with gather_at(server, following) as (people, watcher):
        assert [person.client.seat for person in people] == [0, 2]
        assert [seat.who for seat in watcher.client.seats] == ["person", "bot", "person"]
        assert [seat.name for seat in watcher.client.seats] == ["Player 2", "Mabel", "Player 1"]
        info = watcher.welcome.game
        assert (info.clock, info.aids, info.public, info.rematch) == (600, False, False, None)
        assert info.commitment != created.commitment
        await play_all(people, watcher)
    # The old links still open the old game, and nothing else.
    assert server.show(created.watch).game.game == created.game
    assert server.get(f"/api/games/{name}", created.watch).refusal.code == "bad_link"


@within(60)
async def test_a_player_who_joined_at_another_process_can_open_the_rematch(tmp_path: Path) -> None:
    async with open_service(tmp_path) as one, open_service(tmp_path) as other:
        seats = [SeatWish("here"), SeatWish("open")]
        created = await one.create(NewGame("first-journey", seats, Options(public=True)))
        here = await one.games.open(created.game)
        joined = await other.seat_access.join(created.game, Join("Ben"), "127.0.0.2")
        there = await other.games.open(created.game)
        await play_out(other, there)
        await one.missed(here, there.number, 0)  # the entry of the other process is read
        ack = await one.do(here, 0, Rematch("1"))
        assert isinstance(ack, Ack)
        _, seat = await one.games.open_link(f"{ack.game}.{joined.link.partition('.')[2]}")
        assert seat == 0
