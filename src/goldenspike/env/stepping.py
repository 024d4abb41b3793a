"""Many games at a time: dealing, stepping, observing, rewarding; each call works on a range of them.

Every game has its own row in every array and draws on nobody else's, so ranges can be handed to different
threads and the games come out the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine import observe as _observe
from goldenspike.engine.bits import wide
from goldenspike.engine.chance import PLAYERS, open_stream
from goldenspike.engine.compile import compiled, door, inlined
from goldenspike.engine.deal import ANY_SEAT, deal
from goldenspike.engine.events import LOG
from goldenspike.engine.playout import game_key, random_move, seat_to_move
from goldenspike.engine.record import Words32
from goldenspike.engine.state import OVER, STATE, State
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal
from goldenspike.env.features import Row, write_features
from goldenspike.env.graph import NETWORK, NOTHING, Kept, Network, write_graph
from goldenspike.env.layout import ABSENT, Parts
from goldenspike.env.masks import Mask, write_mask
from goldenspike.env.rewards import write_rewards

Records = NDArray[np.record]

ALL_LEGAL = -1


class Setting(NamedTuple):
    """What is the same for all games of a batch."""

    tables: Records
    parts: Records
    base: Words32
    """The seed of the series."""
    seats: int
    games: int
    limit: int
    """Decisions after which a game is broken off."""
    reward: int


class Batch(NamedTuple):
    """One row for each game."""

    states: Records
    chances: Records
    numbers: NDArray[np.int64]
    decisions: NDArray[np.int32]
    seats: NDArray[np.int8]
    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    scores: NDArray[np.int16]
    ended: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    kept: Records
    """By game and seat: what graph features were worked out from."""
    features: NDArray[np.uint8]
    """By game and seat: the features themselves."""


@inlined
def see(
    state: State,
    views: Records,
    tables: Tables,
    parts: Parts,
    seat: int,
    out: Row,
    mask: Mask,
    kept: Kept,
    features: Row,
    network: Network,
) -> None:
    """Write an observation and a mask from a seat's view: the second of two records, the first is blank."""
    views[1] = views[0]
    _observe.observe(state, tables, seat, views[1])
    write_features(views[1], tables, parts, seat, out)
    write_mask(views[1], tables, seat, mask)
    if parts.graph != ABSENT:
        write_graph(views[1], tables, parts, seat, out, kept, features, network)


@door
def see_game(
    setting: Setting, states: Records, seat: int, observation: Row, mask: Mask, kept: Records, features: Row
) -> None:
    """Write what a seat of one game sees, and its legal moves."""
    kept[0].offer = NOTHING
    networks = np.zeros(1, NETWORK)
    see(
        states[0],
        np.zeros(2, STATE),
        setting.tables[0],
        setting.parts[0],
        seat,
        observation,
        mask,
        kept[0],
        features,
        networks[0],
    )


@door
def begin_games(setting: Setting, batch: Batch, first: int, last: int) -> None:
    """Deal a range of games and observe them."""
    views, logs, networks, key = (
        np.zeros(2, STATE),
        np.zeros(1, LOG),
        np.zeros(1, NETWORK),
        np.empty(8, np.uint32),
    )
    for i in range(first, last):
        batch.numbers[i] = i
        _begin(setting, batch, i, views, logs, key)
        _look(setting, batch, i, views, networks)


@door
def step_games(setting: Setting, batch: Batch, moves: NDArray[np.int64], first: int, last: int) -> None:
    """Play a move in each of a range of games, all of them legal; deal anew those that end with it."""
    views, logs, networks, key = (
        np.zeros(2, STATE),
        np.zeros(1, LOG),
        np.zeros(1, NETWORK),
        np.empty(8, np.uint32),
    )
    for i in range(first, last):
        play_legal(batch.states[i], setting.tables[0], wide(batch.seats[i]), moves[i], logs[0])
        batch.decisions[i] += 1
        is_over = batch.states[i].phase == OVER
        batch.truncated[i] = not is_over and batch.decisions[i] >= setting.limit
        if batch.ended[i]:
            for seat in range(setting.seats):
                batch.rewards[i, seat] = 0
        batch.ended[i] = is_over or batch.truncated[i]
        if batch.ended[i]:
            if is_over:
                write_rewards(batch.states[i], setting.reward, batch.rewards[i])
                for seat in range(setting.seats):
                    batch.scores[i, seat] = batch.states[i].totals[seat]
            batch.numbers[i] += setting.games
            _begin(setting, batch, i, views, logs, key)
        _look(setting, batch, i, views, networks)


@door
def first_illegal(masks: NDArray[np.bool_], moves: NDArray[np.int64]) -> int:
    """Return the first game whose move is not legal there, or ALL_LEGAL."""
    for i in range(len(moves)):
        if moves[i] < 0 or moves[i] >= masks.shape[1] or not masks[i, moves[i]]:
            return i
    return ALL_LEGAL


@door
def draw_moves(setting: Setting, batch: Batch, moves: NDArray[np.int64], first: int, last: int) -> None:
    """Draw a legal move for each of a range of games, all equally likely, from the game's own seed."""
    for i in range(first, last):
        moves[i] = random_move(batch.states[i], setting.tables[0], batch.chances[i], wide(batch.seats[i]))


@compiled
def _begin(setting: Setting, batch: Batch, i: int, views: Records, logs: Records, key: Words32) -> None:
    """Deal a game: the one of the series that its number says."""
    game_key(setting.base, batch.numbers[i], key)
    batch.states[i] = views[0]
    deal(batch.states[i], setting.tables[0], setting.seats, key, wide(ANY_SEAT), logs[0])
    open_stream(batch.chances[i], key, PLAYERS)
    batch.decisions[i] = 0
    if setting.parts[0].graph != ABSENT:
        for seat in range(setting.seats):
            batch.kept[i, seat].offer = NOTHING


@inlined
def _look(setting: Setting, batch: Batch, i: int, views: Records, networks: Records) -> None:
    seat = seat_to_move(batch.states[i])
    batch.seats[i] = seat
    see(
        batch.states[i],
        views,
        setting.tables[0],
        setting.parts[0],
        seat,
        batch.observations[i],
        batch.masks[i],
        batch.kept[i, seat],
        batch.features[i, seat],
        networks[0],
    )
