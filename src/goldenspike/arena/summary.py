"""What came of a match, bot by bot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldenspike.arena.estimate import Estimate, Floats, estimate, estimate_share
from goldenspike.arena.plan import Seating
from goldenspike.arena.rows import FINISHED, FORFEITED, NO_SEAT, TOO_LONG, Batch, Rows
from goldenspike.event import ENDINGS


class Sheet(NamedTuple):
    """A batch spread out: one line for each seat of each game, as all figures need it."""

    game: NDArray[np.int64]
    """The place of the game in the batch."""
    deal: NDArray[np.int64]
    seat: NDArray[np.int64]
    bot: NDArray[np.int64]
    turn: NDArray[np.int64]
    """0 for who began, 1 for the next one, and so on."""
    won: Floats
    """The part in the victory: 1, a share of it, or 0."""
    score: Floats
    """Not a number in a game that was not finished."""
    made: Floats
    failed: Floats
    seconds: Floats


def spread_out(batch: Batch, seatings: tuple[Seating, ...]) -> Sheet:
    """Return the lines of the whole deals of a batch; a deal without all its seatings would not be fair."""
    rows, seats, tables = batch.rows, len(seatings[0]), len(seatings)
    deals = rows["game"] // tables
    whole = np.bincount(deals, minlength=1)[deals] == tables
    rows, deals = rows[whole], deals[whole]
    seat = np.tile(np.arange(seats), len(rows))
    winners = rows["winners"].astype(np.int64)
    won = (winners[:, None] >> np.arange(seats)) & 1
    finished = (rows["outcome"] == FINISHED)[:, None]

    def by_seat(values: NDArray[np.generic]) -> Floats:
        return np.where(finished, values[:, :seats].astype(float), np.nan).ravel()

    return Sheet(
        game=np.repeat(np.flatnonzero(whole), seats),
        deal=np.repeat(deals, seats),
        seat=seat,
        bot=np.array(seatings)[rows["game"] % tables].ravel(),
        turn=(seat - np.repeat(rows["first"].astype(np.int64), seats)) % seats,
        won=(won / np.maximum(1, won.sum(axis=1, keepdims=True))).ravel(),
        score=by_seat(rows["terms"].sum(axis=2)),
        made=by_seat(rows["made"]),
        failed=by_seat(rows["failed"]),
        seconds=rows["seconds"][:, :seats].ravel(),
    )


@dataclass(frozen=True)
class BotFigures:
    """One bot's line of the table."""

    bot: str
    games: int
    win_share: Estimate
    score: Estimate
    made: Estimate
    failed: Estimate
    seconds: Estimate
    """Per move; of a sample where `is_sampled`."""
    is_sampled: bool
    forfeits: int


@dataclass(frozen=True)
class Summary:
    """A whole match in figures."""

    bots: tuple[BotFigures, ...]
    games: int
    deals: int
    left_out: int
    """Games of deals that were not played at every seating."""
    decisions: float
    too_long: int
    forfeited: int
    endings: dict[str, int]
    errors: dict[str, int]
    """What bots did wrong, and how often."""


def sum_up(
    bots: tuple[str, ...], seatings: tuple[Seating, ...], batch: Batch, sample: Batch | None = None
) -> Summary:
    """Return the figures of a match; `sample` are games played only to take their time.

    >>> from goldenspike.arena import make_plan, play_match
    >>> plan = make_plan("new-york", ["greedy", "random"], 400)
    >>> summary = sum_up(plan.bots, plan.seatings, play_match(plan, jobs=1))
    >>> summary.bots[0].win_share.low > 0.9, summary.deals
    (True, 200)
    """
    sheet = spread_out(batch, seatings)
    rows = batch.rows[np.unique(sheet.game)] if len(sheet.game) else batch.rows[:0]
    clock = _clock(sheet, sample, seatings)
    endings: list[int] = rows["ending"][rows["outcome"] == FINISHED].tolist()
    return Summary(
        bots=tuple(_figures(name, bot, sheet, clock, rows, seatings) for bot, name in enumerate(bots)),
        games=len(rows),
        deals=len(np.unique(sheet.deal)),
        left_out=len(batch.rows) - len(rows),
        decisions=float(rows["decisions"].mean()) if len(rows) else 0.0,
        too_long=int((rows["outcome"] == TOO_LONG).sum()),
        forfeited=int((rows["outcome"] == FORFEITED).sum()),
        endings={ENDINGS[code]: count for code, count in Counter(endings).most_common()},
        errors=dict(Counter(batch.errors[game] for game in sorted(batch.errors)).most_common()),
    )


class _Clock(NamedTuple):
    seconds: Floats
    bot: NDArray[np.int64]
    deal: NDArray[np.int64]
    is_sampled: bool


def _clock(sheet: Sheet, sample: Batch | None, seatings: tuple[Seating, ...]) -> _Clock:
    if sample is None or not len(sample.rows):
        return _Clock(sheet.seconds, sheet.bot, sheet.deal, is_sampled=False)
    rows, seats = sample.rows, len(seatings[0])
    seating = np.array(seatings)[rows["game"] % len(seatings)]
    deals = np.repeat(rows["game"] // len(seatings), seats)
    return _Clock(rows["seconds"][:, :seats].ravel(), seating.ravel(), deals, is_sampled=True)


def _figures(
    name: str, bot: int, sheet: Sheet, clock: _Clock, rows: Rows, seatings: tuple[Seating, ...]
) -> BotFigures:
    mine, timed = sheet.bot == bot, clock.bot == bot
    deals = sheet.deal[mine]
    at_fault = rows["fault"][rows["fault"] != NO_SEAT]
    faulty = np.array(seatings)[rows["game"][rows["fault"] != NO_SEAT] % len(seatings)]
    exact = estimate(sheet.seconds[mine], deals)
    sampled = estimate(clock.seconds[timed], clock.deal[timed])
    is_sampled = clock.is_sampled and np.isnan(exact.mean)
    return BotFigures(
        bot=name,
        games=len(np.unique(sheet.game[mine])),
        win_share=estimate_share(sheet.won[mine], deals),
        score=estimate(sheet.score[mine], deals),
        made=estimate(sheet.made[mine], deals),
        failed=estimate(sheet.failed[mine], deals),
        seconds=sampled if is_sampled else exact,
        is_sampled=bool(is_sampled),
        forfeits=int((faulty[np.arange(len(at_fault)), at_fault] == bot).sum()),
    )
