"""View messages contain no more than redacted rows and views, and are the same with and without caches."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec
import pytest

from goldenspike.editions import Edition, load_edition
from goldenspike.game.events import read_events, redact, seats_with_private_details, see_events
from goldenspike.game.seeds import read_seed
from goldenspike.game.view import members
from goldenspike.server.archive.history import log_of
from goldenspike.server.play.entry import Entry, list_rows, unpack_rows
from goldenspike.server.play.live_game import LiveGame, Setup
from goldenspike.server.protocol.messages import SeatWish, Update, Welcome
from goldenspike.server.storage.database import StoredGame
from goldenspike.server.views.encode import encode_update, encode_welcome
from goldenspike.server.views.view_messages import show_own, show_table, tell_entry
from goldenspike.simulation import random_game

GAMES = [("usa-classic", 4), ("usa-mega", 5), ("new-york", 2), ("first-journey", 3)]
NAME = "a-game"


def play(edition: Edition, players: int) -> Iterator[tuple[LiveGame, Entry]]:
    """Yield a live game after each entry of a random game."""
    game = random_game(edition, players, read_seed("face"))
    setup = msgspec.json.encode(Setup([SeatWish("here")] * players)).decode()
    row = (NAME, edition.id, edition.digest, players, game.first, game.seed.hex(), setup, b"", False, 0)
    log = log_of(game, NAME, 0)
    live = LiveGame(StoredGame(*row, None, None, None), edition, log[:1])
    for entry in log[1:]:
        # As in a game between people: actions that reveal nothing can be undone.
        live.apply(msgspec.structs.replace(entry, reveals=entry.number % 3 == 0))
        yield live, entry


@pytest.mark.parametrize(("edition_id", "players"), GAMES)
def test_events_are_seen_as_redacted_rows_read(edition_id: str, players: int) -> None:
    edition = load_edition(edition_id)
    for entry in log_of(random_game(edition, players, read_seed("face")), NAME, 0):
        rows = unpack_rows(entry.events)
        for viewer in (None, *range(players)):
            assert see_events(edition, rows, viewer) == list(read_events(edition, redact(rows, viewer)))
            if viewer not in seats_with_private_details(list_rows(entry.events)):
                assert see_events(edition, rows, viewer) == see_events(edition, rows, None)


@pytest.mark.parametrize(("edition_id", "players"), GAMES)
def test_cached_messages_equal_fresh_ones(edition_id: str, players: int) -> None:
    edition = load_edition(edition_id)

    async def check() -> None:  # a live game has a lock, which needs an event loop
        for live, entry in play(edition, players):
            for viewer in (None, *range(players)):
                told = msgspec.json.decode(encode_update(live, viewer, entry.number - 1), type=Update)
                can_undo = any(step.seat == viewer for step in live.trail) and not live.position.is_over
                own = None if viewer is None else show_own(live.position, viewer, can_undo=can_undo)
                assert told.own == own
                assert told.view == show_table(live.position, live.stored.seed)
                assert told.entries == [tell_entry(edition, entry, viewer)]
                assert msgspec.json.encode(told) == encode_update(live, viewer, entry.number - 1)
                welcome = msgspec.json.decode(encode_welcome(live, viewer, [entry]), type=Welcome)
                assert (welcome.view, welcome.own, welcome.entries) == (told.view, told.own, told.entries)

    asyncio.run(check())


@pytest.mark.parametrize(("edition_id", "players"), GAMES)
def test_the_public_view_is_that_of_a_spectator(edition_id: str, players: int) -> None:
    edition = load_edition(edition_id)

    async def check() -> None:
        for live, _ in play(edition, players):
            view, table = live.position.view(None), show_table(live.position, "the seed")
            assert (table.row, table.discards, table.to_move) == (view.row, view.discards, view.to_move)
            assert [seat.known for seat in table.seats] == view.known
            assert [seat.cards for seat in table.seats] == view.hand_sizes
            assert [seat.tickets for seat in table.seats] == view.ticket_counts
            assert [seat.pieces for seat in table.seats] == view.pieces
            assert [seat.points for seat in table.seats] == view.points
            assert [seat.completed for seat in table.seats] == [
                view.completed_of(seat) for seat in range(players)
            ]
            assert {route: i for i, seat in enumerate(table.seats) for route in seat.routes} == view.owners
            can_be_claimed = {
                edition.board.routes[route].name
                for seat in range(players)
                for route in members(view.struct.open_to[seat])
            }
            every = {route.name for route in edition.board.routes}
            assert set(table.closed) == every - set(view.owners) - can_be_claimed
            for seat in range(players):
                own, seen = show_own(live.position, seat), live.position.view(seat)
                assert (own.hand, own.tickets, own.offer) == (seen.hand, seen.tickets, seen.offer)
                assert own.legal == list(seen.legal_moves().numbers)

    asyncio.run(check())
