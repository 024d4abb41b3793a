"""Games at a chosen position: played in Python, then uploaded to the server as a record."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from goldenspike import Game
from goldenspike.bots import Budget, Dice, make_bot
from goldenspike.engine.state import CHOOSING
from goldenspike.server.protocol.messages import Created
from tests.server.serving import Server, wish


def begun(edition: str, players: int, seed: str) -> Game:
    """Return a game in which all have kept all tickets and the first seat is to move."""
    game = Game.new(edition, players, seed=seed, first=0)
    while game.state.phase == CHOOSING:
        game.play("keep all", game.to_move[0])
    return game


def hoarded(edition: str, players: int, seed: str, turns: int) -> Game:
    """Return a game in which every seat has drawn from the deck for some turns, so that hands are large."""
    game = begun(edition, players, seed)
    for _ in range(turns * players):
        turn = game.state.turns
        while game.state.turns == turn:
            game.play("draw deck")
    return game


def claimed(game: Game, seat: int, length: int = 99) -> str:
    """Let a seat claim the first legal route up to this length; return it."""
    claims = [move for move in game.legal_moves(seat).of_kind("claim") if len_of(game, str(move)) <= length]
    game.play(claims[0], seat)
    return str(claims[0]).split()[1]


def len_of(game: Game, claim: str) -> int:
    """Return the length of a claim's route."""
    name = claim.split()[1]
    return next(route.length for route in game.edition.board.routes if route.name == name)


def crowded(edition: str, players: int, seed: int) -> Game:
    """Return a game near its end, with as many claimed routes as random play reaches."""
    rng = random.Random(seed)
    game = Game.new(edition, players, seed=seed, first=0)
    before = game.copy()
    while not game.is_over:
        before = game.copy()
        moves = game.legal_moves(game.to_move[0])
        claims = moves.of_kind("claim")
        game.play(rng.choice((claims if len(claims) else moves).numbers))
    return before


def played(edition: str, players: int, seed: str, is_far: Callable[[Game], bool]) -> Game:
    """Return a game that bots have played up to a point, then to the first seat's turn."""
    game = Game.new(edition, players, seed=seed, first=0)
    bot, dice = make_bot("planner"), Dice.of(seed)
    while not game.is_over and not (is_far(game) and game.to_move == [0]):
        seat = game.to_move[0]
        game.play(bot.ask(game.view(seat), dice, Budget()).move, seat)
    return game


def half_played(edition: str, players: int, seed: str) -> Game:
    """Return a game whose first seat has laid half of its pieces."""
    pieces = Game.new(edition, players, seed=seed).view(0).pieces[0]
    return played(edition, players, seed, lambda game: game.view(0).pieces[0] <= pieces / 2)


def laden(seed: str, cards: int = 40, tickets: int = 12) -> Game:
    """Return a five-player USA game whose first seat holds an extreme number of cards and tickets."""
    game = begun("usa-classic", 5, seed)
    while game.to_move != [0] or sum(game.view(0).hand.values()) < cards:
        seat = game.to_move[0]
        own = game.view(seat)
        if seat == 0 and len(own.tickets) < tickets:
            game.play("draw tickets", 0)
            game.play("keep all", 0)
        elif seat == 0 or not len(game.legal_moves(seat).of_kind("claim")):
            game.play("draw deck", seat)
        else:
            claimed(game, seat)
    return game


def show(server: Server, game: Game) -> str:
    """Upload a game as a record; return the link to its replay."""
    imported = server.call("POST", "/api/records/", game.record(), headers={"Content-Type": "text/plain"})
    return imported.read(Created).watch


def bring(
    server: Server,
    game: Game,
    *seats: str,
    names: Sequence[str] = (),
    colours: Sequence[str] = (),
    after: int | None = None,
    clock: int | None = None,
) -> Created:
    """Continue a game on the server from its current position, or after `actions` actions.

    A seat is ``here``, ``link`` or a bot's level. People may have names, and a turn timer in seconds. The
    first seats may have colours.
    """
    watch = show(server, game)
    named = [{"name": name} if name else {} for name in (*names, *[""] * (len(seats) - len(names)))]
    wishes = [wish(seat) | name for seat, name in zip(seats, named, strict=True)]
    for seat, colour in zip(wishes, colours, strict=False):
        seat["colour"] = colour
    going_on = {
        "after": len(game.played) if after is None else after,
        "seats": wishes,
        "options": {"clock": clock},
    }
    return server.post(f"/api/games/{watch.partition('.')[0]}/branch", going_on, watch).read(Created)


def seat_of(created: Created, seat: int) -> str:
    """Return the link to a seat; it must have one."""
    link = created.seats[seat]
    assert link is not None
    return link
