"""Drawing train cards (D-1 to D-9)."""

from __future__ import annotations

import pytest

from tests.rules.seatings import each_offering_seating
from tests.rules.table import RulesTable
from tests.rules.words import card_of

BOARDS = pytest.mark.parametrize("edition", ["usa-classic", "new-york"])


@pytest.mark.rule("D-1")
@each_offering_seating
@pytest.mark.parametrize("first", ["draw deck", "take red"])
@pytest.mark.parametrize("second", ["draw deck", "take blue"])
def test_two_cards_from_row_or_deck_in_any_mix(edition: str, players: int, first: str, second: str) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0)
    table.set_row("red", "blue", "green", "black", "orange")
    table.play(0, first)
    assert (table.phase, table.turn, table.hand_size(0)) == ("second card", 0, 1)
    table.play(0, second)
    assert (table.phase, table.turn, table.hand_size(0)) == ("turn", 1, 2)
    assert table.hand(0).get("red", 0) >= (first == "take red")
    assert table.hand(0).get("blue", 0) >= (second == "take blue")
    assert len(table.happened("drew")) == 0 or second == "draw deck"


@pytest.mark.rule("D-1", "R-3")
@each_offering_seating
def test_after_the_first_card_nothing_else_is_possible(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0, red=3, blue=3, green=3, black=3)
    table.set_row("red", "blue", "green", "black", "black")
    claims = [move for move in table.legal(0) if move.startswith("claim")]
    table.play(0, "draw deck")
    assert {*table.legal(0)} == {"draw deck", "take red", "take blue", "take green", "take black"}
    for move in ("draw tickets", "pass", *claims):
        assert table.refusal(0, move) == "second card first"


@pytest.mark.rule("D-1")
def test_a_colour_that_is_not_in_the_row_cannot_be_taken() -> None:
    table = RulesTable("usa-classic", 2)
    table.set_row("red", "red", "red", "red", "red")
    assert [move for move in table.legal(0) if move.startswith("take")] == ["take red"]
    assert table.refusal(0, "take blue") == "not face up"
    assert table.refusal(0, "take loco") == "not face up"


@pytest.mark.rule("D-2")
@each_offering_seating
def test_a_taken_card_is_replaced_at_once_from_the_deck(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_row("black", "black", "red", "black", "black")
    table.set_deck(green=3)
    table.play(0, "take red")
    assert table.row == ["black", "black", "green", "black", "black"]
    assert table.deck == {"green": 2}
    assert [event.kind for event in table.events] == ["took", "turned up"]
    table.play(0, "take green")
    assert table.row == ["black", "black", "green", "black", "black"]
    assert table.deck == {"green": 1}


@pytest.mark.rule("D-3")
@each_offering_seating
def test_a_face_up_locomotive_taken_first_is_the_whole_action(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0)
    table.set_row("loco", "red", "red", "red", "red")
    table.play(0, "take loco")
    assert table.hand(0) == {"loco": 1}
    assert (table.phase, table.turn) == ("turn", 1)
    assert "" not in table.row


@pytest.mark.rule("D-4")
@each_offering_seating
@pytest.mark.parametrize("first", ["draw deck", "take red"])
def test_a_face_up_locomotive_is_never_the_second_card(edition: str, players: int, first: str) -> None:
    table = RulesTable(edition, players)
    table.set_row("loco", "red", "red", "red", "red")
    assert table.refusal(0, "take loco") == "legal"
    table.play(0, first)
    assert table.refusal(0, "take loco") == "locomotive second"
    assert "take loco" not in table.legal(0)


@pytest.mark.rule("D-4")
@each_offering_seating
def test_a_locomotive_that_replaced_the_first_card_cannot_be_the_second(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_row("red", "blue", "blue", "blue", "blue")
    table.set_deck(loco=2)
    table.play(0, "take red")
    assert table.row[0] == "loco"
    assert table.refusal(0, "take loco") == "locomotive second"
    assert {*table.legal(0)} == {"draw deck", "take blue"}


@pytest.mark.rule("D-5", "R-14")
@each_offering_seating
def test_a_blind_locomotive_is_an_ordinary_card(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0)
    table.set_row("red", "red", "red", "red", "red")
    table.set_deck(loco=2)
    table.play(0, "draw deck")
    assert (table.phase, table.turn) == ("second card", 0)
    table.play(0, "draw deck")
    assert table.hand(0) == {"loco": 2}
    assert table.turn == 1


@pytest.mark.rule("D-6")
@each_offering_seating
def test_a_third_face_up_locomotive_wipes_the_row(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_row("loco", "loco", "red", "blue", "black")
    table.set_discards(green=6)
    table.set_deck(loco=1)
    table.play(0, "take red")
    assert table.row == ["green"] * 5
    assert table.deck == {"green": 1}
    assert table.discards == {"loco": 3, "blue": 1, "black": 1}
    assert [e.kind for e in table.events] == ["took", "turned up", "reshuffled", "wiped"] + ["turned up"] * 5
    table.play(0, "take green")
    assert table.turn == 1


@pytest.mark.rule("D-6")
@BOARDS
def test_wiping_repeats_while_three_locomotives_come_up(edition: str) -> None:
    times: list[int] = []
    for seed in range(8):
        table = RulesTable(edition, 2, seed=seed)
        table.set_row("loco", "loco", "red", "blue", "black")
        table.set_discards(loco=4, green=2)
        table.set_deck(loco=1)
        table.play(0, "take red")
        times.append(len(table.happened("wiped")))
        assert table.row.count("loco") < 3
        assert "" not in table.row
    assert min(times) >= 2


@pytest.mark.rule("D-6")
@BOARDS
def test_two_face_up_locomotives_stay(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_row("loco", "red", "red", "red", "red")
    table.set_deck(loco=1, blue=0)
    table.play(0, "take red")
    assert table.row == ["loco", "loco", "red", "red", "red"]
    assert not table.happened("wiped")


@pytest.mark.rule("D-6", "D-7")
@BOARDS
def test_a_wiped_row_is_shuffled_back_when_the_deck_cannot_fill_the_new_one(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_row("loco", "loco", "red", "blue", "black")
    table.set_discards(green=3)
    table.set_deck(loco=1)
    table.play(0, "take red")
    assert len(table.happened("reshuffled")) >= 2
    assert "" not in table.row
    assert table.row.count("loco") < 3
    assert not table.discards or table.deck
    assert sum(table.deck.values()) + sum(table.discards.values()) == 3


@pytest.mark.rule("D-7")
@each_offering_seating
def test_an_empty_deck_is_refilled_from_the_discards_at_once(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0)
    table.set_row("red", "red", "red", "red", "red")
    table.set_discards(green=4)
    table.set_deck(blue=1)
    table.play(0, "draw deck")
    assert table.deck == {"green": 4}
    assert table.discards == {}
    table.play(0, "draw deck")
    assert table.hand(0) == {"blue": 1, "green": 1}


@pytest.mark.rule("D-7")
@BOARDS
def test_the_last_card_of_the_deck_may_fill_the_row(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_row("red", "red", "red", "red", "red")
    table.set_discards(green=4)
    table.set_deck(blue=1)
    table.play(0, "take red")
    assert table.row == ["blue", "red", "red", "red", "red"]
    assert (table.deck, table.discards) == ({"green": 4}, {})


@pytest.mark.rule("D-8", "R-2")
@each_offering_seating
def test_with_deck_and_discards_empty_slots_stay_empty(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0)
    table.set_row("red", "blue", "green", "black", "loco")
    table.set_discards()
    table.set_deck()
    assert table.refusal(0, "draw deck") == "deck empty"
    assert "draw deck" not in table.legal(0)
    table.play(0, "take blue")
    assert table.row == ["red", "", "green", "black", "loco"]
    assert {*table.legal(0)} == {"take red", "take green", "take black"}
    table.play(0, "take green")
    assert table.row == ["red", "", "", "black", "loco"]
    assert table.turn == 1


@pytest.mark.rule("D-8")
@each_offering_seating
def test_a_claim_refills_the_empty_slots(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    route, price = ("ATL-CHS", 2) if edition != "new-york" else ("BRO-LES", 3)
    table.set_hand(0, green=3)
    table.set_row("red")
    table.set_discards()
    table.set_deck()
    table.play(0, f"claim {route} with {price} green")
    assert table.row == ["red"] + ["green"] * price + [""] * (4 - price)
    assert (table.deck, table.discards) == ({}, {})


@pytest.mark.rule("D-8")
@BOARDS
def test_a_claim_with_a_full_row_only_refills_the_deck(edition: str) -> None:
    table = RulesTable(edition, 2)
    route = "ATL-CHS" if edition != "new-york" else "CHE-ESB/1"
    table.set_hand(0, green=2)
    table.set_row("red", "red", "red", "red", "blue")
    table.set_discards()
    table.set_deck()
    table.play(0, f"claim {route} with 2 green")
    assert table.row == ["red", "red", "red", "red", "blue"]
    assert (table.deck, table.discards) == ({"green": 2}, {})


@pytest.mark.rule("D-8", "D-6")
def test_three_locomotives_that_a_claim_brings_up_are_wiped() -> None:
    wiped = 0
    for seed in range(12):
        table = RulesTable("usa-classic", 2, seed=seed)
        table.set_hand(0, black=2, loco=2)
        table.set_row("loco", "loco", "red")
        table.set_discards()
        table.set_deck()
        table.play(0, "claim DUL-WPG with 2 black, 2 loco")
        assert sorted(table.row) == ["black", "black", "loco", "loco", "red"]
        wiped += len(table.happened("wiped"))
    assert wiped, "no seed led to the tested case"


@pytest.mark.rule("D-6")
def test_the_row_is_filled_before_its_locomotives_count() -> None:
    """If the first of two new cards is the third locomotive, the second card is still turned up."""
    early = 0
    for seed in range(12):
        table = RulesTable("usa-classic", 2, seed=seed)
        table.set_hand(0, black=2, loco=2)
        table.set_row("loco", "loco", "red")
        table.set_discards()
        table.set_deck()
        table.play(0, "claim DUL-WPG with 2 black, 2 loco")
        kinds = [event.kind for event in table.events]
        if "wiped" in kinds:
            assert kinds[: kinds.index("wiped")].count("turned up") == 2
            _slot, card, *_ = table.happened("turned up")[0].details
            early += card_of(table.edition, card) == "loco"
    assert early, "no seed led to the tested case"


@pytest.mark.rule("D-9")
@BOARDS
def test_a_hand_may_hold_any_number_of_cards(edition: str) -> None:
    table = RulesTable(edition, 2)
    table.set_discards()
    table.set_row("red", "red", "red", "red", "red")
    table.set_hand(0)
    table.set_deck(green=2)
    hoard = table.hand_size(1)
    assert hoard == table.edition.cards - 7
    table.state.turn = 1
    table.play(1, "draw deck", "draw deck")
    assert table.hand_size(1) == hoard + 2
