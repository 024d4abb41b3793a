"""Summaries of boards and editions."""

from __future__ import annotations

from pathlib import Path

import pytest

import goldenspike.boards
from goldenspike.boards import BoardError, DataError, format_summary, load_board, parse_board, summarise
from goldenspike.editions import EditionError, check_file, find_board, is_board, load_edition, parse_edition

USA = """\
United States: 36 cities, 100 routes (22 doubles), 309 spaces
  spaces per colour       purple 27, blue 27, orange 27, white 27, green 27, yellow 27, black 27, red 27, \
grey 93
  routes per length       1: 9, 2: 36, 3: 20, 4: 16, 5: 10, 6: 9
  neighbours              from 2 (Boston) to 7 (Denver)
  tickets: classic        30, from 4 (DEN-ELP) to 20 (LAX-NYC) spaces; points equal the shortest path on 25, \
not on LAX-CHI (16 for 15), LAX-MIA (20 for 19), LAX-NYC (21 for 20), SSM-OKC (9 for 8) and \
SEA-NYC (22 for 20)
  tickets: usa-1910       35, from 4 (WAS-ATL) to 21 (SFO-WAS) spaces; points equal the shortest path on 34, \
not on LAS-MIA (21 for 20)
  tickets: mystery-train  4, from 2 (VAN-POR) to 7 (MON-CHI) spaces; points equal the shortest path on all"""


def test_summary_of_usa() -> None:
    assert format_summary(summarise(load_board("usa"))) == USA


def test_summary_in_numbers(board_text: str) -> None:
    summary = summarise(parse_board(board_text))
    assert summary.spaces_per_colour == {"red": 2, "blue": 3, "grey": 3}
    assert summary.routes_per_length == {1: 1, 2: 2, 3: 1}
    assert (summary.least_joined, summary.most_joined) == (("Ashford", 1), ("Bayview", 2))
    main = summary.ticket_sets["main"]
    assert (main.tickets, main.equal, main.is_scored) == (4, 4, True)
    assert (main.shortest, main.longest) == (("COL-DUN", 1), ("ASH-DUN", 6))


def test_summary_without_tickets(board_text: str) -> None:
    text = board_text[: board_text.index("main = [")]
    assert "tickets" not in format_summary(summarise(parse_board(text)))
    assert format_summary(summarise(parse_board(text + "main = []\n"))).endswith("tickets: main      none")


def test_check_a_board_file(tmp_path: Path, board_text: str) -> None:
    path = tmp_path / "lakes.toml"
    path.write_text(board_text, "utf-8")
    assert check_file(path).startswith("Four Lakes: 4 cities, 4 routes (1 doubles), 8 spaces\n")
    packaged = Path(goldenspike.boards.__file__).parent / "usa.toml"
    assert check_file(str(packaged)) == USA


def test_check_an_edition_file_with_its_board(tmp_path: Path, board_text: str, edition_text: str) -> None:
    (tmp_path / "lakes.toml").write_text(board_text, "utf-8")
    (tmp_path / "quick.toml").write_text(edition_text, "utf-8")
    text = check_file(tmp_path / "quick.toml")
    assert text.startswith("Quick Lakes: 2 players, 15 cards, 8 pieces each\n  tickets  4, from 1")
    assert "\n\nFour Lakes: 4 cities" in text


def test_check_packaged_editions() -> None:
    assert check_file("usa") == USA
    assert check_file("usa-classic").endswith(USA)
    assert check_file("new-york").startswith("New York: 2 to 4 players")


def test_a_board_file_implies_its_only_edition(tmp_path: Path, board_text: str, edition_text: str) -> None:
    board, quick = tmp_path / "lakes.toml", tmp_path / "quick.toml"
    board.write_text(board_text, "utf-8")
    (tmp_path / "notes.toml").write_text("[no edition, and no board", "utf-8")
    with pytest.raises(EditionError) as caught:
        load_edition(board)
    assert str(caught.value) == (
        f"{board}: this is a board, and no edition beside it is played on it; "
        'write an edition file with board = "lakes.toml", which says how it is played'
    )
    quick.write_text(edition_text, "utf-8")
    assert load_edition(board) == load_edition(str(board)) == load_edition(quick)
    (tmp_path / "slow.toml").write_text(edition_text, "utf-8")
    with pytest.raises(
        EditionError, match=r"a board with several editions; give one: .*quick\.toml or .*slow"
    ):
        load_edition(board)
    with pytest.raises(
        EditionError, match=r"x\.toml: this is a board, not an edition; give the edition file"
    ) as caught:
        parse_edition(board_text, "x.toml")
    assert len(caught.value.problems) == 1


def test_an_edition_is_not_accepted_as_a_board(tmp_path: Path, board_text: str, edition_text: str) -> None:
    quick = tmp_path / "quick.toml"
    quick.write_text(edition_text, "utf-8")
    with pytest.raises(BoardError) as caught:
        load_board(quick)
    assert str(caught.value) == (
        f'{quick}: this is an edition, not a board; give the board that it is played on, "lakes.toml"'
    )
    quick.write_text(edition_text.replace('"lakes.toml"', '"quick.toml"'), "utf-8")
    with pytest.raises(EditionError, match=r"give the board that it is played on$"):
        load_edition(quick)


def test_the_board_of_an_edition_is_found(tmp_path: Path, board_text: str, edition_text: str) -> None:
    quick = tmp_path / "quick.toml"
    quick.write_text(edition_text.replace('"lakes.toml"', '"maps/lakes.toml"'), "utf-8")
    (tmp_path / "lakes.toml").write_text(board_text, "utf-8")
    assert find_board(str(quick)) == tmp_path / "maps" / "lakes.toml"
    assert find_board(str(tmp_path / "lakes.toml")) == tmp_path / "lakes.toml"
    quick.write_text(edition_text.replace('"lakes.toml"', '"usa"'), "utf-8")
    assert find_board(str(quick)) == "usa"
    assert (is_board(quick), is_board(tmp_path / "lakes.toml")) == (False, True)


def test_check_reports_problems(tmp_path: Path, board_text: str, edition_text: str) -> None:
    board, edition = tmp_path / "lakes.toml", tmp_path / "quick.toml"
    board.write_text(board_text.replace("length = 3", "length = 0"), "utf-8")
    edition.write_text(edition_text, "utf-8")
    with pytest.raises(BoardError, match=r"lakes\.toml:10: route 3"):
        check_file(board)
    with pytest.raises(EditionError, match=r"lakes\.toml:10: route 3"):
        check_file(edition)
    edition.write_text("= nonsense", "utf-8")
    with pytest.raises(DataError, match=r"quick\.toml:1: this is not valid TOML"):
        check_file(edition)
