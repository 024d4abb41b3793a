"""Ratings: how strong each bot is, from games against all others."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from goldenspike.arena.canvas import PRINT, colour_of, figure, save_picture
from goldenspike.arena.estimate import Estimate, estimate_share
from goldenspike.arena.plan import Plan
from goldenspike.arena.rows import Batch
from goldenspike.arena.summary import spread_out
from goldenspike.extras import need

MIDDLE, UNIT = 1500.0, 40.0
"""Ratings are shown around 1500; 40 points for each of the model's units (its own scale is 25 ± 25/3)."""


class Rung(NamedTuple):
    """A bot's place on the ladder of an edition."""

    bot: str
    rating: float
    spread: float
    """The 95 % range of the model's own doubt."""
    win_share: Estimate
    games: int


def climb(plan: Plan, batch: Batch) -> list[Rung]:
    """Rate the bots of a match by the model of Plackett and Luce; return them strongest first.

    Games are taken in their order, so the same match gives the same ratings.
    """
    model: Any = need("openskill.models", "arena").PlackettLuce(tau=0.0)  # a bot's strength does not drift
    ratings: list[Any] = [model.rating(name=bot) for bot in plan.bots]
    for row in batch.rows:
        _rate(model, ratings, plan, row)
    sheet = spread_out(batch, plan.seatings)
    rungs: list[Rung] = []
    for bot, rating in enumerate(ratings):
        mine = sheet.bot == bot
        share = estimate_share(sheet.won[mine], sheet.deal[mine])
        value = MIDDLE + UNIT * (float(rating.mu) - float(model.mu))
        spread = 1.96 * UNIT * float(rating.sigma)
        rungs.append(Rung(plan.bots[bot], value, spread, share, len(np.unique(sheet.game[mine]))))
    return sorted(rungs, key=lambda rung: -rung.rating)


def draw_ladder(ladders: dict[str, list[Rung]], path: Path) -> None:
    """Draw the ladders of several editions beside each other into a PNG or SVG file."""
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


def _rate(model: Any, ratings: list[Any], plan: Plan, row: Any) -> None:
    """Change the ratings by one game: by score, the winners first whatever broke a tie."""
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
