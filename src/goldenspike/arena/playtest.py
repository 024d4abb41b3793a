"""Playtests: let a bot play an edition at every number of seats, and report findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from goldenspike.arena.findings import SUBJECTS, Finding, find_problems
from goldenspike.arena.match import play_match
from goldenspike.arena.plan import is_compiled, make_plan
from goldenspike.arena.report import page
from goldenspike.arena.report.report import describe_study
from goldenspike.arena.rows import GameRows
from goldenspike.arena.study import Study, describe_board, study_match
from goldenspike.arena.summary import MatchSummary, sum_up
from goldenspike.boards import load_board
from goldenspike.bots import bot_names, describe_bot
from goldenspike.editions import Edition, find_board, is_board, load_edition
from goldenspike.game.seeds import Seed


@dataclass(frozen=True)
class Playtest:
    """The result of a playtest."""

    edition: Edition
    bot: str
    studies: tuple[tuple[Study, MatchSummary], ...]
    """One for each number of seats."""
    findings: tuple[Finding, ...]


def best_quick_bot() -> str:
    """Return the strongest bot that plays in compiled code."""
    return [name for name in bot_names() if is_compiled(name)][-1]


def try_out(
    edition: Edition,
    games: int,
    seed: Seed = 0,
    *,
    bot: str | None = None,
    jobs: int | None = None,
    on_progress: Callable[[int], None] = lambda _done: None,
) -> Playtest:
    """Let a bot play an edition against itself, `games` games at each number of seats.

    >>> from goldenspike.editions import load_edition
    >>> trial = try_out(load_edition("new-york"), 20, bot="greedy", jobs=1)
    >>> [study.seats for study, _ in trial.studies]
    [2, 3, 4]
    """
    bot = bot or best_quick_bot()
    board = describe_board(edition)
    studies: list[tuple[Study, MatchSummary]] = []
    for seats in range(edition.players[0], edition.players[1] + 1):
        plan = make_plan(edition, [bot], games, seed, players=seats)

        def on_batch(batch: GameRows) -> None:
            on_progress(len(batch.rows))

        batch = play_match(plan, jobs=jobs, on_batch=on_batch)
        study = study_match(board, plan.bots, plan.seatings, batch)
        studies.append((study, sum_up(plan.bots, plan.seatings, batch)))
    return Playtest(edition, bot, tuple(studies), tuple(find_problems(edition, studies)))


def find_edition(first: str | Path, second: str | Path | None = None) -> Edition:
    """Return the edition that one or two names mean, each an id or a path.

    The names are an edition, a board with exactly one edition beside it, or both in any order.

    >>> find_edition("usa", "usa-mega").name == find_edition("usa-mega").name
    True
    """
    if second is None:
        return load_edition(first)
    if is_board(first) == is_board(second):
        kind = "boards" if is_board(first) else "editions"
        raise ValueError(f"{first} and {second} are both {kind}; give one board and one edition.")
    board, name = (first, second) if is_board(first) else (second, first)
    edition = load_edition(name)
    if load_board(board).digest != edition.board.digest:
        raise ValueError(f"{name} is not played on {board}: its board is {find_board(str(name))}.")
    return edition


def write_playtest(trial: Playtest) -> str:
    """Return a playtest as one page of HTML."""
    title = f"{trial.edition.name}: playtest"
    return page.write_page(title, _parts(trial, title))


def _parts(trial: Playtest, title: str) -> Iterator[str]:
    about = "" if ":" in trial.bot else f" ({describe_bot(trial.bot)})"
    games = sum(summary.games for _, summary in trial.studies)
    yield page.heading(title, 1)
    yield page.paragraph(
        f"{games:,} games of {trial.bot}{about} against itself, at every number of players. "
        "What a bot does not do, people may: take this as hints where to look.",
        soft=True,
    )
    yield page.heading("What looks wrong")
    if not trial.findings:
        yield page.paragraph("Nothing.")
    for subject in SUBJECTS:
        texts = [finding.text for finding in trial.findings if finding.subject == subject]
        if texts:
            yield page.heading(subject.capitalize(), 3) + page.bullets(texts)
    for study, _ in trial.studies:
        yield page.heading(f"{study.seats} players", 1)
        if study.games:
            yield from describe_study(study)
