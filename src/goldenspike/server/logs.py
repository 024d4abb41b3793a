"""Logs as lines of JSON, without secrets: no link, name, card or player's address is ever put into one."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any

import msgspec

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
_NEWCOMER = '%s - "WebSocket '
"""How lines of Uvicorn begin that say from which address somebody connects."""


class JsonFormatter(logging.Formatter):
    """Writes a log record as one line of JSON, with everything that was passed as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def _calm(record: logging.LogRecord) -> bool:
    """Leave out who connects, and make a client's bad frame one line of information.

    To the library that frame is an error with a traceback.
    """
    if record.msg == "Invalid UTF-8 sequence received from client.":
        record.levelno, record.levelname, record.exc_info = logging.INFO, "INFO", None
    return not str(record.msg).startswith(_NEWCOMER)


def set_up_logs(level: str) -> None:
    """Log to standard error, as JSON.

    Only this package says more than `info`: others would write down every message, with the links in them.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(logging.getLevelNamesMapping()[level.upper()], logging.INFO))
    logging.getLogger("goldenspike").setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "alembic"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn.error").addFilter(_calm)
