"""Rulings: cards, turns and tickets (R-1 to R-8, R-14, R-15)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.rules.homemade import islands_points
from tests.rules.seatings import each_offering_seating
from tests.rules.table import RulesTable, bare

BOARDS = pytest.mark.parametrize("edition", ["usa-classic", "new-york"])


@pytest.mark.rule("R-1", "D-6")
@each_offering_seating
def test_three_locomotives_stay_when_too_few_other_cards_are_left(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_row("loco", "loco", "red", "blue", "green")
    table.set_discards()
    table.set_deck(loco=1)
    table.play(0, "take red")
    assert table.row == ["loco", "loco", "loco", "blue", "green"]
    assert not table.happened("wiped")
    assert {*table.legal(0)} == {"take blue", "take green"}


@pytest.mark.rule("R-1", "D-6")
@each_offering_seating
def test_three_other_cards_are_enough_to_wipe(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_row("loco", "loco", "red", "blue", "green")
    table.set_discards(black=1)
    table.set_deck(loco=1)
    table.play(0, "take red")
    assert table.happened("wiped")
    assert sorted(table.row) == ["black", "blue", "green", "loco", "loco"]
    assert (table.deck, table.discards) == ({"loco": 1}, {})


@pytest.mark.rule("R-1")
@BOARDS
def test_a_row_of_nothing_but_locomotives_can_be_played_from(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_row("loco", "loco", "loco", "loco", "loco")
    table.set_discards()
    table.set_deck(loco=1, red=2)
    table.play(0, "take loco")
    assert table.turn == 1
    assert not table.happened("wiped")


@pytest.mark.rule("R-15", "D-6")
@pytest.mark.parametrize("locos", [3, 4, 5])
def test_row_and_deck_are_not_exchanged_forever(locos: int) -> None:
    table = RulesTable("usa-classic", 2)
    table.set_row("loco", "loco", "red", "blue", "black")
    table.set_discards(loco=locos, green=5 - locos)
    table.set_deck(loco=1)
    table.play(0, "take red")
    assert not table.happened("wiped") or locos > 3
    assert sum(table.deck.values()) == 5
    assert not table.discards


@pytest.mark.rule("R-15")
@BOARDS
def test_the_row_is_wiped_in_positions_close_to_r_15(edition: str) -> None:
    for discards in ({"loco": 3, "green": 3}, {"loco": 2, "green": 3}, {"loco": 3, "green": 1}):
        table = RulesTable(edition, 2)
        table.set_row("loco", "loco", "red", "blue", "black")
        table.set_discards(**discards)
        table.set_deck(loco=1)
        table.play(0, "take red")
        assert table.happened("wiped")
        assert table.row.count("loco") < 3


@pytest.mark.rule("R-15")
@BOARDS
def test_row_and_deck_of_five_with_three_locomotives_each_are_not_wiped(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_row("loco", "loco", "red", "blue", "black")
    table.set_discards(loco=3, green=2)
    table.set_deck(loco=1)
    table.play(0, "take red")
    assert table.row == ["loco", "loco", "loco", "blue", "black"]
    assert table.deck == {"loco": 3, "green": 2}
    assert table.phase == "second card"
    table.play(0, "draw deck")
    assert table.turn == 1


@pytest.mark.rule("R-15", "D-6")
@BOARDS
def test_with_discards_a_row_is_wiped_before_a_deck_of_five_locomotives(edition: str) -> None:
    """Row and deck do not swap here, because the discards are shuffled in."""
    table = RulesTable(edition, 2)
    table.set_row("loco", "loco", "red", "blue", "black")
    table.set_discards(green=3)
    table.set_deck(loco=6)
    table.play(0, "take red")
    assert table.happened("wiped")
    assert table.row.count("loco") < 3


@pytest.mark.rule("R-2", "D-3")
@each_offering_seating
def test_face_up_cards_may_be_taken_without_a_deck(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_row("red", "loco", "blue")
    table.set_hand(0)
    table.set_discards()
    table.set_deck()
    lone = table.copy()
    table.play(0, "take red")
    assert table.refusal(0, "take loco") == "locomotive second"
    table.play(0, "take blue")
    assert table.row == ["", "loco", "", "", ""]
    lone.play(0, "take loco")
    assert (lone.row, lone.turn) == (["red", "", "blue", "", ""], 1)


@pytest.mark.rule("R-3")
@each_offering_seating
def test_the_turn_ends_when_there_is_no_second_card_to_take(edition: str, players: int) -> None:
    for row in (["red", "loco"], ["red"], ["red", "loco", "loco", "loco", "loco"]):
        table = RulesTable(edition, players)
        table.set_hand(0)
        table.set_row(*row)
        table.set_discards()
        table.set_deck()
        table.play(0, "take red")
        assert table.hand(0) == {"red": 1}
        assert (table.phase, table.turn) == ("turn", 1)


@pytest.mark.rule("R-3")
@each_offering_seating
def test_the_turn_ends_when_the_last_card_of_the_deck_leaves_only_locomotives(
    edition: str, players: int
) -> None:
    table = RulesTable(edition, players)
    table.set_row("loco", "loco", "loco", "loco", "loco")
    table.set_discards()
    table.set_deck(red=1)
    table.play(0, "draw deck")
    assert (table.phase, table.turn) == ("turn", 1)


@pytest.mark.rule("R-3")
@BOARDS
def test_a_second_card_must_be_taken_if_possible(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_hand(0, red=3, loco=3)
    table.set_row("red", "loco", "blue")
    table.set_discards()
    table.set_deck()
    table.play(0, "take red")
    assert table.legal(0) == ["take blue"]
    assert table.refusal(0, "pass") == "second card first"


@pytest.mark.rule("R-4")
@each_offering_seating
@pytest.mark.parametrize("action", ["draw deck", "take red", "take loco", "draw tickets", "claim"])
def test_the_only_possible_action_must_be_taken(edition: str, players: int, action: str) -> None:
    table = RulesTable(edition, players)
    table.clear_cards()
    deck = table.ticket_deck
    table.set_ticket_deck()
    assert table.legal(0) == ["pass"]
    if action == "draw deck":
        table.set_deck(red=1)
    elif action.startswith("take"):
        table.set_row(action.split()[1])
    elif action == "draw tickets":
        table.set_ticket_deck(deck[0])
    else:
        table.set_hand(0, loco=1)
        table.close_routes()
        table.state.open_to[0, 0] = 1 << 24 | 1 << 25
    moves = table.legal(0)
    assert moves
    assert {move.startswith(action) for move in moves} == {True}
    assert table.refusal(0, "pass") == "can act"


@pytest.mark.rule("R-4")
@each_offering_seating
def test_passing_is_legal_only_without_another_action(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    assert table.refusal(0, "pass") == "can act"
    assert "pass" not in table.legal(0)
    table.clear_cards()
    table.set_ticket_deck()
    assert table.legal(0) == ["pass"]
    table.play(0, "pass")
    assert (table.phase, table.turn) == ("turn", 1)


@pytest.mark.rule("R-4", "C-5")
@BOARDS
def test_a_payable_route_longer_than_the_pieces_left_does_not_prevent_passing(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.clear_cards()
    table.set_ticket_deck()
    table.set_hand(0, red=2, blue=2)
    assert any(move.startswith("claim") for move in table.legal(0))
    assert table.refusal(0, "pass") == "can act"
    table.close_routes()
    route = next(r.index for r in table.edition.board.routes if r.length == 2 and r.colour in {"grey", "red"})
    table.state.open_to[0, route >> 6] = np.uint64(1 << (route & 63))
    table.set_pieces(0, 2)
    assert table.refusal(0, "pass") == "can act"
    table.set_pieces(0, 1)
    assert table.legal(0) == ["pass"]
    table.play(0, "pass")


@pytest.mark.rule("R-7", "V-6")
@pytest.mark.parametrize("edition", ["usa-classic", "usa-mega"])
def test_no_longest_path_without_a_route(edition: str) -> None:
    table = bare(edition, 3)
    table.finish()
    assert table.totals == [0, 0, 0]
    table = bare(edition, 3)
    table.own(1, "ATL-NAS")
    table.finish()
    assert table.totals == [0, 11, 0]


@pytest.mark.rule("R-7", "V-5")
@pytest.mark.parametrize("edition", ["usa-1910", "usa-mega"])
def test_no_globetrotter_without_a_completed_ticket(edition: str) -> None:
    table = bare(edition, 3)
    table.set_tickets(0, "CHI-NYC")
    table.finish()
    assert table.totals == [-5, 0, 0]
    assert table.winners == [1, 2]


@pytest.mark.rule("R-14", "D-5", "D-4")
@each_offering_seating
def test_only_a_face_up_locomotive_uses_up_the_turn(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0)
    table.set_row("loco", "red", "red", "red", "red")
    table.set_deck(loco=3)
    table.play(0, "draw deck")
    assert table.hand(0) == {"loco": 1}
    assert table.refusal(0, "take loco") == "locomotive second"
    table.play(0, "draw deck")
    assert table.hand(0) == {"loco": 2}


@pytest.mark.rule("R-5", "T-1")
def test_a_draw_that_must_all_be_kept_returns_nothing() -> None:
    table = RulesTable(islands_points())
    table.play(0, "draw tickets")
    assert len(table.legal(0)) == 1
    table.play(0, table.legal(0)[0])
    assert not table.happened("returned")
    table.play(1, "draw tickets")
    assert len(table.offer(1)) == 1
    table.play(1, table.legal(1)[0])
    assert table.ticket_deck == []


@pytest.mark.rule("R-8")
def test_a_home_made_edition_defines_the_order_of_tie_breaks() -> None:
    table = RulesTable(islands_points())
    for seat in range(2):
        table.set_tickets(seat)
    table.own(0, "AAA-BBB")
    table.set_tickets(0, "AAA-BBB")
    table.own(1, "AAA-DDD")
    table.set_points(10, 8)
    table.finish()
    assert table.totals == [11, 11]
    assert table.winners == [1]
    assert table.tie_break == "by longest path"
