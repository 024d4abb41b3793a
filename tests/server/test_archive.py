"""The archive: records, replays, imports, and continuing a game from any move."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import msgspec
import pytest
from sqlalchemy import update

from goldenspike import Game
from goldenspike.cli import main
from goldenspike.exit_codes import OK
from goldenspike.game.events import read_events
from goldenspike.game.view import View, members
from goldenspike.server.archive import archive
from goldenspike.server.archive.archive import Archive, Replay
from goldenspike.server.http.page import StaticFile
from goldenspike.server.protocol.messages import Ack, Branch, Created, Lobby, SeatWish, Undo
from goldenspike.server.socket.uvicorn_websocket import UvicornWebSocket
from goldenspike.server.storage.schema import GAMES, SEATS
from tests.game.games import random_game
from tests.server.in_process import open_service
from tests.server.people import GAME_S, gather_at, known, play_all
from tests.server.serving import ANSWER_S, Server, new_game, wish, within
from tests.server.test_uvicorn_websocket import no_bots, serve

__all__ = ["no_bots"]


class Finished(NamedTuple):
    """A game that was played on the server, its record, and the same game replayed from it."""

    created: Created
    record: str
    game: Game

    @property
    def path(self) -> str:
        return f"/api/games/{self.created.game}"


@pytest.fixture(scope="module")
def finished(server: Server) -> Finished:
    """Play a game in which an action is undone."""
    created = server.create("new-york", "here", "here", "easy", first=1)

    @within(GAME_S)
    async def play() -> None:
        async with gather_at(server, created) as ([one, two], watcher):
            await one.reach(1)  # the bot has chosen; nothing can be undone after that
            await one.move("keep all")
            await one.do(Undo("back"))
            server.command(two.link, type="answer", id="1", agree=True)
            await play_all([one, two], watcher)

    play()
    answer = server.get(f"/api/games/{created.game}/record", created.watch)
    assert answer.headers["content-type"].startswith("text/plain")
    record = answer.body.decode()
    return Finished(created, record, Game.from_record(record))


# Records


def test_a_record_is_the_same_for_every_link_and_holds(
    finished: Finished, server: Server, tmp_path: Path
) -> None:
    for link in finished.created.seats:
        if link is not None:
            assert server.get(f"{finished.path}/record", link).body.decode() == finished.record
    assert finished.game.record() == finished.record
    file = tmp_path / "game.jsonl"
    file.write_text(finished.record)
    assert main(["verify", str(file), "--commitment", finished.created.commitment]) == OK


def test_a_record_has_the_names_of_those_who_played(finished: Finished) -> None:
    assert finished.game.names == ("Player 1", "Player 2", "Mabel")


def test_names_come_and_go_with_records(server: Server) -> None:
    game = random_game(("first-journey", 2), 3)
    game.names = ["Ann", "Zoë 🚂"]
    brought = server.post("/api/records/", game.record()).read(Created)
    assert [seat.name for seat in server.show(brought.watch).seats] == list(game.names)
    exported = server.get(f"/api/games/{brought.game}/record", brought.watch).body.decode()
    assert exported == game.record()


@within(60)
async def test_invalid_names_are_made_valid_for_records(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        brought = await Archive(service).bring(random_game(("first-journey", 2), 3).record())
        live = await service.games.open(brought.game)
        live.seat_states[0].name, live.seat_states[1].name = "two\nlines", "\x1b"
        record = await Archive(service).record(live)
    assert Game.from_record(record).names == ("two lines", "Seat 2")


@pytest.mark.parametrize("what", ["record", "replay", "statistics", "branch"])
def test_a_running_game_has_no_archive(what: str, server: Server) -> None:
    created = server.create("new-york", "here", "here")
    wanted = {"after": 0, "seats": [wish("here"), wish("here")]}
    for link in (created.seats[0], created.watch, None):
        path = f"/api/games/{created.game}/{what}"
        answer = server.post(path, wanted, link) if what == "branch" else server.get(path, link)
        assert (answer.status, answer.refusal.code) == (409, "not_over")


def test_a_finished_game_is_shown_without_a_link_and_leads_to_no_seat(
    finished: Finished, server: Server
) -> None:
    one = known(finished.created.seats[0])
    rematch = known(server.command(one, type="rematch", id="again").read(Ack).game)
    for what in ("record", "replay", "statistics"):
        answer = server.get(f"{finished.path}/{what}")
        assert answer.status == 200
        for link in (*finished.created.seats, finished.created.watch):
            assert link is None or link.partition(".")[2] not in answer.body.decode()
        assert rematch not in answer.body.decode()  # the rematch will end, too, and was not shared
    names = [seat.name for seat in server.show(one).seats]
    replay = server.get(f"{finished.path}/replay?count=1").read(Replay)
    assert (replay.edition, replay.names) == ("new-york", names)
    for game in (finished.created.game, rematch):
        assert server.get(f"/api/games/{game}").refusal.code == "bad_link"
        assert server.get(f"/api/games/{game}/entries").refusal.code == "bad_link"


def test_statistics_are_those_of_the_game(finished: Finished, server: Server) -> None:
    statistics = server.get(f"{finished.path}/statistics", finished.created.watch).json
    assert [seat["score"] for seat in statistics["seats"]] == list(finished.game.scores().totals)


# Replays


def check_frame(frame: dict[str, Any], game: Game) -> None:
    """Compare a replay frame with the game after the same actions."""
    table: View = game.view(None)
    shown = frame["view"]
    assert (shown["phase"], shown["to_move"]) == (table.phase, table.to_move)
    assert (shown["row"], shown["deck"], shown["discards"]) == (table.row, table.deck_size, table.discards)
    assert (shown["ending"] is not None) == game.is_over
    names = [route.name for route in game.edition.board.routes]
    for seat, own in enumerate(frame["own"]):
        view = game.view(seat)
        held = [game.edition.tickets[ticket].name for ticket in members(view.struct.held[seat])]
        assert (own["hand"], own["offer"], own["tickets"]) == (view.hand, view.offer, held)
        assert own["legal"] == (list(game.legal_moves(seat).numbers) if seat in game.to_move else [])
        owned = members(view.array["owned"][0, seat].tolist())
        public = shown["seats"][seat]
        assert public["routes"] == [names[route] for route in owned]
        assert (public["pieces"], public["points"]) == (view.pieces[seat], view.points[seat])
        assert public["cards"] == sum(view.hand.values())


def test_every_moment_of_a_replay_equals_the_game(finished: Finished, server: Server) -> None:
    replay = server.get(f"{finished.path}/replay", finished.created.watch).json
    original = finished.game
    assert replay["actions"] == len(original.played)
    assert [frame["n"] for frame in replay["frames"]] == list(range(len(original.played) + 1))
    game = Game.new(original.edition, original.players, original.seed, original.first)
    check_frame(replay["frames"][0], game)
    for frame, played in zip(replay["frames"][1:], original.played, strict=True):
        game.play(played.number, played.seat)
        check_frame(frame, game)
        assert (frame["seat"], frame["text"]) == (played.seat, played.text)
        events = [msgspec.to_builtins(event) for event in read_events(game.edition, played.rows)]
        assert frame["events"] == events


def test_some_moments_can_be_asked_for(finished: Finished, server: Server) -> None:
    count = len(finished.game.played)
    link = finished.created.watch
    everything = server.get(f"{finished.path}/replay", link).read(Replay)
    for first, number in ((0, 1), (7, 5), (count, 400), (count - 1, 2)):
        some = server.get(f"{finished.path}/replay?first={first}&count={number}", link).read(Replay)
        assert some.frames == everything.frames[first : first + number]
    beyond = server.get(f"{finished.path}/replay?first={count + 1}", link)
    assert (beyond.status, beyond.refusal.code) == (404, "unknown_entry")
    assert server.get(f"{finished.path}/replay?count=401", link).refusal.code == "malformed"


# The cache


@pytest.mark.usefixtures("no_bots")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::litestar.exceptions.LitestarWarning")
@pytest.mark.parametrize(
    ("what", "builder"),
    [("record", "record_of"), ("replay", "list_positions"), ("statistics", "game_statistics")],
)
@within(60)
async def test_archive_responses_are_built_once(
    what: str, builder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = Counter[str]()
    build = getattr(archive, builder)

    def count(live: object, *more: object) -> object:
        built[what] += 1
        return build(live, *more)

    monkeypatch.setattr(archive, builder, count)

    def ask(path: str, body: bytes | None = None) -> bytes:
        with urlopen(url + path, body, timeout=ANSWER_S) as answer:
            return answer.read()

    async with serve(tmp_path, UvicornWebSocket) as url:
        record = random_game(("first-journey", 2), 3).record().encode()
        brought = msgspec.json.decode(await asyncio.to_thread(ask, "/api/records", record), type=Created)
        path = f"/api/games/{brought.game}/{what}"
        answers = [await asyncio.to_thread(ask, path) for _ in range(3)]
    assert len(set(answers)) == 1
    assert built == {what: 1}


@within(60)
async def test_the_archive_cache_is_limited_by_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_service(tmp_path) as service:
        keeper = Archive(service)
        live = await service.games.open(
            (await keeper.bring(random_game(("first-journey", 2), 3).record())).game
        )
        made: list[int] = []

        async def make(number: int) -> str:
            made.append(number)
            return f"{number}" * 1000

        async def ask(number: int) -> StaticFile:
            return await keeper.packed((number,), live, lambda: make(number))

        size = (await ask(0)).size
        assert size >= 1000
        monkeypatch.setattr(archive, "_MOST_KEPT_BYTES", 3 * size)
        for number in (1, 2, 0, 3):  # the one that was not requested again is dropped
            await ask(number)
        for number in (2, 0, 3):
            await ask(number)
        assert made == [0, 1, 2, 3]
        await ask(1)
        assert made == [0, 1, 2, 3, 1]
        monkeypatch.setattr(archive, "_MOST_KEPT_BYTES", size - 1)
        for _ in range(2):
            assert (await ask(4)).size == size
        assert made[-2:] == [4, 4]  # larger than the whole cache


# Imports


def test_a_record_is_imported_to_look_at_and_exported_as_it_was(finished: Finished, server: Server) -> None:
    brought = server.post("/api/records/", finished.record).read(Created)
    assert brought.seats == [None] * 3
    assert brought.commitment == finished.created.commitment
    path = f"/api/games/{brought.game}"
    assert server.get(f"{path}/record", brought.watch).body.decode() == finished.record
    shown = server.show(brought.watch)
    assert shown.you is None
    assert known(shown.view.ending).totals == list(finished.game.scores().totals)
    replay = server.get(f"{path}/replay", brought.watch).read(Replay)
    original = server.get(f"{finished.path}/replay", finished.created.watch).read(Replay)
    assert (replay.actions, replay.frames) == (original.actions, original.frames)
    assert brought.game not in [game.game for game in server.get("/api/games/").read(Lobby).games]
    assert server.post(f"{path}/join", {"name": "Ann"}).refusal.code == "not_allowed"


def test_an_imported_unfinished_game_is_not_played_on(server: Server) -> None:
    game = random_game(("usa-classic", 3), 4, actions=25)
    brought = server.post("/api/records/", game.record()).read(Created)
    shown = server.show(brought.watch)
    assert shown.view.ending is None
    assert shown.last == 25
    assert server.get(f"/api/games/{brought.game}/record", brought.watch).body.decode() == game.record()
    replay = server.get(f"/api/games/{brought.game}/replay", brought.watch).json
    check_frame(replay["frames"][-1], game)
    assert server.show(brought.watch).last == 25


def damage(record: str) -> dict[str, str]:
    lines = record.splitlines(keepends=True)
    header = json.loads(lines[0])
    other = lines[0].replace(header["edition"], "usa-antarctica")
    return {
        "empty": "",
        "nonsense": "hello\n",
        "cut off": record[:-20],
        "without its first line": "".join(lines[1:]),
        "without a line": "".join([*lines[:5], *lines[6:]]),
        "changed": record.replace('"seat":1', '"seat":0', 1),
        "doubled": record + record,
        "of another edition": other + "".join(lines[1:]),
        "of no text": "\x00\xff" * 10 + "\n",
    }


DAMAGES = list(damage('{"edition": "x"}\n' * 9))


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_record_is_refused_with_the_line(how: str, finished: Finished, server: Server) -> None:
    answer = server.post("/api/records/", damage(finished.record)[how])
    assert (answer.status, answer.refusal.code) == (400, "bad_record")
    assert "line " in answer.refusal.message


def forge(header: dict[str, Any], **changes: object) -> str:
    """Return a record with valid sums, but a changed header or first action."""
    game = random_game(("new-york", 2), 1, actions=3)
    lines = [json.loads(line) for line in game.record().splitlines()]
    for line in lines:
        del line["sum"]
    lines[0] |= header
    lines[1] |= changes
    total, text = b"", ""
    for line in lines:
        body = json.dumps(line, separators=(",", ":")).encode()
        total = hashlib.sha256(total + body).hexdigest()[:16].encode()
        text += body[:-1].decode() + f',"sum":"{total.decode()}"}}\n'
    return text


@pytest.mark.parametrize(
    ("header", "changes"),
    [
        ({"seed": "f" * 64}, {}),
        ({"seed": "no hexadecimal"}, {}),
        ({"seed": None}, {}),
        ({"seats": 9}, {}),
        ({"seats": -1}, {}),
        ({"seats": 2**62}, {}),
        ({"first": 7}, {}),
        ({"rules": "0" * 64}, {}),
        ({"goldenspike": 99}, {}),
        ({}, {"seat": 4}),
        ({}, {"seat": -1}),
        ({}, {"move": "fly to the moon"}),
        ({}, {"move": "x" * 100_000}),
        ({}, {"state": "0" * 16}),
        ({}, {"outcome": ["won"]}),
        ({}, {"n": 2}),
    ],
    ids=str,
)
def test_a_forged_record_is_refused(header: dict[str, Any], changes: dict[str, Any], server: Server) -> None:
    assert server.post("/api/records/", forge({})).status == 201
    answer = server.post("/api/records/", forge(header, **changes))
    assert (answer.status, answer.refusal.code) == (400, "bad_record")


def test_a_record_of_an_unknown_edition_is_refused_and_no_file_is_looked_for(server: Server) -> None:
    answer = server.post("/api/records/", forge({"edition": "../../etc/passwd"}))
    assert (answer.status, answer.refusal.code) == (404, "unknown_edition")
    assert "there are usa-classic" in answer.refusal.message


# Branches


@pytest.mark.parametrize("after", [0, 9, 20])
@within(GAME_S)
async def test_a_game_is_played_on_from_any_move_to_another_end(
    after: int, finished: Finished, server: Server
) -> None:
    wanted = {"after": after, "seats": [wish("here"), wish("easy"), wish("here")]}
    created = server.post(f"{finished.path}/branch", wanted, finished.created.watch).read(Created)
    assert created.commitment == finished.created.commitment
    original = finished.game
    async with gather_at(server, created, seed=after) as ([one, three], watcher):
        info = one.welcome.game
        assert (info.branch_of, info.is_seed_chosen) == (finished.created.game, True)
        assert one.welcome.last >= after
        assert (await one.refused(Undo("before"))).code == "not_allowed"
        await play_all([one, three], watcher)
        record = server.get(f"/api/games/{created.game}/record", created.watch).body.decode()
    game = Game.from_record(record)
    assert game.is_over
    assert [p.state_hash for p in game.played[:after]] == [p.state_hash for p in original.played[:after]]
    hashes = [played.state_hash for played in game.played]
    assert all(ack.state_hash in hashes[after:] for ack in (*one.acks, *three.acks))


def test_an_invalid_branch_is_refused(finished: Finished, server: Server) -> None:
    def branch(after: int, *seats: str, **options: object) -> str:
        wanted = {"after": after, "seats": [wish(seat) for seat in seats], "options": options}
        return server.post(f"{finished.path}/branch", wanted, finished.created.watch).refusal.message

    count = len(finished.game.played)
    three = ("here", "here", "here")
    assert branch(count + 1, *three) == f"The game has {count} moves; continue from one of those."
    assert branch(0, "here", "here") == "The game has 3 seats, not 2."
    assert "no level 'genius'" in branch(0, "here", "here", "genius")
    assert "Only a public game" in branch(0, "here", "here", "open")
    for last in ("open", "here"):
        assert "cannot be public, because its seed is known" in branch(0, "here", "here", last, public=True)
    assert server.post(f"{finished.path}/branch", {"after": -1}, finished.created.watch).status == 400


def test_a_branch_from_the_end_is_over(finished: Finished, server: Server) -> None:
    wanted = {"after": len(finished.game.played), "seats": [wish("here")] * 3}
    created = server.post(f"{finished.path}/branch", wanted, finished.created.watch).read(Created)
    assert known(server.show(created.watch).view.ending).seed == finished.game.seed.hex()


@within(60)
async def test_finished_imports_and_branches_count_as_ended(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        brought = await Archive(service).bring(random_game(("first-journey", 2), 3).record())
        record = await service.games.open(brought.game)
        wish = Branch(record.number, [SeatWish("here"), SeatWish("here")])
        branch = await Archive(service).branch(record, wish)
        half = msgspec.structs.replace(wish, after=record.number // 2)
        other = await Archive(service).branch(record, half)
        for game, is_over in ((brought, True), (branch, True), (other, False)):
            assert (known(service.games.store.database.game(game.game)).ended is not None) == is_over
            states = [entry.state is not None for entry in service.games.store.database.entries(game.game)]
            assert states[-1]
            assert any(states[:-1]) != is_over
        with service.games.store.database.engine.begin() as connection:  # as older versions stored such games
            connection.execute(update(GAMES).values(ended=None, is_public=True))
            connection.execute(update(SEATS).values(is_free=True))
        assert [listed.game for listed in (await service.lobby.read()).games] == [other.game]


@within(GAME_S)
async def test_an_imported_record_is_played_on(server: Server) -> None:
    game = random_game(("first-journey", 2), 3, actions=10)
    brought = server.post("/api/records/", game.record()).read(Created)
    wanted = {"after": 10, "seats": [wish("here"), wish("here")]}
    created = server.post(f"/api/games/{brought.game}/branch", wanted, brought.watch).read(Created)
    async with gather_at(server, created) as (people, watcher):
        assert watcher.view.to_move == game.to_move
        await play_all(people, watcher)


@within(60)
async def test_a_record_of_a_home_made_edition_is_imported_where_it_is_offered(tmp_path: Path) -> None:
    docs = (Path(__file__).parents[2] / "docs" / "how-to" / "make-a-board.md").read_text()
    board, edition = (part.partition("```")[0] for part in docs.split("```toml\n")[1:3])
    (tmp_path / "lakes.toml").write_text(board)
    (tmp_path / "lakes-quick.toml").write_text(edition)
    game = Game.new(tmp_path / "lakes-quick.toml", 2, seed=1)
    game.play("keep all", 0)
    async with open_service(tmp_path, editions=tmp_path) as service:
        brought = await Archive(service).bring(game.record())
        live, viewer = await service.games.open_link(brought.watch)
        assert viewer is None
        assert live.position.state_hash == game.state_hash


def test_a_new_game_is_not_a_branch(server: Server) -> None:
    created = server.post("/api/games/", new_game("new-york", "here", "here")).read(Created)
    assert server.show(created.watch).game.branch_of is None
