"""The small board and edition of tests/boards, and a fixture that breaks the edition."""

from __future__ import annotations

import pytest

from goldenspike.boards import FileProblem, parse_board
from goldenspike.editions import EditionError, parse_edition
from tests.boards.conftest import BOARD, EDITION, Break, board_text, changed, edition_text

__all__ = ["board_text", "edition_text"]


@pytest.fixture
def break_edition() -> Break:
    """Change part of the small edition and return the resulting problems."""

    def break_it(old: str, new: str) -> list[FileProblem]:
        with pytest.raises(EditionError) as caught:
            parse_edition(changed(EDITION, old, new), "quick.toml", parse_board(BOARD))
        return list(caught.value.problems)

    return break_it
