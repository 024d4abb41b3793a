"""``goldenspike match BOT BOT ...``."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from math import isnan
from pathlib import Path

from goldenspike.arena.file import MatchFile, journal_of
from goldenspike.arena.match import play_match, sample_clock
from goldenspike.arena.plan import USUAL, MatchPlan, make_plan
from goldenspike.arena.rows import GameRows, fingerprint, join_batches
from goldenspike.arena.summary import MatchSummary, sum_up
from goldenspike.bots import Budget, bot_names, describe_bot
from goldenspike.cli.options import add_device_option
from goldenspike.cli.prepare import compile_first
from goldenspike.compilation import TO_MATCH
from goldenspike.device import choose_device
from goldenspike.editions import edition_ids
from goldenspike.exit_codes import FAILED, INTERRUPTED, OK
from goldenspike.game.seeds import read_seed_option
from goldenspike.game.words import count_of
from goldenspike.output import TASK, print_table, progress_bar


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("bots", nargs="+", metavar="BOT", help="a bot's name, a level, or mine.py:MyBot")
    parser.add_argument(
        "--edition", default=edition_ids()[0], metavar="E", help=f"id or file ({edition_ids()[0]})"
    )
    parser.add_argument("--players", type=int, metavar="N", help="seats at the table (as many as bots)")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="games to play, at least (1000)")
    parser.add_argument("--seed", default="0", metavar="S", help="the same seed plays the same games (0)")
    add_work_options(parser)
    add_device_option(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the results in this .parquet file")
    parser.add_argument("--records", action="store_true", help="keep every game's record in it as well")
    parser.add_argument("--resume", action="store_true", help="resume FILE; fail if it does not exist")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="play on a Ray cluster; 'local' starts one on this machine"
    )
    parser.epilog = (
        "example: goldenspike match greedy random --edition usa-classic --games 2000 --out match.parquet\n\n"
        "Every deal is played several times, with the bots rotated around the table. Ctrl-C keeps the\n"
        "games played; the same command with the same file resumes the match.\n\n"
        "bots:\n" + "\n".join(f"  {name:<12}{describe_bot(name)}" for name in bot_names())
    )


def add_work_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for thinking time and parallelism."""
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="workers (all cores)")
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument(
        "--seconds", type=float, metavar="S", help="thinking time for a move, for bots that search"
    )
    budget.add_argument(
        "--playouts", type=int, metavar="N", help=f"or the games they try out for a move ({USUAL.playouts})"
    )


def read_budget(options: argparse.Namespace) -> Budget:
    """Return the bots' thinking time."""
    if options.jobs < 1:
        raise ValueError("Give at least 1 job.")
    for limit in (options.seconds, options.playouts):
        if limit is not None and limit <= 0:
            raise ValueError("Bots need more than 0 seconds or playouts to think.")
    if options.seconds is None and options.playouts is None:
        return USUAL
    return Budget(options.seconds, options.playouts)


def run(options: argparse.Namespace) -> int:
    """Play a match and print its table."""
    plan = make_plan(
        options.edition,
        options.bots,
        options.games,
        read_seed_option(options.seed),
        players=options.players,
        budget=read_budget(options),
        keeps_records=options.records,
    )
    _verify_file(options.out, options)
    batch, sample, is_stopped = _play(plan, options)
    summary = sum_up(plan.bots, plan.seatings, batch, sample)
    print_summary(summary, len(plan.seatings))
    how = (
        "not repeatable, bots had a clock"
        if plan.budget.seconds
        else "the same wherever this match is played"
    )
    print(f"results {fingerprint(batch)[:16]}: {how}")
    if options.out is not None and len(batch.rows):
        print(f"kept {count_of(len(batch.rows), 'game')} in {options.out}")
    if is_stopped:
        print(
            f"Stopped with {plan.games - len(batch.rows)} games left"
            + ("; the same command resumes the match." if options.out else ".")
        )
        return INTERRUPTED
    return FAILED if summary.forfeited else OK


def _verify_file(path: Path | None, options: argparse.Namespace) -> None:
    if path is None:
        if options.records or options.resume:
            raise ValueError("Name the file with --out FILE.parquet.")
    elif options.resume and not path.exists() and not journal_of(path).exists():
        raise ValueError(f"There is no {path} to resume; leave out --resume to start it.")


def _play(plan: MatchPlan, options: argparse.Namespace) -> tuple[GameRows, GameRows, bool]:
    """Return the games, those played to measure time, and whether Ctrl-C came before the end."""
    device = choose_device(options.device)
    file = None
    if options.out is not None:
        file = MatchFile(options.out, plan, canonical_command(plan, options.bots, options.edition))
    known = GameRows() if file is None else file.done
    compile_first(TO_MATCH)
    parts = [known]
    is_stopped = False
    with file or nullcontext():
        try:
            with progress_bar("playing", plan.games) as progress:
                progress.update(TASK, completed=len(known.rows))

                def on_batch(batch: GameRows) -> None:
                    parts.append(batch)
                    if file is not None:
                        file.add(batch)
                    progress.update(TASK, advance=len(batch.rows))

                play_match(
                    plan,
                    jobs=options.jobs,
                    cluster=options.cluster,
                    device=device,
                    done=known,
                    on_batch=on_batch,
                )
            sample = sample_clock(plan)
            if file is not None:
                file.sample = sample
        except KeyboardInterrupt:
            is_stopped, sample = True, GameRows()
    return join_batches(parts), sample, is_stopped


def canonical_command(plan: MatchPlan, bots: Sequence[str], edition: str) -> str:
    """Return the command that plays these games, without options that do not affect them."""
    words = ["goldenspike", "match", *bots, "--edition", edition, "--players", plan.seats]
    words += ["--games", plan.games, "--seed", plan.seed.hex()]
    for option in ("seconds", "playouts"):
        if (value := getattr(plan.budget, option)) is not None:
            words += [f"--{option}", value]
    return shlex.join(map(str, [*words, *(["--records"] if plan.keeps_records else [])]))


def print_summary(summary: MatchSummary, seatings: int) -> None:
    """Print the table of a match, and further results below it."""
    rows = [
        (
            bot.bot,
            bot.games,
            bot.win_share.show(1, 100, "%"),
            bot.score.show(),
            bot.made.show(2),
            bot.failed.show(2),
            ("~ " if bot.is_sampled else "") + _show_time(bot.seconds.mean, bot.seconds.half),
        )
        for bot in summary.bots
    ]
    print_table(("bot", "games", "win share", "score", "tickets completed", "failed", "time per move"), rows)
    deals = f"{count_of(summary.deals, 'deal')}, each at {count_of(seatings, 'seating')}"
    print(
        f"{count_of(summary.games, 'game')} ({deals}), {summary.decisions:.1f} decisions each; "
        "± is 95%, by deal"
    )
    endings = ", ".join(f"{name} {count}" for name, count in summary.endings.items())
    print(f"endings: {endings or 'none'}")
    if summary.left_out:
        print(f"left out of the table: {count_of(summary.left_out, 'game')} of deals that are not complete")
    if summary.too_long:
        print(f"stopped as too long, and shared by all: {count_of(summary.too_long, 'game')}")
    for bot in summary.bots:
        if bot.forfeits:
            print(f"FORFEITED by {bot.bot}: {count_of(bot.forfeits, 'game')}")
    for error, count in list(summary.errors.items())[:3]:
        print(f"  {count} times: {error}")


def _show_time(mean: float, half: float) -> str:
    if isnan(mean):  # not measured
        return "-"
    unit, scale = ("µs", 1e6) if mean < 1e-3 else ("ms", 1e3) if mean < 1 else ("s", 1.0)
    spread = "" if isnan(half) else f" ± {half * scale:.1f}"
    return f"{mean * scale:.1f}{spread} {unit}"
