"""Links to seats: too long to guess, compared in constant time, and never stored in plain text."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from goldenspike.server.protocol import links
from goldenspike.server.protocol.client import RefusedError
from goldenspike.server.protocol.messages import Created, Joined, Play, Say
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage.database import open_engine
from goldenspike.server.storage.migrate import upgrade
from goldenspike.server.storage.schema import ENTRIES
from tests.server.in_process import deal, open_service
from tests.server.people import known, sit_down
from tests.server.serving import Server, within

NAME = "Wilhelmina"
WORDS = "the quick brown fox"


def secrets_of(created: Created) -> list[str]:
    """Return the secret parts of all links to a game."""
    return [link.partition(".")[2] for link in (*created.seats, created.watch) if link is not None]


def test_a_secret_has_more_bits_than_can_be_guessed_and_none_comes_twice(server: Server) -> None:
    secrets = [s for _ in range(20) for s in secrets_of(server.create("new-york", "here", "here", "here"))]
    assert len(secrets) == len(set(secrets)) == 80
    raw = [base64.urlsafe_b64decode(secret) for secret in secrets]
    assert all(len(data) * 8 >= 128 for data in raw)
    for position in range(len(raw[0])):  # no byte is always the same
        assert len({data[position] for data in raw}) > 40


@within(60)
async def test_every_comparison_takes_the_same_time_whatever_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[bytes] = []

    def spy(given: bytes, kept: bytes) -> bool:
        compared.append(kept)
        return hmac_compare(given, kept)

    hmac_compare = hmac.compare_digest
    async with open_service(tmp_path) as service:
        created = await deal(service, "new-york", 3)
        live = await service.games.open(created.game)
        everything = {*(key.secret_hash for key in live.keys), live.stored.watch_hash}
        monkeypatch.setattr(links.hmac, "compare_digest", spy)
        for link in (*created.seats, created.watch, f"{created.game}.wrong"):
            compared.clear()
            with suppress(Problem):
                live.viewer_of(links.split_link(known(link))[1])
            assert set(compared) == everything, "each seat is compared, also after one that fits"


class Traces(list[str]):
    """Secrets that a server was given; none of them may be stored or logged."""


@pytest.fixture(scope="module")
def traces(server: Server) -> Traces:
    """Use links in all valid and invalid ways, on a server that logs as much as possible."""
    traces = Traces()
    asyncio.run(leave_traces(server, traces))
    return traces


async def leave_traces(server: Server, traces: Traces) -> None:
    created = server.create("new-york", "here", "here", "easy", "open", public=True)
    joined = server.post(f"/api/games/{created.game}/join", {"name": NAME}).read(Joined)
    traces += [*secrets_of(created), joined.link.partition(".")[2]]
    for link in (joined.link, *created.seats):
        if link is not None:
            async with sit_down(server, link) as person:
                await person.move("keep all")
                await person.do(Say("1", WORDS))
                with suppress(RefusedError):
                    await person.client.send(Play("2", "fly to the moon"))
                await person.client.send_text("nonsense " + link)
    wrong = "w" * 32
    traces.append(wrong)
    with suppress(RefusedError):
        async with sit_down(server, f"{created.game}.{wrong}"):
            pass
    server.get(f"/api/games/{created.game}", f"{created.game}.{wrong}")
    server.call("GET", "/api/nothing", link=created.watch)
    server.call("DELETE", f"/api/games/{created.game}", link=created.watch)
    server.post(f"/api/games/{created.game}/commands", "{", created.seats[0])
    server.show(created.watch)


def test_no_secret_is_in_the_log_whatever_happens(server: Server, traces: Traces) -> None:
    log = server.log
    assert len(traces) == 5
    for secret in traces:
        assert secret not in log
    for private in (NAME, WORDS, "fly to the moon"):
        assert private not in log


def test_no_address_of_a_player_is_in_the_log(server: Server, traces: Traces) -> None:
    assert traces
    assert "127.0.0.1" not in server.log


def test_the_log_is_lines_of_json_and_of_the_server_only(server: Server) -> None:
    lines = [json.loads(line) for line in server.log.splitlines()]
    assert all({"at", "level", "logger", "message"} <= set(line) for line in lines)
    chatty = [line for line in lines if line["level"] == "debug"]
    assert all(line["logger"].startswith("goldenspike") for line in chatty)
    assert not [line for line in lines if line["level"] == "error"]


def test_the_database_holds_hashes_and_no_secret(server: Server, traces: Traces) -> None:
    data = b"".join(path.read_bytes() for path in sorted(server.folder.glob("games.db*")))
    for secret in traces[:-1]:
        assert secret.encode() not in data
        assert hashlib.sha256(secret.encode()).digest() in data
    assert WORDS.encode() in data  # proof that the right file was searched


def test_an_error_of_the_database_says_nothing_of_what_was_written(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'games.db'}", 1)
    upgrade(engine)
    with engine.connect() as connection, pytest.raises(IntegrityError) as error:
        connection.execute(insert(ENTRIES).values(game="nobody", number=0, kind="said", text=WORDS))
    engine.dispose()
    assert "entries" in str(error.value)
    assert WORDS not in str(error.value)
