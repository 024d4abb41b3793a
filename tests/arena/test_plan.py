"""Seatings, and what games depend on."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenspike.arena.plan import arrange_seats, make_plan
from goldenspike.arena.play_python import play_hosted
from goldenspike.bots import Budget

BOTS = Path(__file__).with_name("bots_to_try.py")


@pytest.mark.parametrize(
    ("bots", "seats", "seatings"),
    [
        ([0, 1, 2], 3, [(0, 1, 2), (1, 2, 0), (2, 0, 1)]),
        ([0, 1], 4, [(0, 1, 0, 1), (1, 0, 1, 0)]),
        ([0, 1], 3, [(0, 1, 0), (1, 0, 0), (0, 0, 1)]),
        ([0], 5, [(0, 0, 0, 0, 0)]),
        ([0, 1, 1, 1], 4, [(0, 1, 1, 1), (1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1)]),
    ],
)
def test_seatings_are_rotations_without_duplicates(
    bots: list[int], seats: int, seatings: list[tuple[int, ...]]
) -> None:
    assert arrange_seats(bots, seats) == tuple(seatings)


def test_with_more_bots_than_seats_every_bot_has_every_seat_equally_often() -> None:
    seatings = arrange_seats(range(5), 3)
    for seat in range(3):
        at = [seating[seat] for seating in seatings]
        assert {at.count(bot) for bot in range(5)} == {len(seatings) // 5}


def test_rotations_of_a_deal_have_the_same_cards_and_first_seat() -> None:
    plan = make_plan("usa-classic", ["greedy", "random"], 6, players=3, keeps_records=True)
    batch = play_hosted(plan, range(6))
    headers = [batch.records[game].partition(',"names":')[0] for game in range(6)]
    assert headers[0] == headers[1] == headers[2] != headers[3]
    firsts = batch.rows["first"].tolist()
    assert firsts[0] == firsts[1] == firsts[2]


def test_games_are_rounded_up_to_whole_deals() -> None:
    assert make_plan("usa-classic", ["greedy", "random"], 7, players=3).games == 9


def test_the_number_of_seats_is_the_number_of_bots_within_the_edition() -> None:
    assert make_plan("new-york", ["greedy"], 1).seats == 2
    assert make_plan("new-york", ["greedy", "random", "greedy"], 1).seats == 3
    assert make_plan("new-york", ["greedy", "random"] * 4, 1).seats == 4


@pytest.mark.parametrize(
    ("bots", "games", "players", "message"),
    [
        (["greedy"], 10, 5, "New York is for 2 to 4 players, not 5"),
        ([], 10, 2, "at least one bot"),
        (["greedy"], 0, 2, "at least 1 game"),
        (["gredy"], 1, 2, "There is no bot 'gredy'"),
        (["nowhere.py:Bot"], 1, 2, "There is no file nowhere.py"),
        ([f"{BOTS}:BOTS"], 1, 2, "has no class BOTS"),
    ],
)
def test_an_invalid_plan_is_refused(bots: list[str], games: int, players: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_plan("new-york", bots, games, players=players)


def test_only_registered_bots_are_played_compiled() -> None:
    plan = make_plan("new-york", ["greedy", f"{BOTS}:Chancer", "random"], 1, players=2)
    assert plan.compiled == (True, False, True)
    assert [plan.bots[b] for s, q in zip(plan.seatings, plan.is_quick, strict=True) if q for b in s] == [
        "greedy",
        "random",
        "random",
        "greedy",
    ]


def test_the_identity_of_a_match_depends_on_bot_sources_but_not_on_games(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(BOTS.read_text())
    plans = [make_plan("new-york", [f"{mine}:Chancer"], games) for games in (1, 100)]
    assert plans[0].identity() == plans[1].identity()
    mine.write_text(BOTS.read_text() + "\n")
    assert make_plan("new-york", [f"{mine}:Chancer"], 1).identity() != plans[0].identity()
    usual = make_plan("new-york", ["greedy"], 1).identity()
    for budget in (Budget(playouts=7), Budget(playouts=200, threads=2)):
        assert make_plan("new-york", ["greedy"], 1, budget=budget).identity() != usual
