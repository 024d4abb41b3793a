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
        self.text = text
        self.options = tuple(options)
        super().__init__(text, self.options)

    def __str__(self) -> str:
        more = "; ..." if len(self.options) > _SHOWN else ""
        return (
            f"{self.text!r} could mean several moves; write one of: {'; '.join(self.options[:_SHOWN])}{more}"
        )


class IllegalMoveError(MoveError):
    """A move that the rules do not allow now: `rule` is the rule's id, `reason` a sentence for people."""

    def __init__(self, rule: str, reason: str) -> None:
        self.rule = rule
        self.reason = reason
        super().__init__(rule, reason)

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})"


class UndoError(ValueError):
    """There is nothing that can be taken back."""


class RecordError(ValueError):
    """A saved game that cannot be trusted: `line` is where, counted from 1, and `reason` why."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(line, reason)

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"
