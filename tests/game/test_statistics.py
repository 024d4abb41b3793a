"""Statistics of games: they add up and agree with the engine and with a count by hand."""

from __future__ import annotations

import random
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from goldenspike import Edition, Game, edition_ids, load_edition
from goldenspike.engine import events as kinds
from goldenspike.engine.state import LOCOMOTIVE
from goldenspike.game.events import EVENT_KINDS, TERM_NAMES, Rows, redact
from goldenspike.game.statistics import KeptTicket, SeatStatistics, Series, Statistics, game_statistics
from goldenspike.game.view import members
from goldenspike.simulation import random_games
from tests.game.games import FEW_TABLES, TABLES, GameSetup, moments, play_on, random_game
from tests.rules.homemade import islands_points, islands_race

NUMBERS = {kind.name: number for number, kind in EVENT_KINDS.items()}
REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "statistics.md"
RED, BLUE = range(2)
"""The colours of the islands board."""


def statistics_of(game: Game) -> Statistics:
    return game_statistics(game.edition, game.history)


def told(*events: tuple[str, int, *tuple[int, ...]]) -> Rows:
    """Return events, given by name, seat and details, as rows of numbers."""
    rows = [(NUMBERS[name], *numbers, 0, 0, 0, 0, 0)[: kinds.WIDTH] for name, *numbers in events]
    return np.array(rows, np.int16)


# Sums, against the engine's own figures


def check_seat(game: Game, seat: int, seat_statistics: SeatStatistics) -> None:
    state, edition, s = game.state, game.edition, seat_statistics
    terms = {name: getattr(s, "points_" + name.replace(" ", "_")) for name in TERM_NAMES}
    assert {name: points for name, points in terms.items() if points is not None} == game.scores().of(seat)
    assert s.score == game.scores().totals[seat] == sum(points or 0 for points in terms.values())
    assert s.points_per_turn * max(1, s.turns) == pytest.approx(s.score)

    assert s.cards_dealt == edition.opening_hand
    assert s.cards_dealt + s.cards_drawn + s.cards_taken == s.cards_played + s.cards_left
    assert s.locomotives_dealt + s.locomotives_drawn + s.locomotives_taken == (
        s.locomotives_played + s.locomotives_left
    )
    assert (s.cards_left, s.locomotives_left) == (state.hand_size[seat], state.hands[seat, LOCOMOTIVE])
    assert s.pieces_left == state.pieces[seat] == edition.pieces - s.cards_played
    lengths = [edition.board.routes[route].length for route in members(state.owned[seat])]
    assert (s.routes, s.cards_played) == (len(lengths), sum(lengths))
    assert s.average_route_length * s.routes == pytest.approx(sum(lengths))
    assert max(lengths, default=0) <= s.longest_path <= sum(lengths)

    kinds_of_turn = s.turns_drawing_cards + s.turns_claiming + s.turns_drawing_tickets + s.turns_passed
    assert (s.turns, s.turns_claiming) == (kinds_of_turn, s.routes)


def check_tickets(game: Game, seat: int, s: SeatStatistics) -> None:
    joined = {kept.ticket for kept in s.tickets if kept.joined_in_turn is not None}
    coasts = int(game.state.coast_to_coast[seat])
    assert (s.coast_to_coast_in_turn is not None) == coasts
    assert (s.tickets_made, s.tickets_failed) == (len(joined) + coasts, len(s.tickets) - len(joined))
    undecided = 0 if game.edition.ticket_rules.flow == "swap" else game.state.offer_size[seat]
    assert s.tickets_offered == len(s.tickets) + s.tickets_returned + undecided
    assert 0 <= s.tickets_cut_off <= s.tickets_failed
    for kept in s.tickets:
        assert 0 <= kept.kept_in_turn <= (s.turns if kept.joined_in_turn is None else kept.joined_in_turn)
    if s.points_completed_tickets is None:
        points = [kept.points if kept.ticket in joined else -kept.points for kept in s.tickets]
        assert sum(p for p in points if p > 0) == s.points_tickets_made
        assert sum(p for p in points if p < 0) == s.points_tickets_failed
    if game.is_over:
        view = game.view(seat)
        assert joined == set(view.completed_of(seat))
        assert {kept.ticket for kept in s.tickets} == {*view.completed_of(seat), *view.tickets}
        assert s.tickets_made == game.state.completed_count[seat]


def check_statistics(game: Game) -> None:
    statistics = statistics_of(game)
    seats = statistics.seats
    assert len(seats) == game.players
    for seat, seat_statistics in enumerate(seats):
        check_seat(game, seat, seat_statistics)
        check_tickets(game, seat, seat_statistics)
    assert sum(s.turns for s in seats) - game.state.turns in ({0} if game.is_over else {0, 1})
    if game.edition.bonuses.longest_path:
        longest = max(s.longest_path for s in seats)
        assert all((s.points_longest_path != 0) == (s.longest_path == longest > 0) for s in seats)
    assert len(statistics.series.turns) == len(game.played) + 1
    assert msgspec.json.decode(msgspec.json.encode(statistics), type=Statistics) == statistics


def test_sums_agree_with_the_engine_in_finished_games(table: GameSetup) -> None:
    check_statistics(random_game(table, 71))


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_sums_agree_with_the_engine_in_running_games(table: GameSetup) -> None:
    for game in moments(table, 72, 6):
        check_statistics(game)


@pytest.mark.slow
@pytest.mark.parametrize("claims", [0.1, 0.9])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_sums_agree_with_the_engine_in_more_games(table: GameSetup, claims: float) -> None:
    for seed in range(3):
        check_statistics(random_game(table, seed, claims=claims))


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_series_agree_with_the_engine_after_every_action(table: GameSetup) -> None:
    game, engine, turns = Game.new(*table, seed=73), list[list[list[int]]](), list[int]()
    rng = random.Random(73)
    while True:
        state, seats = game.state, slice(0, game.players)
        numbers = (game.scores().totals, state.points[seats], state.hand_size[seats], state.pieces[seats])
        engine.append([[int(number) for number in by_seat] for by_seat in numbers])
        turns.append(int(state.turns))
        if game.is_over:
            break
        play_on(game, rng)
    series = statistics_of(game).series
    told_by_seat = zip(series.score, series.route_points, series.cards, series.pieces, strict=True)
    assert series.turns == turns
    for seat, lists in enumerate(told_by_seat):
        assert [list(numbers) for numbers in zip(*lists, strict=True)] == [
            [by_seat[seat] for by_seat in moment] for moment in engine
        ]


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_stored_events_and_a_game_give_the_same_statistics(table: GameSetup) -> None:
    game = random_game(table, 74)
    stored = [rows.tobytes() for rows in game.history]
    history = [np.frombuffer(data, np.int16).reshape(-1, kinds.WIDTH) for data in stored]
    assert game_statistics(load_edition(table[0]), history) == statistics_of(game)
    assert statistics_of(Game.from_record(game.record())) == statistics_of(game)


def test_every_term_of_a_score_has_a_field() -> None:
    fields = {field for field in SeatStatistics.__struct_fields__ if field.startswith("points_")}
    assert fields == {"points_" + name.replace(" ", "_") for name in TERM_NAMES} | {"points_per_turn"}


def test_the_reference_page_lists_exactly_the_fields() -> None:
    rows = [line for line in REFERENCE.read_text("utf-8").splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert named == [*SeatStatistics.__struct_fields__, *Series.__struct_fields__]


def test_redacted_rows_are_refused() -> None:
    game = Game.new("usa-classic", 2, seed=1)
    with pytest.raises(ValueError, match="not as redacted"):
        game_statistics(game.edition, [redact(game.rows(), 0)])


# Counted by hand

AC, AB, BC, CD = 4, 0, 1, 2
"""Tickets of the islands board."""

ISLANDS = [
    told(
        ("started", 0, 2),
        ("drew", 0, LOCOMOTIVE),
        ("drew", 1, RED),
        ("turned up", -1, 0, BLUE),
        ("turned up", -1, 1, RED),
        ("turned up", -1, 2, RED),
        ("turned up", -1, 3, BLUE),
        ("turned up", -1, 4, LOCOMOTIVE),
        ("offered", 0, AC),
        ("offered", 1, AB),
    ),
    told(("chose", 0, 1)),
    told(("chose", 1, 1), ("kept", 0, AC), ("kept", 1, AB), ("turn began", 0)),
    told(("took", 0, 1, RED), ("turned up", -1, 1, BLUE)),
    told(("drew", 0, BLUE), ("turn ended", 0, 1, -1, 0), ("turn began", 1)),
    told(("claimed", 1, 0, RED, 0, 1), ("joined", 1, AB), ("turn ended", 1, 2, -1, 0), ("turn began", 0)),
    told(("claimed", 0, 2, BLUE, 0, 1), ("turn ended", 0, 3, -1, 0), ("turn began", 1)),
    told(("offered", 1, BC), ("offered", 1, CD)),
    told(("kept", 1, BC), ("returned", 1, CD), ("turn ended", 1, 4, -1, 0), ("turn began", 0)),
    told(
        ("took", 0, 4, LOCOMOTIVE), ("turned up", -1, 4, RED), ("turn ended", 0, 5, -1, 0), ("turn began", 1)
    ),
    told(("drew", 1, LOCOMOTIVE)),
    told(("took", 1, 0, BLUE), ("turned up", -1, 0, BLUE), ("turn ended", 1, 6, -1, 0), ("turn began", 0)),
    told(("passed", 0), ("turn ended", 0, 7, -1, 1), ("turn began", 1)),
    told(("claimed", 1, 3, BLUE, 1, 2), ("turn ended", 1, 8, -1, 0), ("turn began", 0)),
    told(("took", 0, 0, BLUE), ("turned up", -1, 0, BLUE)),
]
"""Seat 0 joins CCC and DDD, then seat 1 cuts it off from AAA. Seat 0 is in the middle of a turn."""


def test_a_game_counted_by_hand() -> None:
    first, second = game_statistics(islands_points(), ISLANDS).seats
    assert first == SeatStatistics(
        score=1 - 2,
        points_routes=1,
        points_tickets_made=0,
        points_tickets_failed=-2,
        points_longest_path=0,
        points_per_turn=-1 / 5,
        turns=5,
        turns_drawing_cards=3,
        turns_claiming=1,
        turns_passed=1,
        cards_dealt=1,
        cards_drawn=1,
        cards_taken=3,
        cards_played=1,
        cards_left=4,
        locomotives_dealt=1,
        locomotives_taken=1,
        locomotives_left=2,
        luck=(1 - 3 / 15) - 1 / 7,
        routes=1,
        average_route_length=1.0,
        longest_path=1,
        pieces_left=5,
        tickets_offered=1,
        tickets_failed=1,
        tickets_cut_off=1,
        tickets=[KeptTicket("AAA-CCC", 2, 0)],
    )
    assert second == SeatStatistics(
        score=3 + 1 - 1 + 3,
        points_routes=3,
        points_tickets_made=1,
        points_tickets_failed=-1,
        points_longest_path=3,
        points_per_turn=6 / 4,
        turns=4,
        turns_drawing_cards=1,
        turns_claiming=2,
        turns_drawing_tickets=1,
        cards_dealt=1,
        cards_drawn=1,
        cards_taken=1,
        cards_played=3,
        locomotives_drawn=1,
        locomotives_played=1,
        luck=-2 / 14 + (1 - 1 / 5),
        routes=2,
        average_route_length=1.5,
        longest_path=3,
        pieces_left=3,
        tickets_offered=3,
        tickets_returned=1,
        tickets_made=1,
        tickets_failed=1,
        tickets=[KeptTicket("AAA-BBB", 1, 0, 1), KeptTicket("BBB-CCC", 1, 2)],
    )


def test_a_ticket_is_cut_off_only_when_no_path_is_left() -> None:
    statistics = game_statistics(islands_points(), ISLANDS[:-2])
    assert [s.tickets_cut_off for s in statistics.seats] == [0, 0]


def test_the_series_of_a_game_counted_by_hand() -> None:
    series = game_statistics(islands_points(), ISLANDS).series
    assert series.turns == [0, 0, 0, 0, 1, 2, 3, 3, 4, 5, 5, 6, 7, 8, 8]
    assert series.score[0] == [0, 0, -2, -2, -2, -2, 2, 2, 2, 2, 2, 2, 2, -1, -1]
    assert series.score[1] == [0, 0, -1, -1, -1, 5, 5, 5, 4, 4, 4, 4, 4, 6, 6]
    assert series.route_points == [[0] * 6 + [1] * 9, [0] * 5 + [1] * 8 + [3] * 2]
    assert series.cards[0] == [1, 1, 1, 2, 3, 3, 2, 2, 2, 3, 3, 3, 3, 3, 4]
    assert series.pieces == [[6] * 6 + [5] * 9, [6] * 5 + [5] * 8 + [3] * 2]


def test_tickets_of_a_race_counted_by_hand() -> None:
    edition = load_edition("first-journey")
    names = [ticket.name for ticket in edition.tickets]
    statistics = game_statistics(
        edition,
        [
            told(("started", 0, 2), ("received", 0, 0), ("received", 0, 1), ("turn began", 0)),
            told(("swapped", 0, 2), ("received", 0, 2), ("received", 0, 3), ("turn began", 1)),
            told(("passed", 1), ("turn began", 0)),
            told(("claimed", 0, 0, 0, 0, 0), ("coast to coast", 0), ("turn began", 1)),
            told(("passed", 1), ("turn began", 0)),
            told(("claimed", 0, 1, 0, 0, 0), ("completed", 0, 3), ("received", 0, 4)),
        ],
    )
    seat = statistics.seats[0]
    assert (seat.score, seat.points_completed_tickets, seat.points_routes) == (2, 2, None)
    assert (seat.turns, seat.turns_drawing_tickets, seat.turns_claiming) == (3, 1, 2)
    assert (seat.tickets_offered, seat.tickets_returned) == (5, 2)
    assert (seat.tickets_made, seat.tickets_failed, seat.coast_to_coast_in_turn) == (2, 2, 2)
    assert [(kept.ticket, kept.kept_in_turn, kept.joined_in_turn) for kept in seat.tickets] == [
        (names[2], 1, None),
        (names[3], 1, 3),
        (names[4], 3, None),
    ]
    assert statistics.series.score == [[0, 0, 0, 1, 1, 2], [0] * 6]


# Luck


def luck_by_the_engine(game: Game, rng: random.Random) -> list[float]:
    """Play a game to its end and compute luck from the engine's deck before each action."""
    luck = [0.0] * game.players
    while not game.is_over and len(game.played) < 300:
        deck, size = game.state.deck.copy(), int(game.state.deck_size)
        discards = game.state.discards.copy()
        play_on(game, rng, claims=0.3)
        for kind, seat, card, *_ in game.played[-1].rows.tolist():
            if kind == kinds.RESHUFFLED:
                deck, size = discards, int(discards.sum())
            if kind != kinds.DREW:
                continue
            luck[seat] += (card == LOCOMOTIVE) - deck[LOCOMOTIVE] / size
            deck[card], size = deck[card] - 1, size - 1
    return luck


@pytest.mark.parametrize(
    "edition", [*map(load_edition, edition_ids()), islands_points(), islands_race()], ids=lambda e: e.id
)
def test_luck_is_relative_to_the_deck_at_the_draw(edition: Edition) -> None:
    """On the islands board the deck is reshuffled every few turns."""
    for seed in range(4):
        game = Game.new(edition, 2, seed=seed)
        dealt = [s.luck for s in statistics_of(game).seats]
        drawn = luck_by_the_engine(game, random.Random(seed))
        whole = [s.luck for s in statistics_of(game).seats]
        assert whole == pytest.approx([a + b for a, b in zip(dealt, drawn, strict=True)])


def check_no_bias(luck: list[list[float]]) -> None:
    """Check that the mean luck of every seat is 0 within the statistical error."""
    games = np.array(luck)
    error = games.std(axis=0) / np.sqrt(len(games))
    assert (error > 0).all()
    assert (np.abs(games.mean(axis=0)) < 4 * error).all()


@pytest.mark.parametrize(
    ("edition", "games"),
    [
        ("new-york", 120),
        *(pytest.param(id_, 200, marks=pytest.mark.slow) for id_ in edition_ids()),
    ],
)
def test_mean_luck_is_zero(edition: str, games: int) -> None:
    played = random_games(load_edition(edition), 2, games, bytes(32))
    check_no_bias([[s.luck for s in statistics_of(game).seats] for game in played])


@pytest.mark.slow
def test_mean_luck_is_zero_for_a_player_who_draws_until_a_locomotive() -> None:
    """Seat 0 draws from the deck until it has a locomotive. Stopping after good luck must not add a bias."""
    luck: list[list[float]] = []
    for seed in range(120):
        rng, game = random.Random(seed), Game.new("new-york", 2, seed=seed)
        while not game.is_over and len(game.played) < 60:
            is_drawing = game.to_move == [0] and game.state.hands[0, LOCOMOTIVE] == 0
            if is_drawing and "draw deck" in game.legal_moves(0):
                game.play("draw deck")
            else:
                play_on(game, rng)
        luck.append([s.luck for s in statistics_of(game).seats])
    check_no_bias(luck)
