"""The last round (E-1)."""

from __future__ import annotations

import pytest

from tests.rules.seatings import OFFERING, each_offering_seating
from tests.rules.table import RulesTable

CHEAP = {"new-york": ["MID-TIM", "CHT-LES", "EAV-LES", "ESB-GRA/red", "ESB-TIM/pink"]}
USA_CHEAP = ["ATL-NAS", "DAL-HOU/1", "KAN-OMA/1", "POR-SEA/1", "SEA-VAN/1"]


def claim_cheap(table: RulesTable, seat: int) -> None:
    """Let a seat claim a route of length 1 with a locomotive."""
    route = CHEAP.get(table.edition.id, USA_CHEAP)[seat]
    table.set_hand(seat, loco=1)
    table.play(seat, f"claim {route} with 1 loco")


@pytest.mark.rule("E-1")
@each_offering_seating
def test_every_seat_has_one_more_turn_including_the_one_that_triggered(edition: str, players: int) -> None:
    for trigger in range(players):
        table = RulesTable(edition, players)
        for seat in range(trigger):
            table.draw_two(seat)
        table.set_pieces(trigger, 3)
        claim_cheap(table, trigger)
        assert table.is_last_round
        assert [event.seat for event in table.happened("last round")] == [trigger]
        for turn in range(1, players + 1):
            assert table.phase == "turn"
            assert table.turn == (trigger + turn) % players
            table.draw_two(table.turn)
        assert table.phase == "over"
        assert table.ending == "last round played"


@pytest.mark.rule("E-1")
@pytest.mark.parametrize(("left", "is_last"), [(4, False), (3, True), (2, True), (1, True)])
@pytest.mark.parametrize("edition", OFFERING)
def test_two_pieces_or_fewer_start_the_last_round_but_three_do_not(
    edition: str, left: int, is_last: bool
) -> None:
    table = RulesTable(edition, 2)
    table.set_pieces(0, left)
    claim_cheap(table, 0)
    assert table.pieces(0) == left - 1
    assert table.is_last_round == is_last


@pytest.mark.rule("E-1")
@each_offering_seating
def test_another_seat_with_few_pieces_changes_nothing(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    for seat in range(players):
        table.set_pieces(seat, 3)
        claim_cheap(table, seat)
        assert len(table.happened("last round")) == (seat == 0)
    assert table.phase == "turn"
    assert table.turn == 0
    table.set_pieces(0, 0)
    table.draw_two(0)
    assert table.phase == "over"


@pytest.mark.rule("E-1")
@pytest.mark.parametrize("edition", OFFERING)
def test_any_kind_of_turn_may_be_the_last(edition: str) -> None:
    for last in ("claim", "draw", "tickets", "take"):
        table = RulesTable(edition, 2)
        table.set_pieces(0, 3)
        claim_cheap(table, 0)
        table.draw_two(1)
        table.set_row("red", "loco", "red", "red", "red")
        if last == "claim":
            table.set_hand(0, loco=1)
            table.play(0, next(move for move in table.legal(0) if move.startswith("claim")))
        elif last == "draw":
            table.play(0, "draw deck", "take red")
        elif last == "tickets":
            table.play(0, "draw tickets")
            table.play(0, f"keep {table.offer(0)[0]}")
        else:
            table.play(0, "take loco")
        assert table.phase == "over"


@pytest.mark.rule("E-1")
@each_offering_seating
def test_no_seat_can_move_after_the_end(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.finish()
    for seat in range(players):
        assert table.legal(seat) == []
        for move in ("draw deck", "draw tickets", "pass"):
            assert table.refusal(seat, move) == "game is over"


@pytest.mark.rule("E-1")
@pytest.mark.parametrize("edition", OFFERING)
def test_the_last_round_waits_for_the_end_of_the_turn(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_pieces(0, 2)
    table.set_row("red", "red", "red", "red", "red")
    table.play(0, "take red")
    assert not table.is_last_round
    table.play(0, "take red")
    assert table.is_last_round
