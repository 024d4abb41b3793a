"""Winners and tie-breaks (F-4, F-6, R-8)."""

from __future__ import annotations

import pytest

from goldenspike.editions import load_edition
from tests.rules.seatings import OFFERING
from tests.rules.table import RulesTable, bare

WITH_PATH = pytest.mark.parametrize("edition", ["usa-classic", "usa-mega"])
WITHOUT_PATH = pytest.mark.parametrize("edition", ["usa-1910", "usa-big-cities"])
TICKETS = {
    "usa-classic": (["DEN-SFE", "ELP-SFE"], "DEN-ELP"),
    "usa-mega": (["DEN-SFE", "ELP-SFE"], "DEN-ELP"),
    "usa-1910": (["RAL-WAS/1", "ATL-RAL/1"], "WAS-ATL"),
    "usa-big-cities": (["CHI-PIT/black", "NYC-PIT/green"], "CHI-NYC"),
    "new-york": (["LIN-MID", "CEN-LIN"], "CEN-MID"),
}


def level(table: RulesTable, totals: dict[int, int]) -> None:
    """Give seats the route points that bring them to these totals."""
    trial = table.copy()
    trial.finish()
    for seat, total in totals.items():
        table.state.points[seat] += total - trial.totals[seat]
    table.finish()
    assert {seat: table.totals[seat] for seat in totals} == totals


@pytest.mark.rule("F-4", "F-6")
@pytest.mark.parametrize("edition", OFFERING)
def test_most_points_win(edition: str) -> None:
    for winner in range(3):
        table = bare(edition, 3)
        level(table, {seat: 20 + (seat == winner) for seat in range(3)})
        assert table.winners == [winner]
        assert table.tie_break == "no tie"


@pytest.mark.rule("F-4", "F-6")
@pytest.mark.parametrize("edition", OFFERING)
def test_equal_points_go_to_the_most_completed_tickets(edition: str) -> None:
    for seat in range(3):
        table = bare(edition, 3)
        routes, ticket = TICKETS[edition]
        table.own(seat, *routes)
        table.set_tickets(seat, ticket)
        level(table, {0: 40, 1: 40, 2: 40})
        assert table.winners == [seat]
        assert table.tie_break == "by completed tickets"


@pytest.mark.rule("F-4", "F-6")
@pytest.mark.parametrize("edition", OFFERING)
def test_completed_tickets_break_a_tie_and_held_ones_do_not(edition: str) -> None:
    """The winner holds one ticket and completed it; the others hold two and three and completed none."""
    routes, ticket = TICKETS[edition]
    others = [other.name for other in load_edition(edition).tickets if other.name != ticket]
    for winner in range(3):
        table = bare(edition, 3)
        second, third = (winner + 1) % 3, (winner + 2) % 3
        table.own(winner, *routes)
        table.set_tickets(winner, ticket)
        table.set_tickets(second, *others[:2])
        table.set_tickets(third, *others[2:5])
        level(table, dict.fromkeys(range(3), 40))
        assert [table.completed_count(seat) for seat in (winner, second, third)] == [1, 0, 0]
        assert table.winners == [winner]
        assert table.tie_break == "by completed tickets"


@pytest.mark.rule("F-4", "F-6")
@pytest.mark.parametrize("edition", OFFERING)
def test_tickets_of_a_seat_with_fewer_points_break_no_tie(edition: str) -> None:
    table = bare(edition, 3)
    routes, ticket = TICKETS[edition]
    table.own(2, *routes)
    table.set_tickets(2, ticket)
    level(table, {0: 40, 1: 40, 2: 39})
    assert table.winners == [0, 1]
    assert table.tie_break == "shared"


@pytest.mark.rule("F-4")
@WITH_PATH
def test_the_longest_path_breaks_a_tie_of_tickets(edition: str) -> None:
    table = bare(edition, 3)
    table.own(1, "CAL-WPG")
    table.own(0, "ATL-NAS")
    level(table, {0: 40, 1: 40, 2: 30})
    assert table.winners == [1]
    assert table.tie_break == "by longest path"


@pytest.mark.rule("F-4")
@WITH_PATH
def test_tickets_come_before_the_path(edition: str) -> None:
    table = bare(edition, 2)
    table.own(0, *TICKETS[edition][0])
    table.set_tickets(0, "DEN-ELP")
    table.own(1, "CAL-WPG")
    level(table, {0: 40, 1: 40})
    assert table.winners == [0]
    assert table.tie_break == "by completed tickets"


@pytest.mark.rule("F-4")
@WITH_PATH
def test_three_tied_seats_are_narrowed_down_step_by_step(edition: str) -> None:
    table = bare(edition, 4)
    table.own(0, "DEN-SFE", "ELP-SFE", "ATL-NAS")
    table.set_tickets(0, "DEN-ELP")
    table.own(1, "KAN-OMA/1", "DUL-OMA/1", "KAN-OKC/1", "DAL-OKC/1", "DAL-HOU/1")
    table.set_tickets(1, "DUL-HOU")
    table.own(2, "SEA-VAN/1")
    level(table, {0: 60, 1: 60, 2: 60, 3: 59})
    assert [table.completed_count(seat) for seat in range(4)] == [1, 1, 0, 0]
    assert table.winners == [1]
    assert table.tie_break == "by longest path"


@pytest.mark.rule("R-8", "F-4")
@WITH_PATH
def test_a_shared_path_breaks_no_tie(edition: str) -> None:
    table = bare(edition, 4)
    for seat, route in enumerate(["CAL-WPG", "DUL-HEL", "ELP-HOU"]):
        table.own(seat, route)
    level(table, {0: 40, 1: 40, 2: 40, 3: 39})
    assert table.winners == [0, 1, 2]
    assert table.tie_break == "shared"


@pytest.mark.rule("R-8", "F-4")
@WITH_PATH
def test_the_longest_path_of_another_seat_breaks_no_tie(edition: str) -> None:
    table = bare(edition, 3)
    table.own(2, "CAL-WPG")
    level(table, {0: 40, 1: 40, 2: 39})
    assert table.winners == [0, 1]
    assert table.tie_break == "shared"


@pytest.mark.rule("R-8")
@WITH_PATH
def test_without_any_route_a_tie_is_shared(edition: str) -> None:
    table = bare(edition, 5)
    table.finish()
    assert table.totals == [0] * 5
    assert table.winners == [0, 1, 2, 3, 4]
    assert table.tie_break == "shared"


@pytest.mark.rule("R-8")
@WITHOUT_PATH
def test_editions_without_the_path_card_skip_that_step(edition: str) -> None:
    table = bare(edition, 3)
    table.own(1, "CAL-WPG")
    level(table, {0: 40, 1: 40, 2: 39})
    assert table.winners == [0, 1]
    assert table.tie_break == "shared"


@pytest.mark.rule("F-6", "R-8")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_new_york_shares_a_victory_that_tickets_do_not_decide(players: int) -> None:
    table = bare("new-york", players)
    table.own(0, "CHE-SOH", "SOH-WAL")
    level(table, dict.fromkeys(range(players), 20))
    assert table.winners == list(range(players))
    assert table.tie_break == "shared"


@pytest.mark.rule("F-6")
def test_new_york_narrows_three_to_the_two_with_most_tickets() -> None:
    table = bare("new-york", 4)
    table.own(0, "LIN-MID", "CEN-LIN")
    table.set_tickets(0, "CEN-MID")
    table.own(2, "EAV-GRV", "GRV-SOH")
    table.set_tickets(2, "EAV-SOH")
    level(table, {0: 20, 1: 20, 2: 20, 3: 10})
    assert table.winners == [0, 2]
    assert table.tie_break == "shared"


@pytest.mark.rule("F-4")
def test_the_highest_negative_score_wins() -> None:
    table = bare("usa-classic", 3)
    level(table, {0: -9, 1: -2, 2: -30})
    assert table.winners == [1]
