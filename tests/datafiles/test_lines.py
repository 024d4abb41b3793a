"""The line numbers of values in TOML files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldenspike.boards
from goldenspike.datafiles.lines import Place, find_lines

FILES = sorted(Path(goldenspike.boards.__file__).parents[1].glob("*/*.toml"))

HARD = '''\
# a comment with [brackets] = and "quotes
top = "a # b" # [x]
many = [ 1, 2,
  "three]", # four ]
  [ 5,
    6 ],
]
text = """
[not.a.table]
key = 1 \\""" """
raw = \'\'\'
it's ]
\'\'\'
when = 1979-05-27 07:32:00
"quoted \\"key" = { x.y = 1, "z" = [{ w = 2 }] }

[ a . "b c" ]
d.e = 1
[[list]]
one = 1
[[list]]
two = 2
  [list.under]
  three = 3
'''

HARD_LINES: dict[Place, int] = {
    ("top",): 2,
    ("many",): 3,
    ("many", 0): 3,
    ("many", 1): 3,
    ("many", 2): 4,
    ("many", 3): 5,
    ("many", 3, 0): 5,
    ("many", 3, 1): 6,
    ("text",): 8,
    ("raw",): 11,
    ("when",): 14,
    ('quoted "key',): 15,
    ('quoted "key', "x"): 15,
    ('quoted "key', "x", "y"): 15,
    ('quoted "key', "z"): 15,
    ('quoted "key', "z", 0): 15,
    ('quoted "key', "z", 0, "w"): 15,
    ("a",): 17,
    ("a", "b c"): 17,
    ("a", "b c", "d"): 18,
    ("a", "b c", "d", "e"): 18,
    ("list",): 19,
    ("list", 0): 19,
    ("list", 0, "one"): 20,
    ("list", 1): 21,
    ("list", 1, "two"): 22,
    ("list", 1, "under"): 23,
    ("list", 1, "under", "three"): 24,
}


def places(value: object, place: Place = ()) -> set[Place]:
    found = {place} if place else set[Place]()
    if isinstance(value, dict):
        for key, each in cast("dict[str, object]", value).items():
            found |= places(each, (*place, key))
    if isinstance(value, list):
        for index, each in enumerate(cast("list[object]", value)):
            found |= places(each, (*place, index))
    return found


def test_every_kind_of_value() -> None:
    assert find_lines(HARD) == HARD_LINES
    assert places(tomllib.loads(HARD)) == set(HARD_LINES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_value_of_the_packaged_files_has_a_line(path: Path) -> None:
    text = path.read_text("utf-8")
    assert set(find_lines(text)) == places(tomllib.loads(text))


def test_a_last_line_without_an_end() -> None:
    assert find_lines("[a]\nb = 1") == {("a",): 1, ("a", "b"): 2}
    assert find_lines("[a]") == {("a",): 1}


@given(st.text(alphabet="ab\"'[]{}=,.#\n\\ 1"))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Any text, valid TOML or not, gives line numbers and no error."""
    lines = find_lines(text)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines.values())
