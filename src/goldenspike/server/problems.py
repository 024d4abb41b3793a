"""What the server refuses, each with a code for programs and a sentence for people."""

from __future__ import annotations

from http import HTTPStatus
from typing import Literal, get_args

from goldenspike.errors import AmbiguousMoveError, IllegalMoveError, MoveError

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
]
"""Why something was refused."""

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
}
assert set(_STATUS) == set(get_args(Code))


class Problem(Exception):  # noqa: N818  # what went wrong is rarely the program's error
    """Something refused. Nothing was changed; the sentence says what to do instead.

    >>> problem = Problem("too_fast", "Slow down: wait a second and send it again.", retry_after=1.0)
    >>> problem.code, int(problem.status), str(problem)
    ('too_fast', 429, 'Slow down: wait a second and send it again.')
    """

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        rule: str | None = None,
        options: tuple[str, ...] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message
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
    """Return the status of an HTTP answer that refuses something for this reason."""
    return _STATUS[code]


def refused_move(error: MoveError) -> Problem:
    """Return the problem that a move met with."""
    if isinstance(error, IllegalMoveError):
        return Problem("illegal_move", error.reason, rule=error.rule)
    if isinstance(error, AmbiguousMoveError):
        return Problem("ambiguous_move", str(error), options=error.options)
    return Problem("malformed", str(error))


def unavailable() -> Problem:
    """Return the problem of a database that does not answer."""
    return Problem(
        "unavailable",
        "The games cannot be reached right now. Nothing is lost; it is tried again by itself.",
        retry_after=1.0,
    )
