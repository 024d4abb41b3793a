"""Secret and public information (S-3, T-2, R-12)."""

from __future__ import annotations

import pytest

from tests.rules.seatings import each_offering_seating, each_seating
from tests.rules.table import RulesTable, bare

SPECTATOR = -1


@pytest.mark.rule("R-12")
@each_seating
def test_counts_are_public_but_cards_are_hidden(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.draw_two(0)
    for seat in (SPECTATOR, *range(players)):
        view = table.view(seat)
        assert view.state.deck_size == table.state.deck_size
        assert view.state.ticket_deck_size == len(table.ticket_deck)
        assert view.deck == {}
        assert not {*view.state.ticket_deck} - {-1}
        for other in range(players):
            assert view.hand_size(other) == table.hand_size(other)
            assert view.pieces(other) == table.pieces(other)
            assert view.state.held_count[other] == len(table.tickets(other))
            assert view.hand(other) == (table.hand(other) if other == seat else {})
            assert view.tickets(other) == (table.tickets(other) if other == seat else [])


@pytest.mark.rule("R-12")
@each_seating
def test_discards_routes_and_the_row_are_public(edition: str, players: int) -> None:
    table = RulesTable(edition, players)
    table.set_hand(0, red=3)
    claim = next(move for move in table.legal(0) if move.startswith("claim"))
    table.play(0, claim)
    for seat in (SPECTATOR, *range(players)):
        view = table.view(seat)
        assert view.discards == table.discards
        assert view.discards.keys() == {"red"}
        assert view.routes(0) == table.routes(0) == [claim.split()[1]]
        assert view.row == table.row


@pytest.mark.rule("S-3")
@each_offering_seating
def test_a_choice_at_setup_is_visible_only_to_its_seat(edition: str, players: int) -> None:
    table = RulesTable(edition, players, choose=False)
    views: list[bytes] = []
    for kept in (table.offer(0), table.offer(0)[1:]):
        trial = table.copy()
        if trial.refusal(0, "keep " + ", ".join(kept)) == "legal":
            trial.play(0, "keep " + ", ".join(kept))
            views.append(trial.view(1).state.tobytes())
            assert trial.view(0).state.choice[0] == trial.state.choice[0]
            assert trial.view(1).offer(0) != kept
    assert len(views) == 2
    assert len({*views}) == 1


@pytest.mark.rule("T-2")
@each_offering_seating
def test_whether_a_ticket_is_complete_stays_secret_until_the_end(edition: str, players: int) -> None:
    seen: set[bytes] = set()
    tickets = [ticket.name for ticket in RulesTable(edition).edition.tickets[:2]]
    for ticket in tickets:
        table = bare(edition, players)
        table.set_tickets(0, ticket)
        table.set_hand(0, loco=1)
        table.play(0, next(move for move in table.legal(0) if move.startswith("claim")))
        seen.add(table.view(1).state.tobytes())
        table.finish()
        assert table.view(1).tickets(0) == [ticket]
    assert len(seen) == 1


@pytest.mark.rule("T-2")
def test_a_completed_ticket_looks_like_any_other() -> None:
    seen: set[bytes] = set()
    for ticket in ("DEN-ELP", "LAX-NYC"):
        table = bare("usa-classic")
        table.own(0, "DEN-SFE")
        table.set_tickets(0, ticket)
        table.set_hand(0, red=2)
        table.play(0, "claim ELP-SFE with 2 red")
        assert len(table.happened("joined")) == (ticket == "DEN-ELP")
        seen.add(table.view(1).state.tobytes())
    assert len(seen) == 1


@pytest.mark.rule("J-4", "R-12")
def test_first_journey_shows_completed_tickets_and_hides_the_others() -> None:
    table = RulesTable("first-journey", 2)
    table.set_tickets(1)
    table.set_tickets(0, "KAN-MIA", "HEL-KAN")
    table.own(0, "DEN-HEL")
    table.set_hand(0, green=2)
    table.play(0, "claim DEN-KAN/green with 2 green")
    view = table.view(1)
    assert view.completed(0) == ["HEL-KAN"]
    assert view.tickets(0) == []
    assert view.state.held_count[0] == 2
