"""From the command line to a table: a new game, or one that was left."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldenspike.cli import OK
from goldenspike.cli.play import LATEST
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.opening import choose_edition, choose_seats, rehearse, verify_seats
from goldenspike.cli.terminal.saving import Company, latest_kept_file, load_game, state_folder
from goldenspike.cli.terminal.seating import Seat, read_seats
from goldenspike.cli.terminal.session import Session
from goldenspike.cli.terminal.table import Table
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.editions import edition_ids, load_edition
from goldenspike.game import Game


def start(options: argparse.Namespace) -> int:
    """Play as the options say; return the exit code."""
    if not 0.01 <= options.think <= 600:
        raise ValueError(texts.NOT_A_TIME.format(seconds=options.think))
    terminal = Terminal(options.plain)
    try:
        table = _begin(options, terminal) if options.resume is None else _resume(options, terminal)
    except EOFError:
        terminal.say("", texts.GOODBYE)
        return OK
    return Session(terminal, table).run()


def _begin(options: argparse.Namespace, terminal: Terminal) -> Table:
    if options.edition is None and options.seats is None:
        terminal.say(texts.WELCOME)
    edition = load_edition(options.edition) if options.edition else choose_edition(terminal)
    seats = read_seats(options.seats) if options.seats else choose_seats(terminal, edition)
    verify_seats(edition, seats)
    first = None if options.first is None else _seat_called(options.first, seats)
    seed = None if options.seed is None else int(options.seed) if options.seed.isdecimal() else options.seed
    with terminal.busy(texts.PREPARING, texts.COMPILING):
        rehearse(edition, seats)
    own_file = options.edition if options.edition not in {None, *edition_ids()} else None
    company = Company(seats, None if own_file is None else str(Path(own_file).resolve()))
    return Table(Game.new(edition, len(seats), seed, first), company, options.think)


def _seat_called(word: str, seats: list[Seat]) -> int:
    wanted = texts.YOU if word.lower() == "me" else word
    names = [seat.name for seat in seats]
    if wanted not in names:
        raise ValueError(texts.NO_SUCH_FIRST.format(word=word, names=", ".join(names)))
    return names.index(wanted)


def _resume(options: argparse.Namespace, terminal: Terminal) -> Table:
    file = latest_kept_file() if options.resume == LATEST else options.resume
    seats = read_seats(options.seats) if options.seats else None
    with terminal.busy(texts.PREPARING, texts.COMPILING):
        game, company = load_game(file, seats)
        verify_seats(game.edition, company.seats)
        rehearse(game.edition, company.seats)
    # A game left behind goes on in its place; one that was saved is not touched by playing on.
    kept = file if file.resolve().parent == state_folder().resolve() else None
    return Table(game, company, options.think, kept)
