"""The HTTP API: the same games, its OpenAPI document, and refusals that are sentences."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
import schemathesis

from goldenspike import Game
from goldenspike.editions import edition_ids
from goldenspike.server.protocol.messages import Ack, Created, Entries, Reply
from goldenspike.version import VERSION
from tests.server.people import known
from tests.server.serving import Server, new_game
from tests.server.waiting import wait_until

OPERATIONS = {
    "bots",
    "listEditions",
    "showEdition",
    "createGame",
    "listGames",
    "acceptInvitation",
    "joinGame",
    "useCode",
    "showGame",
    "listEntries",
    "sendCommand",
    "getRecord",
    "getReplay",
    "getStatistics",
    "branchGame",
    "importRecord",
    "healthz",
    "readyz",
}

# The OpenAPI document


@pytest.fixture(scope="module")
def document(server: Server) -> dict[str, Any]:
    """Fetch the OpenAPI document."""
    return server.get("/api/schema/openapi.json").json


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = [operation for path in document["paths"].values() for operation in path.values()]
    return {operation["operationId"]: operation for operation in found}


def test_the_document_is_valid_and_names_every_operation(document: dict[str, Any]) -> None:
    schemathesis.openapi.from_dict(document).validate()
    assert document["info"]["version"] == VERSION
    found = operations(document)
    assert set(found) == OPERATIONS
    assert all(operation["summary"] and operation["description"] for operation in found.values())
    assert all(any(status.startswith("2") for status in o["responses"]) for o in found.values())


def test_every_reference_in_the_document_leads_somewhere(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]

    def check(part: Any) -> None:
        if isinstance(part, dict):
            if isinstance(reference := part.get("$ref"), str):
                assert reference.removeprefix("#/components/schemas/") in schemas
            for value in part.values():
                check(value)
        elif isinstance(part, list):
            for value in part:
                check(value)

    check(document)


def test_the_document_says_that_nothing_else_may_be_sent(document: dict[str, Any], server: Server) -> None:
    schemas = document["components"]["schemas"]
    for name in ("NewGame", "SeatWish", "Options", "Branch", "Join", "Play", "Say"):
        assert schemas[name]["additionalProperties"] is False, name
    assert "additionalProperties" not in schemas["Created"]  # responses may get new fields
    answer = server.post(
        "/api/games/", {"edition": "new-york", "seats": [{"who": "bot"}] * 2, "colour": "red"}
    )
    assert answer.status == 400


def test_the_document_describes_every_error(document: dict[str, Any]) -> None:
    for name, operation in operations(document).items():
        errors = {status: r for status, r in operation["responses"].items() if int(status) >= 400}
        for response in errors.values():
            [content] = response["content"].values()
            assert content["schema"] == {"$ref": "#/components/schemas/Refusal"}, name
        takes = operation.get("parameters") or operation.get("requestBody")
        assert "400" in errors or not takes, name
        if any(parameter["name"] == "Authorization" for parameter in operation.get("parameters", ())):
            assert {"403", "404"} <= set(errors), name
    code = document["components"]["schemas"]["Refusal"]["properties"]["code"]
    assert "illegal_move" in code["enum"]


# The same games


def test_a_game_is_played_from_deal_to_record_without_a_socket(server: Server) -> None:
    created = server.create("first-journey", "here", "easy")
    link = known(created.seats[0])
    rng = random.Random(5)
    acks: list[Ack] = []
    shown = server.show(link)
    deadline = time.monotonic() + 60
    while shown.view.ending is None:
        assert time.monotonic() < deadline
        if legal := known(shown.own).legal:
            move = rng.choice(legal)
            acks.append(server.command(link, type="play", id=f"{len(acks)}", move=move).read(Ack))
        shown = server.show(link)
    path = f"/api/games/{created.game}"
    game = Game.from_record(server.get(f"{path}/record", link).body.decode())
    hashes = [played.state_hash for played in game.played]
    assert [ack.state_hash for ack in acks] == [
        h for h, p in zip(hashes, game.played, strict=True) if p.seat == 0
    ]
    entries = server.get(f"{path}/entries", created.watch).read(Entries)
    assert [entry.n for entry in entries.entries] == list(range(shown.last + 1))
    some = server.get(f"{path}/entries?after=3&count=4", created.watch).read(Entries)
    assert some.entries == entries.entries[4:8]
    assert some.last == shown.last
    assert server.get(f"{path}/entries?after={shown.last}", link).read(Entries).entries == []


def test_bots_play_for_clients_without_a_socket(server: Server) -> None:
    created = server.create("first-journey", "easy", "greedy")
    wait_until(lambda: server.show(created.watch).view.ending is not None, "the bots have played")


def test_questions_are_answered_over_http(server: Server) -> None:
    link = known(server.create("usa-classic", "here", "here").seats[0])
    assert server.command(link, type="ping", id="1").read(Reply).id == "1"
    assert known(server.command(link, type="why", id="2", move="draw deck").read(Reply).reason)
    assert known(server.command(link, type="ways", id="3").read(Reply).ways)
    assert known(server.command(link, type="hint", id="4").read(Reply).hint)


def test_all_editions_are_shown(server: Server) -> None:
    listed = server.get("/api/editions/").json["editions"]
    assert [card["id"] for card in listed] == list(edition_ids())
    for card in listed:
        info = server.get(f"/api/editions/{card['id']}").json
        assert len(info["cities"]) == card["cities"]
        assert len(info["tickets"]) == card["tickets"]
        assert {"a", "b", "points", "name"} <= set(info["tickets"][0])


# Refusals


@pytest.fixture(scope="module")
def created(server: Server) -> Created:
    """Deal a game for invalid requests."""
    return server.create("new-york", "here", "here")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "malformed"),
        ("GET", "/api", 404, "malformed"),
        ("DELETE", "/api/games/", 405, "malformed"),
        ("PUT", "/api/games/{game}", 405, "malformed"),
        ("GET", "/api/games/{game}/commands", 405, "malformed"),
        ("POST", "/api/games/{game}/record", 405, "malformed"),
        ("POST", "/healthz", 405, "malformed"),
        ("GET", "/api/editions/usa-antarctica", 404, "unknown_edition"),
        ("GET", "/api/editions/..%2f..%2fetc%2fpasswd", 404, "malformed"),
        ("GET", "/api/editions/usa-classic.toml", 404, "unknown_edition"),
        ("GET", "/api/games/{game}/entries?after=one", 400, "malformed"),
        ("GET", "/api/games/{game}/entries?after=-2", 400, "malformed"),
        ("GET", "/api/games/{game}/entries?count=0", 400, "malformed"),
        ("GET", "/api/games/{game}/entries?count=501", 400, "malformed"),
        ("GET", "/api/games/{game}/entries?after=99999999999999999999", 400, "malformed"),
        ("GET", "/api/games/{game}/replay?first=-1", 400, "malformed"),
        ("GET", "/api/games/{game}/replay", 409, "not_over"),
        ("GET", "/api/games/{game}/record", 409, "not_over"),
        ("GET", "/api/games/no%20such%20name", 400, "malformed"),
        ("GET", "/api/games/a-name-that-is-far-too-long", 400, "malformed"),
    ],
)
def test_a_wrong_request_is_refused_with_a_sentence(
    method: str, path: str, status: int, code: str, created: Created, server: Server
) -> None:
    answer = server.call(method, path.format(game=created.game), link=known(created.seats[0]))
    assert (answer.status, answer.refusal.code) == (status, code)


NONSENSE: dict[str, str | bytes] = {
    "nothing": "",
    "a word": "hello",
    "a list": "[]",
    "null": "null",
    "no fields": "{}",
    "no such command": '{"type": "dance", "id": "1"}',
    "no move": '{"type": "play", "id": "1"}',
    "no id": '{"type": "play", "id": "", "move": 1}',
    "half a move": '{"type": "play", "id": "1", "move": 1.5}',
    "less than a move": '{"type": "play", "id": "1", "move": -1}',
    "null for a move": '{"type": "play", "id": "1", "move": null}',
    "a number for an id": '{"type": "play", "id": 7, "move": 1}',
    "a long id": '{"type": "play", "id": "' + "x" * 65 + '", "move": 1}',
    "half a character": '{"type": "say", "id": "1", "text": "\\ud800"}',
    "a sixth seat": '{"type": "replace", "id": "1", "seat": 5}',
    "too deep": '{"id": "1", "a": ' + "[" * 5000,
    "no text": b"\xff\xfe",
}


@pytest.mark.parametrize("body", NONSENSE.values(), ids=NONSENSE)
def test_an_invalid_body_is_refused_with_a_sentence(
    body: str | bytes, created: Created, server: Server
) -> None:
    path = f"/api/games/{created.game}/commands"
    kind = {"Content-Type": "application/json"}
    answer = server.call("POST", path, body, known(created.seats[0]), kind)
    assert (answer.status, answer.refusal.code) == (400, "malformed")
    answer = server.call("POST", "/api/games/", body, None, kind)
    assert (answer.status, answer.refusal.code) == (400, "malformed")


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "bad_link"),
        ("{link}", "bad_link"),
        ("Basic {link}", "bad_link"),
        ("Bearer", "bad_link"),
        ("Bearer {game}", "bad_link"),
        ("Bearer {game}.", "bad_link"),
        ("Bearer {game}.wrong", "bad_link"),
        ("Bearer other.secret", "bad_link"),
        ("Bearer {link}x", "bad_link"),
        ("Bearer {game}." + "x" * 500, "bad_link"),
        ("Bearer {game}.\xe9", "bad_link"),
    ],
)
def test_an_invalid_link_is_refused_with_a_sentence(
    header: str | None, code: str, created: Created, server: Server
) -> None:
    headers = (
        {} if header is None else {"Authorization": header.format(link=created.seats[0], game=created.game)}
    )
    for path in ("", "/entries"):
        answer = server.call("GET", f"/api/games/{created.game}{path}", headers=headers)
        assert (answer.status, answer.refusal.code) == (403, code)


def test_an_unknown_game_is_refused_with_a_sentence(server: Server) -> None:
    for name in ("abcdefghijkl", "x", "-", "0" * 16):
        answer = server.get(f"/api/games/{name}", f"{name}.{'s' * 32}")
        assert (answer.status, answer.refusal.code) == (404, "unknown_game")
        answer = server.post(f"/api/games/{name}/join", {"name": "Ann"})
        assert (answer.status, answer.refusal.code) == (404, "unknown_game")


def test_a_body_that_is_too_large_is_refused_with_a_sentence(created: Created, server: Server) -> None:
    huge = '{"edition": "' + "x" * 2_000_001 + '"}'
    for path in ("/api/games/", "/api/records/", f"/api/games/{created.game}/commands"):
        answer = server.post(path, huge, known(created.seats[0]))
        assert (answer.status, answer.refusal.code) == (413, "too_large")


def test_refusals_of_the_rules_carry_their_own_codes(created: Created, server: Server) -> None:
    one = known(server.create("usa-classic", "here", "here").seats[0])
    illegal = server.command(one, type="play", id="1", move="draw deck")
    assert (illegal.status, illegal.refusal.code) == (409, "illegal_move")
    assert known(illegal.refusal.rule)
    strange = server.command(one, type="play", id="2", move="fly to the moon")
    assert (strange.status, strange.refusal.code) == (400, "malformed")
    early = server.command(one, type="rematch", id="3")
    assert (early.status, early.refusal.code) == (409, "not_over")
    answer = server.post("/api/games/", new_game("new-york", "here", "genius"))
    assert (answer.status, answer.refusal.code) == (400, "malformed")


# Health and metrics


def test_health_readiness_and_figures(server: Server) -> None:
    assert server.get("/healthz").json == {"status": "ok"}
    assert server.get("/readyz").json == {"status": "ready"}
    before = server.metrics()
    server.create("new-york", "here", "here")
    link = known(server.create("new-york", "here", "here").seats[0])
    server.command(link, type="play", id="1", move="keep all").read(Ack)
    server.command(link, type="play", id="2", move="keep all").refusal  # noqa: B018
    after = server.metrics()
    assert figure(after, 'goldenspike_entries_total{kind="moved"}') == 1 + figure(
        before, 'goldenspike_entries_total{kind="moved"}'
    )
    assert figure(after, "goldenspike_live_games") >= 1
    for name in (
        "connections",
        "refusals_total",
        "command_seconds_count",
        "batch_size_count",
        "thinking_seconds_count",
    ):
        assert f"goldenspike_{name}" in after


def figure(metrics: str, name: str) -> float:
    """Return a metric; 0 if it was not counted yet."""
    lines = [line for line in metrics.splitlines() if line.startswith(name + " ")]
    return float(lines[0].split()[-1]) if lines else 0.0


# Headers of every response

PATHS = ["/", "/nothing", "/healthz", "/metrics", "/api/editions", "/api/nothing", "/api/games/none"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE"])
def test_every_answer_says_what_a_browser_may_do_with_it(method: str, path: str, server: Server) -> None:
    headers = server.call(method, path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", PATHS)
def test_head_requests_are_answered(path: str, server: Server) -> None:
    whole, head = server.get(path), server.call("HEAD", path)
    assert (head.status, head.body) == (whole.status, b"")
    for name in ("content-type", "etag", "cache-control"):
        assert head.headers.get(name) == whole.headers.get(name)
