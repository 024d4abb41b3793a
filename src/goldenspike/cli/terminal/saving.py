"""Saved games: a record that `goldenspike replay` reads too, and a file beside it with the seats."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path

import msgspec

from goldenspike.bots import LEVELS
from goldenspike.cli.files import whole_file
from goldenspike.cli.seating import ME, Seat
from goldenspike.cli.terminal import texts
from goldenspike.editions import load_edition
from goldenspike.errors import RecordError
from goldenspike.game.game import Game

SUFFIX = ".jsonl"
SEATS_SUFFIX = ".seats"


class Company(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a record does not contain: the players, and the edition's file if it is a user's own."""

    seats: list[Seat]
    edition_file: str | None = None


def state_folder() -> Path:
    """Return the folder for games in progress, by the platform's convention."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return base / "goldenspike"


def new_kept_file(edition_id: str) -> Path:
    """Return the path of a file for a game that begins now; it does not exist yet."""
    stem = f"{datetime.now().astimezone():%Y-%m-%d-%H%M%S}-{edition_id}"
    folder = state_folder()
    names = (f"{stem}{'' if n == 1 else f'-{n}'}{SUFFIX}" for n in range(1, 1000))
    return next(folder / name for name in names if not (folder / name).exists())


def latest_kept_file() -> Path:
    """Return the most recently played of the kept games; raise `ValueError` if there is none."""
    folder = state_folder()
    files = sorted(folder.glob(f"[!.]*{SUFFIX}"), key=lambda file: file.stat().st_mtime)
    if not files:
        raise ValueError(texts.NO_KEPT_GAME.format(folder=folder, command=texts.play_command()))
    return files[-1]


def _seats_file(file: Path) -> Path:
    return file.with_name(file.name + SEATS_SUFFIX)


def save_game(file: Path, game: Game, company: Company) -> None:
    """Write a game and its players atomically: the file is always complete, the old one or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    seats = msgspec.json.format(msgspec.json.encode(company), indent=2) + b"\n"
    seats_file = _seats_file(file)
    if not (seats_file.is_file() and seats_file.read_bytes() == seats):
        with whole_file(seats_file) as new:
            new.write_bytes(seats)
    with whole_file(file) as new:
        new.write_text(game.record(), encoding="utf-8", newline="")


def load_game(file: Path, seats: list[Seat] | None = None) -> tuple[Game, Company]:
    """Read a saved game, checking every move, and its players; `seats` are for a record without them."""
    if not file.is_file():
        raise ValueError(texts.NO_SUCH_FILE.format(file=file))
    company = _load_company(file)
    edition = load_edition(company.edition_file) if company and company.edition_file else None
    try:
        game = Game.from_record(file.read_text(encoding="utf-8", errors="surrogateescape"), edition)
    except RecordError as error:
        raise ValueError(texts.BAD_RECORD.format(file=file, error=error)) from None
    if seats is not None:
        company = Company(seats, company.edition_file if company else None)
    if company is None:
        example = ",".join([ME, *[next(iter(LEVELS))] * (game.players - 1)])
        raise ValueError(
            texts.NO_SEATS_FILE.format(
                file=file, count=game.players, example=example, command=texts.play_command()
            )
        )
    if len(company.seats) != game.players:
        names = ", ".join(seat.name for seat in company.seats)
        raise ValueError(
            texts.SEATS_DIFFER.format(file=file, count=game.players, given=len(company.seats), names=names)
        )
    return game, company


def _load_company(file: Path) -> Company | None:
    seats_file = _seats_file(file)
    if not seats_file.is_file():
        return None
    try:
        return msgspec.json.decode(seats_file.read_bytes(), type=Company)
    except msgspec.DecodeError as error:
        raise ValueError(texts.BAD_SEATS_FILE.format(file=seats_file, error=error)) from None


def drop_game(file: Path) -> None:
    """Remove a kept game."""
    file.unlink(missing_ok=True)
    _seats_file(file).unlink(missing_ok=True)
