"""Get from a file name to a parsed TOML document, with every way that can fail said in words."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from goldenspike.boards.limits import FILE_BYTES
from goldenspike.boards.words import show

if TYPE_CHECKING:
    from pathlib import Path

    from goldenspike.boards.problems import Report

_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")
# The standard library's reader takes minutes over a key of thousands of parts; no file needs more than a few.
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{20}}")
_KEY = re.compile(r"\s*([\w-]+)\s*=")


def is_path(name: str) -> bool:
    """Say whether a name means a file rather than something that comes with the package.

    >>> is_path("usa"), is_path("my-board.toml"), is_path("maps/usa")
    (False, True, True)
    """
    return name.endswith(".toml") or "/" in name or "\\" in name


def read_source(path: Path, report: Report) -> str:
    """Return the text of a file; raise the report's error if there is none or it cannot be a data file."""
    try:
        if not path.is_file():
            report.add((), "", "there is no such file", "check the name and the folder")
        elif path.stat().st_size > FILE_BYTES:
            what = f"the file is larger than {FILE_BYTES // 1024} KiB"
            report.add((), "", what, "a board or edition file holds a few hundred short lines")
        else:
            # Windows editors like to begin a file with a byte order mark, which TOML does not know.
            return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"byte {error.start + 1} is not UTF-8 text"
        report.add((), "", what, "save the file with the encoding UTF-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        report.add((), "", f"the file cannot be read ({reason})", "check the name and its permissions")
    raise report.error()


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
