"""The report of a match: scores, seats, points, tickets, and the board."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import isnan

from goldenspike.arena.file import SavedMatch
from goldenspike.arena.report import page, pictures
from goldenspike.arena.study import Study, study_match
from goldenspike.arena.summary import MatchSummary, sum_up

_SHOWN = 12


def write_report(saved: SavedMatch) -> str:
    """Return a match as one self-contained HTML page."""
    board = saved.about["board"]
    summary = sum_up(saved.bots, saved.seatings, saved.batch, saved.sample)
    study = study_match(board, saved.bots, saved.seatings, saved.batch)
    title = f"{board['edition']}: {', '.join(saved.bots)}"
    return page.write_page(title, _parts(saved, title, summary, study))


def _parts(saved: SavedMatch, title: str, summary: MatchSummary, study: Study) -> Iterator[str]:
    yield page.heading(title, 1)
    yield page.paragraph(
        f"{summary.games:,} games at tables of {study.seats}: {summary.deals:,} deals, each played at "
        f"{len(saved.seatings)} seatings so that luck cancels. ± is a 95 % confidence interval, by deal.",
        soft=True,
    )
    yield _bot_table(summary)
    if summary.forfeited:
        yield page.paragraph(
            f"{summary.forfeited} games were forfeited: " + "; ".join(list(summary.errors)[:3])
        )
    if summary.too_long:
        yield page.paragraph(f"{summary.too_long} games were stopped as too long and count as shared by all.")
    if study.games:
        yield from describe_study(study)
    yield (
        "<footer>"
        + page.paragraph(
            f"Results {saved.about['results'][:16]}, Golden Spike {saved.about['plan']['version']}.",
            soft=True,
        )
        + f"<p class=soft>Played with <code>{escape(saved.about['command'])}</code></p></footer>"
    )


def _bot_table(summary: MatchSummary) -> str:
    rows = [
        (
            bot.bot,
            f"{bot.games:,}",
            bot.win_share.show(1, 100, "%"),
            bot.score.show(),
            bot.made.show(2),
            bot.failed.show(2),
            "-" if isnan(bot.seconds.mean) else bot.seconds.show(2, 1000, " ms"),
        )
        for bot in summary.bots
    ]
    return page.table(
        ("bot", "games", "win share", "score", "tickets completed", "failed", "time per move"), rows
    )


def describe_study(study: Study) -> Iterator[str]:
    """Yield the parts of a page with the statistics of the game and its board."""
    yield page.heading("Scores and lengths")
    yield page.picture(pictures.draw_scores(study))
    yield page.picture(pictures.draw_lengths(study))
    yield page.heading("Does it matter who begins?")
    yield page.paragraph(_say_turns(study))
    yield page.picture(pictures.draw_turns(study))
    yield page.heading("Where points come from")
    yield page.picture(pictures.draw_terms(study))
    yield page.heading("The board")
    yield page.paragraph(
        "Thick routes are taken in many games, dotted ones never. Blue ones are taken by seats that win more "
        "than their bot usually does, orange ones by seats that win less. Point at a route for its figures.",
        soft=True,
    )
    yield page.picture(pictures.draw_board(study), wide=True)
    yield _route_table(study)
    yield page.heading("Tickets")
    yield page.paragraph(
        "Held: in which part of the hands it is at the end. Made: how many of those joined its cities. Score "
        "and win share: how much more a seat with the ticket has than one without, beyond what its "
        "bot has anyway.",
        soft=True,
    )
    yield _ticket_table(study)


def _say_turns(study: Study) -> str:
    fair = 1 / study.seats
    off = [(turn, share) for turn, share in enumerate(study.turns) if share.excludes(fair)]
    if not off:
        return "Not so that these games could show it: every interval holds an equal share."
    said = [f"number {turn + 1} wins {share.show(1, 100, '%')}" for turn, share in off]
    more = "" if len(off) > 1 else " One interval in twenty misses by chance."
    return f"It does: {', '.join(said)}, where an equal share is {fair:.1%}.{more}"


def _route_table(study: Study) -> str:
    ordered = sorted(study.routes, key=lambda r: -r.taken.mean)
    rows = [
        (
            r.route["name"],
            r.route["length"],
            r.route["colour"],
            r.taken.show(1, 100, "%"),
            r.worth.show(1, 100, plus=True),
        )
        for r in ordered
    ]
    head = ("route", "length", "colour", "taken in", "worth, points of win share")
    return page.folded(
        f"All {len(rows)} routes as a table, those taken most often first", page.table(head, rows)
    )


def _ticket_table(study: Study) -> str:
    ordered = sorted(study.tickets, key=lambda t: -t.times)
    rows = [
        (
            t.ticket["name"],
            t.ticket["points"],
            t.ticket["shortest"],
            t.held.show(1, 100, "%"),
            t.made.show(1, 100, "%"),
            t.score.show(1, plus=True),
            t.worth.show(1, 100, plus=True),
        )
        for t in ordered
    ]
    head = ("ticket", "points", "shortest path", "held", "completed", "score", "win share")
    shown = page.table(head, rows[:_SHOWN], f"The {min(_SHOWN, len(rows))} held most often")
    if len(rows) <= _SHOWN:
        return shown
    return shown + page.folded(f"The other {len(rows) - _SHOWN} tickets", page.table(head, rows[_SHOWN:]))
