"""``goldenspike admin list``, ``prune``, ``delete`` and ``redact``: finding games and removing them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import islice

import msgspec
from sqlalchemy import Engine

from goldenspike.exit_codes import OK
from goldenspike.game.words import count_of
from goldenspike.output import TASK, print_table, progress_bar
from goldenspike.server.play.entry import now
from goldenspike.server.settings import Settings
from goldenspike.server.storage.maintenance import existing_database
from goldenspike.server.storage.removal import delete_game, find_missing, redact_game, remove_games
from goldenspike.server.storage.summary import GameSummary, find_games

_HOURS = {"h": 1, "d": 24, "w": 7 * 24}
_VACUUM = "'goldenspike admin vacuum' clears the database's files of what is left"


def run_list(options: argparse.Namespace, settings: Settings) -> int:
    """List games, as a table for people or as JSON for programs."""
    before = None if options.older_than is None else _time_before(options.older_than)
    if options.limit is not None and options.limit < 1:
        raise ValueError(f"--limit must be at least 1, not {options.limit}.")
    with existing_database(settings.database) as engine:
        found = find_games(engine, before=before, state=options.state, edition=options.edition)
        games = islice(found, options.limit)
        if options.json:
            for game in games:
                print(msgspec.json.encode(game).decode())
        else:
            _print_games(list(games))
    return OK


def _print_games(games: Sequence[GameSummary]) -> None:
    if not games:
        print("There are no such games.")
        return
    rows = [
        (
            game.id,
            game.edition,
            game.state,
            ", ".join(_show_names(game.names)),
            _show_age(game.created),
            _show_age(game.last_active),
            game.entries,
        )
        for game in games
    ]
    print_table(("game", "edition", "state", "players", "age", "idle", "entries"), rows, left=4, wrap=3)
    print(count_of(len(games), "game"))


def _show_names(names: Iterable[str | None]) -> Iterable[str]:
    for name in names:
        # Names come from strangers, and a terminal would execute their control characters.
        yield "(open)" if name is None else "".join(c if c.isprintable() else "\ufffd" for c in name)


def _show_age(time: datetime) -> str:
    hours = int((datetime.now(UTC) - time).total_seconds()) // 3600
    return f"{hours}h" if hours < 2 * _HOURS["d"] else f"{hours // _HOURS['d']}d"


def run_prune(options: argparse.Namespace, settings: Settings) -> int:
    """Remove games that have been inactive for long."""
    before = _time_before(options.older_than)
    with existing_database(settings.database) as engine:
        old = list(find_games(engine, before=before, state=options.state))
        removed = len(old) if options.dry_run else _remove(engine, [game.id for game in old], before)
    finished = sum(game.state == "finished" for game in old)
    print(
        f"{'would remove' if options.dry_run else 'removed'} {count_of(removed, 'game')} "
        f"({finished} finished, {len(old) - finished} not)"
    )
    return OK


def _remove(engine: Engine, games: Sequence[str], before: int) -> int:
    with progress_bar("removing", len(games)) as progress:
        return remove_games(engine, games, before, lambda done: progress.advance(TASK, done))


def run_delete(options: argparse.Namespace, settings: Settings) -> int:
    """Remove games that the operator names."""
    games = list(dict.fromkeys(options.games))
    with existing_database(settings.database) as engine:
        require_games(engine, games)
        with progress_bar("deleting", len(games)) as progress:
            for game in games:
                delete_game(engine, game)
                progress.advance(TASK)
    print(f"deleted {count_of(len(games), 'game')}; {_VACUUM} of {'it' if len(games) == 1 else 'them'}")
    return OK


def run_redact(options: argparse.Namespace, settings: Settings) -> int:
    """Remove names and chat from finished games; their moves stay."""
    games = list(dict.fromkeys(options.games))
    seat = None if options.seat is None else options.seat - 1
    with existing_database(settings.database) as engine:
        require_games(engine, games)
        for game in find_games(engine, games=games):
            if game.state != "finished":
                raise ValueError(
                    f"{game.id} is not over, and its players still need their names: "
                    "wait for its end, or remove all of it with 'goldenspike admin delete'."
                )
            if seat is not None and seat not in range(len(game.names)):
                raise ValueError(f"{game.id} has seats 1 to {len(game.names)}, not {options.seat}.")
        for game in games:
            redact_game(engine, game, seat)
    print(f"removed names and chat from {count_of(len(games), 'game')}; {_VACUUM} of them")
    return OK


def require_games(engine: Engine, games: Sequence[str]) -> None:
    """Raise `ValueError` if a game id does not exist."""
    if missing := find_missing(engine, games):
        raise ValueError(
            f"There is no game {' or '.join(missing)}; 'goldenspike admin list' prints the ids of all games."
        )


def _time_before(age: str) -> int:
    return now() - read_hours(age) * 3_600_000


def read_hours(age: str) -> int:
    """Return an age in hours.

    >>> read_hours("90d"), read_hours("2w"), read_hours("12h")
    (2160, 336, 12)
    """
    match = re.fullmatch(r"(\d{1,6})([hdw])", age)
    if match is None or int(match[1]) == 0:
        raise ValueError(f"{age!r} is no age: write hours, days or weeks, as in 12h, 90d or 8w.")
    return int(match[1]) * _HOURS[match[2]]
