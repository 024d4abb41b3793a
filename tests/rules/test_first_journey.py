"""First Journey (J-1 to J-8)."""

from __future__ import annotations

import pytest

from tests.rules.seatings import each_first_journey_seating
from tests.rules.table import RulesTable
from tests.rules.test_claiming import claims_on
from tests.rules.test_setup import all_cards

WEST, EAST = ("SEA", "SFO", "LAX"), ("NYC", "WAS", "MIA")
ROCKIES = ("HEL-SLC/green", "HEL-SEA", "DEN-SLC/black", "CAL-HEL/white")
"""With LAX-SLC these join Los Angeles, Salt Lake City, Helena, Seattle, Denver and Calgary."""
ACROSS = ("ABQ-LAX/white", "ABQ-DAL/green", "DAL-KAN/yellow", "CHI-KAN/yellow")
"""With CHI-NYC/white these join Los Angeles to New York."""


def journey(players: int = 2) -> RulesTable:
    """Return a game without held tickets, whose ticket deck has none that the tests here join."""
    table = RulesTable("first-journey", players)
    for seat in range(players):
        table.set_tickets(seat)
    table.set_ticket_deck("ATL-MON", "MIA-NYC", "CHI-MIA", "CHI-NOL", "KAN-MIA", "NOL-WAS")
    return table


def claim_the_rockies(table: RulesTable) -> None:
    """Let seat 0 complete its network in the west with one claim."""
    table.own(0, *ROCKIES)
    table.set_hand(0, red=2)
    table.play(0, "claim LAX-SLC with 2 red")


@pytest.mark.rule("J-1")
@each_first_journey_seating
def test_the_cards_pieces_and_tickets_at_the_start(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    cards = all_cards(table)
    assert cards == {**dict.fromkeys(("yellow", "green", "white", "black", "blue", "red"), 10), "loco": 12}
    assert sum(cards.values()) == 72
    assert [table.hand_size(seat) for seat in range(players)] == [4] * players
    assert [len(table.tickets(seat)) for seat in range(players)] == [2] * players
    assert [table.pieces(seat) for seat in range(players)] == [20] * players
    assert len(table.ticket_deck) == 32 - 2 * players
    assert table.row == []
    assert table.phase == "turn"
    assert not table.happened("turned up")


@pytest.mark.rule("J-2")
@each_first_journey_seating
def test_a_turn_is_a_draw_a_claim_or_a_swap(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0, red=1)
    kinds = {move.split()[0] for move in table.legal(0)}
    assert kinds == {"draw", "claim", "swap"}
    for card in ("red", "loco"):
        assert table.refusal(0, f"take {card}") == "not face up"


@pytest.mark.rule("J-2")
@each_first_journey_seating
def test_two_cards_come_from_the_deck_at_once(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0)
    table.set_deck(loco=1, red=1)
    table.play(0, "draw deck")
    assert table.hand(0) == {"loco": 1, "red": 1}
    assert (table.phase, table.turn) == ("turn", 1)


@pytest.mark.rule("J-2", "R-9")
@each_first_journey_seating
def test_a_swap_exchanges_both_tickets(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    old, deck = table.offer(0), table.ticket_deck
    table.play(0, "swap tickets")
    assert table.offer(0) == deck[:2]
    assert {*table.tickets(0)} == {*deck[:2]}
    assert table.ticket_deck == deck[2:] + old
    assert table.turn == 1


@pytest.mark.rule("J-3")
def test_claims_cost_cards_and_pieces_but_score_nothing() -> None:
    table = journey()
    table.set_hand(0, green=3, red=1, loco=2)
    assert claims_on(table, 0, "ABQ-DAL/green") == ["2 green", "1 green, 1 loco", "2 loco"]
    assert claims_on(table, 0, "DEN-DUL") == []
    assert table.refusal(0, "claim ABQ-DAL/green with 1 green, 1 red") == "no such move"
    table.play(0, "claim ABQ-DAL/green with 1 green, 1 loco")
    assert table.hand(0) == {"green": 2, "red": 1, "loco": 1}
    assert table.discards == {"green": 1, "loco": 1}
    assert (table.pieces(0), table.points(0)) == (18, 0)


@pytest.mark.rule("J-3", "C-5")
def test_pieces_limit_claims_here_too() -> None:
    table = journey()
    table.set_hand(0, black=4)
    table.set_pieces(0, 3)
    assert table.refusal(0, "claim DEN-DUL with 4 black") == "too few pieces"
    assert table.refusal(0, "claim CAL-SEA/black with 3 black") == "legal"


@pytest.mark.rule("J-3")
def test_the_board_has_no_grey_route() -> None:
    assert "grey" not in {route.colour for route in RulesTable("first-journey").edition.board.routes}


@pytest.mark.rule("J-4")
@each_first_journey_seating
def test_a_joined_ticket_is_shown_at_once_and_replaced(edition: str, players: int) -> None:
    table = journey(players)
    table.set_tickets(0, "DEN-LAX", "ABQ-CHI")
    claim_the_rockies(table)
    assert table.completed(0) == ["DEN-LAX"]
    assert table.offer(0) == ["ABQ-CHI", "ATL-MON"]
    assert {*table.tickets(0)} == {"ABQ-CHI", "ATL-MON"}
    assert table.ticket_deck[0] == "MIA-NYC"
    assert len(table.happened("completed", 0)) == 1
    assert len(table.happened("received", 0)) == 1


@pytest.mark.rule("J-4")
def test_both_tickets_may_complete_at_once() -> None:
    table = journey()
    table.set_tickets(0, "DEN-LAX", "CAL-LAX")
    claim_the_rockies(table)
    assert {*table.completed(0)} == {"DEN-LAX", "CAL-LAX"}
    assert table.offer(0) == ["ATL-MON", "MIA-NYC"]


@pytest.mark.rule("J-4")
def test_a_new_ticket_that_is_already_joined_completes_repeatedly() -> None:
    table = journey()
    table.set_tickets(0, "ABQ-CHI", "DEN-LAX")
    table.set_ticket_deck("DEN-SEA", "LAX-SEA", "CAL-LAX", "NOL-NYC", "MIA-NYC")
    claim_the_rockies(table)
    assert {*table.completed(0)} == {"DEN-LAX", "DEN-SEA", "LAX-SEA", "CAL-LAX"}
    assert table.offer(0) == ["ABQ-CHI", "NOL-NYC"]
    assert table.completed_count(0) == 4
    assert table.turn == 1


@pytest.mark.rule("J-4")
def test_a_swap_may_bring_a_ticket_that_is_joined_already() -> None:
    table = journey()
    table.set_tickets(0, "ABQ-CHI", "NOL-NYC")
    table.own(0, *ROCKIES, "LAX-SLC")
    table.set_ticket_deck("DEN-SEA", "MIA-NYC", "CAL-LAX", "ATL-MON")
    table.play(0, "swap tickets")
    assert {*table.completed(0)} == {"DEN-SEA", "CAL-LAX"}
    assert table.offer(0) == ["MIA-NYC", "ATL-MON"]
    assert table.ticket_deck == ["ABQ-CHI", "NOL-NYC"]


@pytest.mark.rule("J-4")
def test_a_seat_completes_tickets_only_in_its_own_turn() -> None:
    table = journey()
    table.set_tickets(1, "DEN-LAX")
    claim_the_rockies(table)
    assert table.completed_count(0) == table.completed_count(1) == 0


@pytest.mark.rule("J-5")
@pytest.mark.parametrize("west", WEST)
@pytest.mark.parametrize("east", EAST)
def test_joining_the_coasts_earns_a_ticket(west: str, east: str) -> None:
    table = journey()
    join_coasts(table, west, east)
    assert table.completed_count(0) == 1
    assert table.completed(0) == []
    assert [event.seat for event in table.happened("coast to coast")] == [0]


@pytest.mark.rule("J-5")
def test_the_coasts_are_joined_even_if_other_western_cities_are_not() -> None:
    table = journey()
    table.own(0, "LAX-SFO/black")
    join_coasts(table, "SEA", "NYC")
    assert table.completed_count(0) == 1


def join_coasts(table: RulesTable, west: str, east: str) -> None:
    """Let seat 0 join two cities, the last route by a claim."""
    *way, last = shortest_path(table, west, east)
    table.own(0, *way)
    table.set_hand(0, loco=4)
    table.play(
        0, next(m for m in table.legal(0) if m.startswith(f"claim {last} with") and m.endswith("loco"))
    )


def shortest_path(table: RulesTable, start: str, end: str) -> list[str]:
    """Return a shortest list of routes that join two cities and touch no other city of the coasts."""
    cities = [city.code for city in table.edition.board.cities]
    ways: list[tuple[str, list[str]]] = [(start, [])]
    for city, way in ways:
        for route in table.edition.board.routes:
            ends = {cities[route.a], cities[route.b]}
            other = next(iter(ends - {city}))
            if city in ends and other == end:
                return [*way, route.name]
            if city in ends and other not in {*WEST, *EAST} and len(way) < 4:
                ways.append((other, [*way, route.name]))
    raise LookupError(start, end)


@pytest.mark.rule("J-5")
def test_the_coasts_pay_once_for_each_player() -> None:
    table = journey()
    table.own(0, *ACROSS)
    table.own(1, "LAX-SFO/black")
    table.set_hand(0, white=3, yellow=1)
    table.play(0, "claim CHI-NYC/white with 3 white")
    assert [table.completed_count(seat) for seat in range(2)] == [1, 0]
    table.draw_two(1)
    table.play(0, "claim NYC-WAS/yellow with 1 yellow")
    assert table.completed_count(0) == 1
    assert not table.happened("coast to coast")


@pytest.mark.rule("J-5")
def test_every_player_may_earn_the_coast_to_coast_ticket() -> None:
    table = journey()
    table.own(0, *ACROSS, "CHI-NYC/white")
    table.state.coast_to_coast[0] = 1
    table.set_completed(0, 1)
    table.state.turn = 1
    table.own(1, "ABQ-LAX/blue", "ABQ-DAL/black", "DAL-NOL/blue", "ATL-NOL/red")
    table.set_hand(1, black=2)
    table.play(1, "claim ATL-MIA/black with 2 black")
    assert [table.completed_count(seat) for seat in range(2)] == [1, 1]


@pytest.mark.rule("J-5")
def test_two_coasts_that_do_not_meet_earn_nothing() -> None:
    table = journey()
    table.own(0, "NYC-WAS/blue", "ABQ-LAX/white", "ABQ-DAL/green")
    table.set_hand(0, yellow=1)
    table.play(0, "claim DAL-KAN/yellow with 1 yellow")
    assert table.completed_count(0) == 0


@pytest.mark.rule("J-6")
@each_first_journey_seating
def test_the_sixth_ticket_wins_at_once(edition: str, players: int) -> None:
    table = journey(players)
    table.set_completed(0, 5)
    table.set_completed(1, 5)
    table.set_tickets(0, "DEN-LAX", "ABQ-CHI")
    deck = table.ticket_deck
    claim_the_rockies(table)
    assert table.phase == "over"
    assert table.ending == "tickets completed"
    assert table.winners == [0]
    assert table.totals[:2] == [6, 5]
    assert table.ticket_deck == deck


@pytest.mark.rule("J-6")
def test_five_tickets_do_not_win() -> None:
    table = journey()
    table.set_completed(0, 4)
    table.set_tickets(0, "DEN-LAX")
    claim_the_rockies(table)
    assert table.phase == "turn"
    assert table.completed_count(0) == 5


@pytest.mark.rule("J-6", "J-4")
def test_a_chain_of_new_tickets_stops_at_six() -> None:
    table = journey()
    table.set_completed(0, 3)
    table.set_tickets(0, "DEN-LAX", "ABQ-CHI")
    table.set_ticket_deck("DEN-SEA", "LAX-SEA", "CAL-LAX", "NOL-NYC")
    claim_the_rockies(table)
    assert table.ending == "tickets completed"
    assert table.totals[0] == 6
    assert table.ticket_deck == ["CAL-LAX", "NOL-NYC"]


@pytest.mark.rule("J-6", "J-4")
def test_of_two_tickets_joined_at_once_only_the_sixth_is_shown() -> None:
    table = journey()
    table.set_completed(0, 5)
    table.set_tickets(0, "DEN-LAX", "CAL-LAX")
    claim_the_rockies(table)
    assert table.ending == "tickets completed"
    assert table.totals[0] == 6
    assert (table.completed(0), table.tickets(0)) == (["DEN-LAX"], ["CAL-LAX"])
    assert not table.happened("revealed")


@pytest.mark.rule("J-6", "J-5")
def test_joining_the_coasts_may_be_the_sixth() -> None:
    table = journey()
    table.set_completed(0, 5)
    table.own(0, *ACROSS)
    table.set_hand(0, white=3)
    table.play(0, "claim CHI-NYC/white with 3 white")
    assert (table.ending, table.winners, table.totals[0]) == ("tickets completed", [0], 6)


@pytest.mark.rule("J-6", "J-5", "J-4")
def test_coasts_and_a_ticket_in_one_claim_count_two() -> None:
    table = journey()
    table.set_completed(0, 4)
    table.set_tickets(0, "DAL-NYC", "ATL-MON")
    table.own(0, *ACROSS)
    table.set_hand(0, white=3)
    table.play(0, "claim CHI-NYC/white with 3 white")
    assert (table.ending, table.winners, table.totals[0]) == ("tickets completed", [0], 6)


@pytest.mark.rule("J-4", "J-5", "J-6")
def test_the_coasts_come_before_the_tickets_of_the_same_claim() -> None:
    """The bonus is the sixth ticket: the ticket joined by the claim is not shown and not replaced."""
    table = journey()
    table.set_completed(0, 5)
    table.set_tickets(0, "DAL-NYC", "ATL-MON")
    deck = table.ticket_deck
    table.own(0, *ACROSS)
    table.set_hand(0, white=3)
    table.play(0, "claim CHI-NYC/white with 3 white")
    assert (table.ending, table.winners, table.totals[0]) == ("tickets completed", [0], 6)
    assert (table.completed(0), table.tickets(0)) == ([], ["ATL-MON", "DAL-NYC"])
    assert table.ticket_deck == deck


@pytest.mark.rule("J-6", "J-4")
def test_a_swap_may_win() -> None:
    table = journey()
    table.set_completed(0, 5)
    table.set_tickets(0, "ABQ-CHI", "NOL-NYC")
    table.own(0, *ROCKIES, "LAX-SLC")
    table.set_ticket_deck("MIA-NYC", "DEN-SEA")
    table.play(0, "swap tickets")
    assert (table.ending, table.winners) == ("tickets completed", [0])


@pytest.mark.rule("J-7")
@each_first_journey_seating
def test_the_last_train_ends_the_game_at_once(edition: str, players: int) -> None:
    table = journey(players)
    table.set_completed(0, 2)
    table.set_completed(players - 1, 3)
    table.set_pieces(0, 1)
    table.set_hand(0, red=1)
    table.play(0, "claim DAL-KAN/red with 1 red")
    assert table.phase == "over"
    assert table.ending == "last piece placed"
    assert table.winners == [players - 1]
    assert not table.happened("last round")


@pytest.mark.rule("J-7")
@pytest.mark.parametrize("tied", [(0, 1), (1, 2), (0, 1, 2), (0, 1, 2, 3)])
def test_all_tied_for_most_tickets_win(tied: tuple[int, ...]) -> None:
    table = journey(4)
    for seat in range(4):
        table.set_completed(seat, 3 if seat in tied else 1)
    table.set_pieces(0, 1)
    table.set_hand(0, red=1)
    table.play(0, "claim DAL-KAN/red with 1 red")
    assert table.winners == list(tied)
    assert table.tie_break == "shared"


@pytest.mark.rule("J-7")
@pytest.mark.parametrize("left", [1, 2])
def test_with_a_train_left_the_game_continues(left: int) -> None:
    table = journey()
    table.set_pieces(0, left + 1)
    table.set_hand(0, red=1)
    table.play(0, "claim DAL-KAN/red with 1 red")
    assert (table.phase, table.is_last_round, table.turn) == ("turn", False, 1)


@pytest.mark.rule("J-7", "J-4")
def test_a_ticket_completed_by_the_last_train_counts() -> None:
    table = journey()
    table.set_tickets(0, "DEN-LAX")
    table.own(0, *ROCKIES)
    table.set_pieces(0, 2)
    table.set_hand(0, red=2)
    table.play(0, "claim LAX-SLC with 2 red")
    assert (table.ending, table.totals, table.winners) == ("last piece placed", [1, 0], [0])


@pytest.mark.rule("J-8")
def test_unfinished_tickets_cost_nothing() -> None:
    table = journey()
    table.set_tickets(0, "ABQ-CHI", "NOL-NYC")
    table.set_completed(0, 1)
    table.set_pieces(0, 1)
    table.set_hand(0, red=1)
    table.play(0, "claim DAL-KAN/red with 1 red")
    assert table.score(0) == {"completed": 1}
    assert table.totals == [1, 0]
