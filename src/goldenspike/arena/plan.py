"""The plan of a match: which bots sit where in each deal, and the seeds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from goldenspike.bots import Budget, make_bot
from goldenspike.bots.compiled_bot import CompiledBot
from goldenspike.editions import Edition, load_edition
from goldenspike.game.seeds import Seed, read_seed
from goldenspike.simulation import series_seed
from goldenspike.version import VERSION

USUAL = Budget(playouts=200)
"""The default budget of bots that search: playouts, not seconds, so that a match can be repeated."""

Seating = tuple[int, ...]
"""For each seat the number of the bot that plays there."""


@dataclass(frozen=True)
class MatchPlan:
    """A match before it is played. The same plan gives the same games on any machines and number of jobs.

    Game g is deal g // len(seatings) at seating g % len(seatings): a deal is played at every seating, with
    the same cards and the same first seat, so that luck cancels.
    """

    edition: Edition
    bots: tuple[str, ...]
    """The bots as given by the user, without duplicates."""
    seatings: tuple[Seating, ...]
    deals: int
    seed: bytes
    budget: Budget
    keeps_records: bool
    sources: tuple[tuple[str, str], ...]
    """Bots loaded from files, with the text of the files, so that other machines can play them too."""
    compiled: tuple[bool, ...]
    """Which of the bots are compiled and play without Python."""

    @property
    def seats(self) -> int:
        """Number of seats at a table."""
        return len(self.seatings[0])

    @property
    def games(self) -> int:
        """Number of games."""
        return self.deals * len(self.seatings)

    def seating(self, game: int) -> Seating:
        """Return the seating of a game."""
        return self.seatings[game % len(self.seatings)]

    def deal_seed(self, deal: int) -> bytes:
        """Return the seed of a deal; it also decides who begins."""
        return series_seed(self.seed, deal)

    @cached_property
    def is_quick(self) -> tuple[bool, ...]:
        """Which seatings are played in compiled code; games whose records are kept are played in Python."""
        return tuple(
            not self.keeps_records and all(self.compiled[bot] for bot in seating) for seating in self.seatings
        )

    def identity(self) -> dict[str, Any]:
        """Return what must be equal for games to belong to one match; the number of games may differ."""
        digests = {spec: hashlib.sha256(text.encode()).hexdigest()[:16] for spec, text in self.sources}
        return {
            "version": VERSION,
            "edition": self.edition.id,
            "edition_digest": self.edition.digest,
            "bots": list(self.bots),
            "bot_digests": digests,
            "seatings": [list(seating) for seating in self.seatings],
            "seed": self.seed.hex(),
            "seconds": self.budget.seconds,
            "playouts": self.budget.playouts,
            "threads": self.budget.threads,
            "records": self.keeps_records,
        }


def make_plan(
    edition: Edition | str | Path,
    bots: Sequence[str],
    games: int,
    seed: Seed = 0,
    *,
    players: int | None = None,
    budget: Budget | None = None,
    keeps_records: bool = False,
) -> MatchPlan:
    """Plan a match of at least `games` games: whole deals, each at every seating.

    Without `players` there are as many seats as bots, within the edition's limits. A bot given more than once
    sits at several seats. Without `budget`, bots that search have 200 playouts for a move.

    >>> plan = make_plan("usa-classic", ["greedy", "random"], 5, players=4)
    >>> plan.deals, plan.games, plan.seatings
    (3, 6, ((0, 1, 0, 1), (1, 0, 1, 0)))
    """
    edition = edition if isinstance(edition, Edition) else load_edition(edition)
    if not bots:
        raise ValueError("Name at least one bot.")
    if games < 1:
        raise ValueError("Play at least 1 game.")
    least, most = edition.players
    players = edition.require_players(min(max(len(bots), least), most) if players is None else players)
    different = tuple(dict.fromkeys(bots))
    seatings = arrange_seats([different.index(bot) for bot in bots], players)
    return MatchPlan(
        edition=edition,
        bots=different,
        seatings=seatings,
        deals=-(-games // len(seatings)),
        seed=read_seed(seed),
        budget=budget or USUAL,
        keeps_records=keeps_records,
        sources=tuple((spec, path.read_text("utf-8")) for spec in different if (path := _file_of(spec))),
        compiled=tuple(is_compiled(spec) for spec in different),
    )


def arrange_seats(bots: Sequence[int], seats: int) -> tuple[Seating, ...]:
    """Return the seatings that each deal is played at, without duplicates.

    With as many bots as seats, the bots rotate round the table. With fewer, the list is repeated; with more,
    every combination of them rotates.

    >>> arrange_seats([0, 1, 1], 3)
    ((0, 1, 1), (1, 1, 0), (1, 0, 1))
    >>> arrange_seats([0, 1, 2], 2)
    ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1))
    """
    if len(bots) <= seats:
        tables = [tuple(bots[seat % len(bots)] for seat in range(seats))]
    else:
        tables = list(combinations(bots, seats))
    return tuple(dict.fromkeys(table[r:] + table[:r] for table in tables for r in range(seats)))


def is_compiled(spec: str) -> bool:
    """Tell whether a bot plays in compiled code. Users' own bots do not, even as subclasses of one."""
    return isinstance(make_bot(spec), CompiledBot) and _file_of(spec) is None


def _file_of(spec: str) -> Path | None:
    path = spec.rpartition(":")[0]
    return Path(path) if path.endswith(".py") and Path(path).is_file() else None
