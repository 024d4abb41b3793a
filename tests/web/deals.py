"""Games that stand where a test wants them: played on in Python, brought to the server as a record."""

from __future__ import annotations

import random

from goldenspike import Game
from goldenspike.engine.state import CHOOSING
from goldenspike.server.messages import Created
from tests.server.serving import Server, wish


def begun(edition: str, players: int, seed: str) -> Game:
    """Return a game in which all have kept all tickets and the first seat is to move."""
    game = Game.new(edition, players, seed=seed, first=0)
    while game.state.phase == CHOOSING:
        game.play("keep all", game.to_move[0])
    return game


def hoarded(edition: str, players: int, seed: str, turns: int) -> Game:
    """Return a game in which everybody has drawn from the deck for so many turns: hands are large."""
    game = begun(edition, players, seed)
    for _ in range(turns * players):
        turn = game.state.turns
        while game.state.turns == turn:
            game.play("draw deck")
    return game


def claimed(game: Game, seat: int, length: int = 99) -> str:
    """Let a seat claim the first route it can that is no longer than this; return which one."""
    claims = [move for move in game.legal_moves(seat).of_kind("claim") if len_of(game, str(move)) <= length]
    game.play(claims[0], seat)
    return str(claims[0]).split()[1]


def len_of(game: Game, claim: str) -> int:
    """Return how long the route of a claim is."""
    name = claim.split()[1]
    return next(route.length for route in game.edition.board.routes if route.name == name)


def crowded(edition: str, players: int, seed: int) -> Game:
    """Return a game near its end, with as many routes claimed as random play gets."""
    rng = random.Random(seed)
    game = Game.new(edition, players, seed=seed, first=0)
    before = game.copy()
    while not game.is_over:
        before = game.copy()
        moves = game.legal_moves(game.to_move[0])
        claims = moves.of_kind("claim")
        game.play(rng.choice((claims if len(claims) else moves).numbers))
    return before


def bring(server: Server, game: Game, *seats: str) -> Created:
    """Have the server go on with a game; a seat is ``here``, ``link`` or a bot's level."""
    imported = server.call("POST", "/api/records/", game.record(), headers={"Content-Type": "text/plain"})
    watch = imported.read(Created).watch
    going_on = {"after": len(game.played), "seats": [wish(seat) for seat in seats]}
    return server.post(f"/api/games/{watch.partition('.')[0]}/branch", going_on, watch).read(Created)


def seat_of(created: Created, seat: int) -> str:
    """Return the link to a seat that must have one."""
    link = created.seats[seat]
    assert link is not None
    return link
