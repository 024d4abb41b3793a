"""Errors about moves and records: malformed, ambiguous and illegal moves, undo, and bad records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

_SHOWN = 6

IllegalReason: TypeAlias = Literal[
    "game_is_over",
    "not_your_turn",
    "no_such_move",
    "choose_tickets_first",
    "already_chosen",
    "nothing_offered",
    "keep_more",
    "not_offered",
    "second_card_first",
    "can_act",
    "deck_empty",
    "not_face_up",
    "locomotive_second",
    "no_tickets_left",
    "no_tickets_to_swap",
    "route_taken",
    "twin_is_own",
    "twin_closed",
    "too_few_pieces",
    "too_few_cards",
    "too_few_locomotives",
]
"""Why the rules do not allow a move, for programs; a client makes its own words of it."""


class MoveError(ValueError):
    """A move that was not played; the game is unchanged."""


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
    """A move that the rules do not allow now.

    `rule` is the rule's id, `sentence` the explanation in English. Programs and other languages use `reason`
    and its `details`: names of things and numbers.
    """

    def __init__(
        self, rule: str, reason: IllegalReason, sentence: str, details: Mapping[str, str | int] | None = None
    ) -> None:
        self.rule = rule
        self.reason: IllegalReason = reason
        self.sentence = sentence
        self.details = dict(details or {})
        super().__init__(rule, reason, sentence, self.details)

    def __str__(self) -> str:
        return f"{self.sentence} ({self.rule})"


class UndoError(ValueError):
    """There is nothing to undo."""


class RecordError(ValueError):
    """A record that is not valid: `line` is the line number, counted from 1, and `reason` says why."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(line, reason)

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"
