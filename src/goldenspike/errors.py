"""Errors about moves and records: what cannot be read, what is not legal, what could mean several things."""

from __future__ import annotations

from collections.abc import Sequence

_SHOWN = 6


class MoveError(ValueError):
    """A move that was not played; the game is as it was."""


class MalformedMoveError(MoveError):
    """A move that cannot be read: no such text, number, city, route, colour or ticket."""


class AmbiguousMoveError(MoveError):
    """A text that could mean several legal moves; `options` are their full texts."""

    def __init__(self, text: str, options: Sequence[str]) -> None:
        self.options = tuple(options)
        more = "; ..." if len(self.options) > _SHOWN else ""
        super().__init__(
            f"{text!r} could mean several moves; write one of: {'; '.join(options[:_SHOWN])}{more}"
        )


class IllegalMoveError(MoveError):
    """A move that the rules do not allow now: `rule` is the rule's id, `reason` a sentence for people."""

    def __init__(self, rule: str, reason: str) -> None:
        self.rule = rule
        self.reason = reason
        super().__init__(f"{reason} ({rule})")


class UndoError(ValueError):
    """There is nothing that can be taken back."""


class RecordError(ValueError):
    """A saved game that cannot be trusted: `line` is where, counted from 1, and `reason` why."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}")
