"""Batched games: dealing, stepping, observing and rewarding, each call on a range of games.

Every game has its own row in every array and its own random stream, so ranges can be given to different
threads without changing the games. Each thread has its own working memory, an array of one struct.

If the caller plays all seats and an ended game is reset in the same step, :func:`step_games` does everything
in one pass. Otherwise a step is :func:`play_moves`, the opponents' moves
(:func:`goldenspike.bots.policies.answer_tables`), :func:`finish_games`, the opponents' moves in games just
dealt, and :func:`look_at_games`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.dice import SEAT_DICE
from goldenspike.engine.bits import wide
from goldenspike.engine.chance import PLAYERS, open_stream
from goldenspike.engine.compile import compiled, entry_point, inlined
from goldenspike.engine.deal import ANY_SEAT, deal
from goldenspike.engine.events import LOG, SMALL_LOG, Log
from goldenspike.engine.masks import Mask, write_mask
from goldenspike.engine.observe import observe
from goldenspike.engine.playout import game_key, random_move, seat_to_move
from goldenspike.engine.state import OVER, STATE, State
from goldenspike.engine.struct import Struct, Structs, Words32, struct_dtype
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal
from goldenspike.env.features import Row, write_features
from goldenspike.env.graph import NETWORK, NOTHING, Kept, Network, write_graph
from goldenspike.env.layout import ABSENT, Parts
from goldenspike.env.rewards import write_rewards

ALL_LEGAL = -1
GIVES_UP = -1
"""Passed instead of a move: the game ends here without rewards."""

SAME_STEP, NEXT_STEP, DISABLED = range(3)
"""When an ended game is reset: in the step that ends it, in the next one, or on request."""


class Setting(NamedTuple):
    """Settings shared by all games of a batch."""

    tables: Structs
    parts: Structs
    seats: int
    limit: int
    """Decisions after which a game is truncated."""
    reward: int
    autoreset: int
    seat: int
    """The first of the learner's seats; with ANY_SEAT the game's seed decides."""


class EnvBatch(NamedTuple):
    """One row for each game."""

    states: Structs
    chances: Structs
    dice: Structs
    """By game and seat: the random streams of the opponents, if there are any."""
    bases: NDArray[np.uint32]
    """The seeds of the series that the games belong to."""
    strides: NDArray[np.int64]
    """Distance in the series between consecutive games of the same row."""
    homes: NDArray[np.int8]
    """The first of the learner's seats."""
    is_new: NDArray[np.bool_]
    """Whether the learner has not moved in this game yet."""
    gives_up: NDArray[np.bool_]
    numbers: NDArray[np.int64]
    decisions: NDArray[np.int32]
    seats: NDArray[np.int8]
    observations: NDArray[np.uint8]
    final_observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    scores: NDArray[np.int16]
    ended: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    kept: Structs
    """By game and seat: the inputs of the cached graph features."""
    features: NDArray[np.uint8]
    """By game and seat: the cached features."""


class StepMemory(Struct):
    """The working memory of a thread that steps games."""

    views: Annotated[Structs, STATE, (2,)]
    """A blank state, and the view of the seat to move."""
    key: Annotated[Words32, "u4", (8,)]
    network: Annotated[Network, NETWORK]
    log: Annotated[Log, LOG]


class SmallStepMemory(StepMemory):
    """The same for thousands of threads, as on a GPU."""

    log: Annotated[Log, SMALL_LOG]


STEP_MEMORY = struct_dtype(StepMemory)
SMALL_STEP_MEMORY = struct_dtype(SmallStepMemory)


@inlined
def see(
    state: State,
    memory: StepMemory,
    tables: Tables,
    parts: Parts,
    seat: int,
    out: Row,
    mask: Mask,
    kept: Kept,
    features: Row,
) -> None:
    """Write an observation and a mask from a seat's view."""
    memory.views[1] = memory.views[0]
    view = memory.views[1]
    observe(state, tables, seat, view)
    write_features(view, tables, parts, seat, out)
    write_mask(view, tables, seat, mask)
    if parts.graph != ABSENT:
        write_graph(view, tables, parts, seat, out, kept, features, memory.network)


@entry_point
def see_game(
    setting: Setting,
    states: Structs,
    seat: int,
    observation: Row,
    mask: Mask,
    kept: Structs,
    features: Row,
    memories: Structs,
) -> None:
    """Write the observation and the legal moves of a seat of one game."""
    kept[0].offer = NOTHING
    see(
        states[0],
        memories[0],
        setting.tables[0],
        setting.parts[0],
        seat,
        observation,
        mask,
        kept[0],
        features,
    )


@entry_point
def begin_games(
    setting: Setting, batch: EnvBatch, chosen: NDArray[np.bool_], first: int, last: int, memories: Structs
) -> None:
    """Deal the chosen ones of a range of games, by their numbers."""
    for i in range(first, last):
        if chosen[i]:
            batch.ended[i] = batch.truncated[i] = False
            for seat in range(setting.seats):
                batch.rewards[i, seat] = 0
            _begin(setting, batch, i, memories[0])


@entry_point
def step_games(
    setting: Setting, batch: EnvBatch, moves: NDArray[np.int64], first: int, last: int, memories: Structs
) -> None:
    """Play a legal move in each of a range of games; reset those that end with it."""
    for i in range(first, last):
        play_legal(batch.states[i], setting.tables[0], wide(batch.seats[i]), moves[i], memories[0].log)
        batch.decisions[i] += 1
        batch.is_new[i] = False
        _note_end(setting, batch, i)
        if batch.ended[i]:
            _look_back(setting, batch, i, memories[0])
            batch.numbers[i] += batch.strides[i]
            _begin(setting, batch, i, memories[0])
        _look(setting, batch, i, wide(seat_to_move(batch.states[i])), memories[0])


@entry_point
def play_moves(
    setting: Setting, batch: EnvBatch, moves: NDArray[np.int64], first: int, last: int, memories: Structs
) -> None:
    """Play a legal move in each of a range of games; reset those that had ended before."""
    for i in range(first, last):
        if batch.ended[i] and setting.autoreset == NEXT_STEP:
            batch.numbers[i] += batch.strides[i]
            _begin(setting, batch, i, memories[0])
            continue
        batch.is_new[i] = False
        batch.gives_up[i] = moves[i] == GIVES_UP
        if not batch.gives_up[i]:
            play_legal(batch.states[i], setting.tables[0], wide(batch.seats[i]), moves[i], memories[0].log)
            batch.decisions[i] += 1


@entry_point
def finish_games(setting: Setting, batch: EnvBatch, first: int, last: int, memories: Structs) -> None:
    """Set which of a range of games have ended, and their rewards; reset them if it is time."""
    for i in range(first, last):
        _note_end(setting, batch, i)
        if batch.ended[i]:
            _look_back(setting, batch, i, memories[0])
            if setting.autoreset == SAME_STEP:
                batch.numbers[i] += batch.strides[i]
                _begin(setting, batch, i, memories[0])


@entry_point
def look_at_games(setting: Setting, batch: EnvBatch, first: int, last: int, memories: Structs) -> None:
    """Observe a range of games, each for the seat to move; an ended one for the seat that moved last."""
    for i in range(first, last):
        is_over = batch.ended[i] and setting.autoreset != SAME_STEP
        seat = wide(batch.seats[i]) if is_over else wide(seat_to_move(batch.states[i]))
        _look(setting, batch, i, seat, memories[0])
        if is_over:
            for move in range(batch.masks.shape[1]):
                batch.masks[i, move] = False


@entry_point
def first_illegal(masks: NDArray[np.bool_], over: NDArray[np.bool_], moves: NDArray[np.int64]) -> int:
    """Return the first game whose move is illegal, or ALL_LEGAL; ended games accept any move."""
    for i in range(len(moves)):
        if over[i]:
            continue
        if moves[i] < 0 or moves[i] >= masks.shape[1] or not masks[i, moves[i]]:
            return i
    return ALL_LEGAL


@entry_point
def draw_moves(setting: Setting, batch: EnvBatch, moves: NDArray[np.int64], first: int, last: int) -> None:
    """Draw a uniformly random legal move for each of a range of games, from the game's own seed."""
    for i in range(first, last):
        moves[i] = 0
        if not batch.ended[i] or setting.autoreset == SAME_STEP:
            moves[i] = random_move(batch.states[i], setting.tables[0], batch.chances[i], wide(batch.seats[i]))


@compiled
def _begin(setting: Setting, batch: EnvBatch, i: int, memory: StepMemory) -> None:
    """Deal a game of the series, by its number."""
    key = memory.key
    game_key(batch.bases[i], batch.numbers[i], key)
    batch.states[i] = memory.views[0]
    deal(batch.states[i], setting.tables[0], setting.seats, key, wide(ANY_SEAT), memory.log)
    open_stream(batch.chances[i], key, PLAYERS)
    for seat in range(batch.dice.shape[1]):
        open_stream(batch.dice[i, seat], key, SEAT_DICE + seat)
    batch.homes[i] = key[7] % setting.seats if setting.seat == ANY_SEAT else setting.seat
    batch.is_new[i] = True
    batch.gives_up[i] = False
    batch.decisions[i] = 0
    if setting.parts[0].graph != ABSENT:
        for seat in range(setting.seats):
            batch.kept[i, seat].offer = NOTHING


@inlined
def _note_end(setting: Setting, batch: EnvBatch, i: int) -> None:
    """Set whether a game has ended with this step, and the reward of each seat."""
    if batch.ended[i]:
        for seat in range(setting.seats):
            batch.rewards[i, seat] = 0
    is_over = batch.states[i].phase == OVER
    is_late = not batch.is_new[i] and batch.decisions[i] >= setting.limit
    batch.truncated[i] = is_late and not is_over and not batch.gives_up[i]
    batch.ended[i] = is_over or batch.truncated[i] or batch.gives_up[i]
    if is_over:
        write_rewards(batch.states[i], setting.reward, batch.rewards[i])
        for seat in range(setting.seats):
            batch.scores[i, seat] = batch.states[i].totals[seat]


@inlined
def _look_back(setting: Setting, batch: EnvBatch, i: int, memory: StepMemory) -> None:
    """Store the final observation of an ended game, for the seat that moved last."""
    _look(setting, batch, i, wide(batch.seats[i]), memory)
    for at in range(batch.observations.shape[1]):
        batch.final_observations[i, at] = batch.observations[i, at]


@inlined
def _look(setting: Setting, batch: EnvBatch, i: int, seat: int, memory: StepMemory) -> None:
    batch.seats[i] = seat
    see(
        batch.states[i],
        memory,
        setting.tables[0],
        setting.parts[0],
        seat,
        batch.observations[i],
        batch.masks[i],
        batch.kept[i, seat],
        batch.features[i, seat],
    )
