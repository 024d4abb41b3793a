"""Values, numbers and texts of moves: exact round trips, lenient parsing, clear errors."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldenspike import Game, edition_ids, load_edition
from goldenspike.editions import EditionWords
from goldenspike.engine import moves as numbers
from goldenspike.errors import AmbiguousMoveError, IllegalMoveError, MalformedMoveError, MoveError
from goldenspike.game.moves import KINDS, ClaimRoute, KeepTickets, Move, TakeCard
from goldenspike.game.notation import notation_of
from tests.game.games import fingerprint, give, started

USA = notation_of(load_edition("usa-classic"))


@pytest.mark.parametrize("edition", edition_ids())
def test_every_number_value_and_text_is_one_move(edition: str) -> None:
    rules = load_edition(edition)
    notation = notation_of(rules)
    holes = set(range(numbers.TAKE + len(rules.board.colours), numbers.TAKE + 8))
    keeps = set(range(numbers.KEEP + 1, numbers.CLAIM))
    texts: set[str] = set()
    for number in sorted(set(range(notation.count)) - keeps - holes):
        value = notation.value(number)
        assert notation.number(value) == number
        assert notation.parse(str(value)) == [number]
        assert value.kind in KINDS
        texts.add(str(value))
    assert len(texts) == notation.count - len(keeps) - len(holes)
    claims = [notation.value(number) for number in range(numbers.CLAIM, notation.count)]
    assert {claim.route for claim in claims if isinstance(claim, ClaimRoute)} == {
        route.name for route in rules.board.routes
    }
    for number in holes:
        with pytest.raises(MalformedMoveError, match="colour that is not on this board"):
            notation.value(number)


@pytest.mark.parametrize("edition", edition_ids())
@pytest.mark.parametrize("size", range(1, 7))
def test_every_choice_of_an_offer_is_one_move(edition: str, size: int) -> None:
    notation = notation_of(load_edition(edition))
    tickets = len(load_edition(edition).tickets)
    for start in range(0, tickets, size):
        offer = [(start + 7 * i) % tickets for i in range(size)]
        if len(set(offer)) < size:
            continue
        for mask in range(1, 1 << size):
            value = notation.value(numbers.KEEP + mask, offer)
            assert isinstance(value, KeepTickets)
            assert len(value.tickets) == mask.bit_count()
            assert notation.number(value, offer) == numbers.KEEP + mask
            assert notation.parse(str(value), offer) == [numbers.KEEP + mask]
        assert notation.parse("keep all", offer) == [numbers.KEEP + (1 << size) - 1]
        if size < 6:
            with pytest.raises(MalformedMoveError, match="not among"):
                notation.value(numbers.KEEP + (1 << size), offer)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("  DRAW   Deck ", "draw deck"),
        ("Take RED", "take red"),
        ("draw red", "take red"),
        ("take locomotive", "take loco"),
        ("take wild", "take loco"),
        ("claim chi-pit/BLACK with 3 Black", "claim CHI-PIT/black with 3 black"),
        ("claim Chicago to PIT/black with 2x black+1 wild", "claim CHI-PIT/black with 2 black, 1 loco"),
        ("build Pittsburgh-Chicago/black for 1 loco and 2 black", "claim CHI-PIT/black with 2 black, 1 loco"),
        ("claim CHI-PIT/black using 1 black & 1 black & 1 loco", "claim CHI-PIT/black with 2 black, 1 loco"),
        ("claim CHI-PIT with 3 black", "claim CHI-PIT/black with 3 black"),
        ("claim CHI-PIT/orange with 0 orange, 3 loco", "claim CHI-PIT/orange with 3 loco"),
        ("claim montreal-toronto with 3 red", "claim MON-TOR with 3 red"),
        ("claim MON-TOR/grey with 3 red", "claim MON-TOR with 3 red"),
        ("claim Montréal\u2013Toronto with 3 red", "claim MON-TOR with 3 red"),
        ("claim sault ste marie to toronto with 2 red", "claim SSM-TOR with 2 red"),
        ("Pass", "pass"),
    ],
)  # fmt: skip
def test_parsing_is_lenient(text: str, plain: str) -> None:
    assert [str(USA.value(number)) for number in USA.parse(text)] == [plain]


def test_tickets_are_read_by_code_or_name_either_way_round() -> None:
    offer = [next(i for i, t in enumerate(load_edition("usa-classic").tickets) if t.name == "LAX-NYC"), 0]
    for text in ("keep LAX-NYC", "keep nyc-lax", "Keep Los Angeles to New York", "keep new york-los angeles"):
        assert USA.parse(text, offer) == [numbers.KEEP + 1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a move"),
        ("keep", "is not a move"),
        ("hello", "Write one like: draw deck"),
        ("take", "is not a move"),
        ("take mauve", "no 'mauve' cards; the colours are purple, blue, "),
        ("take blak", "no 'blak' cards; did you mean \"black\"?"),
        ("draw dekc", 'did you mean "deck"?'),
        ("claim", "is not a move"),
        ("claim CHI", "does not name two cities"),
        ("claim CHI-PIT-NYC", "does not name two cities"),
        ("claim CHI-XYZ", "no city"),
        ("claim BOS-MIA with 3 red", "no route BOS-MIA. From BOS routes lead to MON and NYC. From MIA "),
        ("claim CHI-PIT/red with 3 red", "The routes there are CHI-PIT/black and CHI-PIT/orange."),
        ("claim CHI-PIT with 3 red", "does not pay"),
        ("claim CHI-PIT with 2 black", "does not pay"),
        ("claim CHI-PIT with 2 black, 1 orange", "paid with one colour"),
        ("claim CHI-PIT with 3 black, 1 orange", "paid with one colour"),
        ("claim CHI-PIT with black", "not a payment"),
        ("claim CHI-PIT with -3 black", "not a payment"),
        ("claim CHI-PIT with " + "9" * 5000 + " black", "not a payment"),
        ("claim CHI-PIT with 0 black", "does not pay"),
        ("keep LAX-NYC", "You have no tickets to choose from"),
        ("keep all", "You have no tickets to choose from"),
        ("swap tickets", "is called: draw tickets"),
    ],
)
def test_a_parse_error_says_why(text: str, says: str) -> None:
    with pytest.raises(MalformedMoveError) as caught:
        USA.parse(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("take xyzzy", "orange and taxi."),
        ("claim CHE-GRV with 9 red", "taxi cards standing for any"),
        ("claim CHE-GRV with red", "like: 2 blue, 1 taxi."),
        ("claim CHE", "write them like "),
    ],
)
def test_new_york_messages_say_taxi(text: str, says: str) -> None:
    with pytest.raises(MalformedMoveError) as caught:
        notation_of(load_edition("new-york")).parse(text)
    assert says in str(caught.value)
    assert "loco" not in str(caught.value)
    assert "CHI-PIT" not in str(caught.value)


def test_keep_all_with_nothing_offered_takes_no_locomotive() -> None:
    """Keeping the empty set would have the same number as taking a locomotive."""
    game = started()
    before = fingerprint(game)
    with pytest.raises(MalformedMoveError, match="You have no tickets to choose from"):
        game.play("keep all")
    assert "keep all" not in game.legal_moves()
    assert fingerprint(game) == before


WORDS = st.sampled_from(
    ["claim", "keep", "take", "draw", "with", "CHI-PIT", "/black", "3", "black", "loco", ",", "and", "all",
     "to", "Chicago", "x", "-", "/", "tickets", "deck", "pass", "٣", "\u2028", "\ud800", "İ", "9" * 5000]
)  # fmt: skip


@given(text=st.text() | st.lists(WORDS | st.text(max_size=3), max_size=9).map(" ".join))
@example("keep ,")
@example("claim - with 1 red")
@example("claim CHI-PIT/")
def test_no_text_raises_anything_but_a_move_error(text: str) -> None:
    for game in (started(), Game.new("new-york", 2, seed=1), Game.new("first-journey", 2, seed=1)):
        before = game.states.tobytes()
        assert (text in game.legal_moves()) in {True, False}
        try:
            game.play(text)
        except MoveError:
            assert game.states.tobytes() == before


@given(number=st.integers(-200, 2000) | st.integers() | st.just(2**63))
@example(10**5000)
@example(-(10**5000))
def test_no_number_raises_anything_but_a_move_error(number: int) -> None:
    game = started()
    before = game.states.tobytes()
    is_legal = number in game.legal_moves()
    try:
        game.play(number)
    except MoveError:
        assert not is_legal
        assert game.states.tobytes() == before
    else:
        assert is_legal


@pytest.mark.parametrize("junk", [None, True, False, 1.0, 1.7, b"1", [1], {"kind": "draw"}, object()])
def test_a_move_of_another_type_is_a_type_error(junk: object) -> None:
    game = started()
    before = fingerprint(game)
    with pytest.raises(TypeError, match="A move is a value, a number or a text"):
        game.play(junk)  # pyright: ignore[reportArgumentType]
    assert junk not in game.legal_moves()
    assert fingerprint(game) == before


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (TakeCard("mauve"), "The colours here are purple"),
        (ClaimRoute("CHI-MIA", "red", 3, 0), "No route is called CHI-MIA"),
        (ClaimRoute("CHI-PIT/black", "red", 3, 0), "takes 3 black cards or locomotives"),
        (ClaimRoute("MON-TOR", "red", 2, 0), "takes 3 cards of any one colour"),
        (ClaimRoute("MON-TOR", "red", -1, 4), "no such move"),
        (KeepTickets(("LAX-NYC",)), "not among the tickets offered"),
        (KeepTickets(()), "at least one"),
        (Move(), "no such move"),
    ],
)
def test_an_invalid_value_error_says_why(move: Move, says: str) -> None:
    game = started()
    with pytest.raises(MalformedMoveError) as caught:
        game.play(move)
    assert says in str(caught.value)
    assert move not in game.legal_moves()


def test_an_ambiguous_text_error_lists_its_meanings() -> None:
    game = started()
    give(game, 0, black=3, orange=3, loco=1)
    with pytest.raises(AmbiguousMoveError) as caught:
        game.play("claim CHI-PIT")
    assert caught.value.options == (
        "claim CHI-PIT/black with 3 black",
        "claim CHI-PIT/black with 2 black, 1 loco",
        "claim CHI-PIT/orange with 3 orange",
        "claim CHI-PIT/orange with 2 orange, 1 loco",
    )
    assert all(option in str(caught.value) for option in caught.value.options)
    for option in caught.value.options:
        game.copy().play(option)


def test_only_the_message_of_an_ambiguous_text_is_shortened() -> None:
    game = started()
    give(game, 0, red=2, blue=2, green=2, white=2, loco=2)
    with pytest.raises(AmbiguousMoveError) as caught:
        game.play("claim ATL-CHS")
    assert len(caught.value.options) == 9
    assert str(caught.value).endswith("; ...")


def test_the_only_legal_meaning_is_played() -> None:
    game = started()
    give(game, 0, black=3)
    game.play("claim Chicago-Pittsburgh")
    assert game.played[-1].text == "claim CHI-PIT/black with 3 black"


def test_lanes_of_different_colours_are_ambiguous() -> None:
    game = started()
    give(game, 0, loco=3)
    with pytest.raises(AmbiguousMoveError):
        game.play("claim CHI-PIT with 3 loco")


def test_of_two_grey_lanes_the_first_is_taken() -> None:
    game = started()
    give(game, 0, red=2)
    give(game, 1, red=2)
    game.play("claim DAL-HOU with 1 red")
    assert game.played[-1].text == "claim DAL-HOU/1 with 1 red"


def test_of_two_grey_lanes_the_open_one_is_taken() -> None:
    game = started(players=4)
    for seat in range(4):
        give(game, seat, red=2)
    game.play("claim Dallas-Houston")
    game.play("claim Dallas-Houston")
    assert [played.text for played in game.played[-2:]] == [
        "claim DAL-HOU/1 with 1 red",
        "claim DAL-HOU/2 with 1 red",
    ]


def test_when_no_meaning_is_legal_the_refusal_says_why() -> None:
    game = started()
    give(game, 0, red=1)
    with pytest.raises(IllegalMoveError):
        game.play("claim CHI-PIT")


@pytest.mark.parametrize("edition", edition_ids())
def test_city_names_and_codes_read_alike(edition: str) -> None:
    rules = load_edition(edition)
    notation = notation_of(rules)
    for route in rules.board.routes:
        a, b = rules.board.cities[route.a], rules.board.cities[route.b]
        lane = f"/{route.lane}" if route.lane else ""
        read = [
            notation.parse(f"claim {first} {dash} {second}{lane}")
            for dash in ("-", "to")
            for first, second in itertools.chain(
                itertools.permutations((a.code, b.code)),
                itertools.permutations((a.name.upper(), b.name.upper())),
            )
        ]
        assert all(found == read[0] for found in read)
        assert {getattr(notation.value(number), "route", None) for number in read[0]} == {route.name}


@pytest.mark.parametrize("edition", edition_ids())
def test_a_text_with_city_names_is_parsed_back(edition: str) -> None:
    rules = load_edition(edition)
    notation = notation_of(rules)
    offer = [0, 3, 5]
    for number in range(notation.count):
        try:
            value = notation.value(number, offer)
        except MalformedMoveError:
            continue
        text = notation.text_by_name(number, offer)
        assert number in notation.parse(text, offer), text
        if isinstance(value, ClaimRoute | KeepTickets):
            assert not re.search(r"\b[A-Z]{3}\b", text)


@pytest.mark.parametrize("edition", edition_ids())
def test_suggestions_name_only_moves_of_the_edition(edition: str) -> None:
    notation = notation_of(load_edition(edition))
    with pytest.raises(MalformedMoveError) as caught:
        notation.parse("hello")
    examples = str(caught.value).partition("Write one like: ")[2].rstrip(".").split("; ")
    assert len(examples) >= 4
    for text in examples:
        assert str(notation.value(notation.parse(text)[0])) == text
    assert ("take" in str(caught.value)) == (load_edition(edition).face_up > 0)


def test_a_locomotive_has_the_name_that_its_edition_gives_it() -> None:
    ferries = replace(
        load_edition("new-york"), words=EditionWords("ferry", "boat", "harbour"), digest="ferries"
    )
    notation = notation_of(ferries)
    assert notation.parse("take ferry") == notation.parse("take loco")
    assert notation.parse("claim MID-TIM with 1 ferry") == notation.parse("claim MID-TIM with 1 loco")
    with pytest.raises(MalformedMoveError, match="no 'taxi' cards"):
        notation.parse("take taxi")
