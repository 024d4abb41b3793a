"""Results of a match by bot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldenspike.arena.estimate import Estimate, Floats, estimate, estimate_share
from goldenspike.arena.plan import Seating
from goldenspike.arena.rows import FINISHED, FORFEITED, NO_SEAT, TOO_LONG, GameRows, Rows
from goldenspike.game.events import ENDINGS


class SeatRows(NamedTuple):
    """A batch with one row for each seat of each game, as the statistics need it."""

    game: NDArray[np.int64]
    """The index of the game in the batch."""
    deal: NDArray[np.int64]
    seat: NDArray[np.int64]
    bot: NDArray[np.int64]
    turn: NDArray[np.int64]
    """0 for the first player, 1 for the second, and so on."""
    won: Floats
    """Share of the win: 1, a fraction, or 0."""
    score: Floats
    """NaN in an unfinished game."""
    made: Floats
    failed: Floats
    seconds: Floats


def spread_out(batch: GameRows, seatings: tuple[Seating, ...]) -> SeatRows:
    """Return the rows of a batch's complete deals; a deal without all its seatings would be unfair."""
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

    return SeatRows(
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
    """One bot's row of the table."""

    bot: str
    games: int
    win_share: Estimate
    score: Estimate
    made: Estimate
    failed: Estimate
    seconds: Estimate
    """Per move; from a sample if `is_sampled`."""
    is_sampled: bool
    forfeits: int


@dataclass(frozen=True)
class MatchSummary:
    """The statistics of a whole match."""

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
    """Bot errors, and how often each occurred."""


def sum_up(
    bots: tuple[str, ...], seatings: tuple[Seating, ...], batch: GameRows, sample: GameRows | None = None
) -> MatchSummary:
    """Return the statistics of a match; `sample` has games played only to measure thinking time.

    >>> from goldenspike.arena import make_plan, play_match
    >>> plan = make_plan("new-york", ["greedy", "random"], 400)
    >>> summary = sum_up(plan.bots, plan.seatings, play_match(plan, jobs=1))
    >>> summary.bots[0].win_share.low > 0.9, summary.deals
    (True, 200)
    """
    seat_rows = spread_out(batch, seatings)
    rows = batch.rows[np.unique(seat_rows.game)] if len(seat_rows.game) else batch.rows[:0]
    clock = _clock(seat_rows, sample, seatings)
    endings: list[int] = rows["ending"][rows["outcome"] == FINISHED].tolist()
    return MatchSummary(
        bots=tuple(_figures(name, bot, seat_rows, clock, rows, seatings) for bot, name in enumerate(bots)),
        games=len(rows),
        deals=len(np.unique(seat_rows.deal)),
        left_out=len(batch.rows) - len(rows),
        decisions=float(rows["decisions"].mean()) if len(rows) else 0.0,
        too_long=int((rows["outcome"] == TOO_LONG).sum()),
        forfeited=int((rows["outcome"] == FORFEITED).sum()),
        endings={ENDINGS[code]: count for code, count in Counter(endings).most_common()},
        errors=dict(Counter(batch.errors[game] for game in sorted(batch.errors)).most_common()),
    )


class _BotTimes(NamedTuple):
    seconds: Floats
    bot: NDArray[np.int64]
    deal: NDArray[np.int64]
    is_sampled: bool


def _clock(seat_rows: SeatRows, sample: GameRows | None, seatings: tuple[Seating, ...]) -> _BotTimes:
    if sample is None or not len(sample.rows):
        return _BotTimes(seat_rows.seconds, seat_rows.bot, seat_rows.deal, is_sampled=False)
    rows, seats = sample.rows, len(seatings[0])
    seating = np.array(seatings)[rows["game"] % len(seatings)]
    deals = np.repeat(rows["game"] // len(seatings), seats)
    return _BotTimes(rows["seconds"][:, :seats].ravel(), seating.ravel(), deals, is_sampled=True)


def _figures(
    name: str, bot: int, seat_rows: SeatRows, clock: _BotTimes, rows: Rows, seatings: tuple[Seating, ...]
) -> BotFigures:
    mine, timed = seat_rows.bot == bot, clock.bot == bot
    deals = seat_rows.deal[mine]
    at_fault = rows["fault"][rows["fault"] != NO_SEAT]
    faulty = np.array(seatings)[rows["game"][rows["fault"] != NO_SEAT] % len(seatings)]
    exact = estimate(seat_rows.seconds[mine], deals)
    sampled = estimate(clock.seconds[timed], clock.deal[timed])
    is_sampled = clock.is_sampled and np.isnan(exact.mean)
    return BotFigures(
        bot=name,
        games=len(np.unique(seat_rows.game[mine])),
        win_share=estimate_share(seat_rows.won[mine], deals),
        score=estimate(seat_rows.score[mine], deals),
        made=estimate(seat_rows.made[mine], deals),
        failed=estimate(seat_rows.failed[mine], deals),
        seconds=sampled if is_sampled else exact,
        is_sampled=bool(is_sampled),
        forfeits=int((faulty[np.arange(len(at_fault)), at_fault] == bot).sum()),
    )
