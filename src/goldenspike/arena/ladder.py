"""Ratings of bots from games against all others."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from goldenspike.arena.estimate import Estimate, estimate_share
from goldenspike.arena.plan import MatchPlan
from goldenspike.arena.report.canvas import PRINT, colour_of, figure, save_picture
from goldenspike.arena.rows import GameRows
from goldenspike.arena.summary import spread_out
from goldenspike.extras import need

MIDDLE, UNIT = 1500.0, 40.0
"""Ratings are shown around 1500, with 40 points per unit of the model (its own scale is 25 ± 25/3)."""


class Rung(NamedTuple):
    """A bot's rating in an edition."""

    bot: str
    rating: float
    spread: float
    """Half the width of the model's 95 % range."""
    win_share: Estimate
    games: int


def climb(plan: MatchPlan, batch: GameRows) -> list[Rung]:
    """Rate the bots of a match by the Plackett-Luce model; return them strongest first.

    Games are rated in order, so the same match gives the same ratings.
    """
    model: Any = need("openskill.models", "arena").PlackettLuce(tau=0.0)  # a bot's strength does not drift
    ratings: list[Any] = [model.rating(name=bot) for bot in plan.bots]
    for row in batch.rows:
        _rate(model, ratings, plan, row)
    seat_rows = spread_out(batch, plan.seatings)
    rungs: list[Rung] = []
    for bot, rating in enumerate(ratings):
        mine = seat_rows.bot == bot
        share = estimate_share(seat_rows.won[mine], seat_rows.deal[mine])
        value = MIDDLE + UNIT * (float(rating.mu) - float(model.mu))
        spread = 1.96 * UNIT * float(rating.sigma)
        rungs.append(Rung(plan.bots[bot], value, spread, share, len(np.unique(seat_rows.game[mine]))))
    return sorted(rungs, key=lambda rung: -rung.rating)


def draw_ladder(ladders: dict[str, list[Rung]], path: Path) -> None:
    """Draw the ratings of several editions side by side into a PNG or SVG file."""
    bots = list(dict.fromkeys(rung.bot for rungs in ladders.values() for rung in rungs))
    most = max(len(rungs) for rungs in ladders.values())
    columns = min(3, len(ladders))
    lines = -(-len(ladders) // columns)
    size = (3.6 * columns + 0.8, lines * (1.1 + 0.34 * most))
    with figure(*size, PRINT, nrows=lines, ncols=columns, sharex=True, squeeze=False) as (drawing, axes):
        for axis in axes.flat[len(ladders) :]:
            axis.axis("off")
        for axis, (edition, rungs) in zip(axes.flat, ladders.items(), strict=False):
            for place, rung in enumerate(rungs):
                colour = colour_of(bots.index(rung.bot))
                reach = [rung.rating - rung.spread, rung.rating + rung.spread]
                axis.plot(reach, [place, place], color=colour, linewidth=6, alpha=0.4)
                axis.plot(rung.rating, place, "o", color=colour)
            axis.set_yticks(range(len(rungs)), [rung.bot for rung in rungs])
            axis.set_ylim(len(rungs) - 0.4, -0.6)
            axis.set_title(edition)
        lowest = min(rung.rating - rung.spread for rungs in ladders.values() for rung in rungs)
        highest = max(rung.rating + rung.spread for rungs in ladders.values() for rung in rungs)
        axes[0][0].set_xlim(lowest - 30, highest + 30)
        drawing.supxlabel("rating, with the model's 95 % range")
        save_picture(drawing, path)


def _rate(model: Any, ratings: list[Any], plan: MatchPlan, row: Any) -> None:
    """Update the ratings by one game: ranked by score, with winners first, so that tie-breaks count."""
    seating = plan.seating(int(row["game"]))
    if len(set(seating)) < len(seating):
        raise ValueError("A rating needs different bots at a table.")
    scores = row["terms"].sum(axis=1)
    winners = int(row["winners"])
    keys = [
        (winners >> seat & 1, int(scores[seat]) if not winners >> seat & 1 else 0)
        for seat in range(len(seating))
    ]
    order = sorted(set(keys), reverse=True)
    ranks = [float(order.index(key)) for key in keys]
    for bot, (rated,) in zip(
        seating, model.rate([[ratings[bot]] for bot in seating], ranks=ranks), strict=True
    ):
        ratings[bot] = rated
