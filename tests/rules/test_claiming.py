"""Claiming a route (C-1 to C-6)."""

from __future__ import annotations

import pytest

from tests.rules.seatings import (
    each_first_journey_seating,
    each_new_york_seating,
    each_seating,
    each_usa_seating,
)
from tests.rules.table import RulesTable

USA_PRICES = [
    ("ATL-NAS", "1 red", 1, 1),
    ("ATL-CHS", "2 red", 2, 2),
    ("CHI-PIT/black", "3 black", 3, 4),
    ("CHI-OMA", "4 blue", 4, 7),
    ("ATL-MIA", "5 blue", 5, 10),
    ("DUL-HEL", "6 orange", 6, 15),
]
NEW_YORK_PRICES = [
    ("CHT-LES", "1 blue", 1, 1),
    ("CEN-LIN", "2 orange", 2, 2),
    ("CHE-GRV/red", "3 red", 3, 4),
    ("CHE-SOH", "4 pink", 4, 7),
]
PRICES = [("usa-classic", *row) for row in USA_PRICES] + [("new-york", *row) for row in NEW_YORK_PRICES]
DOUBLES = {"usa": ("CHI-PIT/black", "3 black", "CHI-PIT/orange", "3 orange")}
SAME_COLOUR = {"usa": ("DAL-HOU/1", "1 red", "DAL-HOU/2", "1 red")}


def claims_on(table: RulesTable, seat: int, route: str) -> list[str]:
    """Return the payments with which a seat may claim a route now."""
    start = f"claim {route} with "
    return [move.removeprefix(start) for move in table.legal(seat) if move.startswith(start)]


def cards(payment: str) -> dict[str, int]:
    """Parse "2 black, 1 loco"."""
    return {card: int(count) for count, card in (part.split() for part in payment.split(", "))}


@pytest.mark.rule("C-1")
@pytest.mark.parametrize(("edition", "route", "payment", "length", "points"), PRICES)
def test_a_claim_costs_its_length_and_scores_at_once(
    edition: str, route: str, payment: str, length: int, points: int
) -> None:
    table = RulesTable(edition, 2)
    table.set_hand(0, **cards(payment))
    pieces, discards = table.pieces(0), table.discards
    table.play(0, f"claim {route} with {payment}")
    assert table.routes(0) == [route]
    assert table.points(0) == points
    assert table.pieces(0) == pieces - length
    assert table.hand(0) == {}
    assert table.discards == {**discards, **cards(payment)}
    assert table.turn == 1
    assert (table.points(1), table.pieces(1)) == (0, pieces)


@pytest.mark.rule("C-1")
def test_every_route_of_the_board_can_be_claimed() -> None:
    for edition in ("usa-classic", "new-york", "first-journey"):
        for route in RulesTable(edition).edition.board.routes:
            table = RulesTable(edition)
            colour = "red" if route.colour == "grey" else route.colour
            table.set_hand(0, **{colour: route.length})
            table.play(0, f"claim {route.name} with {route.length} {colour}")
            assert table.routes(0) == [route.name]
            assert route.name not in " ".join(table.legal(1))


@pytest.mark.rule("C-2")
def test_a_coloured_route_takes_only_its_colour() -> None:
    table = RulesTable("usa-classic")
    table.set_hand(0, orange=4, white=4, black=2)
    assert claims_on(table, 0, "CHI-PIT/black") == []
    assert claims_on(table, 0, "CHI-PIT/orange") == ["3 orange"]
    assert table.refusal(0, "claim CHI-PIT/black with 3 black") == "too few cards"
    assert table.refusal(0, "claim CHI-PIT/black with 3 orange") == "no such move"


@pytest.mark.rule("C-2")
def test_a_grey_route_takes_any_one_colour() -> None:
    table = RulesTable("usa-classic")
    table.set_hand(0, **dict.fromkeys(table.edition.board.colours, 2))
    assert claims_on(table, 0, "ATL-CHS") == [f"2 {colour}" for colour in table.edition.board.colours]


@pytest.mark.rule("C-2")
def test_two_colours_are_never_mixed() -> None:
    table = RulesTable("usa-classic")
    table.set_hand(0, red=1, blue=1, green=1, loco=1)
    assert claims_on(table, 0, "ATL-CHS") == ["1 blue, 1 loco", "1 green, 1 loco", "1 red, 1 loco"]
    assert claims_on(table, 0, "CAL-VAN") == []
    assert table.refusal(0, "claim ATL-CHS with 1 red, 1 blue") == "no such move"


@pytest.mark.rule("C-3")
@pytest.mark.parametrize("locos", range(4))
def test_locomotives_stand_for_any_card_in_any_number(locos: int) -> None:
    table = RulesTable("usa-classic")
    table.set_hand(0, black=3, loco=3)
    assert claims_on(table, 0, "CHI-PIT/black") == ["3 black", "2 black, 1 loco", "1 black, 2 loco", "3 loco"]
    payment = claims_on(table, 0, "CHI-PIT/black")[locos]
    table.play(0, f"claim CHI-PIT/black with {payment}")
    left = {"black": locos, "loco": 3 - locos}
    assert table.hand(0) == {card: count for card, count in left.items() if count}


@pytest.mark.rule("C-3")
def test_no_more_locomotives_than_in_hand() -> None:
    table = RulesTable("usa-classic")
    table.set_hand(0, black=2, loco=1)
    assert claims_on(table, 0, "CHI-PIT/black") == ["2 black, 1 loco"]
    assert table.refusal(0, "claim CHI-PIT/black with 1 black, 2 loco") == "too few locomotives"
    assert table.refusal(0, "claim CHI-PIT/black with 3 loco") == "too few locomotives"


@pytest.mark.rule("C-3")
def test_locomotives_alone_pay_for_the_longest_route_too() -> None:
    table = RulesTable("usa-classic")
    table.set_hand(0, loco=6)
    table.play(0, "claim SSM-WPG with 6 loco")
    assert (table.points(0), table.hand(0)) == (15, {})


@pytest.mark.rule("C-4")
@each_seating
def test_a_claimed_route_cannot_be_claimed_again(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    route, payment = ("CHI-KAN/black", "1 loco") if edition == "first-journey" else ("ATL-NAS", "1 loco")
    if edition == "new-york":
        route = "MID-TIM"
    for seat in range(players):
        table.set_hand(seat, loco=1)
    table.play(0, f"claim {route} with {payment}")
    table.set_hand(0, loco=1)
    for seat in range(players):
        table.state.turn = seat
        assert table.refusal(seat, f"claim {route} with {payment}") == "route taken"
        assert claims_on(table, seat, route) == []


@pytest.mark.rule("C-4")
def test_a_route_need_not_be_connected_to_the_others() -> None:
    table = RulesTable("usa-classic")
    table.own(0, "SEA-VAN/1")
    table.set_hand(0, loco=5)
    table.play(0, "claim ATL-MIA with 5 loco")
    assert table.routes(0) == ["ATL-MIA", "SEA-VAN/1"]


@pytest.mark.rule("C-4")
def test_one_route_a_turn() -> None:
    table = RulesTable("usa-classic")
    table.set_hand(0, loco=8)
    table.play(0, "claim ATL-NAS with 1 loco")
    assert table.refusal(0, "claim ATL-CHS with 2 loco") == "not your turn"


@pytest.mark.rule("C-5")
@pytest.mark.parametrize("pieces", range(7))
def test_a_route_longer_than_the_pieces_left_is_out_of_reach(pieces: int) -> None:
    table = RulesTable("usa-classic")
    table.set_hand(0, loco=14)
    table.set_pieces(0, pieces)
    for route in table.edition.board.routes:
        claims = claims_on(table, 0, route.name)
        assert bool(claims) == (route.length <= pieces)
        expected = "legal" if claims else "too few pieces"
        assert table.refusal(0, f"claim {route.name} with {route.length} loco") == expected


@pytest.mark.rule("C-6")
@pytest.mark.parametrize("lanes", [DOUBLES["usa"], SAME_COLOUR["usa"]])
@each_usa_seating
def test_usa_doubles_close_with_two_or_three_players(
    edition: str, players: int, lanes: tuple[str, str, str, str]
) -> None:
    closed = players <= 3
    check_double(RulesTable(edition, players), lanes, "twin closed" if closed else "legal")


@pytest.mark.rule("C-6")
@pytest.mark.parametrize(
    "lanes",
    [("CEN-TIM/black", "2 black", "CEN-TIM/red", "2 red"), ("CHE-ESB/2", "2 red", "CHE-ESB/1", "2 black")],
)
@each_new_york_seating
def test_new_york_doubles_close_with_two_players_only(
    edition: str, players: int, lanes: tuple[str, str, str, str]
) -> None:
    check_double(RulesTable(edition, players), lanes, "twin closed" if players == 2 else "legal")


@pytest.mark.rule("C-6", "J-3")
@each_first_journey_seating
def test_first_journey_doubles_stay_open_to_different_players(edition: str, players: int) -> None:
    lanes = ("CHI-DUL/blue", "1 blue", "CHI-DUL/red", "1 red")
    check_double(RulesTable(edition, players), lanes, "legal")


def check_double(table: RulesTable, lanes: tuple[str, str, str, str], for_others: str) -> None:
    """Let seat 0 claim one lane of a double, and check for every seat whether it may claim the other lane."""
    mine, payment, other, other_payment = lanes
    needed = cards(other_payment)
    table.set_hand(0, **cards(payment))
    table.play(0, f"claim {mine} with {payment}")
    for seat in range(table.players):
        table.set_hand(seat, **needed)
        table.state.turn = seat
        expected = for_others if seat else "twin is own"
        assert table.refusal(seat, f"claim {other} with {other_payment}") == expected
        assert bool(claims_on(table, seat, other)) == (expected == "legal")
        table.set_hand(seat)
    if for_others == "legal":
        table.set_hand(1, **needed)
        table.state.turn = 1
        table.play(1, f"claim {other} with {other_payment}")
        table.set_hand(0, **needed)
        table.state.turn = 0
        assert table.refusal(0, f"claim {other} with {other_payment}") == "route taken"


@pytest.mark.rule("C-6")
def test_a_closed_lane_closes_no_other_route() -> None:
    table = RulesTable("usa-classic", 2)
    table.set_hand(0, loco=3)
    table.play(0, "claim CHI-PIT/black with 3 loco")
    table.set_hand(1, loco=6)
    claimable = {move.split()[1] for move in table.legal(1) if move.startswith("claim")}
    names = {route.name for route in table.edition.board.routes}
    assert names - claimable == {"CHI-PIT/black", "CHI-PIT/orange"}


@pytest.mark.rule("R-6", "C-6")
@pytest.mark.parametrize(("players", "expected"), [(3, "twin closed"), (4, "legal"), (5, "legal")])
def test_seats_that_can_do_nothing_still_count_for_doubles(players: int, expected: str) -> None:
    table = RulesTable("usa-classic", players)
    for seat in range(2, players):
        table.set_pieces(seat, 0)
        table.set_hand(seat)
    table.set_hand(0, black=3)
    table.set_hand(1, orange=3)
    table.play(0, "claim CHI-PIT/black with 3 black")
    assert table.refusal(1, "claim CHI-PIT/orange with 3 orange") == expected
