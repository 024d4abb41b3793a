"""Names of players and ids of commands: all distinct, nothing invisible, nothing done twice."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from goldenspike.server.protocol.messages import Ack, Join, Joined, NewGame, Options, Say, SeatWish
from goldenspike.server.protocol.names import clean_text, distinct_name
from goldenspike.server.protocol.problems import Problem
from tests.server.in_process import open_service
from tests.server.people import known, sit_down
from tests.server.serving import Server, new_game, within

WIDE = "\uff21\uff2e\uff2e"
"""ANN in full-width letters."""
HOSTILE = {
    "abc\u202edef": "abcdef",
    "a\u2066b\u2069c": "abc",
    "line\nbreak\ttab\x07": "line break tab",
    "zero\u200bwidth\ufeff": "zerowidth",
    "a\u3164\u3164b": "a b",
    "Z" + "\u0301" * 30: "Z" + "\u0301" * 5,
    "👩\u200d🚀": "👩\u200d🚀",
    "Zoë": "Zoë",
}


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_characters_that_hide_or_turn_others_are_removed(text: str) -> None:
    cleaned = clean_text(text)
    assert cleaned.replace("\u0179", "Z\u0301") == HOSTILE[text]


def test_names_that_look_alike_are_told_apart(server: Server) -> None:
    seats = [{"who": "here", "name": name} for name in ("Ann", "ann\u200b", WIDE, "\u202e")]
    created = server.post("/api/games", {"edition": "usa-classic", "seats": seats})
    shown = server.show(created.json["watch"]).seats
    assert [seat.name for seat in shown] == ["Ann", "ann (2)", f"{WIDE} (3)", "Player 4"]
    assert distinct_name("x" * 40, ["x" * 40]) == "x" * 36 + " (2)"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", "Ann\u034f"),
        ("Ann", "Ann\ufe0f"),
        ("Ann", "A\U000e0100nn"),
        ("Ann", "\u0410nn"),  # Cyrillic A
        ("Ann", "\u0391nn"),  # Greek Alpha
        ("peter", "\u0440\u0435t\u0435r"),  # Cyrillic er and ie
        ("BOT", "\u0412\u041e\u0422"),  # Cyrillic only
        ("Ivan", "lvan"),
        ("Leo", "Le0"),
        (
            "\u0410\u043d\u043d\u0430",
            "\u0410\u041d\u041d\u0410",
        ),  # Anna in Cyrillic, in small and capital letters
    ],
    ids=ascii,
)
def test_names_with_invisible_marks_or_foreign_letters_are_told_apart(name: str, other: str) -> None:
    assert distinct_name(other, [name]) == f"{other} (2)"
    assert distinct_name(name, [other]) == f"{name} (2)"


def test_names_that_look_different_stay_as_they_are() -> None:
    names = [
        "Zo\u00eb",
        "Zoe",
        "\u0418\u0432\u0430\u043d",
        "Ivan",
        "\u2764\ufe0f",
        "Jos\u00e9",
        "\u738b",
        "\u5f20",
    ]
    assert [distinct_name(name, names[:i]) for i, name in enumerate(names)] == names


@within(60)
async def test_chat_messages_are_sanitised(server: Server) -> None:
    created = server.create("new-york", "here", "here")
    async with sit_down(server, known(created.seats[0])) as person:
        ack = await person.do(Say("1", "look: \u202egnp.exe\x00x".replace("\x00", "")))
        assert next(e.text for e in person.client.log if e.n == ack.n) == "look: gnp.exex"
        assert (await person.refused(Say("2", "\u202e\u2066"))).code == "malformed"


def test_an_id_is_not_used_again_for_another_command(server: Server) -> None:
    created = server.create("new-york", "here", "here", first=0)
    one, two = map(known, created.seats)
    for link in (one, two):
        server.command(link, type="play", id="keep", move="keep all").read(Ack)
    first = server.command(one, type="play", id="same", move="draw deck").read(Ack)
    assert server.command(one, type="play", id="same", move="draw deck").read(Ack).n == first.n
    for other in (
        {"type": "play", "move": "draw tickets"},
        {"type": "say", "text": "draw deck"},
    ):
        refused = server.command(one, id="same", **other)
        assert (refused.status, refused.refusal.code) == (409, "conflict")
        assert "id was used for another command" in refused.refusal.message


@pytest.mark.parametrize("order", [1, -1], ids=["invite first", "play first"])
def test_an_id_is_not_used_for_an_invitation_and_another_command(order: int, server: Server) -> None:
    created = server.create("new-york", "here", "here", first=0)
    one = known(created.seats[0])
    commands = [{"type": "invite", "seat": 1}, {"type": "play", "move": "keep all"}][::order]
    first = server.command(one, id="same", **commands[0]).read(Ack)
    refused = server.command(one, id="same", **commands[1])
    assert (refused.status, refused.refusal.code) == (409, "conflict")
    assert "id was used for another command" in refused.refusal.message
    assert server.command(one, id="same", **commands[0]).read(Ack).n == first.n == server.show(one).last


def test_an_id_is_not_used_for_invitations_to_two_seats(server: Server) -> None:
    created = server.create("new-york", "here", "here", "here")
    one = known(created.seats[0])
    server.command(one, type="invite", id="same", seat=1).read(Ack)
    assert server.command(one, type="invite", id="same", seat=2).refusal.code == "conflict"


def test_a_command_for_an_older_position_is_refused(server: Server) -> None:
    created = server.create("new-york", "here", "here", first=0)
    one, two = map(known, created.seats)
    server.command(one, type="play", id="1", move="keep all", after=0).read(Ack)
    server.command(two, type="play", id="1", move="keep all", after=0).read(
        Ack
    )  # all choose at the same time
    stale = server.command(one, type="play", id="2", move="draw deck", after=1)
    assert (stale.refusal.code, stale.status) == ("conflict", 409)
    server.command(one, type="play", id="3", move="draw deck", after=2).read(Ack)


def test_a_public_game_has_no_chosen_seed(server: Server) -> None:
    refused = server.post("/api/games", new_game("new-york", "here", "open", public=True, seed="mine"))
    assert "A public game has a random seed that no player knows" in refused.refusal.message


@within(60)
async def test_without_aids_a_player_cannot_return_after_the_bot_has_moved(server: Server) -> None:
    created = server.create("new-york", "here", "here", aids=False)
    one = known(created.seats[0])
    async with sit_down(server, one) as person:
        server.command(one, type="leave", id="1").read(Ack)
        await person.client.wait(lambda: bool(person.client.log) and person.client.log[-1].kind == "moved")
        assert "a bot has moved for you" in server.command(one, type="return", id="2").refusal.message
    allowed = server.create("new-york", "here", "here")
    one = known(allowed.seats[0])
    async with sit_down(server, one) as person:
        server.command(one, type="leave", id="1").read(Ack)
        await person.client.wait(lambda: bool(person.client.log) and person.client.log[-1].kind == "moved")
        server.command(one, type="return", id="2").read(Ack)


@within(60)
async def test_without_aids_a_replaced_player_can_return(server: Server) -> None:
    created = server.create("new-york", "here", "here", aids=False)
    one, two = map(known, created.seats)
    async with sit_down(server, one) as person:
        await person.seat_bot(1)
        await person.client.wait(lambda: person.client.log[-1].kind == "moved")
        assert person.client.log[-1].seat == 1
        server.command(two, type="return", id="1").read(Ack)
        await person.client.wait(lambda: person.client.seats[1].level is None)


def test_one_address_takes_one_free_seat(server: Server) -> None:
    created = server.create("new-york", "here", "open", "open", public=True)
    path = f"/api/games/{created.game}/join"
    assert server.call("POST", path, {"name": "Ann"}, address="127.0.0.21").status == 201
    assert server.call("POST", path, {"name": "Bea", "seat": 0}, address="127.0.0.21").status == 409
    refused = server.call("POST", path, {"name": "Bea"}, address="127.0.0.21")
    assert (refused.status, refused.refusal.code) == (403, "not_allowed")
    assert server.call("POST", path, {"name": "Cy"}, address="127.0.0.22").status == 201


@within(60)
async def test_one_address_takes_one_free_seat_also_at_the_same_instant(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        seats = [SeatWish("here"), *[SeatWish("open")] * 3]
        game = (await service.create(NewGame("new-york", seats, Options(public=True)))).game
        joins = [service.seat_access.join(game, Join(f"Ann {n}"), "127.0.0.21") for n in range(3)]
        answers = await asyncio.gather(
            *joins, service.seat_access.join(game, Join("Ben"), "127.0.0.22"), return_exceptions=True
        )
        assert [isinstance(answer, Joined) for answer in answers].count(True) == 2
        assert isinstance(answers[-1], Joined)
        refusals = [str(answer) for answer in answers if not isinstance(answer, Joined)]
        assert all("A player at your address already has a seat" in refusal for refusal in refusals)


@within(60)
async def test_an_address_that_did_not_get_a_seat_may_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_service(tmp_path) as service:
        seats = [SeatWish("here"), SeatWish("open")]
        game = (await service.create(NewGame("new-york", seats, Options(public=True)))).game

        async def fail(*_: object) -> bool:
            raise Problem("unavailable", "The database is away.")

        with monkeypatch.context() as away:
            away.setattr(service.games.store, "take_seat", fail)
            with pytest.raises(Problem, match="away"):
                await service.seat_access.join(game, Join("Ann"), "127.0.0.21")
        with pytest.raises(Problem, match="no longer open"):
            await service.seat_access.join(game, Join("Ann", seat=0), "127.0.0.21")
        assert (await service.seat_access.join(game, Join("Ann"), "127.0.0.21")).seat == 1
