"""Games are the same however they are played: compiled or in Python, with any number of workers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldenspike.arena import make_plan, play_match
from goldenspike.arena.plan import is_compiled
from goldenspike.arena.play_compiled import play_quick
from goldenspike.arena.play_python import play_hosted
from goldenspike.arena.rows import (
    FINISHED,
    FORFEITED,
    OUTCOMES,
    TOO_LONG,
    GameRows,
    fingerprint,
    join_batches,
)
from goldenspike.bots import Budget, Choice, Dice, bot_names
from goldenspike.bots.compiled_bot import CompiledBot
from goldenspike.bots.policies import play_tables
from goldenspike.editions import edition_ids, load_edition
from goldenspike.game import Game
from goldenspike.game.view import View

BOTS = Path(__file__).with_name("bots_to_try.py")
STEAM = BOTS.read_text().partition("out of")[0].count("\n") + 1
QUICK = [name for name in bot_names() if is_compiled(name)]


def mine(name: str) -> str:
    return f"{BOTS}:{name}"


def assert_same(one: GameRows, other: GameRows) -> None:
    for name in one.rows.dtype.names or ():
        if name != "seconds":
            np.testing.assert_array_equal(one.rows[name], other.rows[name], name)
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize("edition", edition_ids())
def test_compiled_and_python_play_the_same_games(edition: str) -> None:
    least, most = load_edition(edition).players
    for players in (least, most):
        plan = make_plan(edition, QUICK, 1, 5, players=players)
        games = range(0, plan.games, max(1, plan.games // 6))
        assert_same(play_quick(plan, games), play_hosted(plan, games))


def test_a_row_agrees_with_the_game() -> None:
    plan = make_plan("usa-mega", ["greedy", "random"], 4, players=4, keeps_records=True)
    batch = play_hosted(plan, range(4))
    for row in batch.rows:
        game = Game.from_record(batch.records[int(row["game"])])
        assert game.result is not None
        assert [seat for seat in range(4) if row["winners"] >> seat & 1] == list(game.result.winners)
        assert row["terms"].sum(axis=1)[:4].tolist() == list(game.result.totals)
        assert row["decisions"] == len(game.played)
        shown = [[e for e in game.events if e.kind == "revealed" and e.seat == seat] for seat in range(4)]
        made = [sum(event.details["made"] for event in tickets) for tickets in shown]
        held = [len(tickets) for tickets in shown]
        assert row["made"][:4].tolist() == made
        assert (row["made"] + row["failed"])[:4].tolist() == held


def test_threads_and_chunks_do_not_change_results() -> None:
    plan = make_plan("first-journey", QUICK[:2], 330, "threads", players=3)
    one, three = play_match(plan, jobs=1), play_match(plan, jobs=3)
    assert_same(one, three)
    assert_same(one, join_batches([play_quick(plan, [game]) for game in reversed(range(plan.games))]))


@pytest.mark.slow
def test_processes_do_not_change_results_and_a_dead_one_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "marker"
    monkeypatch.setenv("GOLDENSPIKE_TEST_MARKER", str(marker))
    plan = make_plan("new-york", [mine("Mortal"), "greedy"], 6)
    apart = play_match(plan, jobs=2)
    assert marker.read_text() == "died"
    assert_same(apart, play_match(plan, jobs=1))
    assert len(apart.rows) == 6


def test_a_match_continues_after_the_games_played() -> None:
    plan = make_plan("new-york", ["greedy", "random"], 60)
    whole = play_match(plan, jobs=1)
    new: list[int] = []
    done = GameRows(whole.rows[5:40])
    rest = play_match(plan, jobs=1, done=done, on_batch=lambda batch: new.extend(batch.games.tolist()))
    assert sorted(new) == [*range(5), *range(40, 60)]
    assert_same(whole, rest)


@pytest.mark.parametrize(
    ("bot", "error"),
    [
        ("Cheat", "IllegalMoveError: You can only pass when no other move is possible. (R-4)"),
        (
            "Silent",
            (
                "The bot 'chancer' returned None (did you forget to return the move?). Return a move: one of "
                "view.legal_moves(), its number (view.legal_moves().numbers), or a text such as 'draw deck'; "
                "a Choice holds one of these."
            ),
        ),
        ("Crash", f"RuntimeError: out of steam (bots_to_try.py, line {STEAM})"),
    ],
)
def test_a_bot_that_fails_forfeits_and_the_match_goes_on(bot: str, error: str) -> None:
    plan = make_plan("new-york", [mine(bot), "greedy", "random"], 3)
    batch = play_match(plan, jobs=1)
    assert set(batch.errors.values()) == {error}
    for row in batch.rows:
        assert OUTCOMES[row["outcome"]] == "forfeited"
        seat = plan.seating(int(row["game"])).index(0)
        assert row["fault"] == seat
        assert row["winners"] == 0b111 & ~(1 << seat)


def test_moves_are_values_numbers_or_texts() -> None:
    """Bots that differ only in how they express a move play the same games."""
    by_number, by_value, by_text = (
        play_match(make_plan("new-york", [mine(bot), "greedy"], 2), jobs=1)
        for bot in ("Chancer", "Valuer", "TextBot")
    )
    assert not by_number.errors
    assert_same(by_number, by_value)
    assert_same(by_number, by_text)


def test_records_name_the_bots_without_their_files() -> None:
    plan = make_plan("new-york", [mine("Chancer"), "greedy", "greedy"], 3, keeps_records=True)
    batch = play_match(plan, jobs=1)
    names = [Game.from_record(batch.records[game]).names for game in range(3)]
    assert sorted(names) == [
        ("Chancer", "greedy", "greedy 2"),
        ("greedy", "Chancer", "greedy 2"),
        ("greedy", "greedy 2", "Chancer"),
    ]


def test_a_game_that_does_not_end_is_stopped_and_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldenspike.arena.play_python.MOST_DECISIONS", 300)
    plan = make_plan("first-journey", [mine("Swapper"), "greedy"], 2, players=2)
    rows = play_match(make_plan("first-journey", [mine("Swapper")], 1), jobs=1).rows
    assert rows["outcome"][0] == TOO_LONG
    assert rows["winners"][0] == 0b11
    assert rows["decisions"][0] == 300
    assert set(play_match(plan, jobs=1).rows["outcome"]) <= {FINISHED, TOO_LONG}
    assert FORFEITED not in rows["outcome"]


def test_an_illegal_move_of_a_compiled_bot_is_forfeited_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """None of our bots plays one, so the test fakes it in the compiled game, and Python plays it."""
    plan = make_plan("new-york", ["greedy", "random"], 4)
    whole = play_quick(plan, range(4))

    def play(*arguments: Any) -> None:
        play_tables(*arguments)
        arguments[6][2] = -5

    def choose(bot: CompiledBot, view: View, dice: Dice, budget: Budget) -> Choice:
        return Choice(0) if bot.name == "greedy" else usual(bot, view, dice, budget)

    usual = CompiledBot.choose
    monkeypatch.setattr("goldenspike.arena.play_compiled.play_tables", play)
    monkeypatch.setattr(CompiledBot, "choose", choose)
    batch = play_quick(plan, range(4))
    assert batch.games.tolist() == [0, 1, 2, 3]
    assert list(batch.errors) == [2]
    assert "IllegalMoveError" in batch.errors[2]
    assert batch.rows["outcome"].tolist() == [FINISHED, FINISHED, FORFEITED, FINISHED]
    assert (batch.rows["decisions"][[0, 1, 3]] == whole.rows["decisions"][[0, 1, 3]]).all()


def test_a_bot_plays_without_its_file_and_leaves_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    plan = make_plan("new-york", [mine("Chancer"), mine("Crash")], 2)
    far = [(spec.replace(str(BOTS), "/far/away.py"), text) for spec, text in plan.sources]
    away = play_hosted(replace(plan, bots=tuple(spec for spec, _ in far), sources=tuple(far)), range(2))
    assert set(away.errors.values()) == {f"RuntimeError: out of steam (away.py, line {STEAM})"}
    assert away.rows["decisions"].tolist() == play_hosted(plan, range(2)).rows["decisions"].tolist()
    assert not list(tmp_path.iterdir())


def test_only_python_games_are_timed() -> None:
    plan = make_plan("new-york", ["greedy", "random"], 2)
    assert np.isfinite(play_hosted(plan, [0]).rows["seconds"][0, :2]).all()
    assert np.isnan(play_quick(plan, [0]).rows["seconds"]).all()
