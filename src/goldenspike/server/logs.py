"""Logs without secrets, as lines of JSON or as sentences.

They never contain a link, name, card or client address.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any

import msgspec

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
_LEFT_OUT = ('%s - "WebSocket ', "Invalid HTTP request received.")
"""Prefixes of Uvicorn's lines that contain a client's address, or that clients can cause in any number."""


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


class SentenceFormatter(logging.Formatter):
    """Writes a log record as one sentence, for people who play on their own computer."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        sentence = record.getMessage().rstrip()
        error = None if record.exc_info is None else record.exc_info[1]
        if error is not None:
            sentence = f"{sentence.rstrip('.')} ({type(error).__name__}: {error})".replace("\n", " ")
        end = "" if sentence.endswith((".", "!", "?")) else "."
        return sentence[:1].upper() + sentence[1:] + end


def _calm(record: logging.LogRecord) -> bool:
    """Drop lines that clients cause, and log a client's bad frame as one line of level info.

    The library logs such a frame as an error with a traceback.
    """
    if record.msg == "Invalid UTF-8 sequence received from client.":
        record.levelno, record.levelname, record.exc_info = logging.INFO, "INFO", None
    return not str(record.msg).startswith(_LEFT_OUT)


def set_up_logs(level: str, form: str = "json") -> None:
    """Log to standard error, as JSON or as text.

    Only this package may log below `info`, because other libraries would log every message with its links.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(SentenceFormatter() if form == "text" else JsonFormatter())
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
