"""The compiled JSON writer agrees with the view messages, and gives the same output when interpreted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldenspike.editions import edition_ids, load_edition
from tests.server.drive_json_writer import compare

DRIVER = Path(__file__).with_name("drive_json_writer.py")


@pytest.mark.parametrize("edition_id", edition_ids())
def test_the_json_writer_agrees_with_the_view_messages(edition_id: str) -> None:
    for players in load_edition(edition_id).players:
        compare(edition_id, players)


@pytest.mark.slow
def test_the_json_writer_gives_the_same_interpreted() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, str(DRIVER)], env=environment, check=True)
