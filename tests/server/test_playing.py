"""Whole games over real sockets: people, bots and somebody who watches, in every edition."""

from __future__ import annotations

import msgspec
import pytest

from goldenspike import Game
from goldenspike.seeds import commitment
from goldenspike.server.messages import Created, Welcome
from tests.game.games import TABLES, Table
from tests.server.people import GAME_S, Person, gather_at, known, play_all
from tests.server.serving import Server, within

QUICK: Table = ("new-york", 2)


def seating(players: int) -> list[str]:
    """Return who sits at a table: people, from three seats on one bot among them, with five two."""
    return ["here", "link", "easy", "link", "greedy"][:players]


def check_logs(everybody: list[Person]) -> None:
    """See that nobody missed an entry, and that all were told the same, apart from secrets."""
    for somebody in everybody:
        assert [entry.n for entry in somebody.client.log] == list(
            range(somebody.welcome.last + 1, somebody.client.last + 1)
        )
    shared = [[(e.n, e.kind, e.at, e.seat) for e in somebody.client.log] for somebody in everybody]
    shortest = min(map(len, shared))
    assert all(log[-shortest:] == shared[0][-shortest:] for log in shared)


def check_record(server: Server, created: Created, everybody: list[Person]) -> None:
    """See that the record plays again, with the deal that was promised and the states that were told."""
    game = Game.from_record(server.get(f"/api/games/{created.game}/record", created.watch).body.decode())
    assert game.is_over
    ending = known(everybody[0].view.ending)
    assert game.seed.hex() == ending.seed
    assert commitment(game.seed) == created.commitment == everybody[0].welcome.game.commitment
    assert list(game.scores().totals) == ending.totals
    moved = [entry for entry in everybody[-1].client.log if entry.kind == "moved"]
    skipped = len(game.played) - len(moved)  # what bots chose before the first of us was there
    hashes = {entry.n: p.state_hash for entry, p in zip(moved, game.played[skipped:], strict=True)}
    for person in everybody[:-1]:
        assert person.acks
        assert all(hashes[ack.n] == ack.state_hash for ack in person.acks)


async def play_table(server: Server, table: Table) -> None:
    edition, players = table
    created = server.create(edition, *seating(players))
    async with gather_at(server, created, seed=players) as (people, watcher):
        await play_all(people, watcher)
        everybody = [*people, watcher]
        check_logs(everybody)
        assert all(somebody.view == watcher.view for somebody in everybody)
        check_record(server, created, everybody)


@within(GAME_S)
async def test_a_whole_game_is_played_seen_by_all_and_recorded(server: Server) -> None:
    await play_table(server, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("table", [table for table in TABLES if table != QUICK], ids=str)
@within(GAME_S)
async def test_every_edition_with_every_number_of_seats(table: Table, server: Server) -> None:
    await play_table(server, table)


def check_fresh(server: Server, somebody: Person) -> bool:
    """Compare what updates have built up with a view fetched now; False if something happened meanwhile."""
    client = somebody.client
    fresh = server.show(somebody.link)
    if fresh.last != client.last or fresh.seats != client.seats:
        return False
    kept = {
        "version": somebody.welcome.version,
        "game": somebody.welcome.game,
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
        everybody = [*people, watcher]

        async def compare(person: Person) -> None:
            nonlocal compared
            if person.rng.random() < often:
                compared += sum(check_fresh(server, somebody) for somebody in everybody)

        await play_all(people, watcher, compare)
        assert all(check_fresh(server, somebody) for somebody in everybody)
    return compared


@within(GAME_S)
async def test_a_view_kept_by_updates_is_the_view_fetched_anew(server: Server) -> None:
    assert await play_and_compare(server, "new-york", "here", "link", "easy", often=0.3) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["usa-classic", "usa-mega", "first-journey"])
@within(GAME_S)
async def test_views_kept_by_updates_in_other_editions(edition: str, server: Server) -> None:
    seats = ["here", "medium", "link", "link"]
    assert await play_and_compare(server, edition, *seats, often=0.15, clock=600) >= 5
