"""The compiled pen writes what is shown, and means the same when it is not compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldenspike.editions import edition_ids, load_edition
from tests.server.drive_pen import compare

DRIVER = Path(__file__).with_name("drive_pen.py")


@pytest.mark.parametrize("edition_id", edition_ids())
def test_views_are_written_as_they_are_shown(edition_id: str) -> None:
    for players in load_edition(edition_id).players:
        compare(edition_id, players)


@pytest.mark.slow
def test_the_pen_writes_the_same_when_it_is_not_compiled() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, str(DRIVER)], env=environment, check=True)
