"""Games in progress for the load, written directly into the database at different stages of play.

Games that begin together would also end together, and the first moves of a game are its cheapest: no routes
are claimed yet, so the messages are short.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from goldenspike.editions import load_edition
from goldenspike.game.game import Game
from goldenspike.game.seeds import read_seed
from goldenspike.server.archive.history import log_of
from goldenspike.server.play.entry import now
from goldenspike.server.play.live_game import Setup
from goldenspike.server.protocol.links import Key, hash_secret, join_link, new_game_id, new_secret
from goldenspike.server.protocol.messages import SeatWish
from goldenspike.server.storage.database import Database, StoredGame
from goldenspike.simulation import random_games

_SEED = read_seed("bench server")


def write_games(database: str, edition_id: str, seats: int, games: int) -> Iterator[list[str]]:
    """Write games of random play, cut off at evenly spread moments; yield the links to each one's seats."""
    opened = Database(database, 1)
    try:
        for index, game in enumerate(random_games(load_edition(edition_id), seats, games, _SEED)):
            yield _write_game(opened, game, int(len(game.played) * (index + 0.5) / games))
    finally:
        opened.close()


def _write_game(database: Database, game: Game, moves: int) -> list[str]:
    name, secrets = new_game_id(), [new_secret() for _ in range(game.players)]
    setup = Setup([SeatWish("here") for _ in secrets])
    stored = StoredGame(
        name,
        game.edition.id,
        game.edition.digest,
        game.players,
        game.first,
        game.seed.hex(),
        msgspec.json.encode(setup).decode(),
        hash_secret(new_secret()),
        is_public=False,
        created=now(),
        ended=None,
        branch_of=None,
        rematch=None,
        keys=tuple(Key(hash_secret(secret), seat, "device", now()) for seat, secret in enumerate(secrets)),
    )
    database.create(stored, log_of(game, name, now())[: moves + 1])
    return [join_link(name, secret) for secret in secrets]
