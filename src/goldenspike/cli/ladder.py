"""``goldenspike ladder``."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldenspike.arena.ladder import Rung, climb, draw_ladder
from goldenspike.arena.match import play_match
from goldenspike.arena.plan import MatchPlan, make_plan
from goldenspike.arena.rows import GameRows, join_batches
from goldenspike.bots import Budget, bot_names
from goldenspike.cli.files import require_writable, whole_file
from goldenspike.cli.match import add_work_options, read_budget
from goldenspike.cli.prepare import compile_first
from goldenspike.compilation import TO_MATCH
from goldenspike.editions import edition_ids
from goldenspike.exit_codes import FAILED, INTERRUPTED, OK
from goldenspike.extras import need
from goldenspike.game.seeds import read_seed_option
from goldenspike.game.words import count_of
from goldenspike.output import TASK, print_table, progress_bar

_MOST_AFTER_CTRL_C = 4_000
"""Games that are rated after Ctrl-C: half a second's work."""


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
        "--bots", nargs="+", default=bot_names(), metavar="BOT", help="the bots to rate (all)"
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
    """Rate bots in each edition and print the ratings."""
    bots = list(dict.fromkeys(options.bots))
    if len(bots) < options.players:
        raise ValueError(f"A table of {options.players} needs as many different bots; there are {len(bots)}.")
    if options.picture is not None and options.picture.suffix not in {".png", ".svg"}:
        raise ValueError(f"{options.picture} should end in .png or .svg.")
    need("openskill.models", "arena")  # fail before the work, not after it
    if options.picture is not None:
        need("matplotlib", "arena")
        require_writable(options.picture)
    budget, seed = read_budget(options), read_seed_option(options.seed)
    plans = [_plan(edition, bots, options, budget, seed) for edition in options.edition]
    ladders: dict[str, list[Rung]] = {}
    forfeits = 0
    is_stopped = False
    for plan in plans:
        batch, is_stopped = _play(plan, options.jobs)
        if is_stopped:
            _print_what_was_played(plan, batch)
            break
        ladders[plan.edition.name] = climb(plan, batch)
        _print_ladder(plan, batch, ladders[plan.edition.name])
        forfeits += len(batch.errors)
        if options.picture is not None:  # after each edition, so that Ctrl-C is not delayed by it
            with whole_file(options.picture) as file:
                draw_ladder(ladders, file)
    if options.picture is not None and ladders:
        print(f"drew {', '.join(ladders)} in {options.picture}")
    return INTERRUPTED if is_stopped else FAILED if forfeits else OK


def _plan(
    edition: str, bots: list[str], options: argparse.Namespace, budget: Budget, seed: int | str
) -> MatchPlan:
    one = make_plan(edition, bots, 1, seed, players=options.players, budget=budget)
    deals = -(-options.games // options.players)  # each combination of bots plays a deal once from every seat
    return make_plan(edition, bots, deals * len(one.seatings), seed, players=options.players, budget=budget)


def _play(plan: MatchPlan, jobs: int) -> tuple[GameRows, bool]:
    parts: list[GameRows] = []
    try:
        compile_first(TO_MATCH)
        with progress_bar(plan.edition.id, plan.games) as progress:

            def on_batch(batch: GameRows) -> None:
                parts.append(batch)
                progress.update(TASK, advance=len(batch.rows))

            play_match(plan, jobs=jobs, on_batch=on_batch)
    except KeyboardInterrupt:
        return join_batches(parts), True
    return join_batches(parts), False


def _print_what_was_played(plan: MatchPlan, batch: GameRows) -> None:
    """Print the ratings of an interrupted edition, from as many games as can be rated quickly."""
    if rated := len(batch.rows[:_MOST_AFTER_CTRL_C]):
        few = GameRows(batch.rows[:rated], batch.errors)
        _print_ladder(plan, few, climb(plan, few))
    print(f"Stopped after {count_of(len(batch.rows), 'game')} of {plan.games}, of which {rated} were rated.")


def _print_ladder(plan: MatchPlan, batch: GameRows, rungs: list[Rung]) -> None:
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
