"""``goldenspike admin export``: records of games."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from goldenspike.cli.admin.games import require_games
from goldenspike.cli.files import require_writable, whole_file
from goldenspike.exit_codes import FAILED, OK
from goldenspike.game.words import count_of
from goldenspike.output import TASK, progress_bar
from goldenspike.server.archive.export import export_record
from goldenspike.server.play.catalogue import Catalogue
from goldenspike.server.settings import Settings
from goldenspike.server.storage.database import Database
from goldenspike.server.storage.maintenance import existing_database
from goldenspike.server.storage.summary import GameSummary, find_games

_SUFFIX = ".jsonl"
_Write = Callable[[str, str], None]


def run_export(options: argparse.Namespace, settings: Settings) -> int:
    """Write the records of games into one file, or into a file for each."""
    target: Path = options.file
    with existing_database(settings.database) as engine:
        require_games(engine, options.games)
        found = list(find_games(engine, games=options.games or None))
        found.reverse()  # the oldest first
        unfinished = [game for game in found if game.state != "finished"]
        if unfinished and not options.unfinished and options.games:
            raise ValueError(
                f"{unfinished[0].id} is not over: its record would reveal hidden cards and the seed. "
                "Add --unfinished to export it all the same."
            )
        chosen = found if options.unfinished else [game for game in found if game.state == "finished"]
        if not chosen:
            raise ValueError(
                "There are no finished games to export; --unfinished includes games that are not over."
            )
        failed = _export_all(chosen, target, settings)
    print(f"wrote {count_of(len(chosen) - failed, 'record')} to {target}")
    if unfinished and options.unfinished:
        _say(
            f"warning: {count_of(len(unfinished), 'game')} not over yet: the records reveal hidden cards and "
            "all cards to come, so do not give them to anyone who plays or watches"
        )
    elif unfinished:
        _say(f"left out {count_of(len(unfinished), 'game')} not over yet; --unfinished includes them")
    return FAILED if failed else OK


def _export_all(games: Sequence[GameSummary], target: Path, settings: Settings) -> int:
    """Write the records of games; return how many could not be written."""
    catalogue = Catalogue(Path(settings.editions) if settings.editions else None)
    database = Database(settings.database, 1)
    failed = 0
    try:
        with _open_target(target) as write, progress_bar("exporting", len(games)) as progress:
            for game in games:
                try:
                    write(game.id, export_record(database, catalogue, game.id))
                except ValueError as error:
                    _say(f"{game.id} is left out: {error}")
                    failed += 1
                progress.advance(TASK)
    finally:
        database.close()
    return failed


@contextmanager
def _open_target(target: Path) -> Generator[_Write]:
    """Yield a function that writes a game's record: into one file of all games, or into a file per game."""
    if target.suffix == _SUFFIX and not target.is_dir():
        require_writable(target)
        with whole_file(target) as file, file.open("w", encoding="utf-8") as out:
            yield lambda _, record: print(record, end="", file=out)
        return
    if target.exists() and not target.is_dir():
        raise NotADirectoryError(
            f"{target} is a file, but no {_SUFFIX} file: name a folder or NAME{_SUFFIX}."
        )
    target.mkdir(parents=True, exist_ok=True)

    def write(game: str, record: str) -> None:
        with whole_file(target / f"{game}{_SUFFIX}") as file:
            file.write_text(record, encoding="utf-8")

    yield write


def _say(text: str) -> None:
    print(text, file=sys.stderr)
