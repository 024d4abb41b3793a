"""The charts of a report."""

from __future__ import annotations

from math import hypot, isnan
from typing import Any

import numpy as np

from goldenspike.arena.estimate import Floats
from goldenspike.arena.report.canvas import FAINT, INK, colour_of, figure, to_svg
from goldenspike.arena.study import RouteFigures, Study
from goldenspike.extras import need

_WIDTH = 5.4
_COSTS, _NEUTRAL, _PAYS = "#d9541e", "#9aa0a8", "#1f78d1"
_TURNS = ("first", "second", "third", "fourth", "fifth")


def draw_scores(study: Study) -> str:
    """Draw the score distribution of each bot, one above the other."""
    count = len(study.bots)
    scores = study.seat_rows.score
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    bins = np.linspace(low, high + 1, min(60, int(high - low) + 2))
    with figure(_WIDTH, 0.5 + 0.75 * count, nrows=count, sharex=True, squeeze=False) as (drawing, axes):
        for bot, (axis,) in enumerate(axes):
            mine = scores[study.seat_rows.bot == bot]
            title = "no finished game"
            if len(mine):
                title = f"{mine.mean():.1f} on average"
                axis.hist(mine, bins, color=colour_of(bot), density=True)
                axis.axvline(float(mine.mean()), color=INK, linewidth=1.2)
            axis.set_yticks([])
            axis.spines["left"].set_visible(False)
            axis.set_title(f"{study.bots[bot]}: {title}", fontsize=10)
        axes[-1][0].set_xlabel("score")
        return to_svg(drawing, "How the scores of each bot are spread")


def draw_lengths(study: Study) -> str:
    """Draw the distribution of turns per player."""
    turns: Floats = study.rows["turns"] / study.seats
    bins = np.arange(int(turns.min()), int(turns.max()) + 3) - 0.5
    with figure(_WIDTH, 2.0) as (drawing, axis):
        axis.hist(turns, bins[:: max(1, len(bins) // 60)], color=colour_of(5))
        axis.axvline(float(turns.mean()), color=INK, linewidth=1.2)
        axis.set_yticks([])
        axis.spines["left"].set_visible(False)
        axis.set_xlabel(f"turns for each player ({turns.mean():.1f} on average)")
        return to_svg(drawing, "How many turns games last")


def draw_turns(study: Study) -> str:
    """Draw the win share by order of play, with its interval, and the equal share."""
    with figure(_WIDTH, 0.9 + 0.34 * study.seats) as (drawing, axis):
        for turn, share in enumerate(study.turns):
            if not isnan(share.half):
                axis.plot(
                    [100 * share.low, 100 * share.high],
                    [turn, turn],
                    color=colour_of(0),
                    linewidth=5,
                    alpha=0.4,
                )
            axis.plot(100 * share.mean, turn, "o", color=colour_of(0))
        axis.axvline(100 / study.seats, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        axis.set_yticks(range(study.seats), [f"plays {name}" for name in _TURNS[: study.seats]])
        axis.set_ylim(study.seats - 0.5, -0.5)
        axis.set_xlabel("win share in %; the broken line is an equal share")
        return to_svg(drawing, "Win share by the order of play")


def draw_terms(study: Study) -> str:
    """Draw the mean score of each bot as a bar of its terms."""
    count = len(study.bots)
    with figure(_WIDTH, 1.2 + 0.42 * count) as (drawing, axis):
        ahead, behind = np.zeros(count), np.zeros(count)
        for i, (name, points) in enumerate(study.terms.items()):
            means = np.array([0.0 if isnan(p.mean) else p.mean for p in points])
            left = np.where(means >= 0, ahead, behind)
            axis.barh(range(count), means, left=left, color=colour_of(i), label=name, height=0.62)
            ahead += np.maximum(means, 0)
            behind += np.minimum(means, 0)
        axis.axvline(0, color=INK, linewidth=1)
        axis.set_yticks(range(count), study.bots)
        axis.set_ylim(count - 0.5, -0.5)
        axis.set_xlabel("points in a game, on average")
        drawing.legend(loc="outside upper left", ncols=3, fontsize=9, handlelength=1)
        return to_svg(drawing, "Where points come from")


def draw_board(study: Study) -> str:
    """Draw the board: a route's width shows how often it is taken, its colour what taking it is worth."""
    board = study.board
    width, height = board["size"]
    scale = worth_scale(study)
    titles: dict[str, str] = {}
    with figure(10.0, 10.0 * height / width + 0.6) as (drawing, axis):
        for i, route in enumerate(study.routes):
            line = _draw_route(axis, board, route, scale)
            name = f"route-{study.seats}-{i}"
            line.set_gid(name)
            titles[name] = describe_route(route)
        for i, city in enumerate(board["cities"]):
            axis.plot(city["x"], city["y"], "o", color=INK, markersize=4.5, zorder=4)
            label = axis.annotate(
                city["name"], (city["x"], city["y"]), xytext=(0, 5), textcoords="offset points", ha="center",
                fontsize=8.5, zorder=5,
            )  # fmt: skip
            name = f"city-{study.seats}-{i}"
            label.set_gid(name)
            titles[name] = f"{city['name']}: reached in {study.visited[i]:.0%} of games"
        margin = 0.045 * width
        axis.set_xlim(-margin, width + margin)
        axis.set_ylim(height + margin, -margin)  # board coordinates start at the top
        axis.set_aspect("equal")
        axis.axis("off")
        _draw_scale(drawing, scale)
        return to_svg(drawing, "The board: how often routes are taken and what that is worth", titles)


def worth_scale(study: Study) -> float:
    """Return the worth at which colours saturate: most routes are within it."""
    sizes = [abs(r.worth.mean) for r in study.routes if not isnan(r.worth.mean) and r.taken.mean > 0.02]
    return max(0.01, float(np.quantile(sizes, 0.95))) if sizes else 0.01


def describe_route(route: RouteFigures) -> str:
    """Return a route's figures as one line."""
    length, colour = route.route["length"], route.route["colour"]
    worth = (
        ""
        if isnan(route.worth.mean)
        else f"; worth {route.worth.show(1, 100, '', plus=True)} points of win share"
    )
    return f"{route.route['name']} ({length} {colour}): taken in {route.taken.mean:.1%} of games{worth}"


def _draw_route(axis: Any, board: dict[str, Any], route: RouteFigures, scale: float) -> Any:
    a, b = (board["cities"][route.route[end]] for end in ("a", "b"))
    x, y = np.array([a["x"], b["x"]], float), np.array([a["y"], b["y"]], float)
    if route.route["twin"] is not None:  # lanes are drawn side by side
        side = 1 if route.route["twin"] > board["routes"].index(route.route) else -1
        length = hypot(x[1] - x[0], y[1] - y[0]) or 1.0
        shift = side * 0.0055 * board["size"][0]
        x, y = x - shift * (y[1] - y[0]) / length, y + shift * (x[1] - x[0]) / length
    share = 0.0 if isnan(route.taken.mean) else route.taken.mean
    if share < 0.005:
        (line,) = axis.plot(x, y, color=FAINT, linewidth=1.2, linestyle=(0, (2, 3)), zorder=1)
    else:
        worth = 0.0 if isnan(route.worth.mean) else route.worth.mean
        (line,) = axis.plot(x, y, color=_worth_colour(worth / scale), linewidth=1 + 7 * share, zorder=2)
    return line


def _worth_colour(worth: float) -> Any:
    colours: Any = need("matplotlib.colors", "arena")
    ramp = colours.LinearSegmentedColormap.from_list("worth", [_COSTS, _NEUTRAL, _PAYS])
    return colours.to_hex(ramp(0.5 + 0.5 * max(-1.0, min(1.0, worth))))


def _draw_scale(drawing: Any, scale: float) -> None:
    lines: Any = need("matplotlib.lines", "arena")
    handles = [
        lines.Line2D([], [], color=_worth_colour(worth), linewidth=5, label=f"{100 * scale * worth:+.1f}")
        for worth in (-1, -0.5, 0, 0.5, 1)
    ]
    handles += [
        lines.Line2D([], [], color=_NEUTRAL, linewidth=1 + 7 * share, label=f"{share:.0%}")
        for share in (0.1, 0.5, 1.0)
    ]
    handles.append(lines.Line2D([], [], color=FAINT, linestyle=(0, (2, 3)), label="never"))
    drawing.legend(
        handles=handles,
        loc="outside lower center",
        ncols=len(handles),
        fontsize=8.5,
        title="colour: points of win share for taking it · width: part of the games in which it is taken",
        title_fontsize=8.5,
    )
