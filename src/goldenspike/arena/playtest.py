"""Let bots try out a board: at every number of seats, and say what they found."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from goldenspike.arena import page
from goldenspike.arena.findings import SUBJECTS, Finding, find_problems
from goldenspike.arena.match import play_match
from goldenspike.arena.plan import is_compiled, make_plan
from goldenspike.arena.report import describe_study
from goldenspike.arena.rows import Batch
from goldenspike.arena.shape import describe_board
from goldenspike.arena.study import Study, study_match
from goldenspike.arena.summary import Summary, sum_up
from goldenspike.boards import load_board
from goldenspike.bots import bot_names, describe_bot
from goldenspike.editions import Edition, load_edition
from goldenspike.seeds import Seed


@dataclass(frozen=True)
class Playtest:
    """What came of trying out an edition."""

    edition: Edition
    bot: str
    studies: tuple[tuple[Study, Summary], ...]
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
    """Let a bot play an edition against itself, so many games at each number of seats.

    >>> from goldenspike.editions import load_edition
    >>> trial = try_out(load_edition("new-york"), 20, bot="greedy", jobs=1)
    >>> [study.seats for study, _ in trial.studies]
    [2, 3, 4]
    """
    bot = bot or best_quick_bot()
    board = describe_board(edition)
    studies: list[tuple[Study, Summary]] = []
    for seats in range(edition.players[0], edition.players[1] + 1):
        plan = make_plan(edition, [bot], games, seed, players=seats)

        def on_batch(batch: Batch) -> None:
            on_progress(len(batch.rows))

        batch = play_match(plan, jobs=jobs, on_batch=on_batch)
        study = study_match(board, plan.bots, plan.seatings, batch)
        studies.append((study, sum_up(plan.bots, plan.seatings, batch)))
    return Playtest(edition, bot, tuple(studies), tuple(find_problems(edition, studies)))


def find_edition(first: Path, second: Path | None = None) -> Edition:
    """Return the edition that one or two files mean.

    That is an edition file, a board file with the only edition beside it that names it, or both in any order.
    """
    files = [first] if second is None else [first, second]
    editions = [file for file in files if _names_board(file) is not None]
    boards = [file for file in files if file not in editions]
    if len(editions) > 1 or len(boards) > 1:
        kind = "edition" if len(editions) > 1 else "board"
        raise ValueError(f"{first} and {second} are both {kind} files; give one board and one edition.")
    if not editions:
        return load_edition(_edition_beside(boards[0]))
    edition = load_edition(editions[0])
    if boards and load_board(boards[0]).digest != edition.board.digest:
        raise ValueError(
            f"{editions[0]} is not played on {boards[0]}: its board is {_names_board(editions[0])!r}."
        )
    return edition


def _names_board(file: Path) -> str | None:
    """Return the board that a file names if it is an edition; what is wrong with it, loading will tell."""
    try:
        document = tomllib.loads(file.read_text("utf-8-sig"))
    except (OSError, ValueError):
        load_edition(file)  # raises, and says what is wrong in words
        raise
    return str(document["board"]) if "board" in document and "cities" not in document else None


def _edition_beside(board: Path) -> Path:
    found: list[Path] = []
    for file in sorted(board.parent.glob("*.toml")):
        with suppress(OSError, ValueError):  # what else lies there may be anything
            name = None if file == board else _names_board(file)
            if name and (board.parent / name).resolve() == board.resolve():
                found.append(file)
    if len(found) == 1:
        return found[0]
    load_board(board)  # if it is no board either, that is the thing to say
    if found:
        raise ValueError(f"Several editions are played on {board}; name one: {', '.join(map(str, found))}.")
    raise ValueError(f"{board} is a board; name an edition file too, which says how it is played.")


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
