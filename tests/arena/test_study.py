"""Summaries, studies, ratings, pages: the figures are computed here in a second way."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from goldenspike.arena import make_plan, play_match, sum_up
from goldenspike.arena.file import MatchFile, read_match
from goldenspike.arena.ladder import climb, draw_ladder
from goldenspike.arena.match import sample_clock
from goldenspike.arena.play_python import play_hosted
from goldenspike.arena.report.report import write_report
from goldenspike.arena.rows import GameRows
from goldenspike.arena.study import describe_board, study_match
from goldenspike.arena.summary import spread_out

BOTS = Path(__file__).with_name("bots_to_try.py")


def test_a_summary_by_hand() -> None:
    plan = make_plan("new-york", ["greedy", "random", "random"], 60)
    batch = play_match(plan, jobs=1)
    summary = sum_up(plan.bots, plan.seatings, batch)
    greedy = [plan.seating(int(game)).index(0) for game in batch.games]
    won = [
        (row["winners"] >> seat & 1) / int(row["winners"]).bit_count()
        for row, seat in zip(batch.rows, greedy, strict=True)
    ]
    scores = [row["terms"][seat].sum() for row, seat in zip(batch.rows, greedy, strict=True)]
    assert summary.bots[0].win_share.mean == pytest.approx(np.mean(won))
    assert summary.bots[0].score.mean == pytest.approx(np.mean(scores))
    by_deal = np.reshape(won, (20, 3)).mean(axis=1)
    half = 2.093 * by_deal.std(ddof=1) / np.sqrt(20)
    assert summary.bots[0].win_share.half == pytest.approx(half, rel=1e-3)
    shares = summary.bots[0].win_share.mean + 2 * summary.bots[1].win_share.mean
    assert shares == pytest.approx(1)
    assert (summary.games, summary.deals, summary.left_out) == (60, 20, 0)


def test_a_deal_without_all_its_seatings_is_left_out() -> None:
    plan = make_plan("new-york", ["greedy", "random"], 10)
    batch = play_match(plan, jobs=1)
    summary = sum_up(plan.bots, plan.seatings, GameRows(batch.rows[1:7]))
    assert (summary.games, summary.deals, summary.left_out) == (4, 2, 2)


def test_an_empty_match_is_not_an_error() -> None:
    summary = sum_up(("greedy",), ((0, 0),), GameRows())
    assert summary.games == 0
    assert summary.bots[0].win_share.show() == "-"


def test_forfeits_count_for_wins_and_not_for_scores() -> None:
    plan = make_plan("new-york", [f"{BOTS}:Crash", "greedy"], 8)
    summary = sum_up(plan.bots, plan.seatings, play_match(plan, jobs=1))
    assert summary.forfeited == summary.bots[0].forfeits == 8
    assert summary.bots[1].forfeits == 0
    assert (summary.bots[0].win_share.mean, summary.bots[1].win_share.mean) == (0, 1)
    assert summary.bots[1].score.show() == "-"
    assert list(summary.errors.values()) == [8]


def test_times_of_compiled_bots_come_from_a_sample() -> None:
    plan = make_plan("new-york", ["greedy", "random"], 10)
    summary = sum_up(plan.bots, plan.seatings, play_match(plan, jobs=1), sample_clock(plan))
    assert all(bot.is_sampled and 0 < bot.seconds.mean < 1 for bot in summary.bots)
    exact = sum_up(plan.bots, plan.seatings, play_hosted(plan, range(10)))
    assert all(not bot.is_sampled and 0 < bot.seconds.mean < 1 for bot in exact.bots)


def test_the_timing_sample_includes_every_compiled_bot() -> None:
    plan = make_plan("new-york", ["greedy", "random", "easy", f"{BOTS}:Crash"], 1, players=2)
    seen = {bot for game in sample_clock(plan).games for bot in plan.seating(int(game))}
    assert seen == {0, 1, 2}


def test_turn_order_starts_with_the_first_seat() -> None:
    plan = make_plan("new-york", ["greedy", "random", "random"], 30)
    batch = play_match(plan, jobs=1)
    seat_rows = spread_out(batch, plan.seatings)
    begins = seat_rows.turn == 0
    assert (seat_rows.seat[begins] == batch.rows["first"][seat_rows.game[begins]]).all()
    assert begins.sum() == 30


def test_a_study_by_hand() -> None:
    plan = make_plan("usa-classic", ["greedy", "random"], 200)
    batch = play_match(plan, jobs=2)
    board = describe_board(plan.edition)
    study = study_match(board, plan.bots, plan.seatings, batch)
    route = 40
    taken = [
        any(int(row["owned"][s][route >> 6]) >> (route & 63) & 1 for s in range(2)) for row in batch.rows
    ]
    assert study.routes[route].taken.mean == pytest.approx(np.mean(taken))
    held = sum(int(row["held"][s][0]) >> 3 & 1 for row in batch.rows for s in range(2))
    made = sum(int(row["completed"][s][0]) >> 3 & 1 for row in batch.rows for s in range(2))
    assert study.tickets[3].times == held
    assert study.tickets[3].made.mean == pytest.approx(made / held)
    for bot in range(2):
        total = sum(points[bot].mean for points in study.terms.values())
        assert total == pytest.approx(study.seat_rows.score[study.seat_rows.bot == bot].mean())
    assert sum(share.mean for share in study.turns) == pytest.approx(1)
    assert max(study.visited) > 0.9


def test_worth_excludes_the_strength_of_the_bot() -> None:
    """Random play claims little and loses to greedy; that alone must not make every route a winning one."""
    plan = make_plan("usa-classic", ["greedy", "random"], 400)
    batch = play_match(plan, jobs=2)
    study = study_match(describe_board(plan.edition), plan.bots, plan.seatings, batch)
    worths = [r.worth.mean for r in study.routes if r.taken.mean > 0.1]
    assert abs(np.mean(worths)) < 0.02


@pytest.mark.slow
def test_the_ladder_puts_the_stronger_first_and_is_drawn(tmp_path: Path) -> None:
    plan = make_plan("usa-classic", ["random", "greedy", "easy"], 60, players=2)
    batch = play_match(plan, jobs=1)
    rungs = climb(plan, batch)
    assert rungs[-1].bot == "random"
    assert rungs[0].rating > 1500 > rungs[-1].rating
    assert [rung.games for rung in rungs] == [40, 40, 40]
    assert climb(plan, batch) == rungs
    for name, start in (("ladder.png", b"\x89PNG"), ("ladder.svg", b"<?xml")):
        draw_ladder({"one": rungs, "two": rungs}, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)


def test_a_ladder_needs_different_bots() -> None:
    plan = make_plan("usa-classic", ["random"], 2)
    with pytest.raises(ValueError, match="different bots"):
        climb(plan, play_match(plan, jobs=1))


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["usa-classic", "first-journey"])
def test_a_report_is_one_page_that_needs_nothing_else(edition: str, tmp_path: Path) -> None:
    plan = make_plan(edition, ["greedy", "random"], 40)
    with MatchFile(tmp_path / "m.parquet", plan, "goldenspike match <&>") as file:
        file.add(play_match(plan, jobs=1))
    html = write_report(read_match(tmp_path / "m.parquet"))
    assert "<script" not in html
    assert "&lt;&amp;&gt;" in html
    addresses = set(re.findall(r"""(?:src|href)=["']([^"']*)""", html))
    assert all(address.startswith("#") for address in addresses)
    assert not re.search(r"url\((?!#)", html)
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(drawings) == 5
    for drawing in drawings:
        ET.fromstring(drawing)
        assert "#010203" not in drawing
    for route in plan.edition.board.routes:
        assert f"{route.name} ({route.length} {route.colour}): taken in" in html
    assert all(city.name in html for city in plan.edition.board.cities)
    assert all(ticket.name in html for ticket in plan.edition.tickets)


def test_a_report_says_which_bot_finished_no_game(tmp_path: Path) -> None:
    plan = make_plan("new-york", [f"{BOTS}:Crash", "greedy", "random"], 6, players=2)
    with MatchFile(tmp_path / "m.parquet", plan, "c") as file:
        file.add(play_match(plan, jobs=1))
    html = write_report(read_match(tmp_path / "m.parquet"))
    assert "Crash: no finished game" in html
    assert not re.search(r"\bnan\b", html)


def test_a_report_of_only_forfeits_says_so(tmp_path: Path) -> None:
    plan = make_plan("new-york", [f"{BOTS}:Crash", "greedy"], 2)
    with MatchFile(tmp_path / "m.parquet", plan, "c") as file:
        file.add(play_match(plan, jobs=1))
    html = write_report(read_match(tmp_path / "m.parquet"))
    assert "2 games were forfeited: RuntimeError: out of steam" in html
