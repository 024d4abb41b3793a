"""Every reason to refuse a move: its rule and its sentence, reached by playing."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from goldenspike import Game
from goldenspike.boards import parse_board
from goldenspike.editions import edition_ids, parse_edition
from goldenspike.engine import api, legal
from goldenspike.engine.tables import build_tables
from goldenspike.errors import AmbiguousMoveError, IllegalMoveError, MoveError, RecordError
from goldenspike.game.notation import notation_of
from goldenspike.game.refusals import RefusedMove, explain_refusal
from tests.boards.conftest import BOARD, EDITION, changed
from tests.game.games import empty_deck, fingerprint, give, lay_row, random_game, started, touch

Try = tuple[Game, str | int, int]
"""A game, a move, and the seat that tries it."""


def over() -> Try:
    return random_game(("new-york", 2), 1), "draw deck", 0


def wrong_seat() -> Try:
    return started(), "draw deck", 1


def tickets_first() -> Try:
    game = started()
    game.play("draw tickets")
    return game, "draw deck", 0


def chosen() -> Try:
    game = Game.new("usa-classic", 3, seed=1)
    game.play("keep all", 1)
    return game, "keep all", 1


def nothing_offered() -> Try:
    return started(), 12, 0


def one_of_three() -> Try:
    return Game.new("usa-classic", 2, seed=1), 12, 0


def one_of_three_drawn() -> Try:
    game = homemade_game()
    game.play("draw tickets")
    return game, 12, 0


def one_of_two_left() -> Try:
    """If fewer tickets are left than must be kept, all must be kept."""
    game = homemade_game()
    state = touch(game)
    state.ticket_deck[(state.ticket_top + 2) % 96] = -1
    state.ticket_deck_size = 2
    game.play("draw tickets")
    return game, 12, 0


def not_offered() -> Try:
    return Game.new("usa-classic", 2, seed=1), 11 + 0b1000, 0


def second_card() -> Try:
    game = started()
    game.play("draw deck")
    return game, "draw tickets", 0


def may_not_pass() -> Try:
    return started(), "pass", 0


def no_deck() -> Try:
    game = started()
    empty_deck(game)
    return game, "draw deck", 0


def no_red() -> Try:
    game = started()
    lay_row(game, "blue", "blue", "blue", "white", "white")
    return game, "take red", 0


def no_taxi() -> Try:
    game = started("new-york")
    lay_row(game, "blue", "blue", "blue", "red", "red")
    return game, "take loco", 0


def second_locomotive() -> Try:
    game = started()
    lay_row(game, "loco", "red", "blue", "white", "green")
    game.play("draw deck")
    return game, "take loco", 0


def second_taxi() -> Try:
    game = started("new-york")
    lay_row(game, "loco", "red", "blue", "pink", "green")
    game.play("draw deck")
    return game, "take taxi", 0


def no_tickets() -> Try:
    game = started()
    touch(game).ticket_deck_size = 0
    return game, "draw tickets", 0


def none_to_swap() -> Try:
    game = Game.new("first-journey", 2, seed=1, first=0)
    touch(game).offer_size[0] = 0
    return game, "swap tickets", 0


def claimed(players: int, first: str, then: str, seat: int) -> Try:
    game = started(players=players)
    give(game, 0, loco=1)
    game.play(first)
    while game.to_move != [seat]:
        game.play("draw deck")
    give(game, seat, loco=1)
    return game, then, seat


def taken() -> Try:
    return claimed(2, "claim DAL-HOU/1 with 1 loco", "claim DAL-HOU/1 with 1 loco", 1)


def own_twin() -> Try:
    return claimed(4, "claim DAL-HOU/1 with 1 loco", "claim DAL-HOU/2 with 1 loco", 0)


def closed_twin() -> Try:
    return claimed(3, "claim DAL-HOU/1 with 1 loco", "claim DAL-HOU/2 with 1 loco", 1)


def few_pieces() -> Try:
    game = started()
    touch(game).pieces[0] = 3
    return game, "claim CAL-HEL with 4 red", 0


def one_piece() -> Try:
    game = started("new-york")
    touch(game).pieces[0] = 1
    return game, "claim CEN-LIN with 2 orange", 0


def few_cards() -> Try:
    game = started()
    give(game, 0, red=2)
    return game, "claim CHI-DUL with 3 red", 0


def few_locomotives() -> Try:
    game = started()
    give(game, 0, red=3)
    return game, "claim CHI-DUL with 2 red, 1 loco", 0


def homemade_game() -> Game:
    """Return a game in which all three tickets drawn must be kept."""
    text = EDITION
    for old, new in (("draw = 2", "draw = 3"), ("draw_keep = 1", "draw_keep = 3"), ("deal = 2", "deal = 1")):
        text = changed(text, old, new)
    board = parse_board(changed(BOARD, "main = [\n", 'main = [\n  { a = "ASH", b = "BAY", points = 2 },\n'))
    game = Game.new(parse_edition(text, "quick.toml", board), 2, seed=1, first=0)
    game.play("keep all")
    game.play("keep all")
    return game


CASES: dict[Callable[[], Try], tuple[int, str, str]] = {
    over: (legal.GAME_IS_OVER, "E-1", "The game is over."),
    wrong_seat: (legal.NOT_YOUR_TURN, "S-4", "It is not Seat 2's turn; Seat 1 is to move."),
    tickets_first: (legal.CHOOSE_TICKETS_FIRST, "T-1", "First choose which"),
    chosen: (legal.ALREADY_CHOSEN, "S-3", "You have chosen your tickets"),
    nothing_offered: (legal.NOTHING_OFFERED, "T-1", "You have no tickets to choose from"),
    one_of_three: (legal.KEEP_MORE, "S-3", "Keep at least 2 of these tickets."),
    one_of_three_drawn: (legal.KEEP_MORE, "T-1", "Keep at least 3 of these tickets."),
    one_of_two_left: (legal.KEEP_MORE, "T-1", "Keep at least 2 of these tickets."),
    not_offered: (legal.NOT_OFFERED, "T-1", "Keep only tickets that were offered"),
    second_card: (legal.SECOND_CARD_FIRST, "R-3", "Take your second card first."),
    may_not_pass: (legal.CAN_ACT, "R-4", "You can only pass"),
    no_deck: (legal.DECK_EMPTY, "D-8", "The deck is empty"),
    no_red: (legal.NOT_FACE_UP, "D-1", "No red is face up."),
    no_taxi: (legal.NOT_FACE_UP, "D-1", "No taxi card is face up."),
    second_locomotive: (legal.LOCOMOTIVE_SECOND, "D-4", "A face-up locomotive cannot be the second card"),
    second_taxi: (legal.LOCOMOTIVE_SECOND, "D-4", "A face-up taxi card cannot be the second card"),
    no_tickets: (legal.NO_TICKETS_LEFT, "T-4", "no tickets left"),
    none_to_swap: (legal.NO_TICKETS_TO_SWAP, "R-9", "no tickets to swap"),
    taken: (legal.ROUTE_TAKEN, "C-4", "already claimed"),
    own_twin: (legal.TWIN_IS_OWN, "C-6", "You have the other lane"),
    closed_twin: (legal.TWIN_CLOSED, "C-6", "With 3 or fewer players, only one lane"),
    few_pieces: (legal.TOO_FEW_PIECES, "C-5", "You have 3 trains left; this route needs 4."),
    one_piece: (legal.TOO_FEW_PIECES, "C-5", "You have 1 taxi left; this route needs 2."),
    few_cards: (legal.TOO_FEW_CARDS, "C-2", "You have 2 red cards; this takes 3."),
    few_locomotives: (legal.TOO_FEW_LOCOMOTIVES, "C-3", "You have 0 locomotive cards; this takes 1."),
}
"""How to reach a refusal: the engine's reason, the rule's id, and a part of the sentence."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_refusal_names_its_rule_and_says_why(case: Callable[[], Try]) -> None:
    game, move, seat = case()
    reason, rule, sentence = CASES[case]
    number = (
        notation_of(game.edition).parse(move, ())[0] if isinstance(move, str) and move != "keep all" else 12
    )
    number = move if isinstance(move, int) else number
    assert api.verify_move(game.states, build_tables(game.edition), seat, number) == reason
    before = fingerprint(game)
    with pytest.raises(IllegalMoveError) as caught:
        game.play(move, seat)
    assert caught.value.rule == rule
    assert sentence in caught.value.sentence
    assert fingerprint(game) == before


@pytest.mark.parametrize("edition", edition_ids())
def test_every_move_number_is_legal_or_has_a_refusal(edition: str) -> None:
    """Also for cards of colours that the board does not have."""
    game = Game.new(edition, 2, seed=1, first=0)
    numbers = range(-1, notation_of(game.edition).count + 1)
    for _ in range(3):  # at setup, then in a turn
        legal_now = game.legal_moves(0).numbers
        assert [n for n in numbers if game.position.refusal(n, 0) is None] == [*legal_now]
        game.play(game.legal_moves().numbers[0])


@pytest.mark.parametrize(
    ("hand", "text", "sentence"),
    [
        pytest.param({}, "claim Dallas-Houston", "You have 0 purple cards; this takes 1.", id="free lane"),
        pytest.param({"red": 1}, "claim ATL-CHS", "You have 1 red card; this takes 2.", id="payment"),
    ],
)
def test_the_refusal_explains_the_nearest_of_several_meanings(
    hand: dict[str, int], text: str, sentence: str
) -> None:
    game, _, _ = claimed(4, "claim DAL-HOU/1 with 1 loco", "", 1)
    give(game, 1, **hand)
    with pytest.raises(IllegalMoveError) as caught:
        game.play(text, 1)
    assert caught.value.sentence == sentence


@pytest.mark.parametrize(
    "error",
    [
        IllegalMoveError("C-2", "too_few_cards", "No.", {"held": 1}),
        AmbiguousMoveError("take", ["take red", "take blue"]),
        RecordError(3, "the line is cut off."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_can_be_pickled(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))


def test_every_reason_of_the_engine_is_tested() -> None:
    reasons = {value for name, value in vars(legal).items() if name.isupper() and isinstance(value, int)}
    reasons = set(range(1, legal.TOO_FEW_LOCOMOTIVES + 1)) & reasons
    reached = {reason for reason, _, _ in CASES.values()}
    assert reasons - reached == {legal.NO_SUCH_MOVE}, "reached by the next test: a game reads no such number"


@pytest.mark.parametrize("number", [-1, 10_000])
def test_the_engine_refuses_unknown_move_numbers(number: int) -> None:
    game = started()
    assert api.verify_move(game.states, build_tables(game.edition), 0, number) == legal.NO_SUCH_MOVE
    error = explain_refusal(legal.NO_SUCH_MOVE, RefusedMove(game.edition, game.state, 0, number))
    assert error.rule == "C-4"
    assert error.reason == "no_such_move"


@pytest.mark.parametrize(("players", "seat"), [(2, -1), (2, 2), (5, 5)])
def test_the_engine_refuses_seats_that_do_not_play(players: int, seat: int) -> None:
    """At setup all seats are to move, so only the number of seats excludes others."""
    game = Game.new("usa-classic", players, seed=1)
    tables = build_tables(game.edition)
    keep_one = game.legal_moves(0).numbers[0]
    assert api.verify_move(game.states, tables, 0, keep_one) == legal.LEGAL
    assert api.verify_move(game.states, tables, seat, keep_one) == legal.ALREADY_CHOSEN
    assert api.count_moves(game.states, tables, seat) == 0


@pytest.mark.parametrize("seat", [-1, 2, 99, pytest.param(10**5000, id="huge")])
def test_an_unknown_seat_is_refused(seat: int) -> None:
    game = started()
    for ask in (game.legal_moves, game.view, game.events_for, lambda seat: game.play("draw deck", seat)):
        with pytest.raises(MoveError, match="A seat is a number from 0"):
            ask(seat)


@pytest.mark.parametrize("move", ["draw deck", "pass", "take red", "claim DAL-HOU/1 with 1 red", 1, 12, 75])
def test_moves_after_the_end_are_refused(move: str | int) -> None:
    game = random_game(("usa-classic", 2), 1)
    assert (game.is_over, game.to_move) == (True, [])
    for seat in (None, 0, 1):
        with pytest.raises(IllegalMoveError, match="The game is over"):
            game.play(move, seat)
