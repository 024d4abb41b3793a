"""Every error of an edition file is reported with its message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import goldenspike.boards
from goldenspike.boards import FileProblem, load_board, parse_board
from goldenspike.editions import EditionError, load_edition, parse_edition

Break = Callable[[str, str], list[FileProblem]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            "format = 1", "format = 9", "quick.toml:1: format 9 is not one this version reads", id="format"
        ),
        pytest.param("pieces = 8", "pieces = 0", "quick.toml:7: pieces 0 is outside 1-64", id="no pieces"),
        pytest.param("pieces = 8", "pieces = 100", "pieces 100 is outside 1-64", id="too many pieces"),
        pytest.param(
            "pieces = 8", 'pieces = "8"', 'pieces is "8"; write a whole number from 1 to 64', id="mistyped"
        ),
        pytest.param("opening_hand = 2", "opening_hand = 0", "opening_hand 0 is outside 1-99", id="no hand"),
        pytest.param("face_up = 3", "face_up = 6", "face_up 6 is outside 0-5", id="face-up row"),
        pytest.param(
            "[2, 2]",
            "[1, 2]",
            "players holds 1; write a list of 2 whole numbers from 2 to 5",
            id="one player",
        ),
        pytest.param("[2, 2]", "[2, 6]", "players holds 6; write a list", id="six players"),
        pytest.param(
            "[2, 2]", "[3, 2]", "6: players [3, 2] runs backwards; write the smaller number first", id="range"
        ),
        pytest.param("[5, 10]", "[5]", "minutes is a list; write a list of 2 whole numbers", id="minutes"),
        pytest.param(
            "colour = 6", "colour = 0", "10: deck: colour 0 is outside 1-999", id="no cards of a colour"
        ),
        pytest.param(
            "colour = 6", "colour = 499", "10: the deck has 1001 cards; keep to 999", id="deck too large"
        ),
        pytest.param(
            "{ colour = 6, locomotive = 3 }",
            "{ colour = 6, locomotive = 300 }",
            "the deck has 300 locomotives to",
            id="mostly locomotives",
        ),
        pytest.param(
            "{ colour = 6, locomotive = 3 }",
            "{ colour = 60, locomotive = 101 }",
            "10: the deck has 101 locomotives; keep to 100, or the face-up row may be wiped without end",
            id="too many locomotives",
        ),
        pytest.param(
            "{ colour = 6, locomotive = 3 }",
            "{ colour = 3, locomotive = 0 }",
            "10: the deck has 6 cards, but dealing to 2 players takes 7; add cards, or deal fewer",
            id="deck too small",
        ),
        pytest.param(
            "[1, 2, 4]",
            "[1, 2]",
            "11: route_points ends at length 2, but the board has a route of length 3; give 3 numbers",
            id="route points too short",
        ),
        pytest.param(
            "[1, 2, 4]", "[1, 2, -4]", "route_points holds -4; write a list of whole", id="route points"
        ),
        pytest.param(
            "[1, 2, 4]", "[1,2,3,4,5,6,7,8,9,9]", "route_points has 10 numbers; keep to 9", id="ten lengths"
        ),
        pytest.param("doubles_close_up_to = 2", "doubles_close_up_to = 6", "is outside 0-5", id="doubles"),
        pytest.param(
            '["completed-tickets"]',
            '["complete-tickets"]',
            'did you mean "completed-tickets"?',
            id="tie-break",
        ),
        pytest.param(
            '["completed-tickets"]',
            '["longest-path"]',
            "13: longest-path cannot break ties without the longest_path bonus",
            id="tie-break without its bonus",
        ),
        pytest.param(
            "tie_breaks =",
            'words = { taxi = "cab" }\ntie_breaks =',
            'words: key "taxi" is not known',
            id="words",
        ),
        pytest.param(
            "opening_hand",
            "openinghand",
            'key "openinghand" is not known; did you mean "opening_hand"?',
            id="key",
        ),
    ],
)
def test_numbers(break_edition: Break, old: str, new: str, message: str) -> None:
    assert message in str(EditionError(break_edition(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            '"offer"', '"ofer"', '16: tickets: flow "ofer" is not known; did you mean "offer"?', id="flow"
        ),
        pytest.param('["main"]', "[]", "17: tickets: sets is empty; name at least one", id="no set"),
        pytest.param(
            '["main"]',
            '["mian"]',
            'the board has no ticket set "mian"; did you mean "main"?',
            id="unknown set",
        ),
        pytest.param('["main"]', '["main", "main"]', 'sets holds "main" twice', id="set twice"),
        pytest.param(
            '["main"]',
            '["main"]\nprinting = "lste"',
            'no ticket has points for the printing "lste"; did you mean "late"?',
            id="printing",
        ),
        pytest.param(
            '["main"]',
            '["main"]\nnaming = "big"',
            '18: tickets: no city of the board has the mark "big"; the marks on this board are old and port',
            id="naming",
        ),
        pytest.param("deal = 2", "deal = 7", "tickets: deal 7 is outside 1-6", id="offer too large"),
        pytest.param("draw = 2", "draw = 7", "tickets: draw 7 is outside 1-6", id="draw too large"),
        pytest.param(
            "deal_keep = 1", "deal_keep = 3", "19: tickets: deal_keep 3 is more than deal 2", id="keep"
        ),
        pytest.param(
            "draw_keep = 1", "draw_keep = 3", "21: tickets: draw_keep 3 is more than draw 2", id="keep drawn"
        ),
        pytest.param("deal_keep = 1\n", "", "15: tickets: deal_keep is missing", id="missing"),
        pytest.param(
            "deal = 2",
            "deal = 3",
            "there are 4 tickets, too few to deal 3 to each of 2 players",
            id="ticket deck too small",
        ),
        pytest.param(
            "[tickets]", "[ticket]", "tickets is missing; add it: a table, [tickets]", id="no table"
        ),
    ],
)
def test_tickets(break_edition: Break, old: str, new: str, message: str) -> None:
    assert message in str(EditionError(break_edition(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            '"few-pieces"', '"few-trains"', 'when "few-trains" is not known; did you mean', id="when"
        ),
        pytest.param(
            "pieces = 1", "pieces = 1\ntickets = 6", 'tickets means nothing with when = "few', id="unused key"
        ),
        pytest.param(
            "pieces = 1",
            "pieces = 8",
            "25: end: pieces 8 would end the game before it begins",
            id="ends early",
        ),
        pytest.param(
            'when = "few-pieces"\npieces = 1',
            'when = "race"\ntickets = 3',
            '24: end: when = "race" does not go with flow = "offer"',
            id="race for secret tickets",
        ),
        pytest.param(
            "globetrotter = 3",
            "attraction = 3",
            'bonuses: no city of the board has the mark "attraction"',
            id="mark",
        ),
        pytest.param(
            "globetrotter = 3", "globetrotter = 0", "28: bonuses: globetrotter 0 is outside 1-999", id="zero"
        ),
        pytest.param("globetrotter = 3", "globetroter = 3", 'did you mean "globetrotter"?', id="key"),
        pytest.param(
            "globetrotter = 3",
            'coast_to_coast = ["old", "port"]',
            "28: bonuses: a bonus ticket means nothing where tickets are scored by points",
            id="bonus ticket",
        ),
        pytest.param(
            "globetrotter = 3",
            'coast_to_coast = ["old"]',
            "coast_to_coast names 1 marks; name two",
            id="one coast",
        ),
    ],
)
def test_end_and_bonuses(break_edition: Break, old: str, new: str, message: str) -> None:
    assert message in str(EditionError(break_edition(old, new)))


RACE = [
    ('flow = "offer"', 'flow = "swap"'),
    ("deal_keep = 1\ndraw = 2\ndraw_keep = 1\n", ""),
    ('when = "few-pieces"\npieces = 1', 'when = "race"\ntickets = 3'),
    ("[1, 2, 4]", "[]"),
    ("globetrotter = 3", 'coast_to_coast = ["old", "port"]'),
]


def race(edition_text: str) -> str:
    for old, new in RACE:
        edition_text = edition_text.replace(old, new)
    return edition_text


def test_a_race(edition_text: str, board_text: str) -> None:
    edition = parse_edition(race(edition_text), board=parse_board(board_text))
    assert edition.end.tickets == 3
    assert edition.bonuses.coast_to_coast == ("old", "port")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            "deal = 2", "deal = 2\ndraw = 2", 'draw means nothing with flow = "swap"; leave it out', id="draw"
        ),
        pytest.param(
            "route_points = []", "route_points = [1, 2, 3]", "routes score nothing in a race", id="routes"
        ),
        pytest.param(
            "[bonuses]",
            "[bonuses]\nlongest_path = 9",
            "longest_path points mean nothing in a race",
            id="path",
        ),
        pytest.param('"port"]', '"prot"]', 'the mark "prot"; did you mean "port"?', id="unknown mark"),
        pytest.param(
            "tickets = 3", "tickets = 3\npieces = 2", 'pieces means nothing with when = "race"', id="pieces"
        ),
    ],
)
def test_problems_of_a_race(edition_text: str, board_text: str, old: str, new: str, message: str) -> None:
    text = race(edition_text)
    assert text.count(old) == 1
    with pytest.raises(EditionError) as caught:
        parse_edition(text.replace(old, new), board=parse_board(board_text))
    assert message in str(caught.value)


def test_one_pair_in_two_sets(edition_text: str, board_text: str) -> None:
    board = parse_board(board_text + 'more = [{ a = "DUN", b = "BAY" }]\n')
    with pytest.raises(EditionError, match="two tickets for the same two cities, BAY-DUN and DUN-BAY"):
        parse_edition(edition_text.replace('["main"]', '["main", "more"]'), board=board)


def test_too_many_tickets(edition_text: str) -> None:
    usa = load_board("usa")
    pairs = [(a.code, b.code) for a in usa.cities[:16] for b in usa.cities[16:]]
    assert len(pairs) > 192
    text = (Path(goldenspike.boards.__file__).parent / "usa.toml").read_text("utf-8")
    for number in range(2):
        rows = ", ".join(f'{{ a = "{a}", b = "{b}" }}' for a, b in pairs[96 * number : 96 * number + 96])
        text += f"set-{number} = [{rows}]\n"
    edition = edition_text.replace('["main"]', '["set-0", "set-1"]').replace("[1, 2, 4]", "[]")
    with pytest.raises(EditionError, match="the sets hold 192 tickets together; keep to 96"):
        parse_edition(edition, board=parse_board(text))


def test_scores_fit_sixteen_bits(edition_text: str) -> None:
    text = edition_text.replace('["main"]', '["classic"]').replace("[1, 2, 4]", "[1, 2, 4, 999, 999, 999]")
    with pytest.raises(EditionError, match="are worth 35478 points; keep the total to 32000"):
        parse_edition(text, board=load_board("usa"))


def test_all_problems_are_reported_in_order(edition_text: str, tmp_path: Path, board_text: str) -> None:
    (tmp_path / "lakes.toml").write_text(board_text.replace("length = 3", "length = 30"), "utf-8")
    text = edition_text.replace("pieces = 8", "pieces = 800").replace("deal = 2", "deal = 20")
    (tmp_path / "quick.toml").write_text(text, "utf-8")
    with pytest.raises(EditionError) as caught:
        load_edition(tmp_path / "quick.toml")
    found = [(Path(problem.file).name, problem.line) for problem in caught.value.problems]
    assert found == [("quick.toml", 7), ("quick.toml", 18), ("lakes.toml", 10)]


def test_keys_below_a_header_are_one_problem_each(edition_text: str, board_text: str) -> None:
    line = 'tie_breaks = ["completed-tickets"]\n'
    with pytest.raises(EditionError) as caught:
        parse_edition(edition_text.replace(line, "") + line, "quick.toml", parse_board(board_text))
    assert str(caught.value) == (
        "quick.toml:28: tie_breaks is part of [bonuses] here, because it comes after that line; "
        "move it above [bonuses]"
    )


def test_unknown_ticket_sets_are_reported(edition_text: str, board_text: str) -> None:
    with pytest.raises(EditionError, match=r'no ticket set "xyz"; its sets are "main"$'):
        parse_edition(edition_text.replace('["main"]', '["xyz"]'), board=parse_board(board_text))
    bare = parse_board(board_text[: board_text.index("[tickets]")])
    with pytest.raises(EditionError, match=r'no ticket set "main"; add \[tickets\] to it$'):
        parse_edition(edition_text, board=bare)


def test_missing_boards_are_reported(edition_text: str, tmp_path: Path) -> None:
    path = tmp_path / "quick.toml"
    path.write_text(edition_text, "utf-8")
    with pytest.raises(EditionError, match=r"lakes\.toml: there is no such file"):
        load_edition(path)
    (tmp_path / "lake.toml").write_text("", "utf-8")
    with pytest.raises(EditionError, match=r'no such file; did you mean "lake\.toml"\?'):
        load_edition(path)
    path.write_text(edition_text.replace("lakes.toml", "lake"), "utf-8")
    with pytest.raises(
        EditionError, match=r'quick\.toml:4: there is no board "lake"; .* the file "lake\.toml"\?'
    ):
        load_edition(path)
    path.write_text(edition_text.replace("lakes.toml", "uas"), "utf-8")
    with pytest.raises(EditionError, match=r'quick\.toml:4: there is no board "uas"; did you mean "usa"\?'):
        load_edition(path)
    path.write_text(edition_text.replace('board = "lakes.toml"\n', ""), "utf-8")
    with pytest.raises(EditionError, match=r"quick\.toml: board is missing"):
        load_edition(path)
