"""Games in which no seat can act, and First Journey's rulings (R-9 to R-11, R-13, R-16)."""

from __future__ import annotations

import pytest

from tests.rules.homemade import islands_race
from tests.rules.seatings import each_first_journey_seating, each_offering_seating
from tests.rules.table import RulesTable
from tests.rules.test_ending import claim_cheap
from tests.rules.test_first_journey import ROCKIES, journey


def standstill(edition: str, players: int) -> RulesTable:
    """Return a game in which every seat can only pass."""
    table = RulesTable(edition, players)
    table.clear_cards()
    table.set_ticket_deck()
    table.close_routes()
    return table


@pytest.mark.rule("R-13")
@each_offering_seating
def test_a_round_of_passes_ends_the_game_and_it_is_scored(edition: str, players: int) -> None:
    table = standstill(edition, players)
    table.set_points(*range(50, 50 + players))
    worth = [
        sum(t.points for t in table.edition.tickets if t.name in table.tickets(s)) for s in range(players)
    ]
    for seat in range(players):
        assert (table.phase, table.turn) == ("turn", seat)
        table.play(seat, "pass")
    assert table.phase == "over"
    assert table.ending == "nobody can act"
    assert table.totals == [50 + seat - worth[seat] for seat in range(players)]


@pytest.mark.rule("R-13")
@each_first_journey_seating
def test_first_journey_ends_with_a_round_of_passes_too(edition: str, players: int) -> None:
    table = standstill(edition, players)
    table.set_completed(1, 2)
    for seat in range(players):
        assert table.legal(seat) == ["pass"]
        table.play(seat, "pass")
    assert (table.phase, table.ending, table.winners) == ("over", "nobody can act", [1])


@pytest.mark.rule("R-13")
@pytest.mark.parametrize("edition", ["usa-classic", "new-york"])
def test_passes_count_only_in_a_row(edition: str) -> None:
    table = standstill(edition, 3)
    table.play(0, "pass")
    table.play(1, "pass")
    table.set_row("red")
    table.play(2, "take red")
    for seat in (0, 1):
        table.play(seat, "pass")
        assert table.phase == "turn"
    table.play(2, "pass")
    assert table.ending == "nobody can act"


@pytest.mark.rule("R-13", "E-1")
@pytest.mark.parametrize("edition", ["usa-classic", "new-york"])
def test_a_last_round_of_passes_is_still_a_last_round(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_pieces(0, 3)
    claim_cheap(table, 0)
    assert table.is_last_round
    table.clear_cards()
    table.set_ticket_deck()
    table.close_routes()
    table.play(1, "pass")
    table.play(0, "pass")
    assert table.phase == "over"
    assert table.ending == "last round played"


@pytest.mark.rule("R-9")
def test_a_swap_needs_a_ticket_in_the_deck_and_one_in_hand() -> None:
    table = journey()
    assert table.refusal(0, "swap tickets") == "no tickets to swap"
    assert "swap tickets" not in table.legal(0)
    table.set_tickets(0, "ABQ-CHI")
    assert table.refusal(0, "swap tickets") == "legal"
    table.set_ticket_deck()
    assert table.refusal(0, "swap tickets") == "no tickets left"
    assert "swap tickets" not in table.legal(0)


@pytest.mark.rule("R-9")
@pytest.mark.parametrize("deck", [["CHI-MIA"], ["CHI-MIA", "KAN-MIA"], ["CHI-MIA", "KAN-MIA", "CHI-NOL"]])
def test_a_swap_draws_first_and_at_most_the_tickets_left(deck: list[str]) -> None:
    table = journey()
    table.set_tickets(0, "NOL-NYC", "ABQ-CHI")
    table.set_ticket_deck(*deck)
    table.play(0, "swap tickets")
    assert table.offer(0) == deck[:2]
    assert table.ticket_deck == [*deck[2:], "NOL-NYC", "ABQ-CHI"]


@pytest.mark.rule("R-9")
def test_a_seat_with_one_ticket_swaps_it_for_two() -> None:
    table = journey()
    table.set_tickets(0, "NOL-NYC")
    table.set_ticket_deck("CHI-MIA", "KAN-MIA", "CHI-NOL")
    table.play(0, "swap tickets")
    assert table.offer(0) == ["CHI-MIA", "KAN-MIA"]
    assert table.ticket_deck == ["CHI-NOL", "NOL-NYC"]


@pytest.mark.rule("R-9", "J-4")
def test_a_home_made_ticket_deck_may_run_dry() -> None:
    table = RulesTable(islands_race())
    table.set_tickets(1)
    table.set_tickets(0, "AAA-BBB", "AAA-CCC")
    table.set_ticket_deck("BBB-CCC")
    table.set_hand(0, red=2)
    table.play(0, "claim AAA-BBB with 1 red")
    assert table.completed(0) == ["AAA-BBB"]
    assert table.offer(0) == ["AAA-CCC", "BBB-CCC"]
    table.draw_two(1)
    table.play(0, "claim BBB-CCC with 1 red")
    assert table.completed_count(0) == 3
    assert table.offer(0) == []
    assert table.refusal(0, "swap tickets") == "not your turn"
    table.draw_two(1)
    assert table.refusal(0, "swap tickets") == "no tickets left"
    table.draw_two(0)
    assert table.phase == "turn"


@pytest.mark.rule("R-9", "J-4")
def test_a_swap_on_a_dry_board_may_draw_its_own_tickets_again() -> None:
    table = RulesTable(islands_race())
    table.set_tickets(1)
    table.set_tickets(0, "CCC-DDD", "AAA-DDD")
    table.set_ticket_deck("AAA-BBB")
    table.own(0, "AAA-BBB")
    table.play(0, "swap tickets")
    assert table.completed(0) == ["AAA-BBB"]
    assert table.offer(0) == ["CCC-DDD"]
    assert table.ticket_deck == ["AAA-DDD"]


@pytest.mark.rule("R-10", "J-6", "J-7")
@each_first_journey_seating
def test_six_tickets_come_before_the_last_train(edition: str, players: int) -> None:
    table = journey(players)
    table.set_completed(0, 5)
    table.set_tickets(0, "DEN-LAX")
    table.own(0, *ROCKIES)
    table.set_pieces(0, 2)
    table.set_hand(0, red=2)
    table.play(0, "claim LAX-SLC with 2 red")
    assert table.pieces(0) == 0
    assert (table.ending, table.winners) == ("tickets completed", [0])


@pytest.mark.rule("R-11")
@each_first_journey_seating
def test_a_single_card_left_is_drawn_alone(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0)
    table.set_deck(red=1)
    table.play(0, "draw deck")
    assert table.hand(0) == {"red": 1}
    assert table.turn == 1


@pytest.mark.rule("R-11", "D-7")
@each_first_journey_seating
def test_the_second_card_may_come_from_the_discards(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0)
    table.set_discards(green=2)
    table.set_deck(red=1)
    table.play(0, "draw deck")
    assert table.hand(0) == {"red": 1, "green": 1}
    assert (table.deck, table.discards) == ({"green": 1}, {})


@pytest.mark.rule("R-11", "R-4")
@each_first_journey_seating
def test_drawing_is_not_available_without_cards(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0, red=1)
    table.set_deck()
    assert table.refusal(0, "draw deck") == "deck empty"
    assert "draw deck" not in table.legal(0)
    assert table.refusal(0, "pass") == "can act"
    table.set_hand(players - 1)
    table.set_hand(0)
    table.set_deck()
    assert table.legal(0) == ["swap tickets"]
    assert table.refusal(0, "pass") == "can act"


@pytest.mark.rule("R-16", "R-13")
@each_first_journey_seating
def test_a_round_of_forced_swaps_that_complete_nothing_ends_the_game(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.clear_cards()
    table.close_routes()
    for seat in range(players):
        assert table.legal(seat) == ["swap tickets"]
        table.play(seat, "swap tickets")
    assert (table.phase, table.ending) == ("over", "nobody can act")


@pytest.mark.rule("R-16")
def test_forced_swaps_and_passes_count_together() -> None:
    table = RulesTable("first-journey", 3)
    table.clear_cards()
    table.close_routes()
    table.play(0, "swap tickets")
    table.set_tickets(1)
    table.play(1, "pass")
    assert table.phase == "turn"
    table.play(2, "swap tickets")
    assert table.ending == "nobody can act"


@pytest.mark.rule("R-16")
def test_a_swap_by_choice_is_not_a_pass() -> None:
    table = RulesTable("first-journey", 2)
    for turn in range(6):
        assert "draw deck" in table.legal(turn % 2)
        table.play(turn % 2, "swap tickets")
    assert table.phase == "turn"


@pytest.mark.rule("R-16")
def test_a_forced_swap_that_completes_a_ticket_is_not_a_pass() -> None:
    table = journey()
    table.own(0, *ROCKIES, "LAX-SLC")
    table.set_tickets(0, "ABQ-CHI", "NOL-NYC")
    table.set_tickets(1, "DAL-MIA", "DAL-NYC")
    table.set_ticket_deck("ATL-MON", "CHI-MIA", "DEN-SEA", "CHI-NOL", "KAN-WAS")
    table.clear_cards()
    table.close_routes()
    table.state.turn = 1
    table.play(1, "swap tickets")
    assert int(table.state.passes) == 1
    table.play(0, "swap tickets")
    assert table.completed(0) == ["DEN-SEA"]
    assert table.phase == "turn"
    table.play(1, "swap tickets")
    table.play(0, "swap tickets")
    assert table.ending == "nobody can act"


@pytest.mark.rule("R-13", "J-7")
def test_a_claim_between_passes_starts_the_count_again() -> None:
    table = journey()
    table.clear_cards()
    table.set_ticket_deck()
    table.play(0, "pass")
    table.play(1, "claim DAL-KAN/red with 1 red")
    assert table.deck == {"red": 1}
    table.play(0, "draw deck")
    assert table.phase == "turn"
    assert int(table.state.passes) == 0


@pytest.mark.rule("R-16", "R-12")
@pytest.mark.parametrize("can_claim", [False, True])
def test_whether_a_swap_counts_as_a_pass_is_public(can_claim: bool) -> None:
    """A pass is never a free choice either."""
    table = RulesTable("first-journey", 2)
    table.clear_cards()
    if can_claim:
        table.set_hand(0, red=2)
        table.set_deck()
    else:
        table.close_routes()
    table.play(0, "swap tickets")
    assert [event.details[2] for event in table.happened("turn ended")] == [0 if can_claim else 1]
    assert table.view(1).state.passes == (0 if can_claim else 1)
