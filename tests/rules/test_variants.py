"""The six editions and their ticket decks (V-1 to V-6, and the numbers of every edition)."""

from __future__ import annotations

import pytest

from goldenspike.boards import load_board
from goldenspike.editions import Edition, edition_ids, load_edition
from tests.rules.seatings import each_seating
from tests.rules.table import RulesTable

NUMBERS = {
    # pieces, opening hand, row, tickets dealt, kept at least, drawn, kept at least
    "usa-classic": (45, 4, 5, 3, 2, 3, 1),
    "usa-1910": (45, 4, 5, 3, 2, 3, 1),
    "usa-big-cities": (45, 4, 5, 4, 2, 4, 1),
    "usa-mega": (45, 4, 5, 5, 3, 4, 1),
    "new-york": (15, 2, 5, 2, 1, 2, 1),
    "first-journey": (20, 4, 0, 2, 2, 2, 2),
}
LOWER_IN_1910 = {"LAX-MIA": (20, 19), "LAX-NYC": (21, 20), "SSM-OKC": (9, 8), "SEA-NYC": (22, 20)}
BIG_CITIES = {"CHI", "DAL", "HOU", "LAX", "MIA", "NYC", "SEA"}


def worth(edition: Edition) -> dict[str, int]:
    return {ticket.name: ticket.points for ticket in edition.tickets}


def names_of(*sets: str) -> set[str]:
    board = load_board("usa")
    return {entry.name for name in sets for entry in board.ticket_sets[name]}


@pytest.mark.rule("V-1", "V-2", "V-3", "V-4", "S-2", "S-3", "T-1", "J-1")
@each_seating
def test_the_numbers_of_each_edition(edition: str, players: int) -> None:
    table = RulesTable(edition, players, choose=False)
    pieces, hand, row, dealt, dealt_kept, drawn, drawn_kept = NUMBERS[edition]
    for seat in range(players):
        assert table.pieces(seat) == pieces
        assert table.hand_size(seat) == hand
        assert len(table.offer(seat)) == dealt
    assert len(table.row) == row
    rules = table.edition.ticket_rules
    assert (rules.deal_keep, rules.draw, rules.draw_keep) == (dealt_kept, drawn, drawn_kept)


@pytest.mark.rule("V-1", "V-2", "V-3", "V-4")
def test_the_number_of_players_of_each_edition() -> None:
    players = {edition: load_edition(edition).players for edition in edition_ids()}
    assert players == {e: (2, 5) if e.startswith("usa") else (2, 4) for e in NUMBERS}


@pytest.mark.rule("V-1")
def test_classic_plays_the_thirty_tickets_with_their_first_values() -> None:
    tickets = worth(load_edition("usa-classic"))
    assert {*tickets} == names_of("classic")
    assert len(tickets) == 30
    assert sum(tickets.values()) == 349
    assert {name: tickets[name] for name in LOWER_IN_1910} == {
        n: old for n, (old, _) in LOWER_IN_1910.items()
    }


@pytest.mark.rule("V-2")
def test_1910_plays_its_own_thirty_five_tickets() -> None:
    tickets = worth(load_edition("usa-1910"))
    assert {*tickets} == names_of("usa-1910")
    assert len(tickets) == 35
    assert not {*tickets} & {*worth(load_edition("usa-classic"))}


@pytest.mark.rule("V-3")
def test_mega_plays_all_sixty_nine_with_the_values_of_1910() -> None:
    tickets = worth(load_edition("usa-mega"))
    assert {*tickets} == names_of("classic", "usa-1910", "mystery-train")
    assert len(tickets) == 69
    classic = worth(load_edition("usa-classic"))
    lower = {name: (classic[name], tickets[name]) for name in classic if classic[name] != tickets[name]}
    assert lower == LOWER_IN_1910
    assert {name: tickets[name] for name in names_of("mystery-train")} == {
        "BOS-WAS": 4,
        "MON-CHI": 7,
        "VAN-POR": 2,
        "WPG-OMA": 6,
    }


@pytest.mark.rule("V-4")
def test_big_cities_plays_the_thirty_five_tickets_that_name_a_big_city() -> None:
    tickets = worth(load_edition("usa-big-cities"))
    mega = worth(load_edition("usa-mega"))
    assert tickets == {name: points for name, points in mega.items() if {*name.split("-")} & BIG_CITIES}
    assert len(tickets) == 35
    assert tickets["SEA-NYC"] == 20


@pytest.mark.rule("V-1", "V-2", "V-3", "V-4")
@pytest.mark.parametrize("edition", edition_ids())
def test_every_ticket_of_the_edition_is_dealt_or_in_the_deck(edition: str) -> None:
    table = RulesTable(edition, 2, choose=False)
    seen = table.ticket_deck + table.offer(0) + table.offer(1)
    assert sorted(seen) == sorted(worth(table.edition))


@pytest.mark.rule("V-5", "V-6")
def test_the_bonuses_of_each_edition() -> None:
    bonuses = {edition: load_edition(edition).bonuses for edition in edition_ids()}
    assert {e: (b.longest_path, b.globetrotter, b.attraction) for e, b in bonuses.items()} == {
        "usa-classic": (10, 0, 0),
        "usa-1910": (0, 15, 0),
        "usa-big-cities": (0, 0, 0),
        "usa-mega": (10, 15, 0),
        "new-york": (0, 0, 1),
        "first-journey": (0, 0, 0),
    }
