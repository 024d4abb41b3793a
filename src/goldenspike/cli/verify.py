"""``goldenspike verify FILE...``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from goldenspike.cli.prepare import compile_first, interpret_unless_compiled
from goldenspike.editions import Edition, load_edition
from goldenspike.errors import RecordError
from goldenspike.exit_codes import FAILED, OK
from goldenspike.game.game import Game
from goldenspike.game.record import Lines, read_record, split_records
from goldenspike.game.words import count_of
from goldenspike.output import TASK, progress_bar

_FEW_BYTES = 300_000
"""The size of some thirty games: checking them takes less time than compiling the rules."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="files of saved games")
    parser.add_argument(
        "--commitment", metavar="HEX", help="what was published before the game: it must be the record's"
    )
    parser.add_argument("--edition", metavar="FILE", help="the edition file, for games on a home-made board")
    parser.epilog = "example: goldenspike verify games.jsonl more-games.jsonl"


def run(options: argparse.Namespace) -> int:
    """Replay saved games, check everything in their records, and print a line about each."""
    edition = load_edition(options.edition) if options.edition else None
    commitment = None if options.commitment is None else _read_commitment(options.commitment)
    if commitment is not None and len(options.files) > 1:
        raise ValueError("A commitment is that of one game; give it with the file of that game alone.")
    if sum(file.stat().st_size for file in options.files) < _FEW_BYTES:
        interpret_unless_compiled(["rules"])
    compile_first(["rules"])
    verdicts = [is_valid for file in options.files for is_valid in _verify_file(file, edition, commitment)]
    if len(verdicts) > 1:
        print(f"{sum(verdicts)} of {len(verdicts)} games are valid")
    return OK if all(verdicts) else FAILED


def _read_commitment(text: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise ValueError(f"A commitment has 64 hexadecimal digits; {text!r} is none.")
    return text.lower()


def _verify_file(file: Path, edition: Edition | None, commitment: str | None) -> list[bool]:
    """Print a line about each game of a file; return which of them are valid."""
    try:
        records = split_records(file.read_text(encoding="utf-8", errors="surrogateescape"))
    except RecordError as error:
        print(f"{file}: {error}")
        return [False]
    if commitment is not None and len(records) > 1:
        raise ValueError(f"A commitment is that of one game, but {file} holds {len(records)}.")
    verdicts: list[bool] = []
    with progress_bar("verifying", len(records)) as progress:
        for index, record in enumerate(records, start=1):
            try:
                verdict, holds = f"ok, {_verify_game(record, edition, commitment)}", True
            except RecordError as error:
                verdict, holds = str(error), False
            print(f"{file}: game {index}: {verdict}")
            verdicts.append(holds)
            progress.advance(TASK)
    return verdicts


def _verify_game(record: Lines, edition: Edition | None, commitment: str | None) -> str:
    """Return a description of a record's game; raise :class:`RecordError` if the record is not valid."""
    saved = read_record(record)
    if commitment is not None and saved.header.commitment != commitment:
        raise RecordError(saved.line, "the commitment is another than the one given: the seed was changed.")
    game = Game.from_record(saved, edition)
    return (
        f"{game.edition.name}, {game.players} players, {count_of(len(game.played), 'action')}, "
        f"{game.result or 'not over yet'}"
    )
