"""The Game class: deal, seats to move, simultaneous choices, copies, results."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldenspike import Game, edition_ids, load_edition
from goldenspike.editions import EditionError
from goldenspike.engine import api
from goldenspike.engine import events as kinds
from goldenspike.engine.events import LOG
from goldenspike.engine.state import CHOOSING
from goldenspike.game.result import Result, Scores
from goldenspike.game.view import PHASES, View
from tests.game.games import GameSetup, every_moment, fingerprint, give, random_game, started

ENTRY_POINTS = (api.deal, api.step, api.list_moves, api.verify_move, api.observe)


def test_the_same_seed_deals_the_same_game(table: GameSetup) -> None:
    games = [random_game(table, 77) for _ in range(2)]
    assert games[0].record() == games[1].record()
    assert games[0].states.tobytes() == games[1].states.tobytes()


@pytest.mark.parametrize("edition", edition_ids())
def test_different_seeds_deal_different_games(edition: str) -> None:
    deals = {Game.new(edition, 2, seed=seed, first=0).states.tobytes() for seed in range(50)}
    assert len(deals) == 50
    views = {bytes(Game.new(edition, 2, seed=seed, first=0).view(0)) for seed in range(50)}
    assert len(views) > 40


def test_a_missing_seed_deals_a_random_game() -> None:
    assert Game.new("usa-classic", 2).seed != Game.new("usa-classic", 2).seed


@pytest.mark.parametrize("players", range(2, 6))
def test_first_is_chosen_or_drawn_from_the_seed(players: int) -> None:
    """S-4."""
    for first in range(players):
        assert Game.new("usa-classic", players, seed=1, first=first).state.first == first
    drawn = {int(Game.new("usa-classic", players, seed=seed).state.first) for seed in range(60)}
    assert drawn == set(range(players))
    game = started(players=players, seed=2)
    assert game.to_move == [0]


def test_first_does_not_change_the_deal() -> None:
    deals = [Game.new("usa-classic", 3, seed=9, first=first).state for first in range(3)]
    for deal in deals:
        assert deal.hands.tolist() == deals[0].hands.tolist()
        assert deal.offer.tolist() == deals[0].offer.tolist()
        assert deal.row.tolist() == deals[0].row.tolist()


@pytest.mark.parametrize("edition", edition_ids())
def test_every_edition_has_its_numbers_of_players(edition: str) -> None:
    least, most = load_edition(edition).players
    for players in (-1, 0, 1, least - 1, most + 1, 10**6):
        with pytest.raises(ValueError, match=f"is for {least} to {most} players, not"):
            Game.new(edition, players)


@pytest.mark.parametrize("first", [-1, 2, 5])
def test_first_is_a_seat(first: int) -> None:
    with pytest.raises(ValueError, match=r"The first seat is a number from 0 \(Seat 1\) to 1 \(Seat 2\)"):
        Game.new("usa-classic", 2, first=first)


def test_numbers_of_players_and_seats_are_whole_numbers() -> None:
    for wrong in (2.0, "2", None):
        with pytest.raises(TypeError):
            Game.new("usa-classic", wrong)  # pyright: ignore[reportArgumentType]
    for wrong in (0.0, "0"):
        with pytest.raises(TypeError):
            Game.new("usa-classic", 2, first=wrong)  # pyright: ignore[reportArgumentType]
        with pytest.raises(TypeError):
            started().view(wrong)  # pyright: ignore[reportArgumentType]


def test_numpy_integers_are_accepted_without_compiling() -> None:
    def whole_numbers(kind: Any) -> Game:
        game = Game.new("usa-classic", kind(2), seed=kind(4), first=kind(0))
        game.play(kind(game.legal_moves(kind(0)).numbers[0]), kind(0))
        assert game.view(kind(1)).seat == 1
        assert {type(played.seat) for played in game.played} == {int}
        return game

    plain = whole_numbers(int)
    compiled = [len(getattr(entry_point, "signatures", ())) for entry_point in ENTRY_POINTS]
    for kind in (np.int8, np.int16, np.int64):
        assert whole_numbers(kind).record() == plain.record()
    assert [len(getattr(entry_point, "signatures", ())) for entry_point in ENTRY_POINTS] == compiled


def test_an_edition_is_an_id_a_file_or_itself(tmp_path: Path) -> None:
    edition = load_edition("new-york")
    assert Game.new(edition, 2, seed=1).record() == Game.new("new-york", 2, seed=1).record()
    with pytest.raises(EditionError, match="usa-clasic"):
        Game.new("usa-clasic", 2)
    with pytest.raises(EditionError):
        Game.new(tmp_path / "none.toml", 2)


@pytest.mark.parametrize("table", [("usa-classic", 4), ("usa-mega", 3), ("new-york", 4)], ids=str)
def test_the_order_of_choosing_does_not_matter(table: GameSetup) -> None:
    """S-3: all choose at once; R-5: tickets go back in seat order."""
    edition, players = table
    masks = [1 + seat % 2 for seat in range(players)]
    states: set[bytes] = set()
    for order in itertools.permutations(range(players)):
        game = Game.new(edition, players, seed=6)
        for seat in order:
            assert game.state.phase == CHOOSING
            assert seat in game.to_move
            choice = game.legal_moves(seat)[masks[seat]]
            game.play(choice, seat)
        assert game.to_move == [game.state.first]
        states.add(game.states.tobytes())
    assert len(states) == 1


def test_a_copy_is_independent() -> None:
    game = started()
    give(game, 0, red=4)
    game.play("claim DAL-HOU/1 with 1 red")
    before = fingerprint(game)
    copy = game.copy()
    assert fingerprint(copy) == before
    copy.undo()
    copy.play("draw deck")
    copy.play("draw deck")
    assert fingerprint(game) == before
    game.undo()
    assert len(copy.played) == 4
    assert game.state.hands[0].tolist() != copy.state.hands[0].tolist()


def test_a_move_that_needs_a_longer_log_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row may be wiped very often in one move; the move is then played again with a longer log."""
    game, plain = started(), started()
    plain.play("draw deck")
    own_logs, rooms, step = np.zeros(1, LOG), [], api.step

    def tell_much(states: Any, tables: Any, seat: int, move: int, logs: Any) -> int:
        rooms.append(len(logs["rows"][0]))
        logs["count"][0] = 20_000
        return step(states, tables, seat, move, own_logs)

    monkeypatch.setattr(api, "step", tell_much)
    game.play("draw deck")
    assert len(rooms) == 2
    assert rooms[0] < len(game.played[-1].rows) == 20_000 < rooms[1]
    assert game.states.tobytes() == plain.states.tobytes()


def test_a_view_does_not_change_with_the_game() -> None:
    game = started()
    view, before = game.view(0), bytes(game.view(0))
    game.play("draw deck")
    assert bytes(view) == before
    assert view != game.view(0)
    assert view != game.view(1)
    assert view != "a view"
    with pytest.raises(TypeError, match="unhashable"):
        hash(view)


def test_a_view_names_its_contents() -> None:
    for game in every_moment(("usa-classic", 3), 12):
        state = game.state
        claims = int((game.rows()[:, 0] == kinds.CLAIMED).sum())
        for watcher in (None, 0, 1, 2):
            view: View = game.view(watcher)
            assert (view.phase, view.seats, view.to_move) == (PHASES[state.phase], 3, game.to_move)
            assert (view.deck_size, view.ticket_deck_size) == (state.deck_size, state.ticket_deck_size)
            assert view.hand_sizes == state.hand_size[:3].tolist()
            assert view.pieces == state.pieces[:3].tolist()
            assert view.points == state.points[:3].tolist()
            assert view.ticket_counts == state.held_count[:3].tolist()
            assert sum(view.discards.values()) == state.discards_size
            assert len(view.row) == 5
            assert sum(view.hand.values()) == (0 if watcher is None else state.hand_size[watcher])
            assert len(view.tickets) == (0 if watcher is None else state.held_count[watcher])
            assert (view.turns_left is None) == (state.turns_left == -1)
            assert len(view.offer) == (0 if watcher is None else state.offer_size[watcher])
            assert len(view.owners) == claims
            for seat in range(3):
                shown = game.is_over or seat == watcher
                assert len(view.tickets_of(seat)) == (state.held_count[seat] if shown else 0)
                assert len(view.completed_of(seat)) == (state.completed_count[seat] if game.is_over else 0)


def test_tickets_in_a_race_are_held_and_not_offered() -> None:
    view = Game.new("first-journey", 2, seed=1).view(0)
    assert (view.offer, len(view.tickets), view.ticket_counts) == ([], 2, [2, 2])


def test_results_and_scores_agree(table: GameSetup) -> None:
    game = random_game(table, 13)
    result = game.result
    assert result is not None
    scores = game.scores()
    assert scores.totals == result.totals == tuple(game.state.totals[: game.players].tolist())
    best = max(result.totals)
    assert result.winners
    assert all(result.totals[seat] == best for seat in result.winners)
    assert result.reason in {"last round played", "nobody can act", "tickets completed", "last piece placed"}
    scored = {(e.seat, e.details["term"]): e.details["points"] for e in game.events if e.kind == "scored"}
    for seat in range(game.players):
        for term, points in scores.of(seat).items():
            assert points == scored.get((seat, term), 0)
    assert {term for _, term in scored} <= set(scores.terms)


def test_scores_of_a_running_game_do_not_change_it(table: GameSetup) -> None:
    game = random_game(table, 14, 40)
    before = fingerprint(game)
    view = bytes(game.view(0))
    scores = game.scores()
    assert len(scores.totals) == game.players
    assert game.result is None or game.is_over
    assert (fingerprint(game), bytes(game.view(0))) == (before, view)
    assert game.scores() == scores


def test_scores_print_as_a_table() -> None:
    scores = Scores(("routes", "tickets failed"), ((100, -7), (3, 0)))
    assert str(scores).splitlines() == [
        "                Seat 1  Seat 2",
        "routes             100       3",
        "tickets failed      -7       0",
        "total               93       3",
    ]
    assert scores.of(1) == {"routes": 3, "tickets failed": 0}
    named = Scores(scores.terms, scores.points, ("Ann", "Benjamin"))
    assert str(named).splitlines()[:2] == ["                Ann  Benjamin", "routes          100         3"]
    assert named == scores


@pytest.mark.parametrize(
    ("winners", "names", "text"),
    [
        ((2,), (), "won by Seat 3"),
        ((0, 2), (), "shared by Seat 1 and Seat 3"),
        ((1,), ("Ann", "Ben", "Cleo"), "won by Ben"),
        ((0, 1, 2), ("Ann", "Ben", "Cleo"), "shared by Ann, Ben and Cleo"),
    ],
)
def test_a_result_names_its_winners(winners: tuple[int, ...], names: tuple[str, ...], text: str) -> None:
    assert str(Result(winners, "last round played", "", (1, 1, 1), names)) == text


@pytest.mark.parametrize(
    ("edition", "terms"),
    [
        ("usa-classic", ("routes", "tickets made", "tickets failed", "longest path")),
        ("usa-1910", ("routes", "tickets made", "tickets failed", "globetrotter")),
        ("usa-big-cities", ("routes", "tickets made", "tickets failed")),
        ("usa-mega", ("routes", "tickets made", "tickets failed", "longest path", "globetrotter")),
        ("new-york", ("routes", "tickets made", "tickets failed", "attractions")),
        ("first-journey", ("completed tickets",)),
    ],
)
def test_every_edition_scores_its_terms(edition: str, terms: tuple[str, ...]) -> None:
    assert Game.new(edition, 2, seed=1).scores().terms == terms


def test_a_score_of_a_running_game_counts_the_current_position() -> None:
    game = started()
    give(game, 0, red=4)
    game.play("claim CHI-DUL with 3 red")
    tickets = [game.edition.tickets[i].points for i in range(30) if int(game.state.held[0][0]) >> i & 1]
    assert game.scores().of(0) == {
        "routes": 4,
        "tickets made": 0,
        "tickets failed": -sum(tickets),
        "longest path": 10,
    }
