"""Drawing tickets (T-1 to T-4)."""

from __future__ import annotations

import pytest

from tests.rules.seatings import OFFERING, each_offering_seating
from tests.rules.table import RulesTable, bare

EDITIONS = pytest.mark.parametrize("edition", OFFERING)
DRAWN = {"usa-classic": 3, "usa-1910": 3, "usa-big-cities": 4, "usa-mega": 4, "new-york": 2}
SHORT_TICKETS = {
    "usa-classic": ("DEN-ELP", "DEN-SFE", "ELP-SFE"),
    "usa-1910": ("WAS-ATL", "RAL-WAS/1", "ATL-RAL/1"),
    "usa-big-cities": ("CHI-NYC", "CHI-PIT/black", "NYC-PIT/green"),
    "usa-mega": ("DEN-ELP", "DEN-SFE", "ELP-SFE"),
    "new-york": ("CEN-MID", "LIN-MID", "CEN-LIN"),
}
"""A ticket of each edition, a route of its path, and the route of length 2 that completes it."""


@pytest.mark.rule("T-1")
@each_offering_seating
def test_tickets_come_from_the_top_and_one_must_be_kept(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_tickets(0)
    deck = table.ticket_deck
    drawn = DRAWN[edition]
    table.play(0, "draw tickets")
    assert table.offer(0) == deck[:drawn]
    assert (table.phase, table.turn) == ("keeping", 0)
    assert len(table.legal(0)) == 2**drawn - 1
    assert table.refusal(0, "keep") == "no such move"
    for move in ("draw deck", "draw tickets", "pass", f"take {table.row[0]}", "take loco"):
        assert table.refusal(0, move) == "choose tickets first"
    table.play(0, f"keep {deck[1]}")
    assert table.tickets(0) == [deck[1]]
    assert table.offer(0) == []
    assert table.turn == 1


@pytest.mark.rule("T-1", "R-5")
@EDITIONS
def test_the_rest_goes_to_the_bottom_in_the_order_of_the_offer(edition: str) -> None:
    table = RulesTable(edition, 2)
    deck = table.ticket_deck
    drawn = DRAWN[edition]
    table.play(0, "draw tickets", f"keep {deck[1]}")
    returned = [deck[i] for i in range(drawn) if i != 1]
    assert table.ticket_deck == deck[drawn:] + returned


@pytest.mark.rule("T-1")
@EDITIONS
def test_all_may_be_kept(edition: str) -> None:
    table = RulesTable(edition, 2)
    before, deck = table.tickets(0), table.ticket_deck
    table.play(0, "draw tickets", "keep " + ", ".join(deck[: DRAWN[edition]]))
    assert {*table.tickets(0)} == {*before, *deck[: DRAWN[edition]]}
    assert table.ticket_deck == deck[DRAWN[edition] :]


@pytest.mark.rule("T-1")
@EDITIONS
@pytest.mark.parametrize("left", [1, 2, 3])
def test_fewer_are_offered_when_fewer_are_left(edition: str, left: int) -> None:
    table = RulesTable(edition, 2)
    deck = table.ticket_deck[:left]
    table.set_ticket_deck(*deck)
    table.play(0, "draw tickets")
    offered = min(left, DRAWN[edition])
    assert table.offer(0) == deck[:offered]
    table.play(0, f"keep {deck[0]}")
    assert table.ticket_deck == deck[offered:] + deck[1:offered]
    assert table.turn == 1


@pytest.mark.rule("T-1")
@pytest.mark.parametrize("edition", ["usa-classic", "usa-mega"])
def test_the_deck_of_tickets_goes_round_and_round(edition: str) -> None:
    table = RulesTable(edition, 2)
    expected, draw = table.ticket_deck, table.edition.ticket_rules.draw
    for turn in range(80):
        if not expected:
            break
        drawn, expected = expected[:draw], expected[draw:]
        table.play(turn % 2, "draw tickets")
        assert table.offer(turn % 2) == drawn
        table.play(turn % 2, f"keep {drawn[-1]}")
        expected += drawn[:-1]
        assert table.ticket_deck == expected
    assert table.refusal(table.turn, "draw tickets") == "no tickets left"
    assert sum(len(table.tickets(seat)) for seat in range(2)) == len(table.edition.tickets)


@pytest.mark.rule("T-2")
@each_offering_seating
def test_tickets_stay_until_the_end_and_their_completion_is_secret(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    ticket, own, route = SHORT_TICKETS[edition]
    table.own(0, own)
    table.set_hand(0, loco=2)
    for seat in range(1, players):
        table.set_tickets(seat)
    table.set_tickets(0, ticket)
    table.play(0, f"claim {route} with 2 loco")
    joined = table.happened("joined")
    assert [(event.seat, table.edition.tickets[event.details[0]].name) for event in joined] == [(0, ticket)]
    assert not table.happened("completed")
    assert table.tickets(0) == [ticket]
    assert table.completed(0) == []
    assert table.completed_count(0) == 0
    table.finish()
    assert table.tickets(0) == table.completed(0) == [ticket]


@pytest.mark.rule("T-2")
def test_a_seat_is_told_once_that_a_ticket_is_joined() -> None:
    table = bare("usa-classic")
    table.own(0, "DEN-SFE")
    table.set_tickets(0, "DEN-ELP")
    table.set_hand(0, loco=3)
    table.play(0, "claim ELP-SFE with 2 loco")
    assert len(table.happened("joined")) == 1
    table.draw_two(1)
    table.play(0, "claim ATL-NAS with 1 loco")
    assert not table.happened("joined")
    table.draw_two(1)
    table.set_ticket_deck("LAX-NYC")
    table.play(0, "draw tickets", "keep LAX-NYC")
    assert not table.happened("joined")


@pytest.mark.rule("T-2", "V-3")
@pytest.mark.parametrize(
    ("ticket", "own", "route", "points"),
    [
        ("WPG-SFE", ("HEL-WPG", "DEN-HEL"), "DEN-SFE", 10),
        ("VAN-POR", ("SEA-VAN/1",), "POR-SEA/1", 2),
        ("DEN-ELP", ("DEN-SFE",), "ELP-SFE", 4),
    ],
)
def test_first_and_last_tickets_of_mega_are_joined_alike(
    ticket: str, own: tuple[str, ...], route: str, points: int
) -> None:
    table = bare("usa-mega")
    table.own(0, *own)
    table.set_tickets(0, ticket)
    table.set_hand(0, loco=2)
    table.play(0, next(m for m in table.legal(0) if m.startswith(f"claim {route} with") and "loco" in m))
    joined = table.happened("joined")
    assert [table.edition.tickets[event.details[0]].name for event in joined] == [ticket]
    table.finish()
    assert table.completed(0) == [ticket]
    assert table.score(0)["tickets made"] == points


@pytest.mark.rule("T-2")
@EDITIONS
def test_no_move_gives_a_kept_ticket_back(edition: str) -> None:
    table = RulesTable(edition, 2)
    kept = {*table.tickets(0)}
    for turn in range(12):
        table.play(turn % 2, "draw tickets")
        table.play(turn % 2, f"keep {table.offer(turn % 2)[0]}")
        assert {*table.tickets(0)} >= kept
        assert not kept & {*table.ticket_deck}
        if not table.ticket_deck:
            break
    assert not any(move.startswith("swap") for move in table.legal(table.turn))


@pytest.mark.rule("T-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_last_ticket_of_new_york_must_be_kept(players: int) -> None:
    table = RulesTable("new-york", players)
    last = table.ticket_deck[0]
    table.set_ticket_deck(last)
    assert "draw tickets" in table.legal(0)
    table.play(0, "draw tickets")
    assert table.legal(0) == [f"keep {last}"]
    table.play(0, f"keep {last}")
    assert last in table.tickets(0)
    assert table.turn == 1
    assert table.refusal(1, "draw tickets") == "no tickets left"


@pytest.mark.rule("T-4")
@each_offering_seating
def test_drawing_tickets_is_not_available_without_tickets(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_ticket_deck()
    assert table.refusal(0, "draw tickets") == "no tickets left"
    assert "draw tickets" not in table.legal(0)
