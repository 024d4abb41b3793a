"""Read and parse a TOML file, with a readable error for every failure."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from goldenspike.datafiles.words import nearest, show

if TYPE_CHECKING:
    from goldenspike.datafiles.problems import Report
FILE_BYTES: Final = 1 << 20
"""Size of a board or edition file, at most."""


_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")
# The standard library's parser takes minutes for a key of thousands of parts; no file needs that many.
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{20}}")
_KEY = re.compile(r"\s*([\w-]+)\s*=")
_BOARD_KEYS = {"colours", "size", "routes", "cities"}
_EDITION_KEYS = {"board", "players", "pieces", "opening_hand", "face_up", "deck", "end"}


def is_path(name: str) -> bool:
    """Say whether a name is a path rather than an id from the package.

    >>> is_path("usa"), is_path("my-board.toml"), is_path("maps/usa")
    (False, True, True)
    """
    return name.endswith(".toml") or "/" in name or "\\" in name


def kind_of(document: dict[str, object]) -> Literal["board", "edition"] | None:
    """Say by its keys whether a parsed file is a board or an edition; None if that cannot be told.

    >>> kind_of({"format": 1, "cities": {}}), kind_of({"board": "usa"}), kind_of({})
    ('board', 'edition', None)
    """
    balance = len(_BOARD_KEYS & document.keys()) - len(_EDITION_KEYS & document.keys())
    return "board" if balance > 0 else "edition" if balance < 0 else None


def suggest_file(name: str, folder: Path | None = None) -> str:
    """Return a question that suggests the file with this name plus ".toml", or nothing if there is none."""
    with suppress(OSError, ValueError):  # an invalid file name matches no file
        if ((folder or Path()) / f"{name}.toml").is_file():
            return f'did you mean the file "{name}.toml"?'
    return ""


def read_source(path: Path, report: Report) -> str:
    """Return the text of a file; raise the report's error if it is missing or cannot be a data file."""
    try:
        if not path.is_file():
            report.add(
                (), "", "there is no such file", _similar_file(path) or "check the name and the folder"
            )
        elif path.stat().st_size > FILE_BYTES:
            what = f"the file is larger than {FILE_BYTES // 1024} KiB"
            report.add((), "", what, "a board or edition file holds a few hundred short lines")
        else:
            # Some Windows editors write a byte order mark, which TOML does not allow.
            return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"byte {error.start + 1} is not UTF-8 text"
        report.add((), "", what, "save the file with the encoding UTF-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        report.add((), "", f"the file cannot be read ({reason})", "check the name and its permissions")
    raise report.error()


def _similar_file(path: Path) -> str:
    """Return a question that suggests the file that was probably meant, or nothing."""
    near = nearest(path.stem, [other.stem for other in path.parent.glob("*.toml")])
    return f'did you mean "{near}.toml"?' if near else ""


def parse_toml(text: str, report: Report) -> dict[str, object]:
    """Return the document in a text; raise the report's error if it is not TOML."""
    try:
        document = _loads(text)
    except RecursionError:
        what = "lists, tables or keys are nested too deeply"
        report.add((), "", what, "write routes and tickets as one list of rows each")
        raise report.error() from None
    except ValueError as error:
        _note_syntax(text, str(error), report)
        raise report.error() from None
    report.text = text
    return document


def _loads(text: str) -> dict[str, object]:
    if key := _LONG_KEY.search(text):
        raise RecursionError(key[0])
    return tomllib.loads(text)


def _note_syntax(text: str, message: str, report: Report) -> None:
    lines = text.split("\n")
    position = _POSITION.search(message)
    number = int(position[1]) if position and position[1] else len(lines)
    if message.startswith("Cannot overwrite a value") and (key := _KEY.match(lines[number - 1])):
        what = f"{show(key[1])} is written twice"
        fix = "give every city its own code, and every key one value"
    else:
        what = f"this is not valid TOML: {_POSITION.sub('', message).strip()}"
        fix = "look for a missing quote, comma or bracket here or on the line above"
    report.add((), "", what, fix, line=number)


def digest_of(value: object) -> str:
    """Return the SHA-256 of plain data (lists, mappings, texts, numbers) as hex, the same on every machine.

    >>> digest_of({"b": 1, "a": [2]}) == digest_of({"a": [2], "b": 1})
    True
    """
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
