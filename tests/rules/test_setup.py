"""Setup (S-1 to S-5)."""

from __future__ import annotations

from itertools import permutations

import pytest

from goldenspike.engine.deal import ANY_SEAT
from tests.rules.seatings import OFFERING, USA, each_offering_seating, each_seating
from tests.rules.table import RulesTable


def all_cards(table: RulesTable) -> dict[str, int]:
    """Count all cards of a table."""
    total: dict[str, int] = dict.fromkeys(table.row, 0)
    for card in table.row:
        total[card] += 1
    for pile in (table.deck, table.discards, *(table.hand(seat) for seat in range(table.players))):
        for card, count in pile.items():
            total[card] = total.get(card, 0) + count
    return total


@pytest.mark.rule("S-1")
@pytest.mark.parametrize("edition", USA)
def test_the_usa_deck_has_twelve_of_eight_colours_and_fourteen_locomotives(edition: str) -> None:
    colours = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    cards = all_cards(RulesTable(edition, 5, choose=False))
    assert cards == {**dict.fromkeys(colours, 12), "loco": 14}
    assert sum(cards.values()) == 110


@pytest.mark.rule("S-1")
def test_the_new_york_deck_has_six_of_six_colours_and_eight_taxis() -> None:
    cards = all_cards(RulesTable("new-york", 4, choose=False))
    colours = ("blue", "green", "black", "pink", "red", "orange")
    assert cards == {**dict.fromkeys(colours, 6), "loco": 8}
    assert sum(cards.values()) == 44


@pytest.mark.rule("S-2")
@each_offering_seating
def test_the_deal_gives_hands_and_five_face_up_cards(edition: str, players: int) -> None:
    table = RulesTable(edition, players, choose=False)
    opening_hand = 2 if edition == "new-york" else 4
    assert [table.hand_size(seat) for seat in range(5)] == [opening_hand] * players + [0] * (5 - players)
    assert len(table.row) == 5
    assert "" not in table.row


@pytest.mark.rule("S-2", "D-6")
@pytest.mark.parametrize("edition", ["usa-classic", "new-york"])
def test_three_locomotives_are_wiped_at_setup_too(edition: str) -> None:
    wiped = 0
    for seed in range(300):
        table = RulesTable(edition, 2, seed=seed, choose=False)
        assert table.row.count("loco") < 3
        times = len(table.happened("wiped"))
        wiped += times
        assert sum(table.discards.values()) == 5 * times
        assert table.discards.get("loco", 0) >= 3 * times
    assert wiped, "no seed led to the tested case"


@pytest.mark.rule("S-2", "S-3")
def test_different_seeds_deal_differently() -> None:
    tables = [RulesTable("usa-classic", 2, seed=seed, choose=False) for seed in range(12)]
    hands = {str(table.hand(0)) for table in tables}
    offers = {str(table.offer(0)) for table in tables}
    assert len(hands) > 9
    assert len(offers) == 12


@pytest.mark.rule("S-3")
@each_offering_seating
def test_a_seat_keeps_at_least_the_minimum_of_its_tickets(edition: str, players: int) -> None:
    least = {"usa-mega": 3, "new-york": 1}.get(edition, 2)
    table = RulesTable(edition, players, choose=False)
    for seat in range(players):
        offer = table.offer(seat)
        assert table.refusal(seat, "keep " + ", ".join(offer[:least])) == "legal"
        assert table.refusal(seat, "keep " + ", ".join(offer[-least:])) == "legal"
        if least > 1:
            assert table.refusal(seat, "keep " + ", ".join(offer[: least - 1])) == "keep more"
        kept = [move.count("-") for move in table.legal(seat)]
        assert min(kept) == least
        assert max(kept) == len(offer)


@pytest.mark.rule("S-3")
def test_no_two_seats_are_dealt_the_same_ticket() -> None:
    table = RulesTable("usa-mega", 5, choose=False)
    dealt = [ticket for seat in range(5) for ticket in table.offer(seat)]
    assert len({*dealt}) == 25
    assert not {*dealt} & {*table.ticket_deck}
    assert len(table.ticket_deck) == 69 - 25


@pytest.mark.rule("S-3")
@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_seats_choose_in_any_order_and_choices_are_hidden_until_all_have_chosen(
    order: tuple[int, ...],
) -> None:
    table = RulesTable("usa-classic", 3, choose=False)
    kept = [table.offer(seat)[seat % 2 :] for seat in range(3)]
    for seat in order[:-1]:
        table.play(seat, "keep " + ", ".join(kept[seat]))
        assert [event.kind for event in table.events] == ["chose"]
        assert table.phase == "choosing"
        assert [table.tickets(other) for other in range(3)] == [[], [], []]
        assert [int(count) for count in table.state.held_count] == [0] * 5
        assert table.refusal(seat, "keep " + ", ".join(kept[seat])) == "already chosen"
        assert table.legal(seat) == []
    table.play(order[-1], "keep " + ", ".join(kept[order[-1]]))
    assert table.phase == "turn"
    assert [table.tickets(seat) for seat in range(3)] == [
        sorted(kept[seat], key=ticket_order) for seat in range(3)
    ]


def ticket_order(name: str) -> int:
    return [ticket.name for ticket in RulesTable("usa-classic").edition.tickets].index(name)


@pytest.mark.rule("S-3")
@each_offering_seating
def test_tickets_come_before_anything_else(edition: str, players: int) -> None:
    table = RulesTable(edition, players, choose=False)
    for move in ("draw deck", f"take {table.row[0]}", "draw tickets", "pass"):
        assert table.refusal(0, move) == "choose tickets first"
    assert all(move.startswith("keep") for seat in range(players) for move in table.legal(seat))


@pytest.mark.rule("S-3")
def test_a_seat_cannot_keep_tickets_offered_to_another() -> None:
    table = RulesTable("new-york", 2, choose=False)
    mine, other = table.offer(0)[0], table.offer(1)[0]
    assert table.refusal(0, f"keep {mine}, {other}") == "not offered"
    assert table.refusal(0, f"keep {other}") == "not offered"


@pytest.mark.rule("S-3", "R-5")
def test_returned_tickets_go_to_the_bottom_in_seat_order() -> None:
    table = RulesTable("usa-classic", 3, first=1, choose=False)
    deck = table.ticket_deck
    offers = [table.offer(seat) for seat in range(3)]
    for seat in (2, 0, 1):
        table.play(seat, "keep " + ", ".join(offers[seat][1:]))
    assert table.ticket_deck == deck + [offers[seat][0] for seat in range(3)]


@pytest.mark.rule("S-4")
@each_seating
def test_play_goes_clockwise_from_the_first_seat(edition: str, players: int) -> None:
    for first in range(players):
        table = RulesTable(edition, players, first=first)
        for turn in range(2 * players):
            seat = (first + turn) % players
            assert table.turn == seat
            others = [other for other in range(players) if other != seat]
            assert {table.refusal(other, "draw deck") for other in others} == {"not your turn"}
            table.draw_two(seat)


@pytest.mark.rule("S-4")
@pytest.mark.parametrize("players", [2, 5])
def test_without_a_chosen_first_seat_the_seed_decides(players: int) -> None:
    first = [RulesTable("usa-classic", players, first=ANY_SEAT, seed=seed).turn for seed in range(40)]
    assert {*first} == {*range(players)}
    assert first[:3] == [
        RulesTable("usa-classic", players, first=ANY_SEAT, seed=seed).turn for seed in range(3)
    ]


@pytest.mark.rule("S-5")
@each_seating
def test_every_score_starts_at_zero(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    assert [table.points(seat) for seat in range(players)] == [0] * players
    assert table.totals == [0] * players
    assert not table.winners


@pytest.mark.rule("S-3")
@pytest.mark.parametrize("edition", OFFERING)
def test_the_minimum_choice_is_kept(edition: str) -> None:
    table = RulesTable(edition, 2, choose=False)
    least = table.edition.ticket_rules.deal_keep
    offers = [table.offer(seat) for seat in range(2)]
    for seat in range(2):
        table.play(seat, "keep " + ", ".join(offers[seat][:least]))
        assert table.happened("kept", 1 - seat) == [] or seat == 1
    assert [{*table.tickets(seat)} for seat in range(2)] == [{*offer[:least]} for offer in offers]
    assert [len(table.tickets(seat)) for seat in range(2)] == [least] * 2
