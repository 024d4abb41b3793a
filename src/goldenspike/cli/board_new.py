"""``goldenspike board new NAME``."""

from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path
from string import Template

from goldenspike.boards import board_ids
from goldenspike.datafiles.reader import is_id, is_plain
from goldenspike.datafiles.words import as_id, show
from goldenspike.editions import edition_ids
from goldenspike.exit_codes import OK

_TEMPLATES = Path(__file__).parent / "template"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("name", help="what to call the board, as in island or 'Treasure Island'")
    parser.epilog = "example: goldenspike board new island"


def run(options: argparse.Namespace) -> int:
    """Write a small board and its edition to start from, and print the next steps."""
    path = Path(options.name)
    name = path.name.removesuffix(".toml")
    board_id = as_id(name)
    if not (is_id(board_id) and is_plain(name)):
        raise ValueError(f"{show(name)} cannot be a name: use up to 40 letters, digits and spaces.")
    if board_id in {*board_ids(), *edition_ids()}:
        raise ValueError(f"{show(board_id)} comes with the program; choose another name.")
    if not path.parent.is_dir():
        raise ValueError(f"There is no folder {path.parent} for the files; make it first.")
    board, edition = path.parent / f"{board_id}.toml", path.parent / f"{board_id}-edition.toml"
    for file in (board, edition):
        if file.exists():
            raise ValueError(f"{file} already exists and is not overwritten; choose another name.")
    shown = name.replace("-", " ").title() if is_id(name) else name
    values = {
        "id": board_id,
        "name": json.dumps(shown, ensure_ascii=False),  # a quoted JSON string is also a valid TOML string
        "board_file": board.name,
        "edition_file": edition.name,
    }
    for file, template in ((board, "board.toml"), (edition, "edition.toml")):
        text = (_TEMPLATES / template).read_text(encoding="utf-8")
        with file.open("x", encoding="utf-8") as out:
            out.write(Template(text).substitute(values))
    _print_next(board, edition)
    return OK


def _print_next(board: Path, edition: Path) -> None:
    one, two = shlex.quote(str(board)), shlex.quote(str(edition))
    print(f"wrote {board}: the board, with cities, routes and tickets")
    print(f"wrote {edition}: the edition, which says how it is played")
    steps = [
        (f"board check {two}", "what is in them, or what is wrong"),
        (f"board layout {one} --picture {shlex.quote(str(board.with_suffix('.svg')))}", "draw the board"),
        (f"playtest {two}", "let bots try it out"),
        (f"play --edition {two}", "play on it in the browser"),
    ]
    width = max(len(command) for command, _ in steps)
    print("\nOpen both in a text editor and change what you like. Then:")
    for command, about in steps:
        print(f"  goldenspike {command:<{width}}  # {about}")
