"""Invalid messages are refused, each with its reason, and do not disturb other games."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product
from threading import Event, Thread
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from goldenspike.server.protocol.messages import Created
from tests.game.games import random_game
from tests.server import nonsense
from tests.server.garbage_load import GarbageLoad
from tests.server.players import RandomPlayer, check_game, play_all, players_of
from tests.server.processes import PEOPLE, GameServer
from tests.server.services import PostgresServer
from tests.server.serving import Server
from tests.server.waiting import wait_until

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
PACE = 0.05
"""Seconds between the moves of honest players, within the server's rate limits."""


@contextmanager
def serving(postgres: PostgresServer, message_rate: float) -> Iterator[GameServer]:
    postgres.restore()
    url = postgres.new_database()
    with GameServer(url, message_rate=message_rate, patience=3600) as server:
        yield server
    postgres.restore()
    postgres.drop_database(url)


@pytest.fixture(scope="module")
def loaded_server(postgres: PostgresServer) -> Iterator[GameServer]:
    """Run a server with the default limits."""
    with serving(postgres, message_rate=20) as server:
        yield server


@pytest.fixture(scope="module")
def unlimited_server(postgres: PostgresServer) -> Iterator[GameServer]:
    """Run a server without limits of the rate, which would refuse more or fewer requests by their speed."""
    with serving(postgres, message_rate=10_000) as server:
        yield server


class HonestPlayers:
    """Players who play one game after the other, in a separate thread."""

    def __init__(self, server: GameServer) -> None:
        self.server = server
        self.games: list[tuple[Created, list[RandomPlayer]]] = []
        self._is_over = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._play()))
        self._failure: BaseException | None = None

    async def _play(self) -> None:
        try:
            while not (self._is_over.is_set() and self.games):
                game = await asyncio.to_thread(self.server.new_game)
                players = players_of([self.server.url], game, PACE)
                self.games.append((game, players))
                await play_all(players)
        except BaseException as error:
            self._failure = error
            raise

    @contextmanager
    def play(self) -> Iterator[None]:
        """Play while the block runs, and to the end of the last game; then check that nothing went wrong."""
        self._thread.start()
        try:
            yield
        finally:
            self._is_over.set()
            self._thread.join(120)
        assert self._failure is None
        with self.server.store() as store:
            for game, players in self.games:
                check_game(store, game, players, self.server.record(game))
                assert not any(player.refusals or player.resent or player.statuses for player in players)


def start_quietly(server: GameServer) -> tuple[Created, str]:
    """Deal a game; return it with the link of a seat that cannot move and waits for nothing."""
    game = server.new_game(first=0)
    ann, ben = game.seats
    assert ann is not None
    assert ben is not None
    path = f"/api/games/{game.game}/commands"
    for link, name in ((ann, "keep"), (ben, "keep")):
        server.get(path, link, {"type": "play", "id": name, "move": "keep all"})
    server.get(path, ann, {"type": "play", "id": "draw", "move": "draw deck"})
    return game, ben


def stand(server: GameServer, messages: int) -> GarbageLoad:
    """Run a garbage load of this many messages, and check that it left no trace."""
    game, link = start_quietly(server)
    load = GarbageLoad(server, game, link, seed=messages)
    honest = HonestPlayers(server)
    with honest.play():
        asyncio.run(load.last(messages))
    assert load.total >= messages
    with server.store() as store:
        assert [entry.kind for entry in store.entries(game.game)] == ["started", "moved", "moved", "moved"]
    assert server.failures() == []
    wait_until(lambda: "goldenspike_connections 0.0" in server.metrics(), "all connections are gone")
    return load


@pytest.mark.slow
def test_thousands_of_bad_messages_are_refused(loaded_server: GameServer) -> None:
    load = stand(loaded_server, messages=3_000)
    assert {"malformed", "bad_link", "unknown_game", "not_allowed", "illegal_move"} <= load.refused.keys()


@pytest.mark.slow
def test_a_hundred_thousand_bad_messages_are_refused(loaded_server: GameServer) -> None:
    load = stand(loaded_server, messages=100_000)
    assert load.refused.total() > 80_000
    assert {"malformed", "bad_link", "unknown_game", "not_allowed", "illegal_move", "too_fast"} <= (
        load.refused.keys()
    )
    assert {1002, 1007, 1008, 1009} <= load.closed.keys()
    assert load.sent["nothing at all"] == 40


# HTTP


def attack_api(server: GameServer, examples: int) -> Counter[int]:
    """Send valid and invalid requests generated from the OpenAPI document; return their statuses."""
    quiet, link = start_quietly(server)
    over = server.new_game(seats=[{"who": "bot", "level": "random"}] * 2)
    play_out(server, over)
    links = st.sampled_from([None, quiet.watch, link, over.watch])
    statuses: Counter[int] = Counter()
    document = schemathesis.openapi.from_url(f"{server.url}/api/schema/openapi.json")
    operations: list[Any] = [result.ok() for result in cast(Any, document.get_all_operations())]
    assert len(operations) > 12
    for operation, mode in product(operations, GenerationMode):
        cases = operation.as_strategy(generation_mode=mode)

        @settings(
            max_examples=examples,
            database=None,
            derandomize=True,  # the same requests each time, so that they always get the same statuses
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        )
        @given(case=cases, link=links)
        def send(case: schemathesis.Case, link: str | None) -> None:
            if link is not None and "game" in case.path_parameters:
                case.path_parameters["game"] = link.partition(".")[0]
                case.headers["Authorization"] = f"Bearer {link}"
            if link is not None and isinstance(case.body, dict) and "edition" in case.body:
                body: Any = case.body
                body.update(edition="new-york", seats=PEOPLE)  # random values would never be valid
            answer = case.call()
            statuses[answer.status_code] += 1
            case.validate_response(answer, checks=CHECKS)

        with suppress(Unsatisfiable):  # a request without parameters cannot be made invalid
            send()
    return statuses


def play_out(server: GameServer, game: Created) -> None:
    """Wait for the end of a game of bots, which only move while a client watches."""
    asyncio.run(play_all([RandomPlayer(server.url, game.watch)]))


def stand_http(server: GameServer, examples: int) -> Counter[int]:
    honest = HonestPlayers(server)
    with honest.play():
        statuses = attack_api(server, examples)
    assert server.failures() == []
    return statuses


@pytest.mark.slow
def test_requests_made_from_the_document_are_answered_as_it_says(unlimited_server: GameServer) -> None:
    statuses = stand_http(unlimited_server, examples=4)
    assert {200, 400, 403, 404} <= statuses.keys()


@pytest.mark.slow
def test_many_requests_made_from_the_document_are_answered_as_it_says(unlimited_server: GameServer) -> None:
    statuses = stand_http(unlimited_server, examples=30)
    assert statuses.total() > 500
    assert {200, 201, 400, 403, 404, 409} <= statuses.keys()


@pytest.mark.slow
def test_damaged_records_are_refused(server: Server) -> None:
    record = random_game(("new-york", 2), 1).record().encode()
    rng = random.Random(1)
    for _ in range(100):
        answer = server.post("/api/records/", nonsense.damage(rng, record))
        assert (answer.status, answer.refusal.code) == (400, "bad_record")
    assert "Traceback" not in server.log
