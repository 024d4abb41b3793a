"""``goldenspike ladder``."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldenspike.arena.ladder import Rung, climb, draw_ladder
from goldenspike.arena.match import play_match
from goldenspike.arena.plan import Plan, make_plan
from goldenspike.arena.rows import Batch, join_batches
from goldenspike.bots import Budget, bot_names
from goldenspike.cli import FAILED, INTERRUPTED, OK
from goldenspike.cli.match import add_work_options, read_budget
from goldenspike.cli.output import print_table
from goldenspike.cli.progress import TASK, progress_bar
from goldenspike.cli.seed import read_seed_option
from goldenspike.editions import edition_ids
from goldenspike.extras import need
from goldenspike.words import count_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument(
        "--edition",
        nargs="+",
        default=list(edition_ids()),
        metavar="E",
        help="ids or files of editions (all)",
    )
    parser.add_argument(
        "--bots", nargs="+", default=bot_names(), metavar="BOT", help="who is rated (all bots)"
    )
    parser.add_argument("--players", type=int, default=2, metavar="N", help="seats at the table (2)")
    parser.add_argument(
        "--games", type=int, default=200, metavar="N", help="games of each selection of bots, at least (200)"
    )
    parser.add_argument("--seed", default="0", metavar="S", help="the same seed plays the same games (0)")
    add_work_options(parser)
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="draw the ladders into a .png or .svg file"
    )
    parser.epilog = (
        "example: goldenspike ladder --edition usa-classic new-york --games 500 --picture ladder.png"
    )


def run(options: argparse.Namespace) -> int:
    """Rate bots on each edition and print their ladders."""
    bots = list(dict.fromkeys(options.bots))
    if len(bots) < options.players:
        raise ValueError(f"A table of {options.players} needs as many different bots; there are {len(bots)}.")
    if options.picture is not None and options.picture.suffix not in {".png", ".svg"}:
        raise ValueError(f"{options.picture} should end in .png or .svg.")
    need("openskill.models", "arena")  # fail before the work, not after it
    if options.picture is not None:
        need("matplotlib", "arena")
    budget, seed = read_budget(options), read_seed_option(options.seed)
    plans = [_plan(edition, bots, options, budget, seed) for edition in options.edition]
    ladders: dict[str, list[Rung]] = {}
    forfeits = 0
    is_stopped = False
    for plan in plans:
        batch, is_stopped = _play(plan, options.jobs)
        if len(batch.rows):
            ladders[plan.edition.name] = climb(plan, batch)
            _print_ladder(plan, batch, ladders[plan.edition.name])
            forfeits += len(batch.errors)
        if is_stopped:
            break
    if options.picture is not None and ladders:
        draw_ladder(ladders, options.picture)
        print(f"drew {options.picture}")
    return INTERRUPTED if is_stopped else FAILED if forfeits else OK


def _plan(
    edition: str, bots: list[str], options: argparse.Namespace, budget: Budget, seed: int | str
) -> Plan:
    one = make_plan(edition, bots, 1, seed, players=options.players, budget=budget)
    deals = -(-options.games // options.players)  # each selection of bots plays a deal once from every seat
    return make_plan(edition, bots, deals * len(one.seatings), seed, players=options.players, budget=budget)


def _play(plan: Plan, jobs: int) -> tuple[Batch, bool]:
    parts: list[Batch] = []
    try:
        with progress_bar(plan.edition.id, plan.games) as progress:

            def on_batch(batch: Batch) -> None:
                parts.append(batch)
                progress.update(TASK, advance=len(batch.rows))

            play_match(plan, jobs=jobs, on_batch=on_batch)
    except KeyboardInterrupt:
        return join_batches(parts), True
    return join_batches(parts), False


def _print_ladder(plan: Plan, batch: Batch, rungs: list[Rung]) -> None:
    rows = [
        (
            place,
            rung.bot,
            f"{rung.rating:.0f} ± {rung.spread:.0f}",
            rung.win_share.show(1, 100, "%"),
            rung.games,
        )
        for place, rung in enumerate(rungs, start=1)
    ]
    print(f"{plan.edition.name}: {count_of(len(batch.rows), 'game')} at tables of {plan.seats}")
    print_table(("", "bot", "rating", "win share", "games"), rows, left=2)
    for error in dict.fromkeys(batch.errors.values()):
        print(f"FORFEITED: {error}")
