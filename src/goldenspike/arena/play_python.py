"""Games played move by move in Python, with any bot; thinking time is measured, bot errors are caught."""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np

from goldenspike.arena.plan import MatchPlan
from goldenspike.arena.rows import FORFEITED, GameRows, read_states
from goldenspike.bots import Bot, BotAnswerError, Budget, Dice, bot_label, make_bot
from goldenspike.bots.policies import MOST_DECISIONS
from goldenspike.editions import Edition
from goldenspike.game.game import Game
from goldenspike.game.words import tell_apart


def play_hosted(plan: MatchPlan, games: Sequence[int]) -> GameRows:
    """Play games through :class:`Game`, with any bots, and return their rows."""
    for seating in {plan.seating(game) for game in games}:
        _warm_up(plan.edition, tuple(seat_bot(plan, bot, seat) for seat, bot in enumerate(seating)))
    batch = GameRows()
    rows = [_play_one(plan, game, batch) for game in games]
    batch.rows = np.concatenate([batch.rows, *rows])
    return batch


def _play_one(plan: MatchPlan, number: int, batch: GameRows) -> np.ndarray:
    seed = plan.deal_seed(number // len(plan.seatings))
    names = tell_apart(bot_label(plan.bots[bot]) for bot in plan.seating(number))
    game = Game.new(plan.edition, plan.seats, seed, names=names)
    bots = [seat_bot(plan, bot, seat) for seat, bot in enumerate(plan.seating(number))]
    dice = [Dice.of(seed, seat) for seat in range(plan.seats)]
    seconds, moves = np.zeros(plan.seats), np.zeros(plan.seats)
    decisions, fault, error = 0, None, ""
    while not game.is_over and decisions < MOST_DECISIONS:
        seat = game.to_move[0]
        view = game.view(seat)
        start = time.perf_counter()
        try:
            choice = bots[seat].ask(view, dice[seat], plan.budget)
            seconds[seat] += time.perf_counter() - start
            game.play(choice.move, seat)
        except Exception as problem:  # noqa: BLE001  # whatever a third-party bot does, the match goes on
            fault, error = seat, explain_error(problem)
            break
        moves[seat] += 1
        decisions += 1
    rows = read_states(plan.edition, [number], game.states.copy(), [decisions])
    measured = moves > 0
    rows["seconds"][0, : plan.seats][measured] = seconds[measured] / moves[measured]
    if fault is not None:
        rows["outcome"], rows["fault"] = FORFEITED, fault
        rows["winners"] = (1 << plan.seats) - 1 & ~(1 << fault)
        batch.errors[number] = error
    if plan.keeps_records:
        batch.records[number] = game.record()
    return rows


@lru_cache(maxsize=256)
def _warm_up(edition: Edition, bots: tuple[Bot, ...]) -> None:
    """Let bots make their first moves in a game that does not count, so that loading is not timed."""
    game = Game.new(edition, len(bots), 0)
    with suppress(Exception):  # a faulty bot is reported in a game that counts
        for _ in range(3 * len(bots)):
            seat = game.to_move[0]
            game.play(bots[seat].ask(game.view(seat), Dice.of(0, seat), _LITTLE).move, seat)


def warm_up(plan: MatchPlan) -> None:
    """Let the built-in bots compile what they need, once for all later processes."""
    for bot, spec in enumerate(plan.bots):
        if spec not in dict(plan.sources):
            _warm_up(plan.edition, tuple(seat_bot(plan, bot, seat) for seat in range(plan.seats)))


_LITTLE = Budget(playouts=1)


def explain_error(problem: Exception) -> str:
    """Return a bot's error in one line, with the place where it was raised.

    >>> explain_error(ValueError("no way"))
    'ValueError: no way'
    """
    frames = traceback.extract_tb(problem.__traceback__)
    theirs = [frame for frame in frames if not Path(frame.filename).is_relative_to(_PACKAGE)]
    place = f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""
    text = " ".join(str(problem).split())
    if isinstance(problem, BotAnswerError):
        return text
    return f"{type(problem).__name__}: {text}{place}"


_PACKAGE = Path(__file__).resolve().parent.parent


def seat_bot(plan: MatchPlan, bot: int, seat: int) -> Bot:
    """Return the bot of a seat: one per seat and process, because earlier games do not affect its moves."""
    spec = plan.bots[bot]
    return _make_bot(spec, dict(plan.sources).get(spec), seat)


@lru_cache(maxsize=256)
def _make_bot(spec: str, source: str | None, _seat: int) -> Bot:
    if source is None:
        return make_bot(spec)
    path, _, name = spec.rpartition(":")
    file = Path(path)
    if file.is_file() and file.read_text("utf-8") == source:
        return make_bot(spec)
    # The machine may not have that file.
    with tempfile.TemporaryDirectory(prefix="goldenspike-bot-") as folder:
        file = Path(folder, file.name)
        file.write_text(source, "utf-8")
        return make_bot(f"{file}:{name}")
