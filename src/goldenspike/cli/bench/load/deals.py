"""Games for a load to go on with, written straight into the database: each at another moment of its course.

Games that begin together would also be at their end together, and the first moves of a game are its
cheapest: nobody owns a route yet, so there is little to tell.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from goldenspike.editions import load_edition
from goldenspike.game import Game
from goldenspike.seeds import read_seed
from goldenspike.server.entry import now
from goldenspike.server.history import log_of
from goldenspike.server.links import hash_secret, join_link, new_game_id, new_secret
from goldenspike.server.live import Setup
from goldenspike.server.messages import SeatWish
from goldenspike.server.store import Store, StoredGame
from goldenspike.simulation import random_games

_SEED = read_seed("bench server")


def write_games(database: str, edition_id: str, seats: int, games: int) -> Iterator[list[str]]:
    """Write games of random play, cut off at moments spread evenly; yield the links to each one's seats."""
    store = Store(database, 1)
    try:
        for index, game in enumerate(random_games(load_edition(edition_id), seats, games, _SEED)):
            yield _write_game(store, game, int(len(game.played) * (index + 0.5) / games))
    finally:
        store.close()


def _write_game(store: Store, game: Game, moves: int) -> list[str]:
    name, secrets = new_game_id(), [new_secret() for _ in range(game.players)]
    setup = Setup([SeatWish("link") for _ in secrets])
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
        secret_hashes=tuple(hash_secret(secret) for secret in secrets),
    )
    store.create(stored, log_of(game, name, now())[: moves + 1])
    return [join_link(name, secret) for secret in secrets]
