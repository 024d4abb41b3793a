"""HTTP error responses: refusals and failures, all as the same JSON message with a sentence."""

from __future__ import annotations

import logging
from typing import Any, cast

from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from goldenspike.server.metrics import REFUSALS
from goldenspike.server.protocol.messages import Refusal, refusal
from goldenspike.server.protocol.problems import Code, Problem, status_of

_LOGGER = logging.getLogger(__name__)
_CODES: dict[int, Code] = {413: "too_large", 429: "too_fast"}
_GONE = "client disconnected prematurely"
"""The detail of an exception that Litestar reports as a server error, although the client disconnected."""
_WHERE = "/api/schema/openapi.json lists what there is."


def refusals(*codes: Code) -> dict[int, ResponseSpec]:
    """Return the OpenAPI description of the refusals that a request may get."""
    by_status: dict[int, list[Code]] = {}
    for code in codes:
        by_status.setdefault(int(status_of(code)), []).append(code)
    return {
        status: ResponseSpec(Refusal, generate_examples=False, description=" or ".join(same))
        for status, same in by_status.items()
    }


def tell_problem(_: Request[Any, Any, State], problem: Problem) -> Response[Refusal]:
    """Return the response for a refused request."""
    REFUSALS.labels(problem.code).inc()
    headers = {} if problem.retry_after is None else {"Retry-After": str(max(1, round(problem.retry_after)))}
    return Response(refusal(problem), status_code=int(problem.status), headers=headers)


def tell_http(request: Request[Any, Any, State], error: HTTPException) -> Response[Refusal]:
    """Return the response for Litestar's own errors: wrong types, unknown paths, bodies too large."""
    if error.detail == _GONE:  # the client has disconnected; the server is not at fault
        return Response(Refusal("malformed", "The body of this request ended too early."), status_code=400)
    if error.status_code >= 500:
        return tell_failure(request, error)
    code: Code = _CODES.get(error.status_code, "malformed")
    REFUSALS.labels(code).inc()
    return Response(Refusal(code, _say(request, error)), status_code=error.status_code)


def _say(request: Request[Any, Any, State], error: HTTPException) -> str:
    match error.status_code:
        case 404:
            return f"There is nothing at {request.url.path}; {_WHERE}"
        case 405:
            return f"{request.method} does nothing here; {_WHERE}"
        case 413:
            return "This is larger than the server takes; send less."
        case _:
            details = "; ".join(_list_details(error.extra)) or error.detail
            return f"This request cannot be read: {details.rstrip('.')}."


def _list_details(extra: Any) -> list[str]:
    details = cast("list[dict[str, Any]]", extra) if isinstance(extra, list) else []
    return [f"{detail.get('key', 'body')}: {detail.get('message', '')}" for detail in details]


def tell_too_deep(request: Request[Any, Any, State], _: RecursionError) -> Response[Refusal]:
    """Return the response for a request whose JSON is nested too deep, the only cause of this error."""
    return tell_problem(request, Problem("malformed", "This request is nested too deeply."))


def tell_failure(request: Request[Any, Any, State], error: Exception) -> Response[Refusal]:
    """Return the response for a server error, and log the error."""
    _LOGGER.error("a request failed", exc_info=error, extra={"path": request.url.path})
    return Response(Refusal("unavailable", "Something went wrong here; it has been logged."), status_code=500)
