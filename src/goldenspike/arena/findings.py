"""Findings of a playtest: what looks unfair or unused on a board, in words and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isnan
from statistics import median
from typing import NamedTuple

import numpy as np

from goldenspike.arena.study import Study
from goldenspike.arena.summary import MatchSummary
from goldenspike.editions import Edition
from goldenspike.game.words import count_of

RARE = 0.02
"""A route or city used in a smaller share of the games counts as dead."""
ENOUGH = 30
"""A ticket held fewer times is not judged."""
HOPELESS, SURE = 0.05, 0.97
"""Tickets completed less often than the first count as hopeless, more often than the second as certain."""
OFF = 0.4
"""A ticket's points are odd if they differ by over 3 and by over this share from the usual for its length."""
ABLE = 0.2
"""A bot that makes a smaller share of its tickets cannot say which are hard."""
STUCK = 0.001
"""A smaller share of games that end because no seat can act is normal."""
SCARCE = 1.5
"""A colour is scarce if its routes have this many times the spaces of the average colour."""
SEATS_MATTER = 0.02
"""A smaller deviation of the win share by order of play is not reported, even if significant."""


class Finding(NamedTuple):
    """One thing that looks wrong."""

    subject: str
    """One of :data:`SUBJECTS`."""
    text: str


SUBJECTS = ("endings", "order of play", "routes", "cities", "tickets", "colours")


def find_problems(edition: Edition, studies: Sequence[tuple[Study, MatchSummary]]) -> list[Finding]:
    """Return what looks wrong, from the games at each number of seats."""
    found = [
        *_endings(studies),
        *_turns(studies),
        *_routes([study for study, _ in studies]),
        *_cities([study for study, _ in studies]),
        *_tickets(edition, [study for study, _ in studies]),
        *_colours(edition),
    ]
    return sorted(found, key=lambda finding: SUBJECTS.index(finding.subject))


def _endings(studies: Sequence[tuple[Study, MatchSummary]]) -> Iterator[Finding]:
    for study, summary in studies:
        stuck = summary.endings.get("nobody can act", 0)
        share = stuck / max(1, summary.games)
        if share >= STUCK:
            yield Finding(
                "endings",
                f"With {study.seats} players {share:.1%} of games ({stuck} of {summary.games}) end because "
                "no player can move. Add cards or routes.",
            )
        if summary.too_long:
            yield Finding(
                "endings",
                f"With {study.seats} players {count_of(summary.too_long, 'game')} of {summary.games} did not "
                "end: nothing forces these bots to finish.",
            )


def _turns(studies: Sequence[tuple[Study, MatchSummary]]) -> Iterator[Finding]:
    for study, _ in studies:
        fair = 1 / study.seats
        off = [
            f"number {turn + 1} wins {share.show(1, 100, '%')}"
            for turn, share in enumerate(study.turns)
            if share.excludes(fair) and abs(share.mean - fair) > SEATS_MATTER
        ]
        if off:
            yield Finding(
                "order of play",
                f"With {study.seats} players it matters who begins: in the order of play {', '.join(off)}, "
                f"where an equal share is {fair:.1%}.",
            )


def _routes(studies: Sequence[Study]) -> Iterator[Finding]:
    taken = _at_most([_connections(study) for study in studies])
    never = [name for name, share in taken.items() if share == 0]
    rarely = {name: share for name, share in taken.items() if 0 < share < RARE}
    if never:
        yield Finding(
            "routes",
            f"{count_of(len(never), 'connection')} never taken at any number of players: {', '.join(never)}. "
            "A ticket that leads there, or a shorter or grey route, would give a reason.",
        )
    if rarely:
        said = ", ".join(
            f"{name} ({share:.1%})" for name, share in sorted(rarely.items(), key=lambda x: x[1])
        )
        yield Finding(
            "routes",
            f"{count_of(len(rarely), 'connection')} taken in fewer than {RARE:.0%} of games: {said}.",
        )


def _connections(study: Study) -> dict[str, float]:
    """Return how often routes are taken, lanes of a double as one, because with few players one closes."""
    shares: dict[str, float] = {}
    for figures in study.routes:
        name = figures.route["name"].partition("/")[0]
        share = 0.0 if isnan(figures.taken.mean) else figures.taken.mean
        shares[name] = min(1.0, shares.get(name, 0.0) + share)
    return shares


def _cities(studies: Sequence[Study]) -> Iterator[Finding]:
    names = [city["name"] for city in studies[0].board["cities"]]
    visited = _at_most([dict(zip(names, study.visited, strict=True)) for study in studies])
    for name, share in visited.items():
        if share < RARE:
            often = "never" if share == 0 else f"in {share:.1%} of games at most"
            yield Finding("cities", f"{name} is visited {often}: nothing is to be had there.")


def _at_most(shares: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return for each name the highest share at any number of seats."""
    return {name: max(share[name] for share in shares) for name in shares[0]}


def _tickets(edition: Edition, studies: Sequence[Study]) -> Iterator[Finding]:
    held: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for study in studies:
        for figures in study.tickets:
            name = figures.ticket["name"]
            held[name] += figures.times
            made[name] += 0 if isnan(figures.made.mean) else round(figures.made.mean * figures.times)
    never = [ticket.name for ticket in edition.tickets if not held[ticket.name]]
    if never:
        yield Finding("tickets", f"No bot ever kept {', '.join(never)}: not worth the pieces they take.")
    shares = {name: made[name] / count for name, count in held.items() if count >= ENOUGH}
    overall = sum(made.values()) / max(1, sum(held.values()))
    if overall < ABLE:
        yield Finding(
            "tickets",
            f"This bot completes only {overall:.0%} of its tickets, so tickets that are too hard or too easy "
            "cannot be told; use a better bot.",
        )
        shares = {}
    for words, is_so in (
        ("hardly ever completed", {n: s for n, s in shares.items() if s <= HOPELESS}),
        ("almost always completed", {n: s for n, s in shares.items() if s >= SURE}),
    ):
        if is_so:
            said = ", ".join(f"{name} ({share:.0%} of {held[name]})" for name, share in is_so.items())
            yield Finding(
                "tickets", f"{count_of(len(is_so), 'ticket')} {words}, against {overall:.0%} of all: {said}."
            )
    yield from _odd_points(edition)


def _odd_points(edition: Edition) -> Iterator[Finding]:
    if edition.end.when == "race":
        return  # in a race every ticket counts the same
    paths = {ticket: edition.board.shortest(ticket.a, ticket.b) for ticket in edition.tickets}
    usual = median(ticket.points / path for ticket, path in paths.items())
    for ticket, path in paths.items():
        expected = usual * path
        if abs(ticket.points - expected) > max(3.0, OFF * expected):
            kind = "more" if ticket.points > expected else "less"
            yield Finding(
                "tickets",
                f"{ticket.name} gives {ticket.points} points for {count_of(path, edition.words.piece)}, far "
                f"{kind} than the {expected:.0f} usual for a path of this length.",
            )


def _colours(edition: Edition) -> Iterator[Finding]:
    spaces = Counter(dict.fromkeys(edition.board.colours, 0))
    for route in edition.board.routes:
        if route.colour != "grey":
            spaces[route.colour] += route.length
    cards = edition.deck.colour
    usual = float(np.mean(list(spaces.values())))
    for colour, count in spaces.items():
        longest = max((r.length for r in edition.board.routes if r.colour == colour), default=0)
        if longest > cards:
            yield Finding(
                "colours",
                f"The longest {colour} route needs {longest} cards and there are only {cards} {colour} ones, "
                f"beside {edition.deck.locomotive} that stand for any colour.",
            )
        if usual and count > SCARCE * usual:
            yield Finding(
                "colours",
                f"{colour.capitalize()} is scarce: {count} spaces for {cards} cards, where a colour has "
                f"{usual:.0f} spaces on average.",
            )
        if count == 0 and usual:
            yield Finding("colours", f"No route is {colour}: its {cards} cards serve only for grey routes.")
