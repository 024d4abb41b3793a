"""``goldenspike board layout FILE``."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldenspike.boards import load_board
from goldenspike.boards.layout import LAYOUT_SUFFIX, format_layout
from goldenspike.boards.source import is_path
from goldenspike.cli import OK
from goldenspike.cli.progress import TASK, progress_bar
from goldenspike.mapmaking import STEPS, TRIES, draw_svg, find_faults, make_layout
from goldenspike.words import count_of

_SHOWN = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("file", help="a board file, or the id of a board that comes with the program")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help=f"the layout to write (ID{LAYOUT_SUFFIX} beside the board file, or here for the id of a board)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed, another layout (0)")
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="write a picture of it as well")
    parser.epilog = "example: goldenspike board layout my-board.toml --picture my-board.svg"


def run(options: argparse.Namespace) -> int:
    """Make a layout of a board; nothing is written if it is stopped."""
    if options.seed < 0:
        raise ValueError("Give a seed of 0 or more.")
    board = load_board(options.file)
    with progress_bar("placing", STEPS * TRIES) as progress:
        layout = make_layout(
            board, options.seed, steps=STEPS, tries=TRIES, tick=lambda: progress.advance(TASK)
        )
    folder = Path(options.file).parent if is_path(options.file) else Path()
    out: Path = options.out or folder / f"{board.id}{LAYOUT_SUFFIX}"
    text = format_layout(layout)
    out.write_text(text, encoding="utf-8")
    width, height = layout.size
    print(f"wrote {out}: {width} by {height} units, {len(text.encode()) // 1024 + 1} KiB")
    if options.picture:
        options.picture.write_text(draw_svg(board, layout), encoding="utf-8")
        print(f"wrote {options.picture}: open it in a browser")
    faults = find_faults(layout)
    if faults:
        print(
            f"{count_of(len(faults), 'thing')} could not be kept apart; another --seed, or other places, may:"
        )
        for fault in faults[:_SHOWN]:
            print(f"- {fault}")
    return OK
