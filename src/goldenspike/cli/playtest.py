"""``goldenspike playtest BOARD EDITION``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from goldenspike.arena.playtest import Playtest, best_quick_bot, find_edition, try_out, write_playtest
from goldenspike.bots import describe_bot
from goldenspike.cli.files import require_writable, whole_file
from goldenspike.cli.prepare import compile_first
from goldenspike.compilation import TO_MATCH
from goldenspike.exit_codes import OK
from goldenspike.game.seeds import read_seed_option
from goldenspike.game.words import count_of
from goldenspike.output import TASK, print_table, progress_bar


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("file", help="an edition file or a board file, or the id of an edition")
    parser.add_argument("other", nargs="?", help="the other of the two, if the first is not enough")
    parser.add_argument(
        "--games", type=int, default=2000, metavar="N", help="games at each number of players (2000)"
    )
    parser.add_argument(
        "--bot", metavar="BOT", help=f"who plays ({best_quick_bot()}, the best of the quick ones)"
    )
    parser.add_argument("--seed", default="0", metavar="S", help="the same seed plays the same games (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="workers (all cores)")
    parser.add_argument("--out", type=Path, metavar="PAGE", help="write a page with pictures as well")
    parser.epilog = "example: goldenspike playtest my-board.toml my-edition.toml --out playtest.html"


def run(options: argparse.Namespace) -> int:
    """Let bots try out a board, and print what looks unfair or unused."""
    if options.games < 1 or options.jobs < 1:
        raise ValueError("Give at least 1 game and 1 job.")
    edition = find_edition(options.file, options.other)
    require_writable(options.out)
    least, most = edition.players
    compile_first(TO_MATCH)
    with progress_bar("playing", options.games * (most - least + 1)) as progress:
        trial = try_out(
            edition,
            options.games,
            read_seed_option(options.seed),
            bot=options.bot,
            jobs=options.jobs,
            on_progress=lambda done: progress.update(TASK, advance=done),
        )
    _print(trial)
    if options.out is not None:
        page = write_playtest(trial)
        with whole_file(options.out) as file:
            file.write_text(page, encoding="utf-8")
        print(f"wrote {options.out}: open it in a browser")
    return OK


def _print(trial: Playtest) -> None:
    rows = [
        (
            study.seats,
            summary.games,
            f"{study.rows['turns'].mean() / study.seats:.1f}" if study.games else "-",
            summary.bots[0].score.show(),
            summary.bots[0].made.show(2),
            summary.bots[0].failed.show(2),
            study.turns[0].show(1, 100, "%"),
        )
        for study, summary in trial.studies
    ]
    about = f": {describe_bot(trial.bot)}" if ":" not in trial.bot else ""
    print(f"{trial.edition.name}, played by {trial.bot}{about}")
    head = ("players", "games", "turns each", "score", "tickets completed", "failed", "who begins wins")
    print_table(head, rows)
    if not trial.findings:
        print("Nothing looks unfair or dead.")
        return
    print(f"{count_of(len(trial.findings), 'thing')} to look at:")
    for finding in trial.findings:
        print(f"- {finding.subject}: {finding.text}")
