"""Final scoring and the winner (F-1 to F-6, V-5, V-6)."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np
import pytest

from goldenspike.boards import Route
from goldenspike.engine import api
from goldenspike.engine.events import LOG
from goldenspike.engine.tables import build_tables
from tests.rules.seatings import OFFERING, USA
from tests.rules.table import RulesTable, bare

EDITIONS = pytest.mark.parametrize("edition", OFFERING)


def trail(table: RulesTable, routes: Iterable[Route]) -> int:
    """Return the engine's longest path over routes."""
    whole = sum(1 << route.index for route in routes)
    tables = build_tables(table.edition)
    words = np.uint64(whole & (1 << 64) - 1), np.uint64(whole >> 64)
    return api.longest_trail(tables, *words, np.zeros(1, LOG))


def longest_by_trying(routes: list[Route]) -> int:
    """Return the longest path over routes by brute force."""

    def extend(city: int, left: frozenset[Route]) -> int:
        ways = [route for route in left if city in {route.a, route.b}]
        return max((r.length + extend(r.a + r.b - city, left - {r}) for r in ways), default=0)

    return max(extend(city, frozenset(routes)) for route in routes for city in (route.a, route.b))


@pytest.mark.rule("F-1")
@EDITIONS
def test_route_points_are_part_of_the_total(edition: str) -> None:
    table = bare(edition)
    routes = ("BRO-LES", "CHT-LES") if edition == "new-york" else ("CAL-WPG", "ATL-NAS")
    table.own(0, *routes)
    points = table.points(0)
    assert points == (5 if edition == "new-york" else 16)
    table.finish()
    assert table.score(0)["routes"] == points
    assert table.score(1) == {}


@pytest.mark.rule("F-1")
def test_the_total_is_the_sum_of_its_terms() -> None:
    table = bare("usa-mega", 3)
    table.own(0, "DEN-SFE", "ELP-SFE", "CAL-VAN")
    table.own(1, "LAX-PHX")
    table.set_tickets(0, "DEN-ELP", "LAX-NYC")
    table.finish()
    assert table.score(0) == {
        "routes": 8,
        "tickets made": 4,
        "tickets failed": -20,
        "longest path": 10,
        "globetrotter": 15,
    }
    assert table.totals == [17, 4, 0]


@pytest.mark.rule("F-2")
def test_a_joined_ticket_adds_and_any_other_subtracts() -> None:
    table = bare("usa-big-cities")
    table.own(0, "CHI-PIT/black", "NYC-PIT/white")
    table.set_tickets(0, "CHI-NYC", "CHI-BOS")
    table.finish()
    assert table.score(0)["tickets made"] == 5
    assert table.score(0)["tickets failed"] == -7
    assert table.completed(0) == ["CHI-NYC"]
    assert table.totals == [4 + 2 + 5 - 7, 0]


@pytest.mark.rule("F-2")
def test_only_own_routes_join_a_ticket() -> None:
    table = bare("usa-classic", 4)
    table.own(0, "DEN-SFE")
    table.own(1, "ELP-SFE")
    table.set_tickets(0, "DEN-ELP")
    table.finish()
    assert table.completed(0) == []
    assert table.score(0)["tickets failed"] == -4


@pytest.mark.rule("F-2")
def test_touching_both_cities_without_joining_them_is_not_enough() -> None:
    table = bare("new-york")
    table.own(0, "CEN-LIN", "MID-TIM")
    table.set_tickets(0, "CEN-MID")
    table.finish()
    assert table.score(0)["tickets failed"] == -3


@pytest.mark.rule("F-2")
def test_a_detour_joins_a_ticket() -> None:
    table = bare("usa-classic")
    table.own(0, "DEN-OKC", "DAL-OKC/1", "DAL-ELP")
    table.set_tickets(0, "DEN-ELP")
    table.finish()
    assert table.completed(0) == ["DEN-ELP"]


@pytest.mark.rule("F-2")
def test_a_score_may_be_negative() -> None:
    table = bare("usa-classic")
    table.set_tickets(0, "LAX-NYC", "SEA-NYC")
    table.set_tickets(1, "DEN-ELP")
    table.finish()
    assert table.totals == [-43, -4]
    assert table.winners == [1]


PATHS = [
    (["CAL-WPG"], 6),
    (["DEN-SFE", "ELP-SFE"], 4),
    (["DEN-SFE", "ELP-SFE", "CAL-WPG"], 6),
    # A star of three arms: the two longest count.
    (["DEN-SFE", "ELP-SFE", "OKC-SFE"], 5),
    # A ring, then a ring with a tail: all routes count.
    (["CHI-STL/green", "PIT-STL", "CHI-PIT/black"], 10),
    (["CHI-STL/green", "PIT-STL", "CHI-PIT/black", "CHI-TOR"], 14),
    # Two rings that meet in Pittsburgh, which is passed twice.
    (["CHI-STL/green", "PIT-STL", "CHI-PIT/black", "NYC-PIT/green", "NYC-WAS/black", "PIT-WAS"], 16),
    # A square with a diagonal: all routes count, from one end of the diagonal to the other.
    (["DAL-LIT", "LIT-OKC", "DAL-OKC/1", "LIT-NOL", "HOU-NOL", "DAL-HOU/1"], 12),
    # A ring with two tails at one city: the ring and the longer tail count; the city is passed twice.
    (["CHI-STL/green", "PIT-STL", "CHI-PIT/black", "PIT-TOR", "NAS-PIT"], 16),
]


@pytest.mark.rule("F-3", "V-6")
@pytest.mark.parametrize(("routes", "length"), PATHS)
def test_the_longest_path_of_known_networks(routes: list[str], length: int) -> None:
    table = RulesTable("usa-classic")
    by_name = {route.name: route for route in table.edition.board.routes}
    owned = [by_name[name] for name in routes]
    assert longest_by_trying(owned) == length
    assert trail(table, owned) == length


@pytest.mark.rule("F-3")
@pytest.mark.parametrize("edition", ["usa-classic", "new-york"])
def test_the_longest_path_equals_a_brute_force_search(edition: str) -> None:
    table = RulesTable(edition)
    chance = random.Random(20)
    for _ in range(150):
        routes = grow(list(table.edition.board.routes), chance)
        assert trail(table, routes) == longest_by_trying(routes), [route.name for route in routes]


def grow(board: list[Route], chance: random.Random) -> list[Route]:
    """Return up to 11 routes as a player might own them: mostly connected, no double twice."""
    owned = [chance.choice(board)]
    for _ in range(chance.randrange(2, 11)):
        cities = {city for route in owned for city in (route.a, route.b)}
        near = [
            route for route in board if (route.a in cities) + (route.b in cities) >= chance.choice([0, 1, 2])
        ]
        route = chance.choice(near or board)
        if route not in owned and route.twin not in {other.index for other in owned}:
            owned.append(route)
    return owned


@pytest.mark.rule("V-6", "F-3")
@pytest.mark.parametrize("edition", ["usa-classic", "usa-mega"])
def test_the_longest_path_earns_ten(edition: str) -> None:
    table = bare(edition, 3)
    table.own(0, "CAL-WPG")
    table.own(1, "DEN-SFE", "ELP-SFE", "OKC-SFE")
    table.finish()
    assert [table.score(seat).get("longest path", 0) for seat in range(3)] == [10, 0, 0]


@pytest.mark.rule("V-6")
@pytest.mark.parametrize("tied", [(0, 1), (1, 3), (0, 2, 3), (0, 1, 2, 3)])
def test_all_who_share_the_longest_path_get_the_bonus(tied: tuple[int, ...]) -> None:
    table = bare("usa-classic", 4)
    sixes = ["CAL-WPG", "DUL-HEL", "ELP-HOU", "SSM-WPG"]
    for seat in range(4):
        table.own(
            seat, sixes[seat] if seat in tied else ["ATL-NAS", "KAN-OMA/1", "SEA-VAN/1", "DAL-HOU/1"][seat]
        )
    table.finish()
    assert [table.score(seat).get("longest path", 0) for seat in range(4)] == [
        10 if seat in tied else 0 for seat in range(4)
    ]


@pytest.mark.rule("V-6", "V-5")
@pytest.mark.parametrize("edition", OFFERING)
def test_only_bonuses_of_the_edition_are_scored(edition: str) -> None:
    table = bare(edition)
    ways = {
        "usa-1910": ("WAS-ATL", ["RAL-WAS/1", "ATL-RAL/1"]),
        "usa-big-cities": ("CHI-NYC", ["CHI-PIT/black", "NYC-PIT/green"]),
        "new-york": ("EAV-SOH", ["EAV-GRV", "GRV-SOH"]),
    }
    ticket, routes = ways.get(edition, ("DEN-ELP", ["DEN-SFE", "ELP-SFE"]))
    table.own(0, *routes)
    table.set_tickets(0, ticket)
    table.finish()
    terms = {*table.score(0)} & {"longest path", "globetrotter", "attractions"}
    expected: dict[str, set[str]] = {
        "usa-classic": {"longest path"},
        "usa-1910": {"globetrotter"},
        "usa-mega": {"longest path", "globetrotter"},
        "new-york": {"attractions"},
    }
    assert terms == expected.get(edition, set())


@pytest.mark.rule("V-5")
@pytest.mark.parametrize("edition", ["usa-1910", "usa-mega"])
@pytest.mark.parametrize("made", [(1, 0, 0), (1, 1, 0), (2, 1, 0), (1, 1, 1), (0, 2, 2)])
def test_the_globetrotter_goes_to_all_with_most_completed_tickets(
    edition: str, made: tuple[int, ...]
) -> None:
    table = bare(edition, 3)
    networks = [
        (["RAL-WAS/1", "ATL-RAL/1", "PIT-RAL", "CHI-PIT/black"], ["WAS-ATL", "CHI-ATL"]),
        (["KAN-STL/blue", "DEN-KAN/black", "DEN-SLC/red"], ["DEN-STL", "SLC-KAN"]),
        (["NAS-STL", "NAS-RAL", "CHS-RAL", "CHS-MIA", "ATL-NAS", "ATL-NOL/orange", "LIT-NOL"], ["STL-MIA"]),
    ]
    networks[2][0].extend(["DUL-OMA/1", "KAN-OMA/1", "KAN-OKC/1", "DAL-OKC/1"])
    networks[2][1].append("DUL-DAL")
    for seat, count in enumerate(made):
        table.own(seat, *networks[seat][0])
        table.set_tickets(seat, *networks[seat][1][:count])
    table.finish()
    assert [table.completed_count(seat) for seat in range(3)] == list(made)
    bonus = [table.score(seat).get("globetrotter", 0) for seat in range(3)]
    assert bonus == [15 if count == max(made) else 0 for count in made]


@pytest.mark.rule("F-5")
@pytest.mark.parametrize(
    ("routes", "points"),
    [
        (["GRA-UNI"], 1),
        (["LIN-MID"], 0),
        (["CEN-TIM/red"], 2),
        (["CEN-TIM/red", "CEN-UNI", "TIM-UNI"], 3),
        (["EAV-LES"], 0),
        (["BRO-WAL/blue", "CEN-TIM/red", "CHT-GRV/1", "CHE-ESB/1", "GRA-UNI"], 9),
    ],
)
def test_an_attraction_is_one_point_however_often_it_is_touched(routes: list[str], points: int) -> None:
    table = bare("new-york")
    table.own(0, *routes)
    table.finish()
    assert table.score(0).get("attractions", 0) == points
    assert table.totals[0] == table.points(0) + points


@pytest.mark.rule("F-5")
def test_an_attraction_counts_for_every_seat_that_touches_it() -> None:
    table = bare("new-york", 4)
    for seat, route in enumerate(["CEN-TIM/red", "CEN-TIM/black", "LIN-TIM/green"]):
        table.own(seat, route)
    table.finish()
    assert [table.score(seat).get("attractions", 0) for seat in range(4)] == [2, 2, 1, 0]


@pytest.mark.rule("F-5")
@pytest.mark.parametrize("edition", USA)
def test_the_usa_has_no_attractions(edition: str) -> None:
    table = bare(edition)
    table.own(0, "NYC-WAS/black")
    table.finish()
    assert "attractions" not in table.score(0)
