"""``goldenspike simulate EDITION``."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from goldenspike.cli.files import require_writable, whole_file
from goldenspike.cli.options import add_device_option
from goldenspike.cli.prepare import compile_first
from goldenspike.compilation import TO_SIMULATE
from goldenspike.device import choose_device
from goldenspike.editions import load_edition
from goldenspike.exit_codes import OK
from goldenspike.game.seeds import read_seed, read_seed_option
from goldenspike.game.words import count_of, tell_apart
from goldenspike.output import TASK, print_table, progress_bar
from goldenspike.simulation import Simulation, random_games, simulate


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("edition", help="an edition's id, or the path of its file")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="seats at the table (2)")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="games to play (1000)")
    parser.add_argument("--seed", default="0", metavar="S", help="the same seed plays the same games (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="threads (all cores)")
    add_device_option(parser)
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep every game as a record in this file")
    parser.epilog = "example: goldenspike simulate usa-classic --players 4 --games 10000 --seed 7"


def run(options: argparse.Namespace) -> int:
    """Play random games, print a summary, and save them if asked."""
    edition = load_edition(options.edition)
    least, most = edition.players
    if not least <= options.players <= most:
        raise ValueError(f"{edition.name} is for {least} to {most} players, not {options.players}.")
    if options.games < 1 or options.jobs < 1:
        raise ValueError("Give at least 1 game and 1 job.")
    seed = read_seed(read_seed_option(options.seed))
    require_writable(options.save)
    device = choose_device(options.device)
    if device == "cpu":
        compile_first(TO_SIMULATE)
    with progress_bar("playing", options.games) as progress:
        # Loads the compiled code, so that only playing is timed.
        simulate(edition, options.players, 1, seed, device=device)
        start = time.perf_counter()
        run_ = simulate(
            edition,
            options.players,
            options.games,
            seed,
            options.jobs,
            lambda done: progress.advance(TASK, done),
            device,
        )
        seconds = time.perf_counter() - start
    _print_summary(run_, seconds)
    if options.save is not None:
        _save(options.save, run_, seed)
    return OK


def _print_summary(run_: Simulation, seconds: float) -> None:
    games, decisions = len(run_.summaries), int(run_.summaries["decisions"].sum())
    rows = [
        (
            f"seat {seat + 1}",
            f"{run_.win_shares[seat]:.1%}",
            f"{run_.totals[:, seat].mean():.1f}",
            f"{run_.totals[:, seat].std():.1f}",
            f"{run_.summaries['completed'][:, seat].mean():.2f}",
        )
        for seat in range(run_.players)
    ]
    print_table(("random play", "wins", "mean score", "spread", "tickets completed"), rows)
    endings = ", ".join(f"{name} {count}" for name, count in run_.endings.items())
    turns = run_.summaries["turns"].mean()
    print(f"{games} games, {decisions / games:.1f} decisions and {turns:.1f} turns each")
    print(f"endings: {endings}")
    print(f"{seconds:.2f} s: {games / seconds:,.0f} games/s, {decisions / seconds:,.0f} decisions/s")


def _save(path: Path, run_: Simulation, seed: bytes) -> None:
    games = len(run_.summaries)
    names = tell_apart(["random"] * run_.players)
    with (
        whole_file(path) as new,
        new.open("w", encoding="utf-8") as file,
        progress_bar("saving", games) as progress,
    ):
        for game in random_games(run_.edition, run_.players, games, seed):
            game.names = names
            file.write(game.record())
            progress.advance(TASK)
    print(f"saved {count_of(games, 'game')} in {path}")
