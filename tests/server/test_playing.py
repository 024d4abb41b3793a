"""Whole games over real WebSockets: people, bots and a spectator, in every edition."""

from __future__ import annotations

import msgspec
import pytest

from goldenspike import Game
from goldenspike.game.seeds import commitment
from goldenspike.server.protocol.messages import Created, Welcome
from tests.game.games import TABLES, GameSetup
from tests.server.people import GAME_S, Person, gather_at, known, play_all
from tests.server.serving import Server, within

QUICK: GameSetup = ("new-york", 2)


def seating(players: int) -> list[str]:
    """Return the seats of a game: people, with one bot among three or four seats and two among five."""
    return ["here", "here", "easy", "here", "greedy"][:players]


def check_logs(readers: list[Person]) -> None:
    """Check that no client missed an entry, and that all were sent the same, apart from secrets."""
    for person in readers:
        assert [entry.n for entry in person.client.log] == list(
            range(person.welcome.last + 1, person.client.last + 1)
        )
    shared = [[(e.n, e.kind, e.at, e.seat) for e in person.client.log] for person in readers]
    shortest = min(map(len, shared))
    assert all(log[-shortest:] == shared[0][-shortest:] for log in shared)


def check_record(server: Server, created: Created, readers: list[Person]) -> None:
    """Check that the record can be replayed, with the committed deal and the acknowledged states."""
    game = Game.from_record(server.get(f"/api/games/{created.game}/record", created.watch).body.decode())
    assert game.is_over
    ending = known(readers[0].view.ending)
    assert game.seed.hex() == ending.seed
    assert commitment(game.seed) == created.commitment == readers[0].welcome.game.commitment
    assert list(game.scores().totals) == ending.totals
    moved = [entry for entry in readers[-1].client.log if entry.kind == "moved"]
    skipped = len(game.played) - len(moved)  # tickets that bots chose before the first of us was connected
    hashes = {entry.n: p.state_hash for entry, p in zip(moved, game.played[skipped:], strict=True)}
    for person in readers[:-1]:
        assert person.acks
        assert all(hashes[ack.n] == ack.state_hash for ack in person.acks)


async def play_table(server: Server, table: GameSetup) -> None:
    edition, players = table
    created = server.create(edition, *seating(players))
    async with gather_at(server, created, seed=players) as (people, watcher):
        await play_all(people, watcher)
        readers = [*people, watcher]
        check_logs(readers)
        assert all(person.view == watcher.view for person in readers)
        check_record(server, created, readers)


@within(GAME_S)
async def test_a_whole_game_is_played_seen_by_all_and_recorded(server: Server) -> None:
    await play_table(server, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("table", [table for table in TABLES if table != QUICK], ids=str)
@within(GAME_S)
async def test_every_edition_with_every_number_of_seats(table: GameSetup, server: Server) -> None:
    await play_table(server, table)


def check_fresh(server: Server, person: Person) -> bool:
    """Compare the state built from updates with a view fetched now; return False if the game has changed."""
    client = person.client
    fresh = server.show(person.link)
    if fresh.last != client.last or fresh.seats != client.seats:
        return False
    kept = {
        "version": person.welcome.version,
        "game": person.welcome.game,
        "you": client.seat,
        "last": client.last,
        "entries": [],
        "seats": client.seats,
        "asked": client.asked,
        "view": client.view,
        "own": client.own,
    }
    for name in Welcome.__struct_fields__:
        assert msgspec.to_builtins(getattr(fresh, name)) == msgspec.to_builtins(kept[name]), name
    return True


async def play_and_compare(server: Server, edition: str, *seats: str, often: float, **options: object) -> int:
    created = server.create(edition, *seats, **options)
    compared = 0
    async with gather_at(server, created, seed=7) as (people, watcher):
        readers = [*people, watcher]

        async def compare(person: Person) -> None:
            nonlocal compared
            if person.rng.random() < often:
                compared += sum(check_fresh(server, person) for person in readers)

        await play_all(people, watcher, compare)
        assert all(check_fresh(server, person) for person in readers)
    return compared


@within(GAME_S)
async def test_a_view_from_updates_equals_a_fetched_view(server: Server) -> None:
    assert await play_and_compare(server, "new-york", "here", "here", "easy", often=0.3) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["usa-classic", "usa-mega", "first-journey"])
@within(GAME_S)
async def test_views_kept_by_updates_in_other_editions(edition: str, server: Server) -> None:
    seats = ["here", "medium", "here", "here"]
    assert await play_and_compare(server, edition, *seats, often=0.15, clock=600) >= 5
