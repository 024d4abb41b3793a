"""The small board of tests/boards."""

from __future__ import annotations

from tests.boards.conftest import board_text

__all__ = ["board_text"]
