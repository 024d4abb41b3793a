"""The progress bar: it says why nothing happens while the rules are compiled, and only then."""

from __future__ import annotations

import numba
import pytest

from goldenspike.cli.progress import TASK, progress_bar

Out = pytest.CaptureFixture[str]


def test_compiling_is_told_once(capsys: Out) -> None:
    one, other = numba.njit(lambda x: x + 1), numba.njit(lambda x: x + 2)
    with progress_bar("playing", 2) as progress:
        one(1)
        other(1)
        progress.advance(TASK, 2)
    assert capsys.readouterr().err.count("Preparing the rules for this machine") == 1


def test_what_is_compiled_already_is_not_told(capsys: Out) -> None:
    one = numba.njit(lambda x: x + 1)
    one(1)
    with progress_bar("playing", 1):
        one(2)
    assert "Preparing" not in capsys.readouterr().err
