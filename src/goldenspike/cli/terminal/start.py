"""Starting the terminal game from the command line's options: a new game, or a saved one."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldenspike.cli.play import LATEST
from goldenspike.cli.seating import read_seats, seat_called, verify_seats
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.changeover import Changeover, begin_interpreted, compiled_meanwhile
from goldenspike.cli.terminal.opening import choose_edition, choose_seats, rehearse
from goldenspike.cli.terminal.saving import Company, latest_kept_file
from goldenspike.cli.terminal.session import Session
from goldenspike.cli.terminal.table import GameTable, resume_table
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.editions import edition_ids, load_edition
from goldenspike.exit_codes import OK
from goldenspike.game.game import Game
from goldenspike.game.seeds import read_seed_option


def start(options: argparse.Namespace) -> int:
    """Play as the options say; return the exit code."""
    if not 0.01 <= options.think <= 600:
        raise ValueError(texts.NOT_A_TIME.format(seconds=options.think))
    if options.pace is not None and not 0 <= options.pace <= 60:
        raise ValueError(texts.NOT_A_PACE.format(seconds=options.pace))
    begin_interpreted()
    with compiled_meanwhile() as changeover:
        return _play(options, changeover)


def _play(options: argparse.Namespace, changeover: Changeover | None) -> int:
    terminal = Terminal(options.plain)
    try:
        table = _begin(options, terminal) if options.resume is None else _resume(options, terminal)
    except EOFError:
        terminal.say("", texts.GOODBYE)
        return OK
    if changeover is not None:
        table.to_say.append(texts.COMPILING)
    return Session(terminal, table, options.pace, changeover).run()


def _begin(options: argparse.Namespace, terminal: Terminal) -> GameTable:
    if options.edition is None and options.seats is None:
        terminal.say(texts.WELCOME)
    edition = load_edition(options.edition) if options.edition else choose_edition(terminal)
    seats = read_seats(options.seats) if options.seats else choose_seats(terminal, edition)
    verify_seats(edition, seats)
    first = None if options.first is None else seat_called(options.first, seats)
    seed = None if options.seed is None else read_seed_option(options.seed)
    with terminal.busy(texts.PREPARING, texts.STILL_PREPARING):
        rehearse(edition, seats)
    own_file = options.edition if options.edition not in {None, *edition_ids()} else None
    company = Company(seats, None if own_file is None else str(Path(own_file).resolve()))
    return GameTable(Game.new(edition, len(seats), seed, first), company, options.think)


def _resume(options: argparse.Namespace, terminal: Terminal) -> GameTable:
    file = latest_kept_file() if options.resume == LATEST else options.resume
    seats = read_seats(options.seats) if options.seats else None
    with terminal.busy(texts.PREPARING, texts.STILL_PREPARING):
        table = resume_table(file, options.think, seats)
        rehearse(table.game.edition, table.seats)
    return table
