"""Every error of a board file is reported with its message."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from goldenspike.boards import BoardError, DataError, FileProblem, load_board, parse_board
from tests.boards.conftest import changed

Break = Callable[[str, str], list[FileProblem]]

RED = '{ a = "ASH", b = "BAY", length = 2, colour = "red"  }'
GREY = '{ a = "BAY", b = "COL", length = 3, colour = "grey" }'
LAST = '{ a = "COL", b = "DUN", length = 1, colour = "blue" }'


def many_cities(count: int) -> str:
    codes = [f"{chr(65 + number // 26)}{chr(65 + number % 26)}X" for number in range(count)]
    cities = "\n".join(f'{code} = {{ name = "{code} City", at = [1, 1] }}' for code in codes)
    routes = ",\n".join(f'{{ a = "AAX", b = "{code}", length = 1, colour = "grey" }}' for code in codes[1:])
    return (
        f'format = 1\nid = "m"\nname = "Many"\ncolours = ["red"]\nroutes = [{routes}]\n[cities]\n{cities}\n'
    )


def many_routes(count: int) -> str:
    text = many_cities(40)
    more = [
        f'{{ a = "A{chr(65 + number % 12)}X", b = "B{chr(65 + number // 12)}X", length = 1, colour = "red" }}'
        for number in range(count - 39)
    ]
    return text.replace("routes = [", f"routes = [{', '.join(more)}, ")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            "length = 3",
            "length = 11",
            "lakes.toml:10: route 3 (BAY-COL): length 11 is outside 1-9; give it a length from 1 to 9",
            id="length too large",
        ),
        pytest.param(
            "length = 3", "length = 0", "10: route 3 (BAY-COL): length 0 is outside 1-9", id="length 0"
        ),
        pytest.param(
            "length = 3",
            "length = true",
            "route 3 (BAY-COL): length is true; write a whole number from 1 to 9",
            id="length mistyped",
        ),
        pytest.param(
            "length = 3", "length = 3.0", "length is 3; write a whole number", id="length not whole"
        ),
        pytest.param(
            "length = 3",
            f"length = 0x{'f' * 9000}",
            "length an enormous number is outside 1-9",
            id="enormous",
        ),
        pytest.param("length = 3, ", "", "10: route 3 (BAY-COL): length is missing", id="key missing"),
        pytest.param(
            'colour = "grey"',
            'colour = "gray"',
            'colour "gray" is not known; did you mean "grey"?',
            id="gray",
        ),
        pytest.param(
            'colour = "grey"',
            'colour = "pink"',
            '10: route 3 (BAY-COL): colour "pink" is not among the board\'s colours; '
            "choose red, blue or grey, or add it to colours",
            id="colour not on the board",
        ),
        pytest.param(
            'b = "COL", length',
            'b = "COLL", length',
            '10: route 3 (BAY-COLL): no city has the code "COLL"; did you mean "COL"?',
            id="route to an unknown city",
        ),
        pytest.param(
            'b = "COL", length',
            'b = "Colhaven", length',
            'no city has the code "Colhaven"; write its code, "COL"',
            id="name for code",
        ),
        pytest.param('b = "COL", length', 'b = "QQQ", length', "use a code from [cities]", id="unknown code"),
        pytest.param(
            'b = "COL", length',
            'b = "BAY", length',
            "route 3 (BAY-BAY): both ends are BAY; join two different cities",
            id="route to itself",
        ),
        pytest.param(
            'b = "BAY", length = 2, colour = "blue"',
            'b = "BAY", length = 4, colour = "blue"',
            "9: route 2 (ASH-BAY): length 4 differs from 2, the length of the other lane",
            id="uneven double",
        ),
        pytest.param(
            LAST,
            LAST + ",\n" + RED,
            "12: route 5 (ASH-BAY): this is lane 3 between the same two cities; keep at most two lanes",
            id="triple",
        ),
        pytest.param(GREY, "7", "10: route 3: this is 7; write a row such as { a =", id="not a row"),
        pytest.param(
            LAST + ",",
            "",
            "cities: no route leads from the rest of the board to Dunmore (DUN); join every city",
            id="city cut off",
        ),
        pytest.param(
            GREY + ",",
            "",
            "no route leads from the rest of the board to Colhaven (COL) and Dunmore (DUN)",
            id="part cut off",
        ),
    ],
)
def test_routes(break_board: Break, old: str, new: str, message: str) -> None:
    (problem,) = break_board(old, new)
    assert message in str(problem)


def test_a_code_in_small_letters_gets_the_same_advice_everywhere(board_text: str) -> None:
    """Only wrong places are reported; a route with the correct code of such a city is not."""
    advice = 'code "col" is not three capital letters; write "COL"'
    places = {
        "COL = {": ("col = {", f"lakes.toml:17: cities: {advice}"),
        '"COL", length': ('"col", length', f"lakes.toml:10: route 3 (BAY-col): {advice}"),
        '"COL", points': ('"col", points', f"lakes.toml:22: main ticket 1 (ASH-col): {advice}"),
    }
    for count in range(1, 4):
        for chosen in itertools.combinations(places, count):
            text = board_text
            for old in chosen:
                text = changed(text, old, places[old][0])
            with pytest.raises(BoardError) as caught:
                parse_board(text, "lakes.toml")
            assert sorted(map(str, caught.value.problems)) == sorted(places[old][1] for old in chosen)


def test_a_mistyped_key_is_both_missing_and_unknown(break_board: Break) -> None:
    missing, unknown = break_board('colour = "grey"', 'color = "grey"')
    assert str(missing) == (
        "lakes.toml:10: route 3 (BAY-COL): colour is missing; "
        'add it: one of the board\'s colours in quotes, or "grey"'
    )
    assert (
        str(unknown) == 'lakes.toml:10: route 3 (BAY-COL): key "color" is not known; did you mean "colour"?'
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            "COL = {",
            "C4 = {",
            '17: cities: code "C4" is not three capital letters; choose three letters, such as "ATL"',
            id="code",
        ),
        pytest.param(
            "COL = {",
            "Col = {",
            '17: cities: code "Col" is not three capital letters; write "COL"',
            id="case",
        ),
        pytest.param(
            "DUN = {",
            "COL = {",
            'lakes.toml:18: "COL" is written twice; give every city its own code',
            id="code twice",
        ),
        pytest.param(
            '"Colhaven"',
            '"ÀSHFORD"',
            '17: city COL: the name "ÀSHFORD" also means the city ASH',
            id="name twice",
        ),
        pytest.param('"Colhaven"', '"Bay"', 'the name "Bay" also means the city BAY', id="name is a code"),
        pytest.param('"Colhaven"', '""', 'city COL: name is ""; write the name of the city', id="name empty"),
        pytest.param('"Colhaven"', '"?!"', 'name "?!" has no letter or digit', id="name without letters"),
        pytest.param(
            '"Colhaven"', '"\\u001b[2J"', "name is '\\x1b[2J'; write", id="name with control characters"
        ),
        pytest.param('name = "Colhaven", ', "", "17: city COL: name is missing", id="name missing"),
        pytest.param(
            '{ name = "Colhaven", at = [350.0, 250.0] }',
            '"Colhaven"',
            'lakes.toml:17: cities: COL is "Colhaven"; write a city such as { name = "Atlanta" }',
            id="name for a city",
        ),
        pytest.param(
            "[350.0, 250.0]",
            "[350.0, 301]",
            "17: city COL: at [350, 301] is outside the canvas of 400 by 300",
            id="at",
        ),
        pytest.param("[350.0, 250.0]", "[350.0]", "at is a list; write two numbers", id="at with one number"),
        pytest.param("[350.0, 250.0]", "[nan, 1]", "at is a list; write two numbers", id="at with no number"),
        pytest.param("lon = 1.5, ", "", "16: city BAY: lon is missing", id="half a position"),
        pytest.param("lon = 1.5", "lon = 181", "lon is 181; write a number from -180 to 180", id="longitude"),
        pytest.param("lat = -2.5", "lat = inf", "lat is inf; write a number from -90 to 90", id="latitude"),
        pytest.param('["old"]', '["old", "old"]', '15: city ASH: marks holds "old" twice', id="mark twice"),
        pytest.param('["old"]', '["Old"]', 'mark "Old" is not a plain word', id="mark"),
        pytest.param('["old"]', '"old"', 'marks is "old"; write a list of texts', id="marks mistyped"),
        pytest.param('["old"]', "[7]", "marks holds 7; write a list of texts", id="mark mistyped"),
        pytest.param(
            ', marks = ["old"] }',
            ', mark = ["old"] }',
            'key "mark" is not known; did you mean "marks"?',
            id="key",
        ),
    ],
)
def test_cities(break_board: Break, old: str, new: str, message: str) -> None:
    problems = break_board(old, new)
    assert message in str(problems[0] if len(problems) == 1 else BoardError(problems))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            'b = "COL", points',
            'b = "XYZ", points',
            'lakes.toml:22: main ticket 1 (ASH-XYZ): no city has the code "XYZ"',
            id="unknown city",
        ),
        pytest.param(
            'b = "COL", points',
            'b = "ASH", points',
            "22: main ticket 1 (ASH-ASH): both ends are ASH",
            id="itself",
        ),
        pytest.param(
            "points = 4",
            "points = -4",
            "24: main ticket 3 (BAY-DUN): points -4 is outside 0-999",
            id="negative",
        ),
        pytest.param("points = 4", "points = 1000", "points 1000 is outside 0-999", id="too many points"),
        pytest.param("points = 4", "point = 4", 'key "point" is not known; did you mean "points"?', id="key"),
        pytest.param(
            "late = 7", "late = -1", "23: main ticket 2 (ASH-DUN): late -1 is outside 0-999", id="printing"
        ),
        pytest.param("late = 7", "La = 7", 'the printing "La" is not a plain id', id="name of a printing"),
        pytest.param(
            'a = "BAY", b = "DUN", points',
            'a = "COL", b = "ASH", points',
            "24: main ticket 3 (COL-ASH): ticket 1 joins the same two cities; leave one of them out",
            id="same pair",
        ),
        pytest.param("main = [", "Main = [", 'the set name "Main" is not a plain id', id="name of a set"),
    ],
)
def test_tickets(break_board: Break, old: str, new: str, message: str) -> None:
    (problem,) = break_board(old, new)
    assert message in str(problem)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            "format = 1", "format = 2", "lakes.toml:1: format 2 is not one this version reads", id="format"
        ),
        pytest.param("format = 1\n", "", "lakes.toml: format is missing", id="no format"),
        pytest.param('id = "lakes"', 'id = "The Lakes"', '2: id "The Lakes" is not a plain id', id="id"),
        pytest.param('name = "Four Lakes"', "name = 4", "3: name is 4; write text in quotes", id="name"),
        pytest.param('"blue"]', '"mauve"]', '4: colour "mauve" is not known; choose purple, ', id="colour"),
        pytest.param(
            '"blue"]', '"blue", "grey"]', '"grey" is the colour of routes that take any card', id="grey"
        ),
        pytest.param('"blue"]', '"blue", "red"]', '4: colours holds "red" twice', id="colour twice"),
        pytest.param('["red", "blue"]', "[]", "there are 0 colours; name from 1 to 8", id="no colour"),
        pytest.param(
            '["red", "blue"]',
            '["red", "blue", "green", "white", "black", "pink", "teal", "brown", "orange"]',
            "there are 9 colours; name from 1 to 8",
            id="too many colours",
        ),
        pytest.param("[400, 300]", "[400]", "size is a list; write a list of 2 whole numbers", id="size"),
        pytest.param(
            "[400, 300]", "[400, 99999]", "size holds 99999; write a list of 2", id="size too large"
        ),
        pytest.param("size =", "sise =", 'key "sise" is not known; did you mean "size"?', id="key"),
        pytest.param('id = "lakes"', 'id = "The Lakes"', 'such as "the-lakes"', id="id for a name"),
        pytest.param("[cities]", "[towns]", "cities is missing; add it: a table, [cities]", id="no cities"),
        pytest.param("routes = [", "ways = [", "routes is missing; add it: a list of rows", id="no routes"),
        pytest.param(
            "[tickets]\nmain = [",
            "tickets = [",
            "20: tickets is part of [cities] here; write [tickets] above it, and name each list: main = [",
            id="tickets mistyped",
        ),
    ],
)
def test_top_of_the_file(break_board: Break, old: str, new: str, message: str) -> None:
    assert message in str(BoardError(break_board(old, new)))


def test_a_key_below_a_header_is_one_problem(board_text: str) -> None:
    start, end = board_text.index("routes = ["), board_text.index("[cities]")
    routes = board_text[start:end]
    text = board_text.replace(routes, "").replace("[tickets]", f"{routes}[tickets]")
    with pytest.raises(BoardError) as caught:
        parse_board(text, "lakes.toml")
    assert str(caught.value) == (
        "lakes.toml:13: routes is part of [cities] here, because it comes after that line; "
        "move it above [cities]"
    )


def test_cities_that_are_not_a_table_are_one_problem(board_text: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_board(board_text.replace("[cities]", "[[cities]]"), "lakes.toml")
    assert [problem.what for problem in caught.value.problems] == ["cities is a list"]


@pytest.mark.parametrize(("key", "value"), [("at", "[1, 1]"), ("lon", "0.0, lat = 0.0")])
def test_one_stray_coordinate_is_one_problem(key: str, value: str) -> None:
    text = many_cities(12).replace(", at = [1, 1]", "").replace('"ADX City"', f'"ADX City", {key} = {value}')
    with pytest.raises(BoardError) as caught:
        parse_board(text, "many.toml")
    (problem,) = caught.value.problems
    assert problem.line
    assert text.splitlines()[problem.line - 1].startswith("ADX")
    assert "only ADX City (ADX) has a " in problem.what
    assert "the other 11 have none" in problem.what
    assert problem.fix == "remove it there, or give every city one"


def test_many_stray_coordinates_are_one_problem_that_names_a_few() -> None:
    codes = [f"A{chr(65 + number)}X" for number in range(12)]
    text = many_cities(12)
    for code in codes[3:9]:
        text = text.replace(f'"{code} City", at = [1, 1]', f'"{code} City"')
    with pytest.raises(BoardError) as caught:
        parse_board(text, "many.toml")
    (problem,) = caught.value.problems
    assert problem.what.endswith("AGX City (AGX) and 2 more have no place (at), but the other 6 have one")


def test_no_route_at_all(board_text: str) -> None:
    start, end = board_text.index("routes = ["), board_text.index("[cities]")
    with pytest.raises(BoardError, match="the board has no route; add at least one row"):
        parse_board(f"{board_text[:start]}routes = []\n{board_text[end:]}")


def test_a_single_city_is_refused() -> None:
    with pytest.raises(BoardError, match="there are 1 cities; a board needs at least two"):
        parse_board(many_cities(1).replace("routes = []", 'routes = [{ a = "AAX", b = "AAX" }]'))


def test_limits_of_cities_and_routes() -> None:
    assert len(parse_board(many_cities(64)).cities) == 64
    with pytest.raises(BoardError, match="there are 65 cities; keep to 64"):
        parse_board(many_cities(65))
    assert len(parse_board(many_routes(128)).routes) == 128
    with pytest.raises(BoardError, match="there are 129 routes; keep to 128"):
        parse_board(many_routes(129))


def test_limit_of_a_ticket_set() -> None:
    pairs = [(a, b) for a in range(15) for b in range(a)]
    rows = [f'{{ a = "A{chr(65 + a)}X", b = "A{chr(65 + b)}X" }}' for a, b in pairs]
    text = many_cities(20) + "[tickets]\nlong = [...]\n"
    assert len(parse_board(text.replace("...", ", ".join(rows[:96]))).ticket_sets["long"]) == 96
    with pytest.raises(BoardError, match='the set "long" has 97 tickets; keep to 96'):
        parse_board(text.replace("...", ", ".join(rows[:97])))


def test_a_board_without_tickets_is_valid(board_text: str) -> None:
    assert parse_board(board_text[: board_text.index("[tickets]")]).ticket_sets == {}


def test_all_problems_are_reported_in_order(board_text: str) -> None:
    text = board_text.replace("length = 3", "length = 30").replace("points = 4", "points = -4")
    text = text.replace("format = 1", "format = 3").replace('"Dunmore"', '"Ashford"')
    with pytest.raises(BoardError) as caught:
        parse_board(text, "lakes.toml")
    assert [problem.line for problem in caught.value.problems] == [1, 10, 18, 24]
    assert len(str(caught.value).splitlines()) == 4


def test_a_long_list_of_problems_is_shortened(board_text: str) -> None:
    keys = "\n".join(f"strange{number} = 1" for number in range(2000))
    with pytest.raises(BoardError, match=r"\.\.\. and 450 more problems\.") as caught:
        parse_board(f"{keys}\n{board_text}")
    assert len(caught.value.problems) == 500


def test_unknown_id_suggests_the_nearest() -> None:
    with pytest.raises(BoardError) as caught:
        load_board("new-yrok")
    assert str(caught.value) == 'there is no board "new-yrok"; did you mean "new-york"?'
    assert isinstance(caught.value, DataError)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(BoardError, match=r"the boards are usa, .* given as a path that ends in \.toml"):
        load_board("zzz")
    with pytest.raises(BoardError, match='did you mean "usa"'):
        load_board("usa-classic")
