"""Mistakes of other implementations of these rules, which this one must not make."""

from __future__ import annotations

import pytest

from tests.rules.seatings import OFFERING, each_offering_seating
from tests.rules.table import RulesTable, bare

BOARDS = pytest.mark.parametrize("edition", ["usa-classic", "new-york"])


def empty_deck(edition: str, *row: str) -> RulesTable:
    """Return a table with only a face-up row to draw from, and nothing in the first hand."""
    table = RulesTable(edition, 2)
    table.set_hand(0)
    table.set_row(*row)
    table.set_discards()
    table.set_deck()
    return table


@pytest.mark.rule("D-7")
@pytest.mark.parametrize("edition", OFFERING)
def test_the_deck_is_reshuffled_so_that_the_game_can_end(edition: str) -> None:
    table = RulesTable(edition, 2)
    shuffled = 0
    while table.phase != "over":
        moves = table.legal(table.turn)
        table.play(table.turn, "draw deck" if "draw deck" in moves else moves[-1])
        shuffled += len(table.happened("reshuffled"))
    assert table.ending == "last round played"
    assert shuffled > 1


@pytest.mark.rule("D-7")
@BOARDS
def test_a_new_deck_leaves_hands_alone(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_hand(0, red=2, loco=1)
    table.set_discards(green=3)
    table.set_deck(blue=1)
    other = table.hand(1)
    table.play(0, "draw deck")
    assert table.deck == {"green": 3}
    assert table.hand(0) == {"red": 2, "loco": 1, "blue": 1}
    assert table.hand(1) == other


@pytest.mark.rule("D-1")
@BOARDS
def test_a_drawn_card_is_no_longer_in_the_deck(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_hand(0)
    table.set_row("red", "red", "red", "red", "red")
    table.set_discards()
    table.set_deck(blue=1, green=1, black=1, loco=1)
    table.play(0, "draw deck", "draw deck")
    table.state.turn = 0
    table.play(0, "draw deck", "draw deck")
    assert table.hand(0) == {"blue": 1, "green": 1, "black": 1, "loco": 1}
    assert table.deck == {}


@pytest.mark.rule("D-8")
@BOARDS
def test_empty_slots_are_refilled_after_a_claim(edition: str) -> None:
    table = empty_deck(edition, "red")
    route = "ATL-CHS" if edition == "usa-classic" else "CHE-ESB/1"
    table.state.turn = 1
    table.play(1, f"claim {route} with 2 green")
    assert table.row == ["red", "green", "green", "", ""]


@pytest.mark.rule("D-6")
@BOARDS
def test_three_face_up_locomotives_do_not_stay(edition: str) -> None:
    for seed in range(30):
        table = RulesTable(edition, 2, seed=seed)
        for turn in range(8):
            assert table.row.count("loco") < 3
            table.play(turn % 2, "draw deck")
            card = next(card for card in table.row if card != "loco")
            table.play(turn % 2, f"take {card}")


@pytest.mark.rule("D-4")
@BOARDS
def test_no_locomotive_as_second_card(edition: str) -> None:
    table = empty_deck(edition, "red", "loco", "blue")
    table.play(0, "take red")
    assert table.refusal(0, "take loco") == "locomotive second"
    assert table.legal(0) == ["take blue"]


@pytest.mark.rule("D-5")
@BOARDS
def test_a_blind_locomotive_does_not_end_the_turn(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_row("red", "red", "red", "red", "red")
    table.set_deck(loco=4)
    table.play(0, "draw deck")
    assert (table.phase, table.turn) == ("second card", 0)


@pytest.mark.rule("R-3", "D-8")
@BOARDS
def test_coloured_face_up_cards_are_a_second_card_without_a_deck(edition: str) -> None:
    table = empty_deck(edition, "red", "blue", "loco")
    table.play(0, "take red")
    assert (table.phase, table.turn) == ("second card", 0)
    table.play(0, "take blue")
    assert table.hand(0) == {"red": 1, "blue": 1}


@pytest.mark.rule("E-1", "D-3")
@each_offering_seating
def test_a_face_up_locomotive_in_the_last_turn_ends_the_game(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_row("loco", "red", "red", "red", "red")
    table.state.turns_left = 1
    table.play(0, "take loco")
    assert table.phase == "over"


@pytest.mark.rule("T-1")
@pytest.mark.parametrize("left", [1, 2])
def test_fewer_tickets_than_a_draw_can_be_drawn(left: int) -> None:
    table = RulesTable("usa-classic", 2)
    deck = table.ticket_deck[:left]
    table.set_ticket_deck(*deck)
    table.play(0, "draw tickets")
    assert table.offer(0) == deck
    table.play(0, f"keep {deck[0]}")
    assert table.turn == 1


@pytest.mark.rule("S-3")
@each_offering_seating
def test_play_waits_until_all_have_chosen_tickets(edition: str, players: int) -> None:
    table = RulesTable(edition, players, choose=False)
    for seat in range(players - 1):
        table.play(seat, "keep " + ", ".join(table.offer(seat)))
    assert table.phase == "choosing"
    assert table.refusal(0, "draw deck") == "already chosen"
    assert [seat for seat in range(players) if table.legal(seat)] == [players - 1]


@pytest.mark.rule("C-6")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_seat_cannot_claim_both_lanes_of_a_double_route(players: int) -> None:
    table = RulesTable("usa-classic", players)
    table.set_hand(0, black=3, orange=3)
    table.play(0, "claim CHI-PIT/black with 3 black")
    for seat in range(1, players):
        table.draw_two(seat)
    assert table.refusal(0, "claim CHI-PIT/orange with 3 orange") == "twin is own"


@pytest.mark.rule("C-6")
@pytest.mark.parametrize(("players", "expected"), [(2, "twin closed"), (3, "twin closed"), (4, "legal")])
def test_the_other_lane_is_closed_with_few_players(players: int, expected: str) -> None:
    table = RulesTable("usa-classic", players)
    table.set_hand(0, black=3)
    table.set_hand(1, orange=3)
    table.play(0, "claim CHI-PIT/black with 3 black")
    assert table.refusal(1, "claim CHI-PIT/orange with 3 orange") == expected


@pytest.mark.rule("C-2", "C-6")
@pytest.mark.parametrize(("mine", "colour"), [("CHI-PIT/black", "black"), ("CHI-PIT/orange", "orange")])
def test_one_lane_can_be_claimed_without_the_cards_for_the_other(mine: str, colour: str) -> None:
    table = RulesTable("usa-classic", 2)
    table.set_hand(0, **{colour: 3})
    table.play(0, f"claim {mine} with 3 {colour}")
    assert table.routes(0) == [mine]


@pytest.mark.rule("C-2", "C-3")
def test_a_grey_route_can_be_paid_without_any_colour() -> None:
    table = RulesTable("usa-classic", 2)
    table.set_hand(0, loco=2)
    assert [move for move in table.legal(0) if "ATL-CHS" in move] == ["claim ATL-CHS with 2 loco"]
    table.play(0, "claim ATL-CHS with 2 loco")
    assert table.discards == {"loco": 2}


@pytest.mark.rule("C-3")
def test_colour_and_locomotives_may_be_mixed() -> None:
    table = RulesTable("usa-classic", 2)
    table.set_hand(0, white=4, loco=2)
    table.play(0, "claim CAL-WPG with 4 white, 2 loco")
    assert table.points(0) == 15


@pytest.mark.rule("C-1")
def test_a_claim_takes_its_price_and_no_more() -> None:
    table = RulesTable("usa-classic", 2)
    table.set_hand(0, black=7, loco=3)
    table.play(0, "claim CHI-PIT/black with 2 black, 1 loco")
    assert table.hand(0) == {"black": 5, "loco": 2}


@pytest.mark.rule("E-1")
@each_offering_seating
def test_the_seat_that_triggered_the_end_has_a_last_turn(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_pieces(0, 2)
    table.draw_two(0)
    turns: list[int] = []
    while table.phase != "over":
        turns.append(table.turn)
        table.draw_two(table.turn)
    assert turns == [*range(1, players), 0]


@pytest.mark.rule("F-3")
def test_the_longest_path_may_go_round_in_rings() -> None:
    table = bare("usa-classic", 2)
    # Two rings that meet: 16 in total. As a tree, or without passing Pittsburgh twice, it would be under 14.
    table.own(0, "CHI-STL/green", "PIT-STL", "CHI-PIT/black", "NYC-PIT/green", "NYC-WAS/black", "PIT-WAS")
    table.own(1, "CAL-WPG", "CAL-HEL", "DUL-WPG")
    table.finish()
    assert table.score(0)["longest path"] == 10
    assert "longest path" not in table.score(1)


@pytest.mark.rule("V-5", "V-6")
def test_every_tied_seat_gets_the_bonus() -> None:
    table = bare("usa-mega", 3)
    table.own(0, "DEN-SFE", "ELP-SFE")
    table.set_tickets(0, "DEN-ELP")
    table.own(2, "RAL-WAS/1", "ATL-RAL/1")
    table.set_tickets(2, "WAS-ATL")
    table.finish()
    for seat in (0, 2):
        assert table.score(seat)["globetrotter"] == 15
        assert table.score(seat)["longest path"] == 10
    assert table.score(1) == {}


@pytest.mark.rule("F-2", "T-1")
def test_a_ticket_joined_before_it_was_drawn_counts() -> None:
    table = bare("usa-classic", 2)
    table.own(0, "DEN-SFE", "ELP-SFE")
    table.set_ticket_deck("DEN-ELP", "LAX-NYC")
    table.play(0, "draw tickets", "keep DEN-ELP")
    assert [event.seat for event in table.happened("joined")] == [0]
    table.finish()
    assert table.completed(0) == ["DEN-ELP"]
    assert table.score(0)["tickets made"] == 4
