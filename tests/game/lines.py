"""Split records into lines, change them, and write them again with valid checksums, as a cheater would."""

from __future__ import annotations

import hashlib
import json
from typing import Any

Line = dict[str, Any]


def open_record(text: str) -> list[Line]:
    """Return the lines of a record as dictionaries, without their checksums."""
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        del line["sum"]
    return lines


def seal(lines: list[Line]) -> str:
    """Write lines as a record: each with a checksum over itself and the one before it."""
    total, sealed = "", ""
    for line in lines:
        body = json.dumps(line, separators=(",", ":"), ensure_ascii=False)
        total = hashlib.sha256((total + body).encode()).hexdigest()[:16]
        sealed += f'{body[:-1]},"sum":"{total}"}}\n'
    return sealed


def resealed(text: str, line: int, **changes: Any) -> str:
    """Change fields of one line (counted from 1) and seal the record again."""
    lines = open_record(text)
    lines[line - 1] |= changes
    return seal(lines)
