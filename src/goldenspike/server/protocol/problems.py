"""What the server refuses: a code and a reason for programs, and an English sentence for logs."""

from __future__ import annotations

from http import HTTPStatus
from typing import Literal, get_args

from goldenspike.errors import AmbiguousMoveError, IllegalMoveError, IllegalReason, MoveError

Code = Literal[
    "malformed",
    "too_large",
    "too_fast",
    "bad_link",
    "unknown_game",
    "unknown_edition",
    "unknown_entry",
    "not_allowed",
    "illegal_move",
    "ambiguous_move",
    "conflict",
    "not_over",
    "bad_record",
    "full",
    "unavailable",
    "wrong_host",
    "invitation",
]
"""What kind of refusal it is; each has an HTTP status."""

Reason = Literal[
    IllegalReason,
    "many_connections",
    "other_game",
    "link_replaced",
    "lost_seat",
    "invitation_used",
    "code_expired",
    "joined_too_late",
    "not_public",
    "seat_taken",
    "address_has_seat",
    "host_only",
    "no_person",
    "watching",
    "cards_hidden",
    "seat_open",
    "bot_plays",
    "seat_is_yours",
    "bot_keeps_seat",
    "has_time",
    "is_online",
    "just_left",
    "no_hints",
    "hint_later",
    "hint_pending",
    "nothing_to_undo",
    "undo_pending",
    "no_request",
    "game_changed",
    "many_hard_bots",
    "hard_bots_elsewhere",
    "public_seed",
    "public_branch",
    "other_edition",
    "other_server",
    "empty_message",
    "unusual_characters",
    "other_site",
]
"""Why exactly, where the code does not say enough; a client shows it in its own words, with the details."""

Details = dict[str, str | int]
"""What the words of a reason need: names, numbers, kinds of cards."""

_STATUS: dict[Code, HTTPStatus] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "too_fast": HTTPStatus.TOO_MANY_REQUESTS,
    "bad_link": HTTPStatus.FORBIDDEN,
    "unknown_game": HTTPStatus.NOT_FOUND,
    "unknown_edition": HTTPStatus.NOT_FOUND,
    "unknown_entry": HTTPStatus.NOT_FOUND,
    "not_allowed": HTTPStatus.FORBIDDEN,
    "illegal_move": HTTPStatus.CONFLICT,
    "ambiguous_move": HTTPStatus.CONFLICT,
    "conflict": HTTPStatus.CONFLICT,
    "not_over": HTTPStatus.CONFLICT,
    "bad_record": HTTPStatus.BAD_REQUEST,
    "full": HTTPStatus.SERVICE_UNAVAILABLE,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "wrong_host": HTTPStatus.MISDIRECTED_REQUEST,
    "invitation": HTTPStatus.FORBIDDEN,
}
assert set(_STATUS) == set(get_args(Code))


class Problem(Exception):  # noqa: N818  # what went wrong is rarely the program's error
    """Something refused. Nothing was changed; the sentence says what to do instead.

    >>> problem = Problem("too_fast", "Too many requests; wait a moment and try again.", retry_after=1.0)
    >>> problem.code, int(problem.status), str(problem)
    ('too_fast', 429, 'Too many requests; wait a moment and try again.')
    """

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        reason: Reason | None = None,
        details: Details | None = None,
        rule: str | None = None,
        options: tuple[str, ...] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code: Code = code
        self.reason: Reason | None = reason
        self.details: Details = details or {}
        self.message = message
        """The same in English, for logs and programs; pages use the reason and the details."""
        self.rule = rule
        """The id of the rule that forbids a move."""
        self.options = options
        """What an ambiguous move could mean."""
        self.retry_after = retry_after
        """Seconds after which the same may be tried again."""

    @property
    def status(self) -> HTTPStatus:
        """The status of an HTTP answer that says so."""
        return status_of(self.code)


def status_of(code: Code) -> HTTPStatus:
    """Return the HTTP status of a refusal with this code."""
    return _STATUS[code]


def refused_move(error: MoveError) -> Problem:
    """Return the problem of a refused move."""
    if isinstance(error, IllegalMoveError):
        return Problem(
            "illegal_move", error.sentence, reason=error.reason, details=error.details, rule=error.rule
        )
    if isinstance(error, AmbiguousMoveError):
        return Problem("ambiguous_move", str(error), options=error.options)
    return Problem("malformed", str(error))


def removed_game() -> Problem:
    """Return the problem of a game that was removed while a process had it in memory."""
    return Problem("unknown_game", "This game no longer exists; it was removed.")


def unavailable() -> Problem:
    """Return the problem of a database that does not answer."""
    return Problem(
        "unavailable",
        "The games are unavailable right now. Nothing is lost; the page tries again automatically.",
        retry_after=1.0,
    )
