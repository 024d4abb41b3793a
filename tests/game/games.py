"""Test helpers: random games, and games with a prepared state."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from goldenspike import Game, load_edition
from goldenspike.editions import edition_ids
from goldenspike.engine.state import CHOOSING, EMPTY, LOCOMOTIVE, TURN

GameSetup = tuple[str, int]
"""An edition's id and a number of seats."""

TABLES: list[GameSetup] = [
    (edition, players)
    for edition in edition_ids()
    for players in range(load_edition(edition).players[0], load_edition(edition).players[1] + 1)
]
"""Every edition with every number of seats it can have."""

FEW_TABLES: list[GameSetup] = [("usa-classic", 2), ("usa-mega", 5), ("new-york", 3), ("first-journey", 4)]
"""One table for each kind of rules."""

EVERY_TABLE = [
    pytest.param(table, marks=() if table in FEW_TABLES else pytest.mark.slow, id=str(table))
    for table in TABLES
]
"""All tables for a slow test; `./test fast` runs only FEW_TABLES."""

Look = Any
"""A state struct that a test may write to."""


def play_on(game: Game, rng: random.Random, claims: float = 0.5) -> None:
    """Play one random move for one of the seats to move; claims are preferred this often, so games end."""
    seat = rng.choice(game.to_move)
    moves = game.legal_moves(seat)
    chosen = moves.of_kind("claim") if rng.random() < claims else moves
    game.play(rng.choice((chosen if len(chosen) else moves).numbers), seat)


def random_game(table: GameSetup, seed: int, actions: int | None = None, claims: float = 0.5) -> Game:
    """Return a game after a number of random actions; by default, or if it ends earlier, a finished one."""
    edition, players = table
    rng = random.Random(f"{table} {seed}")
    game = Game.new(edition, players, seed=seed)
    while not game.is_over and (actions is None or len(game.played) < actions):
        play_on(game, rng, claims)
    return game


def every_moment(table: GameSetup, seed: int, claims: float = 0.5) -> Iterator[Game]:
    """Yield one game after its setup and after each action until it is over."""
    rng = random.Random(f"{table} {seed}")
    game = Game.new(*table, seed=seed)
    yield game
    while not game.is_over:
        play_on(game, rng, claims)
        yield game


def moments(table: GameSetup, seed: int, count: int) -> Iterator[Game]:
    """Yield copies of one random game at random moments: at setup, during play, and when it is over."""
    rng = random.Random(seed)
    games = [game.copy() for game in every_moment(table, seed)]
    yield games[0]
    yield games[-1]
    yield from rng.sample(games, min(len(games), count))


def started(edition: str = "usa-classic", players: int = 2, seed: int = 1) -> Game:
    """Return a game in which all have kept all tickets and seat 0 begins."""
    game = Game.new(edition, players, seed=seed, first=0)
    while game.state.phase == CHOOSING:
        game.play("keep all")
    assert game.to_move == [0]
    assert game.state.phase == TURN
    return game


def touch(game: Game) -> Look:
    """Return the state struct for changes, which only tests may make."""
    return game.states[0]


def give(game: Game, seat: int, **cards: int) -> None:
    """Set a hand, by colour or `loco`; the difference comes from or goes to the deck."""
    state = touch(game)
    state.deck += state.hands[seat]
    state.hands[seat] = 0
    for colour, count in cards.items():
        state.hands[seat, kind(game, colour)] = count
    state.deck -= state.hands[seat]
    state.hand_size[seat] = sum(cards.values())
    state.deck_size = state.deck.sum()
    assert (state.deck >= 0).all()


def lay_row(game: Game, *colours: str | None) -> None:
    """Set the face-up row; the difference comes from or goes to the deck."""
    state = touch(game)
    for slot, colour in enumerate(colours):
        if state.row[slot] != EMPTY:
            state.deck[state.row[slot]] += 1
        state.row[slot] = EMPTY if colour is None else kind(game, colour)
        if colour is not None:
            state.deck[state.row[slot]] -= 1
    state.deck_size = state.deck.sum()


def empty_deck(game: Game) -> None:
    """Move the deck and the discards to the last seat's hand."""
    state = touch(game)
    last = int(state.seats) - 1
    state.hands[last] += state.deck + state.discards
    state.hand_size[last] = state.hands[last].sum()
    state.deck[:] = state.discards[:] = 0
    state.deck_size = state.discards_size = 0


def kind(game: Game, colour: str) -> int:
    """Return the number of a kind of card."""
    return LOCOMOTIVE if colour == "loco" else game.edition.board.colours.index(colour)


def fingerprint(game: Game) -> Mapping[str, object]:
    """Return everything that a refused move must not change."""
    return {
        "state": game.states.tobytes(),
        "rows": game.rows().tobytes(),
        "played": [(p.seat, p.number, p.text, p.state_hash) for p in game.played],
        "undoable": game.undoable,
        "to_move": game.to_move,
        "record": game.record(),
    }
