"""Loading a damaged file gives a valid board or edition, or a `DataError`."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import goldenspike.boards
import goldenspike.editions
from goldenspike.boards import Board, BoardError, DataError, load_board, parse_board
from goldenspike.boards.limits import CITIES, COLOURS, LENGTH, POINTS, ROUTES
from goldenspike.boards.read import read_board
from goldenspike.datafiles.problems import Report
from goldenspike.editions import Edition, EditionError, parse_edition
from goldenspike.editions.load import read_edition

BOARDS = [path.read_text("utf-8") for path in Path(goldenspike.boards.__file__).parent.glob("*.toml")]
EDITIONS = [path.read_text("utf-8") for path in Path(goldenspike.editions.__file__).parent.glob("*.toml")]
TOKENS = [
    "0",
    "-1",
    "99999",
    "1e400",
    "nan",
    "0xffffffffffffffffff",
    '""',
    '"usa"',
    "[]",
    "{}",
    "true",
    "1979-05-27",
]

SMALL = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["ATL", "CHI", "usa", "red", "grey", "offer", "race", 1 << 70, -1, 0, 7]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def mutated_texts(draw: st.DrawFn, texts: list[str]) -> str:
    """Draw one of the texts, with lines and parts removed, duplicated, swapped or replaced."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        piece = text[start:end]
        line_start = text.rfind("\n", 0, start) + 1
        text = draw(
            st.sampled_from(
                [
                    text[:start] + text[end:],
                    text[:end] + piece + text[end:],
                    text[:start] + draw(st.text(max_size=6)) + text[end:],
                    text[:start] + draw(st.sampled_from(TOKENS)) + text[end:],
                    text[:line_start] + text[text.find("\n", start) + 1 :],
                    text[:line_start] + text[line_start : text.find("\n", start) + 1] + text[line_start:],
                ]
            )
        )
    return text


@st.composite
def mutated_documents(draw: st.DrawFn, texts: list[str]) -> dict[str, object]:
    """Draw a parsed text with some values replaced by others, and some removed."""
    document: dict[str, object] = copy.deepcopy(tomllib.loads(draw(st.sampled_from(texts))))
    for _ in range(draw(st.integers(1, 3))):
        at: object = document
        while True:
            entries: list[object] = (
                list(cast("dict[object, object]", at))
                if isinstance(at, dict)
                else [*range(len(cast("list[object]", at)))]
            )
            if not entries:
                break
            inside = cast("dict[object, object]", at)
            key = draw(st.sampled_from(entries))
            if isinstance(inside[key], (dict, list)) and draw(st.integers(0, 9)):
                at = inside[key]
                continue
            if draw(st.booleans()):
                inside[key] = draw(values)
            else:
                del inside[key]
            break
    return document


def check_board(board: Board) -> None:
    assert 2 <= len(board.cities) <= CITIES
    assert 1 <= len(board.routes) <= ROUTES
    assert 1 <= len(board.colours) <= COLOURS
    assert len({route.name for route in board.routes}) == len(board.routes)
    for route in board.routes:
        assert route.a != route.b
        assert 1 <= route.length <= LENGTH
        assert route.colour in (*board.colours, "grey")
        assert route.twin is None or board.routes[route.twin].twin == route.index
    assert all(row for row in board.distances())
    for entries in board.ticket_sets.values():
        assert all(0 <= entry.points <= POINTS and entry.a != entry.b for entry in entries)


def check_edition(edition: Edition) -> None:
    check_board(edition.board)
    low, high = edition.players
    assert 2 <= low <= high <= 5
    assert high * edition.opening_hand + edition.face_up <= edition.cards
    assert high * edition.ticket_rules.deal <= len(edition.tickets)
    assert edition.ticket_rules.deal_keep <= edition.ticket_rules.deal
    assert edition.end.pieces < edition.pieces


def complaint(load: Callable[[], object], error: type[DataError]) -> str:
    """Return the problems a loader reports; it may raise no other error."""
    try:
        load()
    except error as caught:
        return str(caught)
    return "nothing"


@pytest.mark.slow
@SMALL
@given(mutated_texts(BOARDS))
def test_board_texts(text: str) -> None:
    assert complaint(lambda: check_board(parse_board(text)), BoardError)


@SMALL
@given(mutated_texts(EDITIONS))
def test_edition_texts(text: str) -> None:
    assert complaint(lambda: check_edition(parse_edition(text)), EditionError)


@pytest.mark.slow
@SMALL
@given(mutated_documents(BOARDS))
def test_board_documents(document: dict[str, object]) -> None:
    report = Report("fuzz.toml", BoardError)
    assert complaint(lambda: check_board(read_board(document, report)), BoardError)


@SMALL
@given(mutated_documents(EDITIONS), st.sampled_from([None, "usa", "new-york"]))
def test_edition_documents(document: dict[str, object], board_id: str | None) -> None:
    report, board = Report("fuzz.toml", EditionError), load_board(board_id) if board_id else None
    assert complaint(lambda: check_edition(read_edition(document, report, board)), EditionError)


@given(st.text())
def test_any_text(text: str) -> None:
    with pytest.raises(BoardError):
        parse_board(text)
    with pytest.raises(EditionError):
        parse_edition(text)
